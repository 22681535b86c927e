"""New names: how many one address may take."""

import ipaddress
from collections import Counter

import attrs

from parlour_protocol.errors import NotNow
from parlour_server.settings import Settings

HOUR = 3_600_000
"""Milliseconds."""


@attrs.define(eq=False)
class NewNames:
    """Counts the new names of each address, which stands for all addresses that one client may have.

    A name that an address has taken within the hour counts once.
    """

    _settings: Settings
    counts: Counter[str] = attrs.field(factory=Counter, init=False)
    """How many names were taken by guests (``guest``) and with a key (``key``), or not given (``refused``)."""
    _taken: dict[str, dict[str, int]] = attrs.field(factory=dict, init=False)
    """By address the names that it has taken, and when; the oldest first."""

    def check(self, address: str | None, name: str, now: int) -> None:
        """Refuse one more name to an address that has taken too many. Connections from this machine may take any."""
        taken, most = self._recent(address, now), self._settings.new_names
        if taken is None or name.lower() in taken or len(taken) < most:
            return
        self.counts["refused"] += 1
        wait = next(iter(taken.values())) + HOUR - now
        words = f"{most} new names were taken from your address within an hour"
        raise NotNow("rate_limited", words, wait)

    def take(self, address: str | None, name: str, now: int, *, has_key: bool) -> None:
        """Count a name that was taken."""
        self.counts["key" if has_key else "guest"] += 1
        taken = self._recent(address, now)
        if taken is not None and address is not None:
            taken.pop(name.lower(), None)
            taken[name.lower()] = now
            self._taken[address] = self._taken.pop(address, taken)
            self._forget(now)

    def _recent(self, address: str | None, now: int) -> dict[str, int] | None:
        """Return the names that an address has taken within the hour; None: it may take any number."""
        if not self._settings.new_names or address is None or ipaddress.ip_address(address).is_loopback:
            return None
        taken = self._taken.get(address, {})
        while taken and next(iter(taken.values())) <= now - HOUR:
            del taken[next(iter(taken))]
        return taken

    def _forget(self, now: int) -> None:
        """Forget the addresses that have taken no name within the hour."""
        while self._taken and next(reversed(next(iter(self._taken.values())).values()), 0) <= now - HOUR:
            del self._taken[next(iter(self._taken))]

"""Check the fairness of a room's matches from what one client sees.

The server shows a commitment C to its secret S before a match, clients may add nonces, and S is revealed after the
match. A ``Witness`` remembers what was shown and reports contradictions. It trusts what happened while this client was
not connected; only the match file can prove that part.
"""

import json
from collections.abc import Mapping
from typing import Any

import attrs

from parlour_client.core.phrases import say
from parlour_games.fair import commitment
from parlour_protocol.messages import FairView, RoomState

_UNDER_WAY: tuple[RoomState, ...] = ("playing", "pause")


@attrs.define
class Witness:
    """Commitments of one room and our own nonce. Methods return a description of a contradiction, or None."""

    commits: list[str] = attrs.field(factory=list)
    """All C shown so far, oldest first."""
    state: RoomState = "waiting"
    nonce: str | None = None
    """Our nonce under the last C, hex."""
    promised: bool = False
    """Whether the server acknowledged the nonce in time for the next match."""
    kept: bool | None = None
    """Whether the last revealed S fits a C shown before; None if we did not see that C."""
    _bound: dict[str, str] = attrs.field(factory=dict)
    """The first C shown for each context."""
    _opened: set[str] = attrs.field(factory=set)
    """The C whose S was revealed. Another match under one of them would have no secrets."""
    _frozen: FairView | None = None
    """C and nonces of the last match that we saw in progress."""
    _matches: dict[str, FairView] = attrs.field(factory=dict)
    """C and nonces of the matches that we saw in progress, by digest."""
    _context: str = ""
    """The context that came with the last C."""
    _fixed: bool = False
    """Whether every match of the room has the same deal, as the table says: it has no secrets after the first one."""
    _seat: int | None = None
    _nonces: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def takes_nonce(self) -> bool:
        """Whether a nonce sent now counts for a future match whose C we have seen."""
        fresh = bool(self.commits) and self.commits[-1] not in self._opened and self.state not in _UNDER_WAY
        return fresh and not self._fixed

    def see(self, fair: FairView, state: RoomState, seat: int | None, *, jumped: bool = False) -> str | None:
        """Check a table as shown to ``seat``. ``jumped``: earlier tables may be missing."""
        self.state, self._seat, self._nonces = state, seat, fair["nonces"]
        self._fixed = "deal" in fair
        self._bound.setdefault(fair["context"], fair["commit"])
        self.promised = self.promised and seat is not None
        renewed = self._renew(fair, jumped) if self.commits[-1:] != [fair["commit"]] else self._same(fair)
        frozen = self._freeze(fair) if state in _UNDER_WAY else None
        return renewed or frozen or self._missing_nonce()

    def promise(self, nonce: str | None) -> None:
        """Note that the server accepted ``nonce``: tables under this C must show it, unless the match had started."""
        self.promised = nonce is not None and nonce == self.nonce and self.state not in _UNDER_WAY

    def reveal(self, secret: str, digest: str, *, jumped: bool, context: str | None = None) -> str | None:
        """Check the revealed S of a finished match against its C, context and digest.

        ``jumped``: the message follows a ``joined``, which shows a later C.
        """
        try:
            commit = commitment(bytes.fromhex(secret))
        except ValueError:
            commit = ""
        if self._frozen and self._frozen["commit"] == commit:
            self._matches[digest] = self._frozen
        self._opened.add(commit)
        if jumped:
            self.kept = self._fits_unseen(commit, context)
            return say("line.unfair.rigged") if self.kept is False else None
        self.kept = self.commits[-1:] == [commit]
        if not self.kept:
            self._opened.update(self.commits[-1:])
            return say("line.unfair.rigged")
        return self._missing_nonce()

    def abandon(self) -> str | None:
        """Check that the server revealed the match in progress before it closed the room."""
        if self.state not in _UNDER_WAY or self.commits[-1] in self._opened:
            return None
        return say("line.unfair.not_revealed")

    def compare(self, digest: str, line: str) -> str | None:
        """Compare the ``begun`` line of the match file ``digest`` with what was shown in that match."""
        shown = self._matches.get(digest)
        try:
            begun: Any = json.loads(line)
            if shown is None or begun["r"] != "begun":
                return None
            named = begun.get("beacon")
            seats = len(begun["nonces"]) - bool(named)
            nonces = {str(seat): nonce for seat, nonce in enumerate(begun["nonces"][:seats]) if nonce}
            drawn = {**named, "randomness": begun["nonces"][seats]} if named else None
            told = (begun["commit"], begun["context"], nonces, drawn)
            if told == (shown["commit"], shown["context"], shown["nonces"], shown.get("beacon")):
                return None
        except (ValueError, LookupError, TypeError, RecursionError):
            return None  # not a match file: verifying it reports that
        return say("line.unfair.other_file")

    def _fits_unseen(self, commit: str, context: str | None) -> bool | None:
        """Return whether C belongs to a match whose end we missed; None if we never saw that C."""
        if context in self._bound:
            return self._bound[context] == commit
        return commit in self.commits or None

    def _same(self, fair: FairView) -> str | None:
        """Report that values bound to the last C changed, which lets the server choose among deals."""
        if fair["context"] == self._context:
            return None
        self._context = fair["context"]
        return say("line.unfair.context")

    def _renew(self, fair: FairView, jumped: bool) -> str | None:
        """Start to follow another C."""
        replaced = bool(self.commits) and self.commits[-1] not in self._opened
        promised = self.promised
        self.commits.append(fair["commit"])
        self._context = fair["context"]
        self.nonce, self.promised = None, False
        if replaced and not jumped:
            return say("line.unfair.replaced")
        if replaced and promised:
            return say("line.unfair.missed")
        return None

    def _freeze(self, fair: FairView) -> str | None:
        """Remember the C and nonces of the match in progress."""
        before, self._frozen = self._frozen, fair
        if fair["commit"] in self._opened and not self._fixed:
            return say("line.unfair.known")
        if before and before["commit"] == fair["commit"]:
            kept = before["nonces"] == fair["nonces"] and before.get("beacon") == fair.get("beacon")
            return None if kept else say("line.unfair.nonces")
        return None

    def _missing_nonce(self) -> str | None:
        if not self.promised or self._nonces.get(str(self._seat)) == self.nonce:
            return None
        self.promised = False
        return say("line.unfair.no_nonce")

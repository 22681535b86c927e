"""The public beacon as a room knows it: which round is next, and what earlier rounds have brought."""

from typing import Protocol

from parlour_protocol.types import BeaconRound


class Beacon(Protocol):
    """What a room asks of the beacon. The answers become records."""

    def next(self) -> BeaconRound | None:
        """Return a round that is still to be published; None: the beacon is silent."""

    def randomness(self, named: BeaconRound) -> str | None:
        """Return the randomness of a round in hex; None: it is not known."""


class _Silent:
    def next(self) -> None:
        return None

    def randomness(self, named: BeaconRound) -> None:
        return None


SILENT: Beacon = _Silent()

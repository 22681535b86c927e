"""What the verifier knows of any game."""

from typing import Any, Protocol

Map = dict[str, Any]


class Illegal(Exception):
    """A record that the rules do not allow. Its text says why."""


class Game(Protocol):
    """A match as it stands after the records so far."""

    outcome: Map | None
    """``ranks``, ``scores``, ``why`` and perhaps ``stats``, once the match is over."""
    uncovered: list[str]
    """What the records state that this verifier does not compute."""

    def act(self, seat: int, act: Map, at: int) -> None:
        """Apply the answer of a seat, given at a time of the room."""

    def timeout(self, seat: int, at: int) -> None:
        """Do what is done for a seat whose time is up."""

    def timer(self, name: str) -> None:
        """A wait of the game is over."""

    def job(self, name: str, result: Map, at: int) -> None:
        """A computation that the game asked for is done."""

    def leave(self, seat: int) -> None:
        """A seat leaves the game for good."""

    def view(self, seat: int) -> Map:
        """Return what a seat sees."""

    def state(self) -> Map:
        """Return what the final state in a file is the hash of."""

    def asked(self, seat: int) -> bool:
        """Whether a seat has to decide something."""

    def legal(self, seat: int) -> list[Map]:
        """List what a seat that has to decide may do, if the game has such lists."""

    def may(self, seat: int) -> list[Map]:
        """List the optional decisions of a seat."""

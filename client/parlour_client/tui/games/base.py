"""The base class of the games' widgets, which are found by the entry-point group ``parlour.widgets``.

A game's widget stands between the context bar and the key hints. It only knows the room: it posts messages with the
player's choices and never uses the connection.
"""

from collections.abc import Callable
from time import monotonic
from typing import ClassVar

from rich.text import Text
from textual.containers import Container
from textual.message import Message

from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import brought
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.turn_line import TurnLine
from parlour_protocol.messages import Plain


class GameWidget(Container):
    """A game on the screen. The base class only holds the look and the turn line."""

    KEYS: ClassVar[list[tuple[str, str]]] = []
    """(keys, phrase) for the help screen."""
    RANKS: ClassVar[bool] = False
    """Whether ``standings`` at the end of a match includes places and points of all players."""

    REPLAYED: ClassVar[frozenset[str]] = frozenset()
    """The actions of the widget that a replay has keys for: ``odds``, ``zoom``."""

    MOVES: ClassVar[frozenset[str]] = frozenset()
    """Binding ids of the actions that are possible only while ``hints`` names them."""

    class Chosen(Message):
        """The player answers decision ``rid`` with ``act``."""

        def __init__(self, rid: int, act: int | Plain) -> None:
            super().__init__()
            self.rid = rid
            self.act = act

    class Ready(Message):
        """The widget is mounted and can be drawn."""

    def __init__(self, look: Appearance, *, now: Callable[[], float] = monotonic) -> None:
        """``now``: a clock in seconds; in a replay that of the match, which may go back."""
        super().__init__()
        self.look = look
        self.turn = TurnLine(look, now=now)
        self.auto_pass = False
        """Whether to answer where there is only one answer, such as keeping a card that does not fit."""

    def on_mount(self) -> None:
        """Post Ready."""
        self.post_message(self.Ready())

    def show(self, room: JoinedRoom) -> None:
        """Show the current state of the room. Called after each message."""

    def handle_events(self, room: JoinedRoom, events: list[Plain]) -> None:
        """Handle new events, before ``show``. The screen writes the log."""

    def handle_gap(self, told: str) -> None:
        """Say ``told`` in place of the latest events: some are missing, or we have got another seat."""

    def show_refusal(self, room: JoinedRoom, reason: str) -> None:
        """Show why the server refused the act. The decision stays open."""
        self.turn.remark(reason, "refused")

    def show_pending(self, rid: int | None) -> None:
        """Note that the answer to ``rid`` is pending, or with None that no answer is."""

    def colour_line(self, line: Text) -> None:
        """Colour what belongs to the game in a line of the log."""

    def hints(self, room: JoinedRoom) -> list[tuple[str, str]]:
        """Return (binding id, label) of the keys that are useful now, most important first."""
        return []

    def reviewable(self, room: JoinedRoom) -> bool:
        """Return whether ``parlour review`` judges matches like that of ``room``."""
        return False

    def standings(self, room: JoinedRoom) -> list[Text]:
        """Return lines of the game for the results of a round or match."""
        return []

    def statistics(self, room: JoinedRoom) -> list[Text]:
        """Return lines of the game for the details of the results of a match."""
        return []


def widget_for(game: str) -> type[GameWidget]:
    """Return the widget class of ``game``, or that for any game if it has none."""
    found: type[GameWidget] = brought("parlour.widgets", game)
    return found


class ShownClocks:
    """The time that each seat has left. Messages without clocks do not reset them."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        """``now``: a monotonic clock in seconds."""
        self._now = now
        self._told: object = None
        self._asked: object = None
        self._ends: dict[int, float] = {}
        self._full: dict[int, float] = {}
        self._returns: dict[int, tuple[int, float]] = {}

    @property
    def running(self) -> bool:
        """Whether any clock runs."""
        return bool(self._ends or self._returns)

    def update(self, room: JoinedRoom) -> None:
        """Set the clocks of ``room``, and the time for which seats of absent players are reserved."""
        now = self._now()
        if room.clocks is not self._told:
            self._told = room.clocks
            self._ends = {int(seat): now + ms / 1000 for seat, ms in room.clocks.items()}
            self._full = {seat: max(self._full.get(seat, 0.0), end - now) for seat, end in self._ends.items()}
        if room.question is not self._asked:
            self._asked = room.question
            if room.question and room.question.left is not None and room.seat is not None:
                self._ends[room.seat] = now + room.question.left / 1000
        held = {row["seat"]: row["left"] for row in room.table["seats"] if row.get("left") is not None}
        for seat, left in held.items():
            if self._returns.get(seat, (None,))[0] != left:
                self._returns[seat] = left, now + left / 1000
        self._returns = {seat: self._returns[seat] for seat in held}

    def left(self, seat: int | None) -> int | None:
        """Return the milliseconds on the clock of ``seat``, None if it does not run."""
        if seat is None or seat not in self._ends:
            return None
        return max(0, round((self._ends[seat] - self._now()) * 1000))

    def share(self, seat: int) -> float:
        """Return the share of its clock that ``seat`` has left, relative to the maximum seen."""
        left, full = self.left(seat), self._full.get(seat)
        return min(1.0, left / 1000 / full) if left and full else 0.0

    def held(self, seat: int) -> int | None:
        """Return the milliseconds until a stand-in plays for ``seat``, None if its player is present."""
        if seat not in self._returns:
            return None
        return max(0, round((self._returns[seat][1] - self._now()) * 1000))

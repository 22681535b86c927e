"""The first line of a room: game, code, rules in force and latency, or the lost connection."""

from collections.abc import Callable, Sequence
from math import ceil
from time import monotonic

from rich.text import Text
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.core.connection import ConnectionState
from parlour_client.core.phrases import phrases, say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import add_words, lines_for
from parlour_client.text.room_lines import what_counts
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets import canvas

SEAT_HELD = 30.0
"""Seconds without a connection after which the protocol lets a stand-in play."""
_SLOW = 250
"""Latency in milliseconds that is shown as a warning."""
_SILENT = 3
"""Seconds without an answer that are shown."""


def title_of(game: str) -> str:
    """Return the name of a game for people, as far as its words are known."""
    add_words(game)
    return worded(f"{game}.name", game)


def worded(key: str, otherwise: str) -> str:
    """Return the phrase ``key``, or ``otherwise`` if the game has none."""
    try:
        return say(key) if key in phrases else otherwise
    except LookupError:  # a template with places
        return otherwise


class ContextBar(Widget):
    """The header line. While the connection is lost it shows a countdown."""

    DEFAULT_CSS = "ContextBar { height: 1; width: 100%; background: $panel; }"

    def __init__(self, look: Appearance, *, now: Callable[[], float] = monotonic) -> None:
        """``now``: a monotonic clock in seconds."""
        super().__init__()
        self.look = look
        self._now = now
        self._room: JoinedRoom | None = None
        self._doing = say("tui.room.connecting")
        self._latency: int | None = None
        self._asked_at: float | None = None
        """When the server was asked for the latency, until it answers."""
        self._lost: ConnectionState | None = None
        self._lost_at = self._retry_at = 0.0
        self._asked = ("", 0)
        """The room and the last question in it for which the bell may have rung."""

    def show(self, room: JoinedRoom) -> None:
        """Show ``room``, also in the window's title. Ring the bell if our turn begins while no one looks."""
        self._room = room
        self.refresh()
        place = title_of(room.game) if room.private else f"{title_of(room.game)} {room.code}"
        self.app.title = say("tui.room.your_turn", place=place) if room.question else place
        if room.question and (self._asked[0] != room.code or room.question.rid > self._asked[1]):
            self._asked = room.code, room.question.rid
            if not self.app.app_focus:
                self.app.bell()

    def doing(self, words: str) -> None:
        """Show an activity before or after the room is joined."""
        self._doing, self._room = words, None
        self.refresh()

    def latency(self, ms: int) -> None:
        """Show the latency of the server."""
        self._latency, self._asked_at = ms, None
        canvas.tick(self, self._lost is not None)
        self.refresh()

    def asked(self) -> None:
        """Note that the server was asked for its latency: if it does not answer soon, show for how long."""
        if self._asked_at is None:
            self._asked_at = self._now()
        canvas.tick(self, running=True)

    def link(self, state: ConnectionState) -> None:
        """Show whether there is a connection."""
        if state.name == "lost":
            self._asked_at = None
            self._lost_at = self._lost_at if self._lost else self._now()
            self._lost, self._retry_at = state, self._now() + state.retry_in
        elif state.name == "open":
            self._lost = None
        canvas.tick(self, self._lost is not None)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return the line."""
        look, width = self.look, self.size.width
        if self._lost is not None:
            return look.strip(self._banner(self._lost), width, ground="panel")
        if self._room is None:
            dots = look.glyphs.more
            return look.strip(look.text((" parlour ", "gold"), (f" {self._doing}{dots}", "dim")), width, ground="panel")
        right = Text(end="") if self._room.private else self._far()
        code = look.text((f"{say('tui.header.room')} ", "dim"), look.text(self._room.code, bold=True), "   ")
        place, rules = [] if self._room.private else [code], in_force(self._room, look.glyphs.times)
        left = fitted(look, self._room.game, place, rules, width - right.cell_len - 1)
        return look.strip(left.append_text(right), width, ground="panel")

    def _far(self) -> Text:
        if self._latency is None:
            return Text(end="")
        silent = 0 if self._asked_at is None else int(self._now() - self._asked_at)
        if silent >= _SILENT:
            return self.look.text((f"  {say('tui.header.silent', n=silent)} ", "coral"))
        return self.look.text((f"  {self._latency} ms ", "coral" if self._latency >= _SLOW else "dim"))

    def _banner(self, lost: ConnectionState) -> Text:
        look, room = self.look, self._room
        again = max(0, ceil(self._retry_at - self._now()))
        parts = [say("tui.header.again", n=again) if again else say("tui.header.trying")]
        if room is not None and room.seat is not None and room.under_way:
            held = ceil(SEAT_HELD - (self._now() - self._lost_at))
            parts.append(say("tui.header.held", n=held) if held > 0 else say("tui.header.stood_in"))
        said = look.text((f" {say('tui.header.lost')} ", "coral"), bold=True)
        told = look.text(said, f" {f' {look.glyphs.dot} '.join(parts)} ")
        why = look.text((f" {lost.reason}", "dim"))
        return told.append_text(why) if told.cell_len + why.cell_len <= self.size.width else told


def fitted(look: Appearance, game: str, place: Sequence[Text], rules: Sequence[str], columns: int) -> Text:
    """Return the left of a first line, padded to ``columns``: the name of the program, the game, the place, the rules.

    What does not fit is left out: the name of the program first, then the last rules, then the game. The first rule
    says what counts.
    """
    between, title = (f"  {look.glyphs.arrow}  ", "dim"), (title_of(game), "dim")
    program = look.text(look.text(("parlour", "gold"), bold=True), between)
    fewer = [rules[:n] for n in range(len(rules), 0, -1)] or [[]]
    ways = (([program, title, between, *place], fewer[:1]), ([title, between, *place], fewer), (place, fewer))
    lines = [
        look.text(" ", *parts, (f" {look.glyphs.dot} ".join(kept), "dim")) for parts, each in ways for kept in each
    ]
    left = look.cut(next((line for line in lines if line.cell_len <= columns), lines[-1]), columns)
    left.append(" " * (columns - left.cell_len))
    return left


def in_force(room: JoinedRoom, times: str) -> list[str]:
    """Return short texts about the match: what counts if the deal was chosen, the round, and the rules in force.

    ``times`` stands between width and height.
    """
    view = room.view or {}
    parts = [counts] if (counts := what_counts(room, short=True)) else []
    parts += [say("tui.header.round", n=view["round"])] if "round" in view else []
    try:
        rules = [*lines_for(room.game).in_short(room.game, room.table["options"])]
    except (LookupError, ValueError, TypeError, AttributeError):
        rules = []  # options that do not fit the game
    return [*parts, *(rule.replace("×", times) for rule in rules)]

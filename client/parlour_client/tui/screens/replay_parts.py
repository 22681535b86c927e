"""Parts of the replay screen: heading, line about the act, log, and the position, which keys and mouse move."""

from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.replays import ShownVerdict, Timeline, TimelinePosition
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.games.minesweeper.board import BoardView
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.event_log import EventLog
from parlour_client.tui.widgets.header import fitted, in_force
from parlour_protocol.messages import Plain

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Speeds, as multiples of PACE."""
PACE = 1.0
"""Acts a second."""
_FAR = 10
"""Acts."""


class Scrubber(Widget, can_focus=True):
    """The position in a match, and how it moves: in a line with state and speed, a bar with a mark for each round.

    ``at``: the number of acts that are shown; ``playing``: whether the replay runs. Both are reactive.
    """

    DEFAULT_CSS = "Scrubber { height: 1; width: 100%; background: $panel; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "play", id="replay.play"),
        Binding("right", "step(1)", id="replay.next"),
        Binding("left", "step(-1)", id="replay.before"),
        Binding("shift+right", f"step({_FAR})", id="replay.far"),
        Binding("shift+left", f"step({-_FAR})", id="replay.far_back"),
        Binding("pagedown", "leap(1)", id="replay.round"),
        Binding("pageup", "leap(-1)", id="replay.round_before"),
        Binding("home", "end(-1)", id="replay.first"),
        Binding("end", "end(1)", id="replay.last"),
        Binding("plus,equals_sign", "speed(1)", id="replay.faster"),
        Binding("minus", "speed(-1)", id="replay.slower"),
    ]
    at = reactive(0, init=False)
    playing = reactive(False, init=False)

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self.look = look
        self._timeline: Timeline | None = None
        self._marks: list[int] = []
        self._speed = SPEEDS.index(1.0)
        self._timer: Timer | None = None
        self._left, self._length = 0, 1
        self._dragging = False

    def follow(self, timeline: Timeline) -> None:
        """Move in ``timeline``, from where we are if it is that long."""
        self._timeline, self._marks = timeline, timeline.rounds[1:]
        self.go(self.at)
        self.refresh()

    @property
    def last(self) -> int:
        """The number of acts of the match, 0 until it is known."""
        return self._timeline.last if self._timeline else 0

    def go(self, at: int) -> None:
        """Move to the position after ``at`` acts, or to the nearest one."""
        self.at = max(0, min(at, self.last))

    def watch_at(self) -> None:
        """Stop at the end."""
        if self.at == self.last:
            self.playing = False

    def watch_playing(self) -> None:
        """Start or stop to move."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = None
        if self.playing:
            self._timer = self.set_interval(1 / (PACE * SPEEDS[self._speed]), partial(self.action_step, 1))

    def action_play(self) -> None:
        """Play or pause; at the end, play from the start."""
        if not self.playing and self.at == self.last:
            self.go(0)
        self.playing = not self.playing and self.at < self.last

    def action_step(self, by: int) -> None:
        """Move by a number of acts."""
        self.go(self.at + by)

    def action_leap(self, by: int) -> None:
        """Go to the next round, or the one before."""
        if self._timeline is not None:
            self.go(self._timeline.leap(self.at, by))

    def action_end(self, direction: int) -> None:
        """Go to the end, or (-1) to the beginning."""
        self.go(self.last if direction > 0 else 0)

    def action_speed(self, by: int) -> None:
        """Play faster or slower."""
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))
        self.watch_playing()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return the line, and remember the position of its bar."""
        look, width = self.look, self.size.width
        speed = f"{SPEEDS[self._speed]:g}{look.glyphs.times}"
        state = say("tui.replay.playing" if self.playing else "tui.replay.paused")
        figures = say("tui.replay.figures", at=f"{self.at:>{len(str(self.last))}}", last=self.last)
        before, behind = look.text((f" {state:<7} {speed:>4}  ", "gold")), look.text(f"  {figures} ")
        if self._timeline is None:
            before = behind = Text()
        self._left = before.cell_len
        self._length = max(1, width - before.cell_len - behind.cell_len)
        return look.strip(look.text(before, self._bar(), behind), width, ground="panel")

    def _bar(self) -> Text:
        look, glyphs = self.look, self.look.glyphs
        here, marks = self._column(self.at), {self._column(mark) for mark in self._marks}
        bar = Text(end="")
        for column in range(self._length):
            role = "gold" if column <= here else "edge"
            if column == here:
                bar.append(glyphs.block, look.style("gold", bold=True))
            elif column in marks:
                bar.append(glyphs.box[5], look.style("ink"))
            else:
                bar.append(glyphs.bar_full if column < here else glyphs.bar_empty, look.style(role))
        return bar

    def _column(self, at: int) -> int:
        return round(at / self.last * (self._length - 1)) if self.last else 0

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begin to drag."""
        self._dragging = True
        self.capture_mouse()
        self._seek(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Seek while dragging."""
        if self._dragging:
            self._seek(event.x)

    def on_mouse_up(self) -> None:
        """Let go."""
        self._dragging = False
        self.release_mouse()

    def _seek(self, x: int) -> None:
        self.go(round((x - self._left) / max(1, self._length - 1) * self.last))


class ReplayLog(EventLog):
    """The log of a match up to the current position."""

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self.border_title = say("tui.replay.log")

    def reset(self, lines: list[str]) -> None:
        """Replace all lines."""
        self.clear()
        self._lines.clear()
        for line in lines:
            self.event(line, "event")


def heading(
    look: Appearance, position: TimelinePosition, viewer: int | None, verdict: ShownVerdict | None, width: int
) -> Text:
    """Return the heading: game, room and rules on the left, the viewer and the verdict on the right."""
    room = position.room
    whose = say("tui.replay.spectator") if viewer is None else clean(room.name(viewer), 20)
    code = look.text((f"{say('tui.title.replay')} ", "dim"), look.text(room.code, bold=True), "   ")
    right = look.text((say("tui.replay.seen_by"), "dim"), (whose, "gold"), "   ", proof(look, verdict), " ")
    left = fitted(look, room.game, [code], in_force(room, look.glyphs.times), width - right.cell_len - 1)
    left.append(" ")
    return left.append_text(right)


def proof(look: Appearance, verdict: ShownVerdict | None) -> Text:
    """Return the verdict on the file in a word or two."""
    if verdict is None:
        return look.text((f"{say('tui.replay.checking')}{look.glyphs.more}", "dim"))
    if verdict.ok:
        return look.text(f"{look.glyphs.ready} {say('tui.replay.verified')}")
    return look.text((f"{look.glyphs.cross} {say('tui.replay.wrong')}", "coral"), bold=True)


def act_line(
    look: Appearance, position: TimelinePosition | None, verdict: ShownVerdict | None, remark: str = ""
) -> Text:
    """Return a line about the act with a remark and its note, or about what is wrong with the file."""
    if verdict is not None and not verdict.ok:
        return look.text(" ", (verdict.text, "coral"))
    if position is None:
        return Text(end="")
    minutes, seconds = divmod(position.ms // 1000, 60)
    time = look.text((f" {minutes:02}:{seconds:02}", "dim"))
    said = position.said[0] if position.said else "" if position.step else say("tui.replay.begins")
    return look.joined(time, look.text(said), look.text((remark, "coral")), look.text((position.note, "dim")), gap=2)


def follow(widget: GameWidget, events: list[Plain]) -> None:
    """Move the cursor of a board, if there is one, to the last event."""
    at = next((event["at"] for event in reversed(events) if event.get("at")), None)
    while isinstance(at, list) and at and isinstance(at[0], list):
        at = at[-1]
    if at is not None:
        for board in widget.query(BoardView):
            board.point((at[0], at[1]))

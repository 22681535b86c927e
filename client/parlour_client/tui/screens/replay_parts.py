"""Parts of the replay screen: heading, line about the act, log, and the progress bar in which the mouse seeks."""

from rich.text import Text
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.replays import ShownVerdict, TimelinePosition
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.games.minesweeper.board import BoardView
from parlour_client.tui.theme.theme import Appearance
from parlour_client.tui.widgets.event_log import EventLog
from parlour_client.tui.widgets.header import in_force, title_of
from parlour_protocol.messages import Plain


class Scrubber(Widget, can_focus=True):
    """One line: state and speed, the bar with a mark for each round, and the position."""

    DEFAULT_CSS = "Scrubber { height: 1; width: 100%; background: $panel; }"

    class Moved(Message):
        """The player seeks to the position after ``at`` acts."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self.look = look
        self._at = self._last = 0
        self._marks: list[int] = []
        self._before = self._behind = ""
        self._left, self._length = 0, 1
        self._dragging = False

    def show(self, at: int, last: int, marks: list[int], before: str, behind: str) -> None:
        """Show act ``at`` of ``last``. Rounds start at ``marks``. Texts stand before and after the bar."""
        self._at, self._last, self._marks = at, last, marks
        self._before, self._behind = before, behind
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return the line, and remember the position of its bar."""
        look, width = self.look, self.size.width
        before = look.text((f" {self._before}  ", "gold"))
        behind = look.text(f"  {self._behind} ")
        self._left = before.cell_len
        self._length = max(1, width - before.cell_len - behind.cell_len)
        return look.strip(look.text(before, self._bar(), behind), width, ground="panel")

    def _bar(self) -> Text:
        look, glyphs = self.look, self.look.glyphs
        here, marks = self._column(self._at), {self._column(mark) for mark in self._marks}
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
        return round(at / self._last * (self._length - 1)) if self._last else 0

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Begin to drag."""
        self._dragging = True
        self.capture_mouse()
        self._go(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Seek while dragging."""
        if self._dragging:
            self._go(event.x)

    def on_mouse_up(self) -> None:
        """Let go."""
        self._dragging = False
        self.release_mouse()

    def _go(self, x: int) -> None:
        share = (x - self._left) / max(1, self._length - 1)
        at = round(max(0.0, min(1.0, share)) * self._last)
        if at != self._at:
            self.post_message(self.Moved(at))


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


def loading_line(look: Appearance, name: str) -> Text:
    """Return the heading while the file is being read."""
    return look.text((" parlour", "gold"), (f"  {say('tui.replay.reading', name=name)}{look.glyphs.more}", "dim"))


def heading(
    look: Appearance, position: TimelinePosition, viewer: int | None, verdict: ShownVerdict | None, width: int
) -> Text:
    """Return the heading: game, room and rules on the left, the viewer and the verdict on the right."""
    room, between = position.room, (f"  {look.glyphs.arrow}  ", "dim")
    rules = f" {look.glyphs.dot} ".join(in_force(room, look.glyphs.times))
    whose = say("tui.replay.spectator") if viewer is None else clean(room.name(viewer), 20)
    left = look.text(
        look.text((" parlour", "gold"), bold=True),
        between,
        (title_of(room.game), "dim"),
        between,
        (f"{say('tui.title.replay')} ", "dim"),
        look.text(room.code, bold=True),
        (f"   {rules}", "dim"),
    )
    right = look.text((say("tui.replay.seen_by"), "dim"), (whose, "gold"), "   ", proof(look, verdict), " ")
    space = width - right.cell_len - 1
    if left.cell_len > space:
        left.truncate(max(0, space - 1))
        left.append(look.glyphs.more, look.style("dim"))
    left.append(" " * (space - left.cell_len + 1))
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

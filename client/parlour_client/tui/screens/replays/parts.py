"""Parts of the replay screen: heading, line about the act, and log."""

from rich.text import Text

from parlour_client.core.phrases import say
from parlour_client.core.sanitize import clean
from parlour_client.replays.reader import Verdict
from parlour_client.replays.timeline import Position
from parlour_client.tui.games.base import GameWidget
from parlour_client.tui.games.minesweeper.board import BoardView
from parlour_client.tui.theme.theme import Look
from parlour_client.tui.widgets.event_log import EventLog
from parlour_client.tui.widgets.header import in_force, title_of
from parlour_protocol.messages import Plain


class ReplayLog(EventLog):
    """The log of a match up to the current position."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.border_title = say("tui.replay.log")

    def reset(self, lines: list[str]) -> None:
        """Replace all lines."""
        self.clear()
        self._lines.clear()
        for line in lines:
            self.event(line, "event")


def loading_line(look: Look, name: str) -> Text:
    """Return the heading while the file is being read."""
    return look.text((" parlour", "gold"), (f"  {say('tui.replay.reading', name=name)}{look.glyphs.more}", "dim"))


def heading(look: Look, position: Position, viewer: int | None, verdict: Verdict | None, width: int) -> Text:
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


def proof(look: Look, verdict: Verdict | None) -> Text:
    """Return the verdict on the file in a word or two."""
    if verdict is None:
        return look.text((f"{say('tui.replay.checking')}{look.glyphs.more}", "dim"))
    if verdict.ok:
        return look.text(f"{look.glyphs.ready} {say('tui.replay.verified')}")
    return look.text((f"{look.glyphs.cross} {say('tui.replay.wrong')}", "coral"), bold=True)


def act_line(look: Look, position: Position | None, verdict: Verdict | None, remark: str = "") -> Text:
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

"""The others at the table, as boxes and as lines."""

from typing import Any

import pytest
from tests.client.messages import VIEW, joined, row, table
from tests.client.tui.games.uno.tables import TRUECOLOUR
from tests.client.tui.snapshots import lines, underlined
from textual.app import App, ComposeResult

from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.base import ShownClocks
from parlour_client.tui.games.uno.opponents import Opponents, next_seat, others
from parlour_protocol.messages import SeatRow

BOXES, LINES = (80, 5), (60, 3)


def room(*people: SeatRow, seat: int | None = 0, clocks: dict[str, int] | None = None, **view: Any) -> JoinedRoom:
    rows = [*(people or (row(0, "maria"), row(1, "otto", kind="bot"), row(2, "pia")))]
    made = JoinedRoom.of(joined(0, seat=seat, view={**VIEW, **view}, table=table("playing", seats=rows)))
    made.clocks = clocks or {}
    return made


class OpenReplay(App[int]):
    def __init__(self, here: JoinedRoom, *, boxes: bool) -> None:
        super().__init__()
        self.here = here
        self.now = 0.0
        self.clocks = ShownClocks(lambda: self.now)
        self.opponents = Opponents(TRUECOLOUR, self.clocks)
        self.boxes = boxes

    def compose(self) -> ComposeResult:
        yield self.opponents

    def on_mount(self) -> None:
        self.take(self.here)

    def take(self, here: JoinedRoom) -> None:
        self.clocks.update(here)
        self.opponents.show(here)
        self.opponents.styles.height = self.opponents.rows(self.size.width, self.boxes)


async def drawn(here: JoinedRoom, size: tuple[int, int]) -> list[str]:
    app = OpenReplay(here, boxes=size == BOXES)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        return lines(app)


async def test_the_clock_counts_on_between_messages() -> None:
    app = OpenReplay(room(turn=1, clocks={"1": 21_000}), boxes=True)
    async with app.run_test(size=BOXES):
        app.now = 6.5
        app.opponents.repaint()
        assert "─ 15s ┃" in lines(app)[3]


async def test_who_is_away_is_said_and_how_long_the_seat_is_held() -> None:
    away = row(1, "otto", here=False, left=28_000)
    replaced = row(2, "pia", here=False, by="standin")
    shown = await drawn(room(row(0, "maria"), away, replaced), BOXES)
    assert "away, held 28s" in shown[3]
    assert "human, a stand-in plays" in shown[2]


async def test_lines_tell_who_is_away() -> None:
    away, replaced = row(1, "otto", here=False, left=9_000), row(2, "pia", by="standin")
    shown = await drawn(room(row(0, "maria"), away, replaced), LINES)
    assert "away 9s" in shown[0]
    assert "stand-in" in shown[0]


async def test_who_is_out_is_said() -> None:
    assert "│ out " in (await drawn(room(out=[1]), BOXES))[1]
    assert "otto bot out" in (await drawn(room(out=[1]), LINES))[0]


async def test_a_name_is_harmless_and_cut() -> None:
    shown = await drawn(room(row(0, "maria"), row(1, "o[red]t\x1b[2Jto" + "x" * 90), row(2, "pia")), BOXES)
    assert "o[red]t" in shown[0]
    assert "\x1b" not in "".join(shown)
    assert all(len(line) == 80 for line in shown)


@pytest.mark.parametrize(("turn", "direction", "out", "following"), [
    (0, 1, [], 1), (0, -1, [], 2), (2, 1, [], 0), (0, 1, [1], 2), (None, 1, [], None), (0, 1, [1, 2], None),
])  # fmt: skip
def test_who_comes_next(turn: int | None, direction: int, out: list[int], following: int | None) -> None:
    assert next_seat({**VIEW, "turn": turn, "direction": direction, "out": out}) == following


def test_they_are_listed_from_the_seat_after_ours() -> None:
    assert [other.seat for other in others(room(seat=1))] == [2, 0]
    assert [other.seat for other in others(room(seat=None))] == [0, 1, 2]


async def test_boxes_need_space_for_all() -> None:
    app = OpenReplay(room(), boxes=True)
    async with app.run_test(size=(80, 24)):
        assert app.opponents.rows(80, boxes=True) == 5
        assert app.opponents.rows(30, boxes=True) == 2
        assert app.opponents.rows(80, boxes=False) == 1


@pytest.mark.parametrize(("size", "name"), [(BOXES, "pia"), (LINES, "otto")])
async def test_the_mouse_underlines_the_name_of_the_opponent_beneath_it(size: tuple[int, int], name: str) -> None:
    app = OpenReplay(room(turn=0), boxes=size == BOXES)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        place = app.opponents.place(1 if name == "otto" else 2)
        assert place is not None
        await pilot.hover(Opponents, offset=place)
        assert name in underlined(app)
        await pilot.hover(app.screen, offset=(0, size[1] - 1) if size == LINES else (0, 0))
        assert underlined(app) == ""

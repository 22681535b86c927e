"""The others at the table, as boxes and as lines, and clocks that run on between messages."""

from typing import Any

import pytest
from tests.client.messages import PEOPLE, VIEW, row
from tests.client.tui.games.uno.tables import TRUECOLOUR, room
from tests.client.tui.seated import Alone, Time
from tests.client.tui.snapshots import lines, underlined

from parlour_client.core.room import JoinedRoom, Question
from parlour_client.tui.games.base import ShownClocks
from parlour_client.tui.games.uno.opponents import Opponents, next_seat, others

BOXES, LINES = (80, 5), (60, 3)
MARIA, OTTO, PIA = PEOPLE


def sitting(here: JoinedRoom, size: tuple[int, int], time: Time | None = None) -> Opponents:
    clocks = ShownClocks(time or Time())
    clocks.update(here)
    opponents = Opponents(TRUECOLOUR, clocks)
    opponents.show(here)
    opponents.styles.height = opponents.rows(size[0], size == BOXES)
    return opponents


async def drawn(here: JoinedRoom, size: tuple[int, int]) -> list[str]:
    app = Alone(sitting(here, size))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        return lines(app)


async def test_the_clock_counts_on_between_messages() -> None:
    time, here = Time(), room(turn=1)
    here.clocks = {"1": 21_000}
    app = Alone(sitting(here, BOXES, time))
    async with app.run_test(size=BOXES):
        time.now = 6.5
        app.widget.repaint()
        assert "─ 15s ┃" in lines(app)[3]


@pytest.mark.parametrize(("away", "replaced", "size", "told"), [
    ({"here": False, "left": 28_000}, {"here": False, "by": "standin"}, BOXES,
     {3: ["away, held 28s"], 2: ["human, a stand-in plays"]}),
    ({"here": False, "left": 9_000}, {"by": "standin"}, LINES, {0: ["away 9s", "stand-in"]}),
])  # fmt: skip
async def test_who_is_away_is_said_and_how_long_the_seat_is_held(
    away: dict[str, Any], replaced: dict[str, Any], size: tuple[int, int], told: dict[int, list[str]]
) -> None:
    shown = await drawn(room(people=[MARIA, row(1, "otto", **away), row(2, "pia", **replaced)]), size)
    assert [word for at, words in told.items() for word in words if word not in shown[at]] == []


async def test_who_is_out_is_said_and_a_name_is_harmless_and_cut() -> None:
    assert "│ out " in (await drawn(room(out=[1]), BOXES))[1]
    assert "otto human out" in (await drawn(room(out=[1]), LINES))[0]
    shown = await drawn(room(people=[MARIA, row(1, "o[red]t\x1b[2Jto" + "x" * 90), PIA]), BOXES)
    assert "o[red]t" in shown[0]
    assert "\x1b" not in "".join(shown)
    assert all(len(line) == 80 for line in shown)


@pytest.mark.parametrize(("turn", "direction", "out", "following"), [
    (0, 1, [], 1), (0, -1, [], 2), (2, 1, [], 0), (0, 1, [1], 2), (None, 1, [], None), (0, 1, [1, 2], None),
])  # fmt: skip
def test_who_comes_next(turn: int | None, direction: int, out: list[int], following: int | None) -> None:
    assert next_seat({**VIEW, "turn": turn, "direction": direction, "out": out}) == following


async def test_they_are_listed_from_the_seat_after_ours_and_boxes_need_space_for_all() -> None:
    assert [other.seat for other in others(room(seat=1))] == [2, 0]
    assert [other.seat for other in others(room(seat=None))] == [0, 1, 2]
    opponents = sitting(room(), BOXES)
    async with Alone(opponents).run_test(size=(80, 24)):
        assert [opponents.rows(*space) for space in ((80, True), (30, True), (80, False))] == [5, 2, 1]


@pytest.mark.parametrize(("size", "name"), [(BOXES, "pia"), (LINES, "otto")])
async def test_the_mouse_underlines_the_name_of_the_opponent_beneath_it(size: tuple[int, int], name: str) -> None:
    app = Alone(sitting(room(turn=0), size))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        place = app.widget.place(1 if name == "otto" else 2)
        assert place is not None
        await pilot.hover(Opponents, offset=place)
        assert name in underlined(app)
        await pilot.hover(app.screen, offset=(0, size[1] - 1) if size == LINES else (0, 0))
        assert underlined(app) == ""


def test_a_clock_runs_down_to_nothing_and_only_what_is_told_otherwise_sets_it_back() -> None:
    time, here = Time(), room()
    clocks = ShownClocks(time)
    here.clocks = {"1": 20_000}
    clocks.update(here)
    assert (clocks.left(1), clocks.share(1), clocks.running) == (20_000, 1.0, True)
    assert (clocks.left(0), clocks.left(None)) == (None, None)
    time.now = 5.0
    clocks.update(here)
    assert (clocks.left(1), clocks.share(1)) == (15_000, 0.75)
    time.now = 90.0
    assert (clocks.left(1), clocks.share(1)) == (0, 0.0)
    here.clocks, here.question = {"0": 9_000}, Question(1, [], 9_000)
    clocks.update(here)
    assert (clocks.left(1), clocks.left(0)) == (None, 9_000)
    here.question = Question(1, [], 5_000)
    clocks.update(here)
    assert clocks.left(0) == 5_000, "a refusal tells anew what is left for our question"


def test_a_seat_is_held_until_its_owner_is_back() -> None:
    time, here = Time(), room(people=[MARIA, row(1, "otto", left=28_000)])
    clocks = ShownClocks(time)
    clocks.update(here)
    time.now = 3.0
    clocks.update(here)
    assert (clocks.held(1), clocks.running) == (25_000, True)
    del here.table["seats"][1]["left"]
    clocks.update(here)
    assert (clocks.held(1), clocks.running) == (None, False)

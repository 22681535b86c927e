from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rich.text import Text
from tests.client.tui.seated import Alone, Time

from parlour_client.tui.colors import DEFAULT
from parlour_client.tui.glyphs import UNICODE
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.turn_line import TurnLine

LOOK = Appearance(UNICODE, DEFAULT)
RULE = LOOK.text("match ▲ red or 7")


@asynccontextmanager
async def shown(width: int = 80) -> AsyncIterator[tuple[TurnLine, Time]]:
    clock = Time()
    app = Alone(TurnLine(LOOK, now=clock))
    async with app.run_test(size=(width, 3)) as pilot:
        await pilot.pause()
        yield app.widget, clock


def text(line: TurnLine) -> str:
    return line.render_line(0).text


async def test_it_tells_whose_turn_it_is_the_time_and_the_rule() -> None:
    async with shown() as (line, clock):
        line.set("YOUR TURN", 20_000, RULE, True)
        assert text(line).strip() == f"YOUR TURN  {'━' * 32}  20s   match ▲ red or 7"
        clock.now += 10.5
        assert text(line).strip() == f"YOUR TURN  {'━' * 15}{'─' * 17}  10s   match ▲ red or 7"
        clock.now += 1
        assert {str(s.style) for s in line.render_line(0) if s.text == "9s"} == {f"{DEFAULT.coral} on {DEFAULT.table}"}
        clock.now += 99
        assert "  0s  " in text(line)


async def test_the_bar_stays_when_the_same_turn_is_told_again() -> None:
    async with shown() as (line, clock):
        line.set("YOUR TURN", 20_000, RULE, True)
        clock.now += 10
        line.set("YOUR TURN", 10_000, RULE, True)
        assert text(line).count("━") == 16
        line.set("maria's turn", 10_000, RULE, False)
        assert text(line).count("━") == 32


async def test_without_a_clock_nothing_ticks() -> None:
    async with shown() as (line, _):
        for left in (None, 5_000, None):
            line.set("otto's turn", left, RULE, False)
            assert (line.auto_refresh is None) is (left is None)
        assert text(line).strip() == "otto's turn   match ▲ red or 7"


async def test_a_remark_stands_where_the_rule_was_until_it_fades_or_the_turn_changes() -> None:
    async with shown() as (line, _):
        line.set("YOUR TURN", None, RULE, True)
        line.remark("You hold no red 5.", "refused")
        assert line.words == "YOUR TURN  You hold no red 5."
        line.set("YOUR TURN", None, RULE, True)
        assert line.words == "YOUR TURN  You hold no red 5."
        line._forget_remark()
        assert line.words == "YOUR TURN  match ▲ red or 7"
        line.remark("hello", "info")
        line.set("otto's turn", None, Text(), False)
        assert line.words == "otto's turn"


async def test_a_narrow_line_gives_up_its_bar_first() -> None:
    for width, told in ((40, "YOUR TURN  14s   match ▲ red or 7"), (20, "YOUR TURN  14s   ma…")):
        async with shown(width) as (line, _):
            line.set("YOUR TURN", 14_000, RULE, True)
            assert text(line).strip() == told


async def test_names_do_nothing_to_the_terminal() -> None:
    async with shown() as (line, _):
        line.set("\x1b[2J's turn", None, Text(), False)
        line.remark("\x07[bold]", "info")
        assert line.words == "\ufffd[2J's turn  \ufffd[bold]"

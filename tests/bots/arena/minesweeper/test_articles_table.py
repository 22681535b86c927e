from io import StringIO
from xml.etree import ElementTree

import pytest
from rich.console import Console
from tests.bots.arena.layouts import result

from parlour_bots.arena.minesweeper import articles_table
from parlour_bots.arena.minesweeper.articles_table import LEVELS, Figures, LevelFigures, drawn, figures, svg
from parlour_bots.arena.minesweeper.summary import BoardResult


def results(wins: str) -> list[BoardResult]:
    return [result(char == "+", flagged=0.5, open=0.25) for char in wins]


def test_boards_are_those_of_all_levels_then_three_hundred_others() -> None:
    made = articles_table.boards(2, 3, 1, "radius", "corner")
    assert [board.width for board in made] == [9] * 6 + [16] * 6 + [30] * 6 + [9] * 100 + [16] * 100 + [30] * 100
    assert len({board.id for board in made}) == len(made)
    assert len({board.mines for board in made}) == len(made)


def test_shares_of_each_run_and_of_all() -> None:
    played = results("++++" + "+-+-" + "---+") + results("+" * 150 + "-" * 150)
    told = figures(["me"], [played], 2, 2)
    assert told.rows == [
        LevelFigures("me", "beginner", (1.0, 1.0), 1.0, 0.5, 0.25),
        LevelFigures("me", "intermediate", (0.5, 0.5), 0.5, 0.5, 0.25),
        LevelFigures("me", "expert", (0.0, 0.5), 0.25, 0.5, 0.25),
    ]
    assert told.three_hundred == {"me": 150}


def test_what_has_not_been_played_is_left_out() -> None:
    told = figures(["me", "you"], [results("+++"), results("---")], 2, 1)
    assert [(row.bot, row.level, row.runs) for row in told.rows] == [
        ("me", "beginner", (1.0,)),
        ("me", "intermediate", (1.0,)),
        ("you", "beginner", (0.0,)),
        ("you", "intermediate", (0.0,)),
    ]
    assert told.three_hundred == {}


@pytest.mark.parametrize("ruled", [True, False])
def test_the_table_in_words(ruled: bool) -> None:
    told = Figures([LevelFigures("me", level, (0.04, 0.09), 0.065, 0.5, 0.25) for level in LEVELS], {"me": 207})
    out = StringIO()
    Console(file=out, width=120).print(drawn(told, 100, 2, ruled=ruled))
    lines = [line.split() for line in out.getvalue().splitlines() if line.strip()]
    assert " ".join(lines[0]) == "2 × 100 boards per level, in per cent"
    assert ["me", "expert", "4", "9", "6.5", "50.0", "25.0"] in lines
    assert ["me", "300", "boards", "207", "of", "300", "69.0"] in lines


SVG = "{http://www.w3.org/2000/svg}"
FIGURES = Figures(
    [LevelFigures(bot, level, (0.0, 0.5), 0.25, 0.5, 0.5) for bot in ("a<b", "exact") for level in LEVELS],
    {"exact": 300},
)


def test_a_bar_for_each_bot_and_level_a_dot_for_each_run_all_labelled_and_within_the_picture() -> None:
    text = svg(FIGURES, 100)
    drawn = ElementTree.fromstring(text)
    bars = [*drawn.iter(f"{SVG}rect")]
    whole = articles_table.WIDTH - articles_table.LEFT - articles_table.RIGHT
    assert [float(bar.attrib["width"]) for bar in bars] == [whole / 4] * 6 + [whole]
    assert len(list(drawn.iter(f"{SVG}circle"))) == 12
    words = [text.text for text in drawn.iter(f"{SVG}text")]
    assert words[0] == "Minesweeper boards solved, in per cent; a dot is a run of 100 boards"
    assert {*LEVELS, "300 boards", "a<b", "exact"} <= set(words)
    assert (words.count("25.0 %"), words.count("100.0 %")) == (6, 1)
    height = int(drawn.attrib["height"])
    assert all(0 < float(each.attrib["y"]) < height for each in drawn.iter() if "y" in each.attrib)
    ys = [float(bar.attrib["y"]) for bar in bars]
    assert ys == sorted(set(ys))
    assert "prefers-color-scheme:dark" in text
    assert text.count("http") == 1, "it loads nothing"


def test_what_was_not_played_is_not_drawn() -> None:
    drawn = ElementTree.fromstring(svg(Figures([], {}), 100))
    assert list(drawn.iter(f"{SVG}rect")) == []

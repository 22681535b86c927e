import json
from io import StringIO
from pathlib import Path

import attrs
import pytest
from tests.bots.arena.layouts import ADJACENCY, ARTICLE, board, bot_file, result

from parlour_bots.arena.minesweeper import game
from parlour_bots.arena.minesweeper.game import fresh
from parlour_bots.arena.minesweeper.run import BoardContest, of_contest, writer
from parlour_bots.arena.minesweeper.summary import BoardResult, difference, percentile, summary
from parlour_bots.tools.progress import ContestProgress
from parlour_games.minesweeper.options import Options

SMALL = [board("..", ".*", name=str(number)) for number in range(3)]


def told_by(contest: BoardContest) -> str:
    out = StringIO()
    with ContestProgress(1, out, lambda: 0.0) as progress:
        contest.run(progress, lambda name, result: None)
    return out.getvalue()


def test_all_bots_play_all_boards() -> None:
    boards = list(fresh(Options(level="beginner"), "corner", 1, 5))
    contest = BoardContest([ARTICLE, ADJACENCY], ["one", "other"], boards, 1)
    written: list[tuple[str, BoardResult]] = []
    with ContestProgress(10, StringIO()) as progress:
        contest.run(progress, lambda name, result: written.append((name, result)))
    assert [[each.id for each in results] for results in contest.results] == [[each.id for each in boards]] * 2
    assert [name for name, _ in written] == ["one", "other"] * 5
    assert [result for _, result in written[1::2]] == contest.results[1]
    assert not contest.interrupted


def test_an_interrupted_contest_keeps_what_was_played() -> None:
    contest = BoardContest([ARTICLE, ADJACENCY], ["one", "other"], SMALL, 1)
    games = []

    def interrupting(name: str, result: BoardResult) -> None:
        games.append(name)
        if len(games) == 4:
            raise KeyboardInterrupt

    with ContestProgress(6, StringIO()) as progress:
        contest.run(progress, interrupting)
    assert contest.interrupted
    assert [len(each) for each in contest.results] == [2, 1]
    assert [len(each) for each in contest.complete()] == [1, 1]


def test_the_first_mistakes_are_told_in_full(tmp_path: Path) -> None:
    contest = BoardContest([bot_file(tmp_path, "return 1 / 0")], ["foreign"], SMALL * 4, 1)
    told = told_by(contest)
    assert told.count("foreign.py:5: ZeroDivisionError: division by zero\n    return 1 / 0\n") == 5
    assert told.endswith("Further mistakes are only counted.\n")


def test_a_board_that_was_stopped_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "PATIENCE", 1)
    idle = bot_file(tmp_path, 'return {"do": "open", "cells": [[0, 0]]}')
    assert told_by(BoardContest([idle], ["idle"], SMALL[:1], 1)) == (
        "idle lost board 0: its last answers opened no cells.\n"
    )


def test_results_are_lines_that_name_the_bot_if_there_are_several(tmp_path: Path) -> None:
    with (tmp_path / "results.jsonl").open("w+") as out:
        for bots in (1, 2):
            writer(out, bots)("one", result())
        out.seek(0)
        alone, among = map(json.loads, out)
    assert list(alone) == ["id", "won", "ms", "guesses", "moves"]
    assert among["bot"] == "one"
    writer(None, 1)("one", result())


def contest(*results: str, interrupted: bool = False) -> BoardContest:
    """Return a contest in which each bot won the boards marked ``+``."""
    names = ["one", "other", "third"][: len(results)]
    told = BoardContest(names, names, [board("..", ".*")] * 4, 5)
    told.results = [[result(char == "+", guesses=1, longest=0.5) for char in each] for each in results]
    told.interrupted = interrupted
    return told


def test_report_of_one_bot() -> None:
    report = of_contest(contest("++-+"), "minesweeper", "Again: --seed 5")
    assert report.text == (
        "one won 3 of 4: 75.0% (95 % interval 30.1% to 95.4%), 1.0 guesses per game\n"
        "  ms per game: median 1.0, p95 1.0, most 1.0; slowest move 0.5\n"
        "Again: --seed 5"
    )
    assert (report.data["bot"], report.data["games"], report.data["wins"], report.data["rate"]) == ("one", 4, 3, 0.75)
    assert (report.data["seed"], report.data["others"], report.data["interrupted"]) == (5, [], False)
    json.dumps(report.data)


def test_the_first_is_compared_with_each_further_bot() -> None:
    report = of_contest(contest("++--", "+++-", "+---"), "minesweeper")
    assert "one against other: -25.00 percentage points (95 % interval " in report.text
    assert "only one won 0, only other 1; z = -1.00" in report.text
    assert "one against third: +25.00 percentage points (95 % interval " in report.text
    other, third = report.data["others"]
    assert (other["bot"], other["difference"]["gained"], other["difference"]["rate"]) == ("other", 1, 0.25)
    assert (third["difference"]["lost"], third["difference"]["z"]) == (1, -1)


@pytest.mark.parametrize(
    ("results", "games", "told"),
    [(["++"], 2, "interrupted after 2 of 4 boards\none won 2 of 2"), (["", ""], 0, "interrupted after 0 of 4 boards")],
)
def test_what_was_cut_short_says_so(results: list[str], games: int, told: str) -> None:
    report = of_contest(contest(*results, interrupted=True), "minesweeper")
    assert report.text.startswith(told)
    assert (report.data["games"], report.data["interrupted"]) == (games, True)


def test_what_went_wrong_is_counted() -> None:
    told = contest("+-")
    told.results[0] = [result(mistakes=2), result(False, stuck=True)]
    text = of_contest(told, "minesweeper").text
    assert "2 mistakes, replaced by random moves" in text
    assert "1 board lost because its answers no longer opened cells" in text


def test_summary_of_a_few_games() -> None:
    times = [3.0, 1.0, 2.0, 10.0]
    results = [result(ms < 3, ms, longest=ms / 2, guesses=2, mistakes=1) for ms in times]
    told = summary("me", [*results, result(False, 4.0, stuck=True)])
    assert (told.bot, told.games, told.wins, told.rate) == ("me", 5, 2, 0.4)
    assert (told.typical, told.p95, told.longest, told.longest_move) == (3.0, 10.0, 10.0, 5.0)
    assert (told.guesses, told.mistakes, told.stuck) == (1.6, 4, 1)
    assert (told.low, told.high) == pytest.approx((0.1176, 0.7693), abs=5e-5)  # Wilson, by hand


@pytest.mark.parametrize(
    ("values", "share", "expected"), [(20, 95, 19), (100, 95, 95), (101, 95, 96), (1, 95, 1), (10, 50, 5), (3, 100, 3)]
)
def test_percentile_is_the_nearest_rank(values: int, share: int, expected: int) -> None:
    assert percentile(range(1, values + 1), share) == expected


def test_line_of_a_result() -> None:
    told = result(True, 1.23456, guesses=2, moves=9).line()
    assert told == {"id": "b", "won": True, "ms": 1.235, "guesses": 2, "moves": 9}


def test_difference_counts_boards_that_one_alone_won() -> None:
    first = [result(won) for won in (True, True, False, False, False)]
    other = [result(won) for won in (True, False, True, True, False)]
    told = difference(first, other)
    assert (told.games, told.gained, told.lost, told.rate) == (5, 2, 1, 0.2)
    assert told.z == pytest.approx(1 / 3**0.5)
    assert difference(other, first).rate == -0.2


def test_difference_of_equals_is_nothing_but_not_certain() -> None:
    told = difference([result(True)] * 10, [result(True)] * 10)
    assert (told.rate, told.z) == (0, 0)
    assert told.high == pytest.approx(-told.low)
    assert told.high > 0


def test_values_are_told_beside_wins() -> None:
    first = [attrs.evolve(result(), value=value) for value in (0.5, 1.0, 0.0, 0.5)]
    other = [attrs.evolve(result(), value=value) for value in (1.0, 1.0, 0.25, 0.75)]
    one = summary("me", other)
    assert one.value is not None
    assert one.value.mean == pytest.approx(0.75)
    assert one.value.low < 0.75 < one.value.high <= 1
    told = difference(first, other)
    assert told.value is not None
    assert told.value.mean == pytest.approx(0.25)
    assert told.plain()["value"].keys() == {"mean", "low", "high"}
    assert "value" not in difference([result()], [result()]).plain()

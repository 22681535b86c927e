import json

from tests.bots.arena.layouts import board, result

from parlour_bots.arena.minesweeper.run import BoardContest, of_contest

BOARDS = [board("..", ".*")] * 4


def contest(*results: str, interrupted: bool = False) -> BoardContest:
    """Return a contest in which each bot won the boards marked ``+``."""
    names = ["one", "other", "third"][: len(results)]
    told = BoardContest(names, names, BOARDS, 5)
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


def test_what_was_cut_short_says_so() -> None:
    report = of_contest(contest("++", interrupted=True), "minesweeper")
    assert report.text.startswith("interrupted after 2 of 4 boards\none won 2 of 2")
    assert report.data["interrupted"]


def test_nothing_played_is_no_error() -> None:
    report = of_contest(contest("", "", interrupted=True), "minesweeper")
    assert report.text == "interrupted after 0 of 4 boards"
    assert report.data["games"] == 0


def test_what_went_wrong_is_counted() -> None:
    told = contest("+-")
    told.results[0] = [result(mistakes=2), result(False, stuck=True)]
    text = of_contest(told, "minesweeper").text
    assert "2 mistakes, replaced by random moves" in text
    assert "1 board lost because its answers no longer opened cells" in text

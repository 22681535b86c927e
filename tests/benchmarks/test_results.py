"""The printed results: verdicts of targets, and the format of rows and numbers."""

import pytest
from benchmarks.results import Target, number, show, summary


@pytest.mark.parametrize(
    ("bounds", "verdicts"),
    [
        ((2.0, 1.0, False), {3.0: "MISSED", 2.0: "met", 1.5: "met", 1.0: "aim met", 0.5: "aim met"}),
        ((0.6, 0.8, True), {0.5: "MISSED", 0.6: "met", 0.7: "met", 0.8: "aim met", 2.0: "aim met"}),
    ],
    ids=["at most", "at least"],
)
def test_verdicts(bounds: tuple[float, float, bool], verdicts: dict[float, str]) -> None:
    must, aim, more = bounds
    assert {value: Target("wait", value, "ms", must, aim, more=more).verdict for value in verdicts} == verdicts


def test_results_are_printed_as_they_arrive(capsys: pytest.CaptureFixture[str]) -> None:
    slow = Target("wait", 31.26, "ms", 20, 5)
    assert show([("speed", 12_345.6, "1/s"), slow]) == [slow]
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["speed", "12,346", "1/s"],
        ["wait", "31.3", "ms"],
    ]


def test_summary_shows_the_bounds_and_the_verdict() -> None:
    found = [" ".join(line.split()) for line in summary([Target("wait", 31.26, "ms", 20, 5)])]
    assert found == ["targets measured must aim", "wait, ms 31.3 ≤ 20.0 ≤ 5.00 MISSED"]


def test_numbers_have_three_significant_digits() -> None:
    shown = {0.123: "0.12", 9.876: "9.88", 98.76: "98.8", 987.6: "988", 9_876.5: "9,876"}
    assert {value: number(value) for value in shown} == shown

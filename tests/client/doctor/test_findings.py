import pytest

from parlour_client.doctor.findings import Finding, report, summary

FINE, ODD, BAD = Finding("clock", "ok", "it is noon"), Finding("disk", "warn", "1 GB"), Finding("port", "fail", "no")


def test_finding_is_one_line_that_ends_with_what_to_do() -> None:
    assert (
        Finding("port", "fail", "port 1 is held", "Take another").line()
        == "fail  port        port 1 is held. Take another"
    )
    assert FINE.line() == "ok    clock       it is noon"


def test_line_holds_no_escape_sequence_of_a_stranger() -> None:
    line = Finding("hello", "ok", "\x1b[2J\nowned\u202e").line()
    assert line.isprintable()
    assert "owned" in line


def test_colour_is_ours_alone() -> None:
    assert BAD.line(colour=True).startswith("\x1b[1;31mfail\x1b[0m  port")


@pytest.mark.parametrize(
    ("findings", "line"),
    [
        ([FINE], "All checks passed."),
        ([FINE, ODD], "1 warning; all other checks passed."),
        ([BAD, FINE, BAD, ODD], "2 failed, 1 warning; all other checks passed."),
    ],
)
def test_summary(findings: list[Finding], line: str) -> None:
    assert summary(findings) == line


def test_findings_are_told_as_they_come(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(iter([FINE, BAD])) == [FINE, BAD]
    assert [line[:4] for line in capsys.readouterr().out.splitlines()] == ["ok  ", "fail"]
    assert report([FINE], quiet=True) == [FINE]
    assert capsys.readouterr().out == ""

import io

import pytest

from parlour_client.cli.local_checks import Finding, report, summary

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


def test_terminal_gets_the_status_in_colour_and_wrapped_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"COLUMNS": "30", "TERM": "xterm", "NO_COLOR": ""}.items():
        monkeypatch.setenv(name, value)
    out = io.StringIO()
    out.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdout", out)
    report([Finding("port", "fail", "port 1 is held by another")])
    assert out.getvalue() == f"\x1b[1;31mfail\x1b[m  port        port 1 is\n{' ' * 18}held by\n{' ' * 18}another\n"


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

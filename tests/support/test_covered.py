"""The table of coverage and its exit code."""

import io
import json
from typing import Any

import pytest
from tests.support import covered


def file(statements: int, covered_lines: int, branches: int = 0, taken: int = 0) -> dict[str, Any]:
    summary = {"num_statements": statements, "covered_lines": covered_lines}
    return {"summary": {**summary, "num_branches": branches, "covered_branches": taken}}


FULL = {
    "protocol/parlour_protocol/wire.py": file(90, 90),
    "games/parlour_games/uno/rules.py": file(80, 80, 20, 20),
    "server/parlour_server/node/node.py": file(80, 76, 20, 19),
    "server/parlour_server/cli/serve.py": file(0, 0),
}


def report_of(
    report: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"files": report})))
    return covered.main(), capsys.readouterr().out


def test_sufficient_coverage(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = report_of(FULL, monkeypatch, capsys)
    assert code == 0
    assert text.splitlines()[1:] == [
        "parlour_games                80        20   100.0%    100.0%",
        "parlour_protocol             90         0   100.0%    100.0%",
        "parlour_server               80        20    95.0%     95.0%",
    ]


def test_too_few_statements(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = report_of({**FULL, "server/parlour_server/x.py": file(10, 8)}, monkeypatch, capsys)
    assert code == 1
    assert "  80%  server/parlour_server/x.py\nparlour_server is covered below 95%\n" in text


def test_too_few_branches(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = report_of({**FULL, "server/parlour_server/x.py": file(40, 40, 2, 1)}, monkeypatch, capsys)
    assert code == 1
    assert text.endswith("    95.8%     90.9%\nparlour_server is covered below 95%\n")


def test_missing_package(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    rest = {path: each for path, each in FULL.items() if "games" not in path}
    assert report_of(rest, monkeypatch, capsys)[0] == 1

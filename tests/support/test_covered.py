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
TABLE = """
parlour_games                80        20   100.0%    100.0%
parlour_protocol             90         0   100.0%    100.0%
parlour_server               80        20    95.0%     95.0%
"""
LESS = "parlour_server is covered below 95%\n"


@pytest.mark.parametrize(
    ("more", "code", "told"),
    [
        ({}, 0, TABLE),
        ({"server/parlour_server/x.py": file(10, 8)}, 1, f"  80%  server/parlour_server/x.py\n{LESS}"),
        ({"server/parlour_server/x.py": file(40, 40, 2, 1)}, 1, f"    95.8%     90.9%\n{LESS}"),
    ],
    ids=["enough", "too few statements", "too few branches"],
)
def test_the_table_and_its_exit_code(
    more: dict[str, Any], code: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"files": {**FULL, **more}})))
    assert covered.main() == code
    assert capsys.readouterr().out.endswith(told)


def test_a_package_without_files_is_lacking() -> None:
    packages, _ = covered.sums({"files": {path: each for path, each in FULL.items() if "games" not in path}})
    assert covered.lacking(packages) == ["parlour_games"]

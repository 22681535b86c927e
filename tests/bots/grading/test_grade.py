"""``parlour contest grade``: a course, graded twice with a change in between."""

import csv
import io
import json
from pathlib import Path

import pytest
from tests.support.commands import run

STAFF = """
game = "uno"
seed = 7
deals = 1
budget = 10_000
memory = 256
[[staff]]
name = "=random"
bot = "random"
threshold = 1
points = 3
"""
FIRST = "def play(turn):\n    return 0\n"
BROKEN = {
    "crash": "def play(turn):\n    return 1 / 0\n",
    "illegal": "def play(turn):\n    return 999\n",
    "imports": "import no_such_module\n",
    "memory": "def play(turn):\n    bytearray(1 << 30)\n    return 0\n",
    "neighbours": "import os\ndef play(turn):\n    open('first.py')\n    return 0\n",
    "syntax": "def play(turn:\n",
}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    (tmp_path / "staff.toml").write_text(STAFF)
    for name, text in {"first": FIRST, **BROKEN}.items():
        (tmp_path / "all" / name).mkdir(parents=True)
        (tmp_path / "all" / name / "bot.py").write_text(text)
    return tmp_path


def grade(course: Path, *more: str) -> str:
    where = ("--against", str(course / "staff.toml"), "--results", str(course / "results"))
    done = run("contest", "grade", str(course / "all"), *where, *more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_second_run_plays_only_what_has_changed(course: Path) -> None:
    before = {row["name"]: row for row in json.loads(grade(course, "--json"))["submissions"]}
    for name in BROKEN:
        (score,) = before[name]["staff"]
        assert (before[name]["points"], score["wins"]) == (0, 0), name
        assert score["faults"] or score["failed"], name
    assert before["first"]["staff"][0]["new"] == 2
    assert not before["first"]["staff"][0]["faults"]

    (course / "all" / "crash" / "bot.py").write_text(FIRST)
    after = {row["name"]: row for row in json.loads(grade(course, "--json"))["submissions"]}
    assert {name for name, row in after.items() if row["staff"][0]["new"]} == {"crash"}
    for name in (name for name in after if name != "crash"):
        before[name]["staff"][0]["new"] = 0
        assert after[name] == before[name]
    assert after["crash"]["staff"][0]["wins"] == after["first"]["staff"][0]["wins"], "the deals are the same"

    rows = list(csv.DictReader(io.StringIO(grade(course, "--csv"))))
    assert {row["name"]: int(row["points"]) for row in rows} == {name: row["points"] for name, row in after.items()}
    assert {row["max_points"] for row in rows} == {"3"}
    assert not any(row["comment"].startswith("=") for row in rows)


@pytest.mark.parametrize(
    "staff",
    [
        "",
        "seed = 1\nstaff = []",
        STAFF.replace("threshold = 1", "threshold = 101"),
        STAFF.replace('"uno"', '"chess"'),
        "=",
    ],
)
def test_bad_ladder_is_refused(course: Path, staff: str) -> None:
    (course / "staff.toml").write_text(staff)
    done = run("contest", "grade", str(course / "all"), "--against", str(course / "staff.toml"))
    assert done.returncode == 2
    assert "staff.toml" in done.stderr

"""``parlour contest grade``: a course, graded twice with a change in between."""

import csv
import io
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from tests.bots.programs import CONFINES, IS_CONFINED, daemons
from tests.support.chromium import chromium
from tests.support.commands import run
from tests.support.processes import bystander, called
from tests.web.visitors import Visitors, cut, faults

from parlour_bots.grading.course import Course
from parlour_bots.grading.inputs import found, load
from parlour_bots.play.limits import NotConfined

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
LAST = "def play(turn):\n    return len(turn.legal) - 1\n"
BROKEN = {
    "crash": "def play(turn):\n    return 1 / 0\n",
    "illegal": "def play(turn):\n    return 999\n",
    "imports": "import no_such_module\n",
    "syntax": "def play(turn:\n",
}
MORE_BROKEN = {
    "endless": "def play(turn):\n    while True:\n        pass\n",
    "exits": "import os\ndef play(turn):\n    os._exit(0)\n",
    "hangs": "import time\ntime.sleep(1_000)\n",
    "nothing": "",
    "recursion": "def play(turn):\n    return play(turn)\n",
    "text": "def play(turn):\n    return '<script>alert(1)</script>'\n",
}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course without submissions, whose deals are the same in each run of the tests."""
    (tmp_path / "staff.toml").write_text(STAFF)
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "secret").touch(mode=0o600)
    (tmp_path / "results" / "secret").write_text("the same")
    return tmp_path


def write(course: Path, bots: dict[str, str]) -> None:
    for name, text in bots.items():
        (course / "all" / name).mkdir(parents=True, exist_ok=True)
        (course / "all" / name / "bot.py").write_text(text)


def grade(course: Path, *more: str, results: str = "results") -> str:
    where = ("--against", str(course / "staff.toml"), "--results", str(course / results))
    rights = () if IS_CONFINED or "--unconfined" in more else ("--unconfined",)
    done = run("contest", "grade", str(course / "all"), *where, *rights, *more)
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith("index.html\n")
    return done.stdout


def graded(course: Path, *more: str) -> dict[str, Any]:
    return {row["name"]: row for row in json.loads(grade(course, "--json", *more))["submissions"]}


@pytest.mark.long
def test_second_run_plays_only_what_has_changed(course: Path) -> None:
    write(course, {"first": FIRST, **BROKEN})
    grade_twice(course, list(BROKEN), ["crash"])


@pytest.mark.torture
def test_course_of_sixty(course: Path) -> None:
    write(course, {"first": FIRST, **BROKEN, **MORE_BROKEN})
    write(course, {f"student-{number}": [FIRST, LAST][number % 2] for number in range(49)})
    grade_twice(course, [*BROKEN, *MORE_BROKEN], ["student-3", "student-10", "endless"])


def grade_twice(course: Path, broken: list[str], changed: list[str]) -> None:
    before = graded(course)
    for name in broken:
        (score,) = before[name]["staff"]
        assert (before[name]["points"], score["wins"]) == (0, 0), name
        assert score["faults"] or score["failed"], name
    assert before["first"]["staff"][0]["new"] == 2
    assert not before["first"]["staff"][0]["faults"]

    write(course, dict.fromkeys(changed, f"# changed\n{FIRST}"))
    after = graded(course)
    assert {name for name, row in after.items() if row["staff"][0]["new"]} == set(changed)
    for name in (name for name in after if name not in changed):
        before[name]["staff"][0]["new"] = 0
        assert after[name] == before[name]
    for name in changed:
        assert after[name]["staff"][0]["wins"] == after["first"]["staff"][0]["wins"], "the deals are the same"

    rows = list(csv.DictReader(io.StringIO(grade(course, "--csv"))))
    assert {row["name"]: int(row["points"]) for row in rows} == {name: row["points"] for name, row in after.items()}
    assert {row["max_points"] for row in rows} == {"3"}
    assert not any(row["comment"].startswith("=") for row in rows)

    index = (course / "results" / "index.html").read_text()
    for name in after:
        assert f'href="submissions/{name}.html"' in index
        page = (course / "results" / "submissions" / f"{name}.html").read_text()
        assert ".game" in page or after[name]["staff"][0]["failed"], "a game of the pairing is linked"
        assert "<script" not in page


def test_folder_without_a_bot_is_named(course: Path) -> None:
    (course / "all" / "notes").mkdir(parents=True)
    (course / "all" / "notes" / "README.txt").touch()
    assert "no bot.py" in graded(course)["notes"]["staff"][0]["failed"]


def test_deals_follow_from_the_seed_only_with_the_secret(course: Path) -> None:
    def first_line(folder: str) -> Any:
        grade(course, results=folder)
        file, *_ = sorted((course / folder / "games").glob("first-*.game"))  # no .first.game if the first was lost
        return json.loads(file.read_text().splitlines()[0])

    write(course, {"first": FIRST})
    drawn, other = first_line("drawn"), first_line("other")
    assert drawn["commit"] != other["commit"]
    (course / "copied").mkdir()
    shutil.copy(course / "drawn" / "secret", course / "copied" / "secret")
    assert first_line("copied") == drawn


def test_page_has_the_faults_and_a_game_that_verifies(course: Path) -> None:
    write(course, {"crash": BROKEN["crash"]})
    grade(course)
    (log,) = (course / "results" / "games").glob("*.log")
    assert "ZeroDivisionError" in log.read_text()
    assert "ZeroDivisionError" in (course / "results" / "submissions" / "crash.html").read_text()
    for game in (course / "results" / "games").glob("*.game"):
        assert run("verify", str(game)).returncode == 0


@pytest.mark.long
@pytest.mark.chromium
def test_pages_open_in_a_browser(course: Path) -> None:
    write(course, {"first": FIRST, "crash": BROKEN["crash"], "text": MORE_BROKEN["text"]})
    grade(course)
    with chromium() as browser:
        visitors = Visitors(browser)
        page = visitors.visit((course / "results" / "index.html").as_uri(), 360)
        assert page.locator("tbody tr").count() == 3
        assert page.locator("svg[role=img]").count() == 3, "each has an interval beside the threshold"
        assert (faults(page), cut(page)) == ({}, {})
        page.click("text=crash")
        page.click("summary >> text=Faults")
        page.wait_for_selector("pre:visible >> text=ZeroDivisionError")
        page.click("summary >> text=The first game")
        page.wait_for_selector("pre:visible >> text=Round 1")
        assert (faults(page), cut(page)) == ({}, {})
        page.click("text=All submissions")
        page.click("td a >> text=text")
        page.click("summary >> text=Faults")
        page.wait_for_selector("pre:visible >> text=<script>")
        game = page.get_attribute("text=match file", "href") or ""
        assert (course / "results" / "submissions" / game).exists()
        visitors.close()
        assert visitors.faults == []


@pytest.mark.long
@CONFINES
def test_submission_does_not_see_other_files(course: Path) -> None:
    staff = course / "secret.py"
    staff.write_text(FIRST)
    (course / "shared").mkdir()
    (course / "shared" / "words.txt").write_text("hello")
    settings = STAFF.replace('bot = "random"', f"bot = '{staff}'")
    (course / "staff.toml").write_text(f'readable = ["shared", "all"]\n{settings}')
    files = {"reads": "all/other/bot.py", "settings": "staff.toml", "shared": "shared/words.txt", "staff": "secret.py"}
    read = {name: f"1 // len(Path({str(course / file)!r}).read_text())" for name, file in files.items()}
    listed = f"len(next(Path({str(course / 'results')!r}).iterdir()).name)"
    tries = {**read, "own": "len(Path(__file__).read_text())", "results": listed}
    head = "from pathlib import Path\ndef play(turn):\n    return 0 * "
    write(course, {"other": FIRST, **{name: f"{head}{what}\n" for name, what in tries.items()}})
    faulty = {name for name, row in graded(course).items() if row["staff"][0]["faults"]}
    assert faulty == {"reads", "results", "settings", "staff"}


@CONFINES
def test_submission_harms_nobody(course: Path) -> None:
    """It plays and wins nothing but its games, whatever else it tries."""
    (course / "thesis").write_text("kept")
    name = f"daemon-{os.getpid()}"
    with bystander() as victim:
        thesis = f"open({str(course / 'thesis')!r}, 'r+').write('gone')"
        tries = (thesis, f"os.kill({victim}, 9)", f"exec({daemons(name)!r})")
        attacks = "".join(f"try:\n    {attack}\nexcept OSError:\n    pass\n" for attack in tries)
        for bot in ("file(.py", "file.py"):
            (course / "all").mkdir(exist_ok=True)
            (course / "all" / bot).write_text(f"import os\n{attacks}{FIRST}")
        program = course / "all" / "program" / "bot"
        program.parent.mkdir()
        program.write_text(
            f"#!{sys.executable}\nimport os\nprint('noise')\n{attacks}while input():\n    print(0, flush=True)\n"
        )
        program.chmod(0o755)
        found = graded(course)
    assert (course / "thesis").read_text() == "kept"
    assert called(name) == []
    assert not found["program"]["staff"][0]["faults"]


@CONFINES
def test_submission_that_is_not_confined_does_not_run(course: Path, tmp_path: Path) -> None:
    write(course, {"first": FIRST})
    graded = Course(found(course / "all"), load(course / "staff.toml"), tmp_path / "results", course / "staff.toml")
    scores = graded.scores()
    shutil.rmtree(course / "all" / "first")  # so that confining it fails
    with pytest.raises(NotConfined):
        list(graded.play(scores, graded.limits(confined=True)))
    assert not list((tmp_path / "results" / "games").glob("*.error"))
    assert scores[0].pairing.kept(tmp_path / "results") == 0


def test_without_confinement_submissions_run_only_if_asked(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.tools.guards.check_confinement", Mock(side_effect=NotConfined("none")))
    write(course, {"first": FIRST})
    done = run("contest", "grade", str(course / "all"), "--against", str(course / "staff.toml"))
    assert done.returncode == 1
    assert "--unconfined" in done.stderr
    assert not list((course / "results").glob("games/*"))
    assert graded(course, "--unconfined")["first"]["points"] == 3


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
def test_memory_is_limited(course: Path) -> None:
    write(course, {"memory": "def play(turn):\n    bytearray(1 << 30)\n    return 0\n"})
    assert graded(course)["memory"]["staff"][0]["faults"]


@pytest.mark.parametrize(
    "staff",
    [
        "",
        "seed = 1\nstaff = []",
        STAFF.replace("threshold = 1", "threshold = 101"),
        STAFF.replace('"uno"', '"chess"'),
        f"readable = ['missing']\n{STAFF}",
        "=",
    ],
)
def test_bad_ladder_is_refused(course: Path, staff: str) -> None:
    (course / "staff.toml").write_text(staff)
    done = run("contest", "grade", str(course / "all"), "--against", str(course / "staff.toml"))
    assert done.returncode == 2
    assert "staff.toml" in done.stderr

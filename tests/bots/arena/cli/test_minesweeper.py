import json
import re
from asyncio.subprocess import Process
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from tests.bots.arena.layouts import ADJACENCY, ARTICLE, bot_file
from tests.bots.arena.running import arena, costliest, interrupted, played, refused, running
from tests.support.processes import children
from tests.support.waiting import until

from parlour_bots.arena.minesweeper import articles_table
from parlour_client.cli.main import main

GOLDEN = Path(__file__).parent / "golden"
BOARDS = GOLDEN / "boards.jsonl"


def results(path: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "ms"} for line in lines]


def test_boards_of_a_file_in_their_order(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    told = played("minesweeper", ADJACENCY, "--boards", BOARDS, "--out", out)
    assert results(out) == results(GOLDEN / "adjacency.jsonl")
    assert (told["games"], told["wins"]) == (12, sum(line["won"] for line in results(out)))
    assert told["low"] < told["rate"] < told["high"]


def test_fresh_boards_are_the_same_for_every_bot(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    words = ("--level", "beginner", "--first", "safe", "--games", 8, "--seed", 4, "--out", out)
    text = arena("minesweeper", ADJACENCY, ARTICLE, ADJACENCY, *words).stdout
    lines = results(out)
    assert [line["bot"] for line in lines[:3]] == [f"{ADJACENCY}#1", ARTICLE, f"{ADJACENCY}#3"]
    assert [line["id"] for line in lines[::3]] == [f"beginner-4-{number}" for number in range(8)]
    assert f"{ADJACENCY}#1 against {ADJACENCY}#3: +0.00 percentage points" in text
    assert text.endswith("Repeat these boards with --seed 4\n")


def test_why_names_the_costliest_decision_and_opens_it(tmp_path: Path) -> None:
    folder, words = tmp_path / "lost games", ("--size", "9x9/14", "--games", 3, "--seed", 3, "--jobs", 1)
    told = played("minesweeper", ARTICLE, ADJACENCY, *words, "--why", folder)
    found = told["losses"]
    assert (found["name"], found["judge"]) == (told["bot"], "exact")
    assert len(list(folder.iterdir())) == found["reviewed"] == found["lost"] == told["games"] - told["wins"] > 0
    assert main(["verify", costliest(found)["file"]]) == 0


def test_where_the_first_click_is(tmp_path: Path) -> None:
    def begun(*words: object) -> list[dict[str, Any]]:
        out = tmp_path / "results.jsonl"
        played("minesweeper", ARTICLE, "--level", "beginner", "--games", 8, "--seed", 1, *words, "--out", out)
        return results(out)

    assert begun() == begun("--first", "opening") == begun("--start", "3,3") != begun("--start", "8,8")
    assert begun("--first", "safe") == begun("--first", "safe", "--start", "0,0") != begun()
    for start in ("corner", "centre", "random"):
        assert begun("--start", start)


def test_what_a_bot_prints_is_not_among_the_results(tmp_path: Path) -> None:
    bot = bot_file(tmp_path, 'print("here I am", sys.argv[1:])\nreturn {"do": "resign"}')
    done = arena("minesweeper", bot, "--boards", BOARDS, "--json")
    assert json.loads(done.stdout)["wins"] == 0
    assert "here I am []" in done.stderr
    assert str(BOARDS) not in done.stderr


def test_the_table_and_its_plot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(articles_table, "HUNDRED", 2)
    plot = tmp_path / "plot.svg"
    words = ("--table", "--games", 2, "--runs", 2, "--seed", 1, "--plot", plot)
    text = arena("minesweeper", ARTICLE, ADJACENCY, *words).stdout
    assert text.startswith("2 × 2 boards per level")
    assert text.count("expert") == 2
    assert plot.read_text().startswith("<svg ")
    told = played("minesweeper", ARTICLE, *words)
    assert [(row["level"], len(row["runs"])) for row in told["rows"]] == [(level, 2) for level in articles_table.LEVELS]
    assert list(told["three_hundred"]) == ["play"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "name at least one bot"),
        (["artikle", "--games", "0"], "--games must be at least 1, not 0"),
        ([ARTICLE, "--jobs", "0"], "--jobs must be at least 1"),
        ([ARTICLE, "--boards", str(BOARDS), "--games", "3"], "not for --boards"),
        ([ARTICLE, "--boards", str(BOARDS), "--table"], "not for --boards"),
        ([ARTICLE, "--boards", str(BOARDS), "--why", "lost"], "generated boards"),
        ([ARTICLE, "--boards", str(BOARDS), "--out", str(BOARDS)], "--out would overwrite the boards"),
        ([ARTICLE, "--boards", "missing.jsonl"], "missing.jsonl cannot be read"),
        ([ARTICLE, "--out", "missing/results.jsonl", "--games", "1"], "missing/results.jsonl cannot be written"),
        ([ARTICLE, "--size", "9*9"], "--size is WIDTHxHEIGHT/MINES, 30x16/99, not '9*9'"),
        ([ARTICLE, "--size", "9x9/81"], "--size 9x9/81: mines must be"),
        ([ARTICLE, "--table", "--size", "9x9/10"], "--table plays the three levels"),
        ([ARTICLE, "--plot", "x.svg"], "--runs and --plot are for --table"),
        ([ARTICLE, "--level", "hard"], "hard"),
        (["./missing.py"], "missing.py: check its name and folder"),
        (["uno.painfirst"], "uno.painfirst does not play minesweeper"),
        (["painfirst"], "There is no bot 'painfirst' for minesweeper"),
    ],
)
def test_wrong_usage_exits_2_before_anything_is_played(words: list[str], told: str) -> None:
    assert told in refused("minesweeper", *words)


def test_a_bad_line_is_told_before_anything_is_played(tmp_path: Path) -> None:
    path, out = tmp_path / "boards.jsonl", tmp_path / "results.jsonl"
    path.write_text(BOARDS.read_text() + '{"id": "x"}\n')
    assert f"{path}:13: width is missing" in refused("minesweeper", ARTICLE, "--boards", path, "--out", out)
    assert not out.exists()


def contest(tmp_path: Path, out: Path, jobs: str) -> AbstractAsyncContextManager[Process]:
    words = (ADJACENCY, "--level", "beginner", "--games", "50000", "--seed", "1", "--jobs", jobs, "--out", out)
    return running(tmp_path, "minesweeper", *words)


@pytest.mark.long
@pytest.mark.parametrize("jobs", ["1", "2"])
async def test_ctrl_c_tells_what_is_known_so_far(jobs: str, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    async with contest(tmp_path, out, jobs) as child:
        await until(lambda: out.exists() and out.read_text().count("\n") >= 20)
        text = await interrupted(child)
    told = re.match(r"interrupted after (\d+) of 50000 boards\nplay won \d+ of (\d+):", text)
    assert told is not None
    assert told[1] == told[2]
    assert len(results(out)) - int(told[1]) in (0, 1)  # Ctrl-C may come between the line and the count


async def test_ctrl_c_while_the_processes_are_starting(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    async with contest(tmp_path, out, "3") as child:
        await until(lambda: len(children(child.pid)) > 1, every=0.001)
        assert (await interrupted(child)).startswith("interrupted after ")

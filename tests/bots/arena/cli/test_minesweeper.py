import json
import re
import shlex
from asyncio.subprocess import Process
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from tests.bots.arena.layouts import ADJACENCY, ARTICLE, bot_file
from tests.bots.arena.running import complained, costliest, interrupted, running
from tests.support.processes import children
from tests.support.waiting import until

from parlour_bots.arena.minesweeper import articles_table
from parlour_client.cli.main import main

GOLDEN = Path(__file__).parent / "golden"
BOARDS = GOLDEN / "boards.jsonl"

Captured = pytest.CaptureFixture[str]


def arena(*words: object) -> int:
    return main(["arena", "minesweeper", *map(str, words)])


def results(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a file of results without the times."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "ms"} for line in lines]


def test_boards_of_a_file_in_their_order(tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "results.jsonl"
    assert arena(ADJACENCY, "--boards", BOARDS, "--out", out, "--json") == 0
    assert results(out) == results(GOLDEN / "adjacency.jsonl")
    told = json.loads(capsys.readouterr().out)
    assert (told["games"], told["wins"]) == (12, sum(line["won"] for line in results(out)))
    assert told["low"] < told["rate"] < told["high"]
    assert set(told["ms"]) == {"median", "p95", "max"}


def test_fresh_boards_are_the_same_for_every_bot(tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "results.jsonl"
    words = ("--level", "beginner", "--first", "safe", "--games", 8, "--seed", 4)
    assert arena(ADJACENCY, ARTICLE, ADJACENCY, *words, "--out", out) == 0
    lines = results(out)
    assert [line["bot"] for line in lines[:3]] == [f"{ADJACENCY}#1", ARTICLE, f"{ADJACENCY}#3"]
    assert [line["id"] for line in lines[::3]] == [f"beginner-4-{number}" for number in range(8)]
    text = capsys.readouterr().out
    assert f"{ADJACENCY}#1 against {ADJACENCY}#3: +0.00 percentage points" in text
    assert text.endswith("Repeat these boards with --seed 4\n")


def test_why_names_what_cost_the_first_bot_most_and_opens_the_replay_there(tmp_path: Path, capsys: Captured) -> None:
    folder, words = tmp_path / "lost games", ("--size", "9x9/14", "--games", 3, "--seed", 3)
    assert arena(ARTICLE, ADJACENCY, *words, "--jobs", 1, "--why", folder, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    found = told["losses"]
    assert (found["name"], found["judge"]) == (told["bot"], "exact")
    assert len(list(folder.iterdir())) == found["reviewed"] == found["lost"] == told["games"] - told["wins"] > 0
    worst = costliest(found)
    assert main(["verify", worst["file"]]) == 0
    capsys.readouterr()
    assert main(shlex.split(worst["command"])[1:]) == 0
    assert "Your move" in capsys.readouterr().out


def test_why_keeps_the_games_of_generated_boards_only(tmp_path: Path, capsys: Captured) -> None:
    assert arena(ARTICLE, "--boards", BOARDS, "--why", tmp_path / "lost") == 2
    assert "generated boards" in capsys.readouterr().err


def test_fresh_boards_of_any_size(tmp_path: Path, capsys: Captured) -> None:
    for start in ("corner", "centre", "random"):
        assert arena(ARTICLE, "--size", "12x5/6", "--games", 2, "--start", start, "--seed", 1, "--json") == 0
        assert json.loads(capsys.readouterr().out)["games"] == 2


@pytest.mark.parametrize(
    ("first", "start"), [((), "3,3"), (("--first", "opening"), "3,3"), (("--first", "safe"), "0,0")]
)
def test_where_the_first_click_is_unless_told(
    first: tuple[str, ...], start: str, tmp_path: Path, capsys: Captured
) -> None:
    told = []
    for words in ((), ("--start", start), ("--start", "8,8")):
        out = tmp_path / "results.jsonl"
        assert arena(ARTICLE, "--level", "beginner", "--games", 8, "--seed", 1, *first, *words, "--out", out) == 0
        told.append(results(out))
    assert told[0] == told[1] != told[2]


def test_what_a_bot_prints_is_not_among_the_results(tmp_path: Path, capsys: Captured) -> None:
    bot = bot_file(tmp_path, 'print("here I am", sys.argv[1:])\nreturn {"do": "resign"}')
    assert arena(bot, "--boards", BOARDS, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["wins"] == 0
    assert "here I am []" in err
    assert str(BOARDS) not in err


def test_the_table_and_its_plot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(articles_table, "HUNDRED", 2)
    plot = tmp_path / "plot.svg"
    words = ("--table", "--games", 2, "--runs", 2, "--seed", 1, "--plot", plot)
    assert arena(ARTICLE, ADJACENCY, *words) == 0
    text = capsys.readouterr().out
    assert text.startswith("2 × 2 boards per level")
    assert text.count("expert") == 2
    assert plot.read_text().startswith("<svg ")
    assert arena(ARTICLE, *words, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["level"] for row in told["rows"]] == list(articles_table.LEVELS)
    assert [len(row["runs"]) for row in told["rows"]] == [2, 2, 2]
    assert list(told["three_hundred"]) == ["play"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "name at least one bot"),
        (["artikle", "--games", "0"], "--games must be at least 1, not 0"),
        ([ARTICLE, "--jobs", "0"], "--jobs must be at least 1"),
        ([ARTICLE, "--boards", str(BOARDS), "--games", "3"], "not for --boards"),
        ([ARTICLE, "--boards", str(BOARDS), "--table"], "not for --boards"),
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
def test_wrong_usage_exits_2_before_anything_is_played(words: list[str], told: str, capsys: Captured) -> None:
    assert arena(*words) == 2
    complained(capsys, told)


def test_a_bad_line_is_told_before_anything_is_played(tmp_path: Path, capsys: Captured) -> None:
    path, out = tmp_path / "boards.jsonl", tmp_path / "results.jsonl"
    path.write_text(BOARDS.read_text() + '{"id": "x"}\n')
    assert arena(ARTICLE, "--boards", path, "--out", out) == 2
    assert f"{path}:13: width is missing" in capsys.readouterr().err
    assert not out.exists()


def contest(tmp_path: Path, out: Path, jobs: str) -> AbstractAsyncContextManager[Process]:
    """Run an endless contest."""
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

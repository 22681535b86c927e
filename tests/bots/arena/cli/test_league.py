import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.bots.arena.layouts import bot_file
from tests.bots.arena.running import complained, costliest, interrupted, running
from tests.support.waiting import until

from parlour_bots.arena import losses
from parlour_bots.arena.options import distinct
from parlour_client.cli.main import main

Captured = pytest.CaptureFixture[str]
CONTEST = ("painfirst", "random", "--games", 6, "--seed", 3, "--jobs", 1)


def arena(*words: object) -> int:
    return main(["arena", "uno", *map(str, words)])


def told(capsys: Captured) -> Any:
    return json.loads(capsys.readouterr().out)


def test_contest_in_words_and_as_data(capsys: Captured) -> None:
    assert arena(*CONTEST) == 0
    text = capsys.readouterr().out
    assert text.startswith("UNO, official rules, 2 players: 6 rounds on 3 deals, each from every seat; seed 3\n")
    assert text.endswith("Repeat these deals with --seed 3\n")
    assert arena(*CONTEST, "--json") == 0
    data = told(capsys)
    assert (data["games"], [bot["name"] for bot in data["bots"]]) == (6, ["painfirst", "random"])


@pytest.mark.long
def test_why_names_what_cost_the_first_bot_most_and_opens_the_replay_there(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(losses.WORLDS, "uno", 60)
    folder = tmp_path / "lost games"
    assert arena("random", "painfirst", "--games", 2, "--seed", 3, "--jobs", 1, "--why", folder, "--json") == 0
    found = told(capsys)["losses"]
    assert (found["name"], found["reviewed"]) == ("random", found["lost"])
    assert len(list(folder.iterdir())) == found["lost"] > 0
    worst = costliest(found)
    assert main(shlex.split(worst["command"])[1:]) == 0
    assert "Your turn" in capsys.readouterr().out


def test_same_bot_twice_and_namesakes_are_told_apart(capsys: Captured) -> None:
    third = "parlour_bots.profiles:play_at_random"
    words = ("random", "random", third, "--games", 2, "--seed", 3, "--jobs", 1, "--json")
    assert arena(*words) == 0
    assert [bot["name"] for bot in told(capsys)["bots"]] == ["random#1", "random#2", "play_at_random"]


def test_namesakes_are_called_by_their_files(tmp_path: Path) -> None:
    bots = ["exec:node x/uno.mjs", "y/uno.sh", "a/uno.py", "b/uno.py", "random"]
    assert distinct(["uno", "uno", "uno", "uno", "random"], bots) == [
        "uno.mjs",
        "uno.sh",
        "a/uno.py",
        "b/uno.py",
        "random",
    ]


def test_seed_is_told_and_a_file_brings_its_own(tmp_path: Path, capsys: Captured) -> None:
    words = ("painfirst", "random", "--games", 2, "--jobs", 1, "--json", "--out", tmp_path / "games.jsonl")
    assert arena(*words) == 0
    first = told(capsys)
    assert arena(*words) == 0
    assert told(capsys) == first
    assert arena(*words, "--seed", first["seed"] + 1) == 2
    assert "has a contest with other settings: seed is" in capsys.readouterr().err


def test_parameters_and_think_reach_the_bots(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "thinker.py"
    path.write_text(
        "class Thinker:\n"
        "    def __init__(self, worlds=1, think=None):\n"
        "        self.told = worlds, think\n"
        "    def play(self, turn):\n"
        "        assert self.told == (30, 50)\n"
        "        return 0\n"
    )
    words = (f"{path}(worlds=30)", "random", "--games", 2, "--seed", 1, "--jobs", 1, "--think", 50, "--json")
    assert arena(*words) == 0
    data = told(capsys)
    assert (data["think"], data["reproducible"]) == (50, False)
    assert data["bots"][0]["name"] == "thinker(worlds=30,think=50)"
    assert data["bots"][0]["faults"] == 0


def test_plot_is_drawn(tmp_path: Path, capsys: Captured) -> None:
    assert arena(*CONTEST, "--plot", tmp_path / "plot.svg") == 0
    assert (tmp_path / "plot.svg").read_text().startswith("<svg ")
    assert arena(*CONTEST, "--plot", tmp_path / "plot.gif") == 2
    assert "--plot writes SVG" in capsys.readouterr().err


def test_mistakes_are_told_with_the_authors_line(tmp_path: Path, capsys: Captured) -> None:
    assert arena(bot_file(tmp_path, "return 1 / 0"), "random", "--games", 4, "--jobs", 1, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["bots"][0]["fault_kinds"] == {"broken": 12}
    assert err.count("foreign.py:5: Broken: ZeroDivisionError: division by zero") == 5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "name at least two bots"),
        (["random"], "name at least two bots"),
        (["random", "nobody"], "There is no bot 'nobody' for uno"),
        (["random", "minesweeper.exact"], "minesweeper.exact does not play uno"),
        (["random", "random(x=1)"], "random has no parameter x: it has none"),
        (["random", "./missing.py"], "missing.py: check its name and folder"),
        (["random", "exec:no-such-program"], "no-such-program was not found"),
        (["random", "painfirst", "--players", "11"], "--players must be from 2 to 10, not 11"),
        (["random", "painfirst", "--players", "1"], "--players must be from 2 to 10, not 1"),
        (["random", "painfirst", "--games", "0"], "--games must be at least 1, not 0"),
        (["random", "painfirst", "--match", "20000"], "--match: target must be"),
        (["random", "painfirst", "--rules", "wild"], "--rules: 'wild' is no file, and no preset: uno has official"),
        (["random", "painfirst", "--level", "expert"], "--level is not for uno"),
        (["random", "painfirst", "--table"], "--table is not for uno"),
        (["random", "painfirst", "--think", "50"], "--think needs a bot with a parameter think"),
        (["random", "painfirst", "--out", "missing/games.jsonl"], "missing/games.jsonl cannot be written"),
    ],
)
def test_wrong_usage_exits_2_before_anything_is_played(words: list[str], told: str, capsys: Captured) -> None:
    assert arena(*words) == 2
    complained(capsys, told)


@pytest.mark.parametrize(("game", "told"), [("chess", "minesweeper and uno, not 'chess'"), ("minesweeper", "--rules")])
def test_options_of_one_game_are_not_for_the_other(game: str, told: str, capsys: Captured) -> None:
    assert main(["arena", game, "random", "--rules", "family"]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.long), "2"])
async def test_ctrl_c_ends_everything_and_the_contest_can_go_on(jobs: str, tmp_path: Path, capsys: Captured) -> None:
    out, bot = tmp_path / "games.jsonl", bot_file(tmp_path, "return 0")
    words = (bot, "random", "--games", 50_000, "--seed", 1, "--out", out)
    async with running(tmp_path, "uno", *words, "--jobs", jobs) as child:
        await until(lambda: out.exists() and out.read_text().count("\n") >= 9)
        text = await interrupted(child)
    assert re.match(r"Interrupted after \d+ of 25,000 deals\.\nUNO, official rules, 2 players: ", text)
    assert arena(bot, "random", "--games", 4, "--seed", 1, "--out", out, "--json") == 0
    assert told(capsys)["games"] == 4

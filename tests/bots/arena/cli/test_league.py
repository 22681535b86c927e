import json
import re
from pathlib import Path

import pytest
from tests.bots.arena.layouts import bot_file
from tests.bots.arena.running import arena, costliest, interrupted, played, refused, running
from tests.support.waiting import until

from parlour_bots.arena import losses
from parlour_bots.arena.options import distinct

CONTEST = ("uno", "painfirst", "random", "--games", 6, "--seed", 3, "--jobs", 1)
TWO = ("--games", 2, "--seed", 3, "--jobs", 1)


def test_contest_in_words_as_data_and_as_a_picture(tmp_path: Path) -> None:
    text = arena(*CONTEST, "--plot", tmp_path / "plot.svg").stdout
    assert text.startswith("UNO, official rules, 2 players: 6 rounds on 3 deals, each from every seat; seed 3\n")
    assert text.endswith("Repeat these deals with --seed 3\n")
    assert (tmp_path / "plot.svg").read_text().startswith("<svg ")
    data = played(*CONTEST)
    assert (data["games"], [bot["name"] for bot in data["bots"]]) == (6, ["painfirst", "random"])


@pytest.mark.long
def test_why_names_the_costliest_decision_and_opens_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(losses.WORLDS, "uno", 60)
    folder = tmp_path / "lost games"
    found = played("uno", "random", "painfirst", *TWO, "--why", folder)["losses"]
    assert (found["name"], found["reviewed"]) == ("random", found["lost"])
    assert len(list(folder.iterdir())) == found["lost"] > 0
    costliest(found)


def test_same_bot_twice_and_namesakes_are_told_apart() -> None:
    data = played("uno", "random", "random", "parlour_bots.profiles:play_at_random", *TWO)
    assert [bot["name"] for bot in data["bots"]] == ["random#1", "random#2", "play_at_random"]
    bots = ["exec:node x/uno.mjs", "y/uno.sh", "a/uno.py", "b/uno.py", "random"]
    told = ["uno.mjs", "uno.sh", "a/uno.py", "b/uno.py", "random"]
    assert distinct(["uno", "uno", "uno", "uno", "random"], bots) == told


def test_seed_is_told_and_a_file_brings_its_own(tmp_path: Path) -> None:
    words = ("uno", "painfirst", "random", "--games", 2, "--jobs", 1, "--out", tmp_path / "games.jsonl")
    first, again = played(*words), played(*words)
    assert again == first
    assert "has a contest with other settings: seed is" in refused(*words, "--seed", first["seed"] + 1)


def test_parameters_and_think_reach_the_bots(tmp_path: Path) -> None:
    path = tmp_path / "thinker.py"
    path.write_text(
        "class Thinker:\n"
        "    def __init__(self, worlds=1, think=None):\n"
        "        self.told = worlds, think\n"
        "    def play(self, turn):\n"
        "        assert self.told == (30, 50)\n"
        "        return 0\n"
    )
    data = played("uno", f"{path}(worlds=30)", "random", *TWO, "--think", 50)
    assert (data["think"], data["reproducible"]) == (50, False)
    assert (data["bots"][0]["name"], data["bots"][0]["faults"]) == ("thinker(worlds=30,think=50)", 0)


def test_mistakes_are_told_with_the_authors_line(tmp_path: Path) -> None:
    done = arena("uno", bot_file(tmp_path, "return 1 / 0"), "random", "--games", 4, "--jobs", 1, "--json")
    assert json.loads(done.stdout)["bots"][0]["fault_kinds"] == {"broken": 12}
    assert done.stderr.count("foreign.py:5: Broken: ZeroDivisionError: division by zero") == 5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("uno", "name at least two bots"),
        ("uno random", "name at least two bots"),
        ("uno random nobody", "There is no bot 'nobody' for uno"),
        ("uno random minesweeper.exact", "minesweeper.exact does not play uno"),
        ("uno random random(x=1)", "random has no parameter x: it has none"),
        ("uno random ./missing.py", "missing.py: check its name and folder"),
        ("uno random exec:no-such-program", "no-such-program was not found"),
        ("uno random painfirst --players 11", "--players must be from 2 to 10, not 11"),
        ("uno random painfirst --players 1", "--players must be from 2 to 10, not 1"),
        ("uno random painfirst --games 0", "--games must be at least 1, not 0"),
        ("uno random painfirst --match 20000", "--match: target must be"),
        ("uno random painfirst --rules wild", "--rules: 'wild' is no file, and no preset: uno has official"),
        ("uno random painfirst --level expert", "--level is not for uno"),
        ("uno random painfirst --table", "--table is not for uno"),
        ("uno random painfirst --think 50", "--think needs a bot with a parameter think"),
        ("uno random painfirst --plot plot.gif", "--plot writes SVG"),
        ("chess random --rules family", "minesweeper and uno, not 'chess'"),
        ("minesweeper random --rules family", "--rules"),
    ],
)
def test_wrong_usage_exits_2_before_anything_is_played(words: str, told: str) -> None:
    assert told in refused(*words.split())


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 2])
async def test_ctrl_c_ends_everything_and_the_contest_can_go_on(jobs: int, tmp_path: Path) -> None:
    out, bot = tmp_path / "games.jsonl", bot_file(tmp_path, "return 0")
    words = ("uno", bot, "random", "--seed", 1, "--out", out)
    async with running(tmp_path, *words, "--games", 50_000, "--jobs", jobs) as child:
        await until(lambda: out.exists() and out.read_text().count("\n") >= 9)
        text = await interrupted(child)
    assert re.match(r"Interrupted after \d+ of 25,000 deals\.\nUNO, official rules, 2 players: ", text)
    assert played(*words, "--games", 4)["games"] == 4

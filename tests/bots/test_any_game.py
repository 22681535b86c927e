"""The tools for every game that lists its actions: bots, levels, arena, check, scaffolding."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from tests.support.commands import run

from parlour_bots.loading import find
from parlour_games.registry import games
from parlour_server.children import HOUSE_BOTS, house_bots

with suppress(ImportError):
    import pydantic  # noqa: F401  as in a server of MCP, where Cyclopts asks it about each value

pytestmark = pytest.mark.usefixtures("example_games")


@pytest.mark.parametrize(
    ("what", "game", "name"),
    [
        ("random", "goofspiel", "goofspiel.random"),
        ("goofspiel.random", "uno", "goofspiel.random"),
        ("easy", "goofspiel", "goofspiel.random"),
        ("hard", "fourinarow", "fourinarow.threats"),
        ("minesweeper.random", "uno", "minesweeper.random"),
    ],
)
def test_every_game_has_random_and_the_levels(what: str, game: str, name: str) -> None:
    found = find(what, game)
    assert f"{found.game}.{found.name}" == name


def test_arena_compares_bots_of_any_game() -> None:
    words = "arena goofspiel matching random random --players 3 --option cards=4 --games 3 --seed 1 --jobs 1 --json"
    data = json.loads(run(*words.split()).stdout)
    assert (data["game"], data["games"], data["players"], data["reproducible"]) == ("goofspiel", 3, 3, True)


@pytest.mark.parametrize("words", ["--players 6", "--match 3", "--rules family", "--option cards=99", "--level expert"])
def test_arena_refuses_what_the_game_does_not_have(words: str) -> None:
    done = run("arena", "goofspiel", "matching", "random", *words.split())
    assert (done.returncode, words.split()[0] in done.stderr) == (2, True)


def test_new_bot_of_any_game_passes_its_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("parlour_bots.tools.check.MATCHES", 2)
    assert "-- ./mine.sh" in run("bot", "new", "mine", "--game", "fourinarow", "--lang", "sh").stdout
    assert run("bot", "new", "mine", "--game", "fourinarow").returncode == 0
    assert find("./mine.py").game == "fourinarow"
    assert run("bot", "check", "./mine.py", "--json").returncode == 0


def test_each_game_has_house_bots_that_fill_a_table() -> None:
    found = house_bots(games())
    assert found.items() >= HOUSE_BOTS.items()
    bots = [house.bot for house in found.values()]
    assert bots.count("goofspiel.random") + bots.count("goofspiel.matching") == games()["goofspiel"].max_seats - 1
    assert all(len(name) <= 14 for name in found)

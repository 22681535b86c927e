"""A fault in a game is found by the law that it breaks, with a short match that shows it."""

import json
import re
import sys
from pathlib import Path

import pytest
from tests.bots.laws.variants import BREAKS, NeverEnds, RefusesOptionsAtTheStart

from parlour_bots.laws import Laws, laws
from parlour_bots.laws.checking import BrokenLaw, LawCheck, Subject
from parlour_bots.loading import find_game
from parlour_client.cli.main import main
from parlour_games.registry import AnyGame, games

VARIANTS = Path(__file__).parent / "variants.py"
EXAMPLE = Path(__file__).parents[3] / "games" / "examples" / "goofspiel"
GAME = """
from cardgame.version import VERSION
from parlour_goofspiel.game import Goofspiel

class Versioned(Goofspiel):
    rules_version = VERSION
"""
KEPT = {law.__name__ for law in laws.LAWS}


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "LONGEST", 2_000)


def found(name: str, game: AnyGame) -> BrokenLaw | None:
    """Return how ``game`` breaks the law ``name``."""
    [law] = [law for law in laws.LAWS if law.__name__ == name]
    return LawCheck(Subject(game), range(20)).check(law)


@pytest.mark.parametrize(("name", "game"), BREAKS, ids=[type(game).__name__ for _, game in BREAKS])
def test_fault_is_found_by_its_law_in_a_short_match(name: str, game: AnyGame) -> None:
    finding = found(name, game)
    assert finding is not None
    assert finding.law == name
    if not isinstance(game, NeverEnds):
        assert len(finding.steps) <= 12
        assert finding == found(name, game)


def test_match_that_takes_longer_with_each_step_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "LONGEST", 10**9)
    monkeypatch.setattr(laws, "PATIENCE", 0.0)
    finding = found("ends", NeverEnds())
    assert finding is not None
    assert len(finding.steps) < 10**9


def test_no_other_law_is_checked_of_a_game_that_cannot_be_played() -> None:
    [broken] = [game for name, game in BREAKS if type(game).__name__ == "CrashWhenASeatLeaves"]
    check = LawCheck(Subject(broken), range(20))
    for law in laws.LAWS:
        check.check(law)
    assert check.findings.keys() == {"declared", "plays"}
    assert "KeyError" in str(check.findings["plays"])


def test_match_that_waits_for_nothing_breaks_the_law_of_decisions_alone() -> None:
    [stuck] = [game for _, game in BREAKS if type(game).__name__ == "WaitsForNothing"]
    check = LawCheck(Subject(stuck), range(20))
    for law in laws.LAWS:
        check.check(law)
    assert [name for name, finding in check.findings.items() if finding is not None] == ["decisions"]


def test_options_that_only_the_start_refuses_belong_elsewhere() -> None:
    finding = found("declared", RefusesOptionsAtTheStart())
    assert finding is not None
    assert "__attrs_post_init__" in finding.words
    assert "seats(options)" in finding.words
    assert "two seats are enough" in finding.words


def test_each_match_of_a_law_is_a_step_of_its_progress() -> None:
    steps: list[None] = []
    [plays] = [law for law in laws.LAWS if law.__name__ == "plays"]
    LawCheck(Subject(games()["minesweeper"]), range(5)).check(plays, lambda: steps.append(None))
    assert len(steps) == 5


def test_command_names_the_law_the_seed_and_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["game", "check", f"{VARIANTS}:ShowsBidsInView", "--matches", "3", "--json"]) == 1
    out = json.loads(capsys.readouterr().out)
    rows = {row["law"]: row for row in out["laws"]}
    assert (rows.keys() == KEPT, out["sound"], out["game"]) == (True, False, "goofspiel")
    assert {law for law, row in rows.items() if not row["kept"]} == {"secrets"}
    finding = rows["secrets"]["finding"]
    assert finding["seed"] in range(3)
    assert all(step["what"] in ("act", "timeout") for step in finding["steps"])


def test_other_process_plays_the_same_match(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["game", "check", f"{VARIANTS}:DependsOnHashes", "--matches", "1", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)["laws"]
    assert [row["law"] for row in rows if not row["kept"]] == ["deterministic"]


@pytest.mark.parametrize(
    "what", [str(EXAMPLE), "parlour_goofspiel.game:Goofspiel", f"{EXAMPLE}/parlour_goofspiel/game.py"]
)
def test_game_is_found_by_folder_module_and_file(what: str) -> None:
    assert find_game(what).name == "goofspiel"


def test_game_in_a_file_is_not_an_installed_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [*sys.path])
    for version, copy in enumerate(("installed", "mine"), 7):
        package = tmp_path / copy / "cardgame"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "version.py").write_text(f"VERSION = {version}\n")
        (package / "game.py").write_text(GAME)
    monkeypatch.syspath_prepend(tmp_path / "installed")
    assert find_game("cardgame.game:Versioned").rules_version == 7
    assert find_game(f"{tmp_path}/mine/cardgame/game.py").rules_version == 8


def test_sound_game_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["game", "check", "minesweeper", "--matches", "1"]) == 0
    assert re.search(r"sound; [\d,]+ steps", capsys.readouterr().out)


@pytest.mark.parametrize("what", ["chess", "no_module:Game", str(VARIANTS), "json:loads", "nowhere.py"])
def test_what_is_no_game_is_refused(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["game", "check", what]) == 2
    assert "Traceback" not in capsys.readouterr().err


class TestUno(Laws):
    game = games()["uno"]
    options = (
        {"target": 50},
        {"preset": "family", "scoring": "single", "pause": 0},
        {"preset": "chaos", "target": 50, "breath": 0},
        {"scoring": "elimination", "target": 50},
        {"scoring": "lowest", "target": 50, "strict_wild4": True},
    )


class TestMinesweeper(Laws):
    game = games()["minesweeper"]
    options = tuple(
        {"level": "custom", "width": 6, "height": 5, "mines": 5, **mode}
        for mode in (
            {"mode": "solo"},
            {"mode": "solo", "no_guess": True},
            {"mode": "solo", "kind": True},
            {"mode": "race"},
            {"mode": "race", "penalty": 1_000},
            {"mode": "coop", "lives": 3},
            {"mode": "coop", "kind": True, "lives": 2},
            {"mode": "duel"},
        )
    )

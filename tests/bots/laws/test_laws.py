"""A fault in a game is found by the law that it breaks, with a short match that shows it."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.bots.laws.variants import BREAKS, CrashWhenASeatLeaves, NeverEnds, RefusesOptionsAtTheStart, WaitsForNothing
from tests.support.commands import run

from parlour_bots.laws import Laws, laws
from parlour_bots.laws.checking import BrokenLaw, LawCheck, Subject
from parlour_bots.laws.words import words
from parlour_bots.loading import find_game
from parlour_games.registry import AnyGame, games
from parlour_goofspiel.game import Goofspiel
from parlour_protocol.phrases import table

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


def found(name: str, game: AnyGame) -> BrokenLaw:
    [law] = [law for law in laws.LAWS if law.__name__ == name]
    finding = LawCheck(Subject(game), range(20)).check(law)
    assert finding is not None
    return finding


@pytest.mark.parametrize(("name", "game"), BREAKS, ids=[type(game).__name__ for _, game in BREAKS])
def test_fault_is_found_by_its_law_in_a_short_match(name: str, game: AnyGame) -> None:
    finding = found(name, game)
    assert finding.law == name
    if not isinstance(game, NeverEnds):
        assert len(finding.steps) <= 12
        assert finding == found(name, game)


def test_match_that_takes_longer_with_each_step_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "LONGEST", 10**9)
    monkeypatch.setattr(laws, "PATIENCE", 0.0)
    assert len(found("ends", NeverEnds()).steps) < 10**9


@pytest.mark.parametrize(
    ("game", "checked", "broken"),
    [
        (CrashWhenASeatLeaves(), {"declared", "plays"}, ["plays"]),
        (WaitsForNothing(), KEPT, ["decisions"]),
    ],
    ids=["no other law is checked of a game that cannot be played", "a match that waits for nothing"],
)
def test_only_one_law_is_broken(game: AnyGame, checked: set[str], broken: list[str]) -> None:
    check = LawCheck(Subject(game), range(20))
    for law in laws.LAWS:
        check.check(law)
    assert check.findings.keys() == checked
    assert [name for name, finding in check.findings.items() if finding is not None] == broken


def test_options_that_only_the_start_refuses_belong_elsewhere() -> None:
    words = found("declared", RefusesOptionsAtTheStart()).words
    told = ("__attrs_post_init__", "seats(options)", "two seats are enough")
    assert [each for each in told if each not in words] == []


def test_each_match_of_a_law_is_a_step_of_its_progress() -> None:
    steps: list[None] = []
    [plays] = [law for law in laws.LAWS if law.__name__ == "plays"]
    LawCheck(Subject(games()["minesweeper"]), range(5)).check(plays, lambda: steps.append(None))
    assert len(steps) == 5


def test_command_names_the_law_the_seed_and_the_steps() -> None:
    done = run("game", "check", f"{VARIANTS}:ShowsBidsInView", "--matches", "3", "--json")
    out = json.loads(done.stdout)
    rows = {row["law"]: row for row in out["laws"]}
    assert (done.returncode, set(rows), out["sound"], out["game"]) == (1, KEPT, False, "goofspiel")
    assert {law for law, row in rows.items() if not row["kept"]} == {"secrets"}
    finding = rows["secrets"]["finding"]
    assert finding["seed"] in range(3)
    assert all(step["what"] in ("act", "timeout") for step in finding["steps"])


def test_other_process_plays_the_same_match() -> None:
    done = run("game", "check", f"{VARIANTS}:DependsOnHashes", "--matches", "1", "--json")
    assert done.returncode == 1
    assert [row["law"] for row in json.loads(done.stdout)["laws"] if not row["kept"]] == ["deterministic"]


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


def test_sound_game_is_measured() -> None:
    assert re.search(r"sound; [\d,]+ steps", run("game", "check", "minesweeper", "--matches", "1").stdout)


@pytest.mark.parametrize("what", ["chess", "no_module:Game", str(VARIANTS), "json:loads", "nowhere.py"])
def test_what_is_no_game_is_refused(what: str) -> None:
    done = run("game", "check", what)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)


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


Check = Callable[..., BrokenLaw | None]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Return a function that checks Goofspiel with changed phrases; None takes a phrase away."""
    package = f"words_of_{tmp_path.name}"
    monkeypatch.syspath_prepend(tmp_path)

    def checked(language: str = "en", **changes: Any) -> BrokenLaw | None:
        (tmp_path / package).mkdir()
        for each in ("en", "de"):
            found: dict[str, Any] = {**table(Goofspiel.phrases, each)}
            found |= {f"goofspiel.{key}": value for key, value in changes.items() if each == language}
            kept = {key: value for key, value in found.items() if value is not None}
            (tmp_path / package / f"{each}.json").write_text(json.dumps(kept), encoding="utf-8")
        (tmp_path / package / "__init__.py").touch()
        game = type("Reworded", (Goofspiel,), {"phrases": package})()
        return LawCheck(Subject(game), range(5)).check(words)

    return checked


def test_phrases_of_a_sound_game_are_sound(check: Check) -> None:
    assert check() is None


@pytest.mark.parametrize(
    ("language", "key", "phrase"),
    [
        ("en", "event.bid", "{card, none {} other {You bid #}}"),
        ("de", "event.bid", "{card, none {} other {Du bietest #}}"),
        ("en", "event.bid", "{seat, player} bids {crd}"),
        ("en", "event.bid", "{seat, player"),
        ("en", "event.bid", 3),
        ("en", "event.bid", None),
        ("en", "event.nosuch", "Nothing."),
        ("en", "vew.hand", "your hand"),
        ("en", "act.bid", None),
        ("en", "act.bid", "Bid"),
        ("en", "act.bid.nosuch", "nothing"),
        ("en", "option.nosuch", "Nothing"),
        ("en", "view.out", "{valu, players, none {} other {out: #}}{nosuch}"),
    ],
)
def test_fault_names_the_file_and_the_key(check: Check, language: str, key: str, phrase: Any) -> None:
    finding = check(language, **{key: phrase})
    assert finding is not None
    assert f"{language}.json: goofspiel.{key}" in finding.words


def test_each_fault_that_needs_no_match_is_named(check: Check) -> None:
    finding = check(**{"vew.hand": "", "event.nosuch": "", "event.bid": None})
    assert finding is not None
    assert len(finding.words.splitlines()) == 3

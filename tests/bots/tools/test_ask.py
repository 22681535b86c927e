"""Asking a bot about one position."""

import json
import runpy
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.bots.programs import SHOWN, turn
from tests.support.commands import run

from parlour_bots.loading import find
from parlour_bots.sdk import BotSpec, bot_spec
from parlour_bots.tools.ask import ask, turn_at, turn_in, whose
from parlour_client.core.errors import Usage

MATCHES = Path(__file__).parents[2] / "server" / "golden" / "matches"
HELPED = """
GAME = "minesweeper"


def helper(turn):
    return turn.view["nothing"]


def play(turn):
    return helper(turn)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "turn.json"


def test_a_turn_as_reports_print_it_is_answered(file: Path) -> None:
    file.write_text(json.dumps(turn(5).plain()))
    asked = ask(bot_spec(lambda turn: (0, "the first"), "first"), turn_in(file, 0)).plain()
    assert {**asked, "ms": 0} == {
        "rid": 5, "act": 0, "action": {"do": "play", "card": 7}, "why": "the first", "ms": 0, "mistake": None
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"game": 3', "7"])
def test_what_is_no_turn_is_refused(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(Usage):
        turn_in(file, 0)


def test_an_act_of_a_match_is_asked_again_as_its_seat_saw_it() -> None:
    file = next(path for path in sorted(MATCHES.glob("*.jsonl")) if '"game":"uno"' in path.read_text())
    found = turn_at(file, 1, 0)
    assert (found.game, found.legal != [], found.view["hand"] != []) == ("uno", True, True)
    with pytest.raises(Usage, match="--at"):
        turn_at(file, 10_000, 0)


def test_a_mistake_shows_the_lines_of_the_author_and_whose_it_was(file: Path) -> None:
    bot = file.with_name("helped.py")
    bot.write_text(HELPED)
    file.write_text(json.dumps(turn(view=SHOWN).plain()))
    done = run("bot", "ask", str(bot), "--turn", str(file))
    said = done.stderr.splitlines()
    assert done.returncode == 7
    assert said[0] == f"{bot}:6: KeyError: 'nothing'"
    assert said[2] == f"  called from {bot}:10: return helper(turn)"
    assert not any("player.py" in line for line in said)
    assert said[-1] == "The mistake is the bot's."


def test_a_mistake_without_a_line_of_the_bot_is_not_the_bots() -> None:
    made: Any = partial(int, "no")
    found = ask(BotSpec("broken", made), turn())
    assert found.mistake is not None
    assert "parlour" in whose(found.mistake)


def test_a_bot_file_can_be_imported_and_says_its_game(tmp_path: Path) -> None:
    file = tmp_path / "digger.py"
    file.write_text(f"{HELPED}\n\nif __name__ == '__main__':\n    raise SystemExit('this is no import')\n")
    assert callable(runpy.run_path(str(file))["play"])
    assert find(str(file), "uno").game == "minesweeper"

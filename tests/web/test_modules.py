"""What of the page needs no browser: its modules' own tests, run by Node.js, and what they know of the games."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import attrs
import pytest

from parlour_games.registry import games
from parlour_protocol.errors import CODES

pytestmark = pytest.mark.node
MODULES = Path(__file__).with_name("modules")
WEB = Path(__file__).parents[2] / "server/parlour_server/web"
FOR_PROGRAMS = {"hello_first", "greeted", "bad_ticket", "not_admin"}
"""Refusals of what the page never does."""
PARTICULAR = {"bad_options", "wrong_state", "illegal_action"}
"""Refusals of which only the server knows what was wrong."""
UNTOLD = {"uno": {"turn", "match"}, "minesweeper": {"review"}}
"""Events that need no line of their own."""


def evaluate(node: Path, module: str, expression: str) -> Any:
    """Return the value of ``expression`` with what ``module`` of the page exports as ``it``."""
    place = json.dumps((WEB / module).as_uri())
    script = f"const it = await import({place}); console.log(JSON.stringify({expression}));"
    call = [str(node), "--input-type=module", "--eval", script]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", sorted(file.name for file in MODULES.glob("*.test.mjs")))
def test_modules(node_executable: Path, name: str) -> None:
    call = [str(node_executable), "--test", "--test-reporter=tap", str(MODULES / name)]
    done = subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 8


def test_every_refusal_that_people_can_meet_has_words_of_the_page(node_executable: Path) -> None:
    said = evaluate(node_executable, "refusals.js", "Object.keys(it.REFUSALS)")
    assert set(said) == set(CODES) - FOR_PROGRAMS | {"lost"}
    told = {code: f"[{code}] `list` tells more" for code in CODES}
    errors = json.dumps([{"code": code, "msg": msg, "hint": CODES[code]} for code, msg in told.items()])
    for code, words in zip(told, evaluate(node_executable, "refusals.js", f"{errors}.map(it.told)"), strict=True):
        assert words.endswith((".", "?")) or code in FOR_PROGRAMS, words
        assert "SPEC" not in words or code in FOR_PROGRAMS
        assert "`" not in words or code in {*FOR_PROGRAMS, *PARTICULAR}, words
        assert (told[code] in words) == (code in {*FOR_PROGRAMS, *PARTICULAR}), words


@pytest.mark.parametrize(("game", "module"), [("uno", "uno_words.js"), ("minesweeper", "mines_words.js")])
def test_every_event_of_the_games_is_told_in_words(node_executable: Path, game: str, module: str) -> None:
    told = set(evaluate(node_executable, module, "Object.keys(it.EVENTS)"))
    tags = {vars(event)["e"] for event in games()[game].Events}
    assert told == tags - UNTOLD[game]


def test_every_house_rule_has_words(node_executable: Path) -> None:
    options = attrs.asdict(games()["uno"].Options(preset="chaos", no_bluff=True, strict_wild4=True))
    options |= {"scoring": "single", "first_card_number_only": True}
    said = evaluate(node_executable, "uno_words.js", f"it.rules({json.dumps(options)})")
    switches = [name for name, value in options.items() if value is True]
    assert len(said) == 1 + len(switches) + 1
    assert said[0] == "one round"

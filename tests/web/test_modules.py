"""What of the page needs no browser: its modules' own tests, run by Node.js, and what they know of the games."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import attrs
import pytest

from parlour_games.game import BadOptions
from parlour_games.registry import games

pytestmark = pytest.mark.node
MODULES = Path(__file__).with_name("modules")
WEB = Path(__file__).parents[2] / "server/parlour_server/web"
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


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
def test_options_are_those_of_the_games(node_executable: Path, game: str) -> None:
    offered = {name: allowed for name, allowed, _ in evaluate(node_executable, "options.js", f"it.OPTIONS.{game}")}
    fields = attrs.fields_dict(games()[game].Options)
    assert offered.keys() == fields.keys()
    for name, allowed in offered.items():
        refused = refusal(fields[name], "?")
        if allowed is None:
            assert "true or false" in refused, name
        elif isinstance(allowed[0], int):
            assert f"a whole number from {allowed[0]} to {allowed[1]}" in refused, name
        else:
            assert f"one of {', '.join(allowed)}, not" in refused, name


def refusal(field: "attrs.Attribute[Any]", value: Any) -> str:
    """Return what the game says of a wrong value: it names the right ones."""
    assert field.validator is not None
    with pytest.raises(BadOptions) as caught:
        field.validator(None, field, value)
    return str(caught.value)


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

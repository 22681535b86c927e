"""docs/fairness.md: the deal that it checks by hand, checked in just that way; its examples against our own code."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parlour_games.fair import Fair
from parlour_games.uno.cards import HAND, NAMES

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "fairness.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(\w+) ?(\w*)\n((?s:.*?))^```$", re.MULTILINE)
_STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
BLOCKS = [(language, about, text) for language, about, text in _BLOCK.findall(TEXT)]
TOOLS = {"python": ("python3",), "openssl": ("openssl", "xxd")}
"""What computes the hashes → the programs that it takes."""
AT_HAND = [name for name, programs in TOOLS.items() if all(map(shutil.which, programs))]


def functions(tool: str) -> str:
    """Return the shell functions that the text defines."""
    return "".join(text for language, about, text in BLOCKS if language == "sh" and about in (tool, ""))


def steps(*abouts: str) -> list[tuple[str, str]]:
    """Return (command, output) of the sessions that the text shows."""
    sessions = (text for language, about, text in BLOCKS if language == "console" and about in abouts)
    return [step for text in sessions for step in _STEP.findall(text)]


def said(script: str, *programs: Path) -> list[str]:
    """Run a script in one shell, in docs/; return what each of its steps has said."""
    tools = [*(str(program.parent) for program in programs), str(Path(sys.executable).parent), os.environ["PATH"]]
    done = subprocess.run(
        ["sh", "-eu"],
        input=script,
        cwd=DOCS,
        env={"PATH": os.pathsep.join(tools), "LC_ALL": "C"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout.split("\0")[:-1]


def follow(tool: str, session: list[tuple[str, str]], *programs: Path) -> None:
    script = functions(tool) + "".join(f"{command}\nprintf '\\0'\n" for command, _ in session)
    for (command, shown), output in zip(session, said(script, *programs), strict=True):
        assert output == shown, command


def test_text_has_the_blocks_that_we_know_how_to_follow() -> None:
    known = {("", ""), ("sh", ""), ("sh", "python"), ("sh", "openssl"), ("console", "hand"), ("console", "node")}
    assert {(language, about) for language, about, _ in BLOCKS} <= known
    assert len(steps("hand")) > 10
    assert "python" in AT_HAND


@pytest.mark.parametrize("tool", AT_HAND)
def test_a_deal_is_checked_by_hand(tool: str) -> None:
    follow(tool, steps("hand"))


@pytest.mark.node
def test_fair_mjs_goes_on(node_executable: Path) -> None:
    session = [*steps("hand"), *steps("node")]
    assert len(session) > len(steps("hand"))
    follow("python", session, node_executable)


def test_hand_in_the_text_is_the_one_that_is_dealt() -> None:
    deck = list(range(108))
    Fair(bytes(range(32)), "K7QD/1", (b"", b"\xff" * 32)).deal(1).label("deck").shuffle(deck)
    [shown] = re.findall(r"\*\*([\d ]+)\*\*: ((?s:.*?))\.", TEXT)
    hand = deck[: -HAND - 1 : -1]
    assert list(map(int, shown[0].split())) == hand
    assert " ".join(shown[1].split()).split(", ") == [NAMES[card] for card in hand]
    assert f"Place 100 gets {deck[100]}:" in TEXT

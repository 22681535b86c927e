"""docs/fairness.md: run its manual check of a deal, and compare its examples with our code."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.test_first_bot import SESSION, blocks

from parlour_games.fair import Fair
from parlour_games.uno.cards import HAND, NAMES

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "fairness.md").read_text(encoding="utf-8")
BLOCKS = blocks(TEXT)
TOOLS = {"python": ("python3",), "openssl": ("openssl", "xxd")}
"""Tool that computes the hashes → the programs it needs."""
PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
"""A virtual environment has ``python3``, wherever its Python comes from."""
INSTALLED = [name for name, programs in TOOLS.items() if all(shutil.which(program, path=PATH) for program in programs)]


def steps(*abouts: str) -> list[tuple[str, str]]:
    """Return (command, output) of the console sessions in the text."""
    sessions = (block.text for block in BLOCKS if block.language == "console" and block.about in abouts)
    return [step for text in sessions for step in SESSION.findall(text)]


def follow(tool: str, session: list[tuple[str, str]], *programs: Path) -> None:
    """Run the commands of a session in one shell in docs/, and compare their output."""
    functions = "".join(block.text for block in BLOCKS if block.language == "sh" and block.about in (tool, ""))
    script = functions + "".join(f"{command}\nprintf '\\0'\n" for command, _ in session)
    env = {"PATH": os.pathsep.join([*(str(program.parent) for program in programs), PATH]), "LC_ALL": "C"}
    done = subprocess.run(["sh", "-eu"], input=script, cwd=DOCS, env=env, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done
    for (command, shown), output in zip(session, done.stdout.split("\0")[:-1], strict=True):
        assert output == shown, command


def test_blocks_are_of_known_kinds() -> None:
    known = {("", ""), ("sh", ""), ("sh", "python"), ("sh", "openssl"), ("console", "hand"), ("console", "node")}
    assert {(block.language, block.about) for block in BLOCKS} <= known
    assert len(steps("hand")) > 10
    assert "python" in INSTALLED


@pytest.mark.parametrize("tool", INSTALLED)
def test_manual_check_of_a_deal(tool: str) -> None:
    follow(tool, steps("hand"))


@pytest.mark.node
def test_check_with_fair_mjs(node_executable: Path) -> None:
    session = [*steps("hand"), *steps("node")]
    assert len(session) > len(steps("hand"))
    follow("python", session, node_executable)


def test_hand_in_the_text_is_dealt() -> None:
    deck = list(range(108))
    Fair(bytes(range(32)), "K7QD/1", (b"", b"\xff" * 32)).deal(1).label("deck").shuffle(deck)
    [shown] = re.findall(r"\*\*([\d ]+)\*\*: ((?s:.*?))\.", TEXT)
    hand = deck[: -HAND - 1 : -1]
    assert list(map(int, shown[0].split())) == hand
    assert " ".join(shown[1].split()).split(", ") == [NAMES[card] for card in hand]
    assert f"Place 100 gets {deck[100]}:" in TEXT

"""docs/first-bot.md: write its files, run its commands, and compare their output with the text.

In the expected output ``…`` matches anything, a line ``…`` any lines, and a number any number.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest
from tests.support.server import ServerProcess, environment, first_line
from tests.support.waiting import PATIENCE

TEXT = (Path(__file__).parents[2] / "docs" / "first-bot.md").read_text(encoding="utf-8")
ROOM = "K7QD"
"""The room code in the text."""
_BLOCK = re.compile(r"^```(\w*) ?(.*)\n((?s:.*?))^```$", re.MULTILINE)
SESSION = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
NODE = re.compile(r"\bnode\b|nora")
LOOK = """
import json
from parlour_bots import run
def play(turn):
    print(json.dumps(turn.plain()))
    return 0
run(play)
"""


@attrs.frozen
class Block:
    language: str
    about: str
    """A file name, or how to run the commands."""
    text: str


def blocks(text: str) -> list[Block]:
    """Return the code blocks of a text."""
    return [Block(*found) for found in _BLOCK.findall(text)]


BLOCKS = blocks(TEXT)


def pattern(expected: str) -> str:
    """Return a regular expression for the expected output."""
    return "".join("(?:.*\n)*" if line == "…" else f"{_line(line)}\n" for line in expected.splitlines())


def _line(line: str) -> str:
    return "".join(map(_piece, re.split(r"(…|\d+(?:\.\d+)?| +|K7QD)", line)))


def _piece(piece: str) -> str:
    if piece == "…":
        return "[^\n]*"
    if piece == ROOM:
        return r"\w{4}"
    return r"\d+(?:\.\d+)?" if piece[:1].isdigit() else " +" if piece.isspace() else re.escape(piece)


class Reader:
    """A reader who follows the text in an empty folder."""

    SERVE = "parlour serve"

    def __init__(self, folder: Path, node: Path | None = None) -> None:
        self._folder = folder
        tools = [Path(sys.executable).parent, *([node.parent] if node else [])]
        path = os.pathsep.join(map(str, [*tools, os.environ["PATH"]]))
        self._environment = environment(folder, PATH=path)
        self._shell: dict[str, Any] = {"shell": True, "cwd": folder, "env": self._environment}
        self._shell |= {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        self._room = ROOM
        self._server: ServerProcess | None = None
        self._waiting: list[subprocess.Popen[bytes]] = []
        self.said: list[str] = []
        """The output of each command."""

    def follow(self, block: Block) -> None:
        """Write the file or run the commands of a block."""
        if block.language != "console":
            (self._folder / block.about).write_text(block.text)
            return
        for command, expected in SESSION.findall(block.text):
            self._do(command.replace(ROOM, self._room), expected, block.about)

    def run(self, command: str) -> str:
        """Run a command and return its output."""
        done = subprocess.run(command, timeout=PATIENCE, check=False, **self._shell)
        self.said.append(done.stdout.decode())
        return self.said[-1]

    def file(self, name: str) -> str:
        """Return the content of a file."""
        return (self._folder / name).read_text()

    def close(self) -> None:
        """Wait for background commands and stop the server."""
        for child in self._waiting:
            try:
                child.communicate(timeout=PATIENCE)
            finally:
                child.kill()
        if self._server is not None:
            self._server.close()

    def _do(self, command: str, expected: str, how: str) -> None:
        if how == "server":
            assert command == self.SERVE
            self._serve()
        elif how == "background":
            self._leave_running(command, expected)
        else:
            said = self.run(command)
            assert re.fullmatch(pattern(expected), said), f"{command}\n{said}"

    def _serve(self) -> None:
        folder = self._folder / "server"
        folder.mkdir()
        self._server = ServerProcess(folder)
        self._environment["PARLOUR_SERVER"] = self._server.url

    def _leave_running(self, command: str, expected: str) -> None:
        child = subprocess.Popen(f"exec {command}", **self._shell)
        self._waiting.append(child)
        said = first_line(child).decode()
        assert re.fullmatch(pattern(expected), said), said
        self._room = re.findall(r"\b[A-Z0-9]{4}\b", said)[0]


def needs_node(block: Block) -> bool:
    return bool(NODE.search(block.about + block.text)) or block.about in ("server", "background")


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    with closing(Reader(tmp_path)) as following:
        yield following


def test_blocks_are_of_known_kinds() -> None:
    assert len(BLOCKS) == TEXT.count("\n```") / 2
    assert {block.language for block in BLOCKS} == {"console", "python", "js", "sh", "json"}
    assert [block.about for block in BLOCKS if block.language == "json"] == ["turn"]


@pytest.mark.long
def test_python_and_sh_parts_work(reader: Reader) -> None:
    for block in BLOCKS:
        if block.language != "json" and not needs_node(block):
            reader.follow(block)
    [chance, too_weak, chance_again, level, *_] = [interval(said) for said in reader.said if " won " in said]
    assert chance[0] > 50
    assert too_weak[1] < 50
    assert chance_again[0] > 50
    assert level[0] < 50 < level[1]


@pytest.mark.long
@pytest.mark.node
def test_javascript_and_server_parts_work(tmp_path: Path, node_executable: Path) -> None:
    with closing(Reader(tmp_path, node_executable)) as following:
        for block in BLOCKS:
            if block.language == "python" or needs_node(block):
                following.follow(block)


def test_new_bot_equals_the_text(reader: Reader) -> None:
    reader.run("parlour bot new maria")
    shown = next(block.text for block in BLOCKS if block.about == "maria.py")
    assert reader.file("maria.py") == shown


def test_turn_has_the_fields_of_the_text(reader: Reader) -> None:
    [shown] = [json.loads(block.text) for block in BLOCKS if block.language == "json"]
    reader.follow(Block("python", "look.py", LOOK))
    turns = [json.loads(line) for line in reader.run("python look.py --seed 1").splitlines() if line.startswith("{")]
    assert any((turn.keys(), turn["view"].keys()) == (shown.keys(), shown["view"].keys()) for turn in turns)


def interval(said: str) -> tuple[float, float]:
    """Return the interval of a win rate, in percent."""
    low, high = re.findall(r"interval ([\d.]+)% to ([\d.]+)%", said)[0]
    return float(low), float(high)

"""docs/first-evening.md in pseudo-terminals: press the key of each table row and wait for the quoted words."""

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from tests.client.tui.screens.test_keymap import bound
from tests.support.ports import free_port
from tests.support.terminal import Terminal

from parlour_bots.hosting import practice
from parlour_client.cli.main import main
from parlour_client.tui.games.minesweeper.widget import MinesweeperWidget
from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_client.tui.screens import room, start
from parlour_client.tui.screens.replay import ReplayScreen
from parlour_client.tui.widgets.list_view import Menu
from parlour_client.tui.widgets.waiting_room import WaitingRoom

TEXT = (Path(__file__).parents[2] / "docs" / "first-evening.md").read_text(encoding="utf-8")
ROOM, URL = "K7QD", "ws://192.168.0.7:7777"
"""The room code and the address in the text."""
KEYS = {"enter": "\r", "esc": "\x1b", "up": "\x1b[A", "down": "\x1b[B"}
OWNERS = (room.RoomScreen, WaitingRoom, UnoWidget, MinesweeperWidget, ReplayScreen, start.StartScreen, Menu)
_PIECES = re.compile(
    r"^```console (?P<whose>\w+)\n\$ (?P<command>.*)\n```$"
    r"|^\| (?P<who>\w+) press \| what happens \|$"
    r"|^\| *(?:<kbd>(?P<key>.+?)</kbd>(?: ×(?P<times>\d))?)? *\| (?P<result>.*) \|$",
    re.MULTILINE,
)
_QUOTED = re.compile("“(.+?)”")
_HERE = "; ".join(
    (
        "import sys",
        "from parlour_client.core import url",
        "url.DEFAULT_PORT, url.DEFAULT_URL = {port}, 'ws://localhost:{port}'",  # before others import them
        "from parlour_client.cli.main import main",
        "sys.exit(main(sys.argv[1:]))",
    )
)
"""``parlour`` with another default port, because the usual one may be in use."""


@attrs.frozen
class Step:
    """A command that a player starts, or a key to press and the words that then appear."""

    who: str = ""
    command: str = ""
    key: str = ""
    times: int = 1
    seen: tuple[str, ...] = ()


def steps() -> Iterator[Step]:
    who = ""
    for found in _PIECES.finditer(TEXT):
        who = found["who"] or found["whose"] or who
        if found["command"]:
            yield Step(who, found["command"])
        elif found["result"]:
            yield Step(who, "", found["key"] or "", int(found["times"] or 1), tuple(_QUOTED.findall(found["result"])))


class Evening:
    """The players of the text, each with a terminal. A new command replaces the player's terminal."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._terminals: dict[str, Terminal] = {}
        self._code, self._line = ROOM, ""
        self._port = free_port()

    def follow(self, step: Step) -> None:
        if step.command:
            self._open(step.who, step.command)
            return
        here = self._terminals[step.who]
        for _ in range(step.times):
            here.press(KEYS.get(step.key, step.key))
        for words in step.seen:
            here.wait_for(words.replace(ROOM, self._code))
        here.look(0.3)
        if "others join" in step.seen:
            self._line = next(line.strip(" │") for line in here.lines if "parlour join" in line)
            assert self._line.endswith(f":{self._port}"), "another test may use the usual port"
            self._code = self._line.split()[2]

    def close(self) -> None:
        for terminal in self._terminals.values():
            terminal.close()

    def _open(self, who: str, command: str) -> None:
        if who in self._terminals:
            self._terminals.pop(who).close()
        if f"{ROOM} --server {URL}" in command:
            command = self._line
        home = self._folder / who
        home.mkdir(exist_ok=True)
        program = [sys.executable, "-c", _HERE.format(port=self._port)]
        self._terminals[who] = Terminal(
            home, *shlex.split(command)[1:], program=program, PARLOUR_NAME=who, XDG_STATE_HOME=str(home)
        )


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    here = Evening(tmp_path)
    yield here
    here.close()


@pytest.mark.long
def test_steps_show_what_the_text_says(evening: Evening) -> None:
    followed = list(steps())
    assert len([step for step in followed if step.seen]) > 20
    for step in followed:
        evening.follow(step)


def test_keys_in_the_text_are_bound() -> None:
    named = set(re.findall("<kbd>(.+?)</kbd>", TEXT))
    assert named - bound(OWNERS) - {"y"} == set()  # y answers a confirmation


@pytest.mark.parametrize("command", re.findall(r"`parlour (play .*?)`", TEXT))
def test_other_commands_work(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    async def practise(bot: object, bots: int, *_: object, **__: object) -> int:
        asked.append(bots)
        return 0

    monkeypatch.setattr(practice, "practise", practise)
    assert main(command.split()) == 0
    assert len(asked) == 1

"""The bot in README.md works with the commands next to it."""

import re
import shlex
from pathlib import Path

import pytest

from parlour_client.cli.main import main

TEXT = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BOT = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
COMMANDS = [command for command in re.findall(r"^parlour (bot .*?) +#", TEXT, re.MULTILINE) if "--room" not in command]


@pytest.mark.parametrize("command", COMMANDS)
def test_bot_plays(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [bot] = BOT
    (tmp_path / "hello.py").write_text(bot)
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(command.replace("--arena 100", "--arena 5"))) == 0


def test_commands_are_found() -> None:
    assert len(COMMANDS) == 3

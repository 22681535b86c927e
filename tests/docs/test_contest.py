"""docs/contest.md: write its programs, run its commands, and compare their output with the text.

The test uses three bots instead of thirty and shorter clocks, and repeats ``parlour standings`` until it matches.
"""

import json
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.docs.test_first_bot import Reader, blocks, pattern

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "contest.md").read_text(encoding="utf-8")
SHORTER = {"--bots 30": "--bots 3", "--clock 10+1": "--clock 0.5+0.1"}


class Evening(Reader):
    """A reader who follows the guide as the admin and as the authors of the bots."""

    SERVE = "parlour serve --lan"

    def _do(self, command: str, expected: str, how: str) -> None:
        for long, short in SHORTER.items():
            command = command.replace(long, short)
        if command.startswith("parlour standings"):
            self._repeat_until(command, expected)
        else:
            super()._do(command, expected, how)

    def _serve(self) -> None:
        super()._serve()
        assert self._server is not None
        self._environment |= {"PARLOUR_ADMIN": self._server.admin, "PARLOUR_STORE": f"sqlite:///{self._server.store}"}

    def _leave_running(self, command: str, expected: str) -> None:
        quiet = self._folder / f"{len(self._waiting)}.txt"
        child = subprocess.Popen(f"exec {command} >{quiet}", **{**self._shell, "stderr": subprocess.PIPE})
        self._waiting.append(child)
        assert child.stderr is not None
        said = child.stderr.readline().decode()
        assert re.fullmatch(pattern(expected), said), said

    def _repeat_until(self, command: str, expected: str) -> None:
        while not re.fullmatch(pattern(expected), self.run(command)):
            assert "is running" in self.said[-1], self.said[-1]
            time.sleep(0.3)

    def close(self) -> None:
        for child in self._waiting:
            child.send_signal(signal.SIGKILL)
        super().close()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    here = Evening(tmp_path)
    yield here
    here.close()


@pytest.mark.long
def test_guide_works(evening: Evening, tmp_path: Path) -> None:
    found = blocks(TEXT)
    assert len([block for block in found if block.language == "console"]) >= 8
    for block in found:
        evening.follow(block)
    table = evening.file("friday.csv").splitlines()
    assert len(table) == 4
    assert table[0].endswith("against hangman") or "against hangman," in table[0]
    losses = json.loads(evening.run("parlour contest why friday ANNA --json"))
    assert (losses["contest"], losses["judge"]) == ("friday", "search")
    assert len(list((tmp_path / "lost").iterdir())) == losses["reviewed"] == losses["lost"] > 0
    assert all((tmp_path / each["file"]).exists() and each["command"] for each in losses["costly"])
    assert "has lost no match" in evening.run("parlour contest why rehearsal nobody")


def test_help_lists_the_commands_of_the_text(evening: Evening) -> None:
    said = evening.run("parlour contest --help")
    for verb in set(re.findall(r"parlour contest (\w+)", TEXT)):
        assert f"parlour contest {verb}" in said

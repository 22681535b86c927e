"""What shells complete: asked of parlour itself, and in real shells with the printed scripts."""

import os
import pty
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.commands import printed
from tests.support.waiting import PATIENCE

from parlour_bots.loading import INSTALLED
from parlour_client.cli.completion import completed
from parlour_client.cli.verbs import VERBS
from parlour_client.tui.theme import CHOICES
from parlour_games.registry import games

LEVELS = ["beginner", "intermediate", "expert", "custom"]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ([""], list(VERBS)),
        (["help", "ru"], ["rules"]),
        (["contest", "re"], ["resume", "results"]),
        (["admin", "dr"], ["drain"]),
        (["play", ""], list(games())),
        (["play", "minesweeper", "--level", ""], LEVELS),
        (["play", "--level", "ex"], ["expert"]),
        (["play", "--level=ex"], ["--level=expert"]),
        (["play", "--level", "=", "ex"], ["expert"]),
        (["play", "--level", "="], LEVELS),
        (["play", "--once", ""], list(games())),
        (["play", "--lev"], ["--level"]),
        (["play", "--option", "scoring=s"], ["scoring=single"]),
        (["play", "--bot", ""], list(INSTALLED.of())),
        (["arena", "uno", "random", "hoa"], ["hoarder"]),
        (["start", "--look", ""], list(CHOICES)),
        (["serve", "--log-level", "w"], ["warning"]),
        (["server", "load", "--roo"], ["--rooms"]),
        (["rooms", "--name", ""], []),
        (["replay", ""], []),
        (["nonsense", ""], []),
    ],
)
def test_candidates(words: list[str], wanted: list[str]) -> None:
    assert [value for value, _ in completed(words)] == wanted


@pytest.mark.parametrize("name", VERBS)
def test_every_option_of_a_verb_is_offered_with_its_help(name: str) -> None:
    offered = completed([name, "-"])
    assert all(value.startswith("-") and about for value, about in offered)


CASES = [
    ("play --level ex", "expert"),
    pytest.param("play minesweeper --lev", "--level", marks=pytest.mark.long),
    pytest.param("play min", "minesweeper", marks=pytest.mark.long),
]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}


BASH = """source {path}; COMP_WORDS=(parlour {typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_parlour parlour; echo "${{COMPREPLY[*]}}\""""
FISH = 'source {path}; complete -C "parlour {typed}" | cut -f 1'


@pytest.mark.parametrize(("typed", "completed"), CASES)
@pytest.mark.parametrize(
    ("shell", "code"),
    [
        pytest.param("bash", BASH, marks=pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")),
        pytest.param("fish", FISH, marks=pytest.mark.shells),
    ],
    ids=["bash", "fish"],
)
def test_shells_with_the_printed_script(
    shell: str, code: str, typed: str, completed: str, environment: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / f"parlour.{shell}"
    path.write_text(printed("completion", shell))
    command = [shell, "-c", code.format(path=path, typed=typed)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.split() == [completed]


@pytest.mark.shells
@pytest.mark.parametrize(("typed", "completed"), CASES)
def test_zsh_with_the_printed_file(typed: str, completed: str, environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "_parlour").write_text(printed("completion", "zsh"))
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**environment, "TERM": "dumb"})
    try:
        setup = f"fpath+={tmp_path}; autoload -Uz compinit; compinit -u -D; print -r re''ady\n"
        os.write(terminal, setup.encode())
        read_until(terminal, "ready")
        os.write(terminal, f"parlour {typed}\t".encode())
        read_until(terminal, completed.removeprefix(typed.split()[-1]))
    finally:
        os.close(terminal)
        os.kill(pid, 9)
        os.waitpid(pid, 0)


def read_until(terminal: int, text: str) -> None:
    shown = ""
    while text not in shown:
        ready, _, _ = select.select([terminal], [], [], PATIENCE)
        assert ready, f"no {text!r} in {shown!r}"
        shown += os.read(terminal, 65536).decode(errors="replace")

"""Files that cannot be written or read: every verb says so in a sentence, and before any long work."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.commands import printed
from tests.support.waiting import PATIENCE

FULL = Path("/dev/full")
"""A device on which there is never any space."""
GAMES = ["--games", "2", "--seed", "1", "--jobs", "1"]


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all settings and data be where no folder can be."""
    (tmp_path / "file").write_text("nothing")
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "file"))
    monkeypatch.chdir(tmp_path)


def refused(words: list[str]) -> str:
    """Return what a verb says when it ends with a usage error."""
    [line] = printed(*words, code=2).splitlines()
    return line


@pytest.mark.parametrize(
    "words",
    [
        ["continue", "missing.jsonl"],
        ["demo"],
        ["demo", "--folder", "file"],
        ["demo", "--folder", "file/below"],
        ["arena", "uno", "random", "painfirst", *GAMES, "--out", "."],
        ["arena", "uno", "random", "painfirst", *GAMES, "--out", "file/games.jsonl"],
        ["arena", "uno", "random", "painfirst", *GAMES, "--plot", "missing/plot.svg"],
        ["arena", "minesweeper", "article", *GAMES, "--out", "."],
        ["arena", "minesweeper", "--table", *GAMES, "--plot", "file/plot.svg"],
        ["backup", "."],
        ["bot", "check", "file/bot.py"],
        ["games", "export", "8f31c2", "--store", "sqlite:///file/games.db"],
        ["identity", "maria"],
        ["identity", "--add", "maria", "00" * 32],
        ["replay", "."],
        ["replay", "file/match.jsonl"],
        ["replay", "missing.jsonl"],
        ["serve", "--store", "sqlite:///."],
        ["verify", "missing.jsonl"],
    ],
    ids=" ".join,
)
def test_place_that_cannot_be_used_is_named(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.hosting.demo._demonstrate", None)  # no match is played before
    assert refused(words).startswith("parlour")


@pytest.mark.parametrize("game", [["uno", "random", "painfirst"], ["minesweeper", "article"]], ids=" ".join)
def test_results_that_fit_on_no_disk(game: list[str]) -> None:
    assert str(FULL) in refused(["arena", *game, *GAMES, "--out", str(FULL)])


@pytest.mark.parametrize(
    "words",
    [["bot", "list"], *(pytest.param(each, marks=pytest.mark.long) for each in (["--help"], ["games", "--help"]))],
)
def test_output_that_fits_on_no_disk(words: list[str]) -> None:
    with FULL.open("w") as out:
        command = [sys.executable, "-m", "parlour_client.cli.main", *words]
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["parlour"]

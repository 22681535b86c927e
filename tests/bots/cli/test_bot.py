import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.bots.programs import CONFINES, EACH_FIRST
from tests.support.commands import printed, run

from parlour_client.cli.main import main


@pytest.fixture(autouse=True)
def _few_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.tools.check.MATCHES", 4)


def test_list_tells_the_installed_bots() -> None:
    lines = printed("bot", "list").splitlines()
    assert any(line.startswith("uno.hoarder ") and "Keeps its wilds" in line for line in lines)
    assert all(len(line.split()) > 5 for line in lines)
    rows = json.loads(run("bot", "list", "--json").stdout)["bots"]
    known = {"name": "uno.random", "game": "uno", "from": "parlour_bots.profiles:play_at_random"}
    assert {**known, "plays": "Plays a random legal action."} in rows


def test_list_wraps_between_words_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    main(["bot", "list"])
    out = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert out.split() == run("bot", "list").stdout.split()
    assert max(map(len, out.splitlines())) <= 60


def test_bot_that_cannot_be_loaded_is_told_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import no_such_module\n")
    first, second = printed("bot", "run", str(tmp_path / "bad.py"), code=2).splitlines()
    assert first.endswith("bad.py:1: import no_such_module")
    assert "ModuleNotFoundError" in second


def test_help_of_exec_shows_what_is_exchanged() -> None:
    assert '{"rid":7,"act":0,"why":"..."}' in printed("bot", "exec", "--help")


@pytest.mark.parametrize(("words", "name"), [("run painfirst {}", "painfirst"), ("exec {} -- yes 0", "yes")])
def test_run_and_exec_take_the_options_of_a_bot_file(words: str, name: str) -> None:
    data = json.loads(run("bot", *words.format("--arena 2 --seed 1 --json").split()).stdout)
    assert (data["bot"], data["against"], data["games"], data["seed"]) == (name, "random", 2, 1)
    assert data["low"] <= data["rate"] <= data["high"]


@pytest.mark.long
def test_exec_takes_the_options_of_the_program_for_its_own() -> None:
    command = ["sh", "-c", EACH_FIRST, "--seed", "7"]
    assert "clara-0" in run("bot", "exec", "--name", "clara", "--seed", "1", "--", *command).stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("run painfrist", "Did you mean painfirst?"),
        ("run painfirst --confined --readable /no/such/file", "/no/such/file"),
        ("run minesweeper.random --option widht=5", "width"),
        ("run minesweeper.random --option width", "width"),
        ("run minesweeper.random --option width=5 --room K7QD", "--option"),
        ("check painfirst --budget 0", "--budget must be at least 1"),
        ("new hello --lang cobol", "cobol"),
        ("exec", "name the program"),
        ("exec -- nonesuch", "nonesuch was not found"),
    ],
)
def test_wrong_words_exit_2_and_say_what_is_wrong(words: str, told: str) -> None:
    assert told in printed("bot", *words.split(), code=2)


def test_check_of_a_sound_bot_is_that_of_its_own_file() -> None:
    said = []
    for words in (["check", "painfirst"], ["run", "painfirst", "--check"]):
        lines = run("bot", *words).stdout.splitlines()
        said.append([line for line in lines if not line.startswith(("time to think", "memory"))])
    assert said[0] == said[1]
    assert said[0][-1] == "sound"


def test_check_of_a_bad_program_exits_7() -> None:
    done = run("bot", "check", "exec:sh -c 'exit 3'", "--json")
    data = json.loads(done.stdout)
    assert (done.returncode, data["sound"], data["late"], data["illegal"]) == (7, False, 0, 0)
    assert data["broken"] > 0
    assert "exec:sh -c 'exit 3': Broken: exited with code 3" in done.stderr


LISTS = "import os, sys\nsys.stderr.write(f'sees {sorted(os.listdir())}\\n')\n"
BOTS = {
    "bot.py": f"{LISTS}def play(turn):\n    return 0\n",
    "sweeper.py": f"{LISTS}from parlour_bots.profiles import play_at_random as play\n",
    "program.py": f"{LISTS}for line in sys.stdin:\n    print(0, flush=True)\n",
}
PROGRAM = f"exec:{sys.executable} program.py"
ONE_GAME = ["--games", "1", "--jobs", "1"]


@CONFINES
@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("bot.py", ["bot", "run", "./bot.py", "--strict"]),
        pytest.param("bot.py", ["bot", "run", "painfirst", "--against", "bot.py", "--strict"], marks=pytest.mark.long),
        ("program.py", ["bot", "check", PROGRAM]),
        pytest.param("program.py", ["arena", "uno", PROGRAM, "painfirst", *ONE_GAME], marks=pytest.mark.long),
        ("sweeper.py", ["arena", "minesweeper", "sweeper.py", "--games", "1", "--level", "beginner"]),
        ("program.py", ["bot", "exec", "--strict", "{}", "--", sys.executable, "program.py"]),
    ],
)
def test_confined_bots_see_their_own_files_and_what_they_may_read(
    bot: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    for name, text in {**BOTS, "secret": "", "shared": ""}.items():
        (tmp_path / name).write_text(text)
    options = ["--confined", "--readable", "shared"]
    place = words.index("{}") if "{}" in words else len(words)
    done = run(*words[:place], *options, *words[place + 1 :])
    seen = {line.partition("sees ")[2] for line in done.stderr.splitlines() if "sees " in line}
    assert (done.returncode, seen) == (0, {str(sorted([bot, "shared"]))})


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """The file of a bot that is to be written."""
    return tmp_path / "bot.py"


@pytest.mark.parametrize("words", [["run"], ["run", "--arena", "2"], ["check"], ["run", "--open", "2"]])
def test_bot_that_cannot_be_made_plays_no_match(words: list[str], bot: Path) -> None:
    bot.write_text("class Learned:\n    def __init__(self): open('w.npz')\n    def play(self, turn): return 0\n")
    done = run("bot", words[0], str(bot), *words[1:])
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 2)
    assert "FileNotFoundError" in done.stderr


@pytest.mark.parametrize("words", [["check"], ["run", "--arena", "2"], ["run"]])
def test_bot_that_declares_no_game_learns_which_one_it_played(words: list[str], bot: Path) -> None:
    source = "def play(turn):\n    return turn.view['rows']\n"
    notes = []
    for text in (source, f"GAME = 'uno'\n{source}"):
        bot.write_text(text)
        done = run("bot", words[0], str(bot), *words[1:], "--option", "scoring=single")
        notes += [line for line in done.stderr.splitlines() if "declares no game" in line]
    [note] = notes
    assert [word for word in ("uno", "GAME", "--game") if word not in note] == []


SIZE = [word for each in ("level=custom", "width=5", "height=5", "mines=4") for word in ("--option", each)]


@pytest.mark.parametrize("words", [["check"], ["run", "--arena", "2"], ["run"], ["run", "--strict"]])
def test_options_of_the_game_can_be_given(words: list[str], bot: Path) -> None:
    cells = "    cells = ''.join(turn.view['rows'])\n    assert len(cells) == 25\n"
    bot.write_text(f"GAME = 'minesweeper'\ndef play(turn):\n{cells}    return cells.index('.')\n")
    done = run("bot", words[0], str(bot), *words[1:], *SIZE)
    assert (done.returncode, "mistake" in done.stderr) == (0, False)


def test_python_ends_quietly_after_a_bot_was_watched() -> None:
    watched = """
import sys
from parlour_bots.tools import guards

class Last:
    def __del__(self, audit=sys.audit):
        audit("parlour.last")

with guards.noticed():
    pass
guards.last = Last()
"""
    assert subprocess.run([sys.executable, "-c", watched], capture_output=True, check=True).stderr == b""

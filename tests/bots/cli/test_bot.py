import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.bots.programs import CONFINES

from parlour_client.cli.main import main


@pytest.fixture(autouse=True)
def _few_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.tools.check.MATCHES", 4)


def test_list_tells_the_installed_bots(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("uno.hoarder ") and "Keeps its wilds" in line for line in lines)
    assert all(len(line.split()) > 5 for line in lines)


def test_list_wraps_between_words_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["bot", "list"])
    words = capsys.readouterr().out.split()
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    main(["bot", "list"])
    out = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert out.split() == words
    assert max(map(len, out.splitlines())) <= 60


def test_list_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "list", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["bots"]
    known = {"name": "uno.random", "game": "uno", "from": "parlour_bots.profiles:play_at_random"}
    assert {**known, "plays": "Plays a random legal action."} in rows


def test_bot_that_cannot_be_loaded_is_told_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.py").write_text("import no_such_module\n")
    assert main(["bot", "run", str(tmp_path / "bad.py")]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("bad.py:1: import no_such_module")
    assert "ModuleNotFoundError" in second


def test_help_ends_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("new", "run", "exec", "check", "list"):
        assert main(["bot", verb, "--help"]) == 0
        last = capsys.readouterr().out.rstrip().splitlines()[-1]
        assert f"parlour bot {verb}" in last


@pytest.mark.parametrize(("words", "name"), [("run painfirst {}", "painfirst"), ("exec {} -- yes 0", "yes")])
def test_run_and_exec_take_the_options_of_a_bot_file(words: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", *words.format("--arena 2 --seed 1 --json").split()]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["bot"], data["games"]) == (name, 2)


@pytest.mark.long
def test_exec_takes_the_options_of_the_program_for_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sh", "-c", "read -r g; while read -r t; do echo 0; done", "--seed", "7"]
    assert main(["bot", "exec", "--name", "clara", "--seed", "1", "--", *command]) == 0
    assert "clara-0" in capsys.readouterr().out


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
def test_wrong_words_exit_2_and_say_what_is_wrong(words: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", *words.split()]) == 2
    assert told in capsys.readouterr().err


def test_exec_tells_what_is_exchanged(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "exec", "--help"]) == 0
    out = capsys.readouterr().out
    assert '{"parlour":1,"game":"uno","name":"hello","seed":2841950217}' in out
    assert '{"rid":7,"act":0,"why":"..."}' in out


def test_check_of_a_sound_bot_is_that_of_its_own_file(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for words in (["check", "painfirst"], ["run", "painfirst", "--check"]):
        assert main(["bot", *words]) == 0
        lines = capsys.readouterr().out.splitlines()
        said.append([line for line in lines if not line.startswith(("time to think", "memory"))])
    assert said[0] == said[1]
    assert said[0][-1] == "sound"


def test_check_of_a_bad_program_exits_7(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "check", "exec:sh -c 'exit 3'", "--json"]) == 7
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert (data["sound"], data["late"], data["illegal"]) == (False, 0, 0)
    assert data["broken"] > 0
    assert "exec:sh -c 'exit 3': Broken: exited with code 3" in err


def test_new_writes_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bot", "new", "hello", "--lang", "sh"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["hello.sh"]
    assert "parlour bot exec -- ./hello.sh" in capsys.readouterr().out
    assert main(["bot", "new", "hello", "--lang", "sh"]) == 2
    assert "hello.sh already exists" in capsys.readouterr().err


LISTS = "import os, sys\nsys.stderr.write(f'sees {sorted(os.listdir())}\\n')\n"
BOTS = {
    "bot.py": f"{LISTS}def play(turn):\n    return 0\n",
    "sweeper.py": f"{LISTS}from parlour_bots.profiles import play_at_random as play\n",
    "program.py": f"{LISTS}for line in sys.stdin:\n    print(0, flush=True)\n",
}
PROGRAM = f"exec:{sys.executable} program.py"


@CONFINES
@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("bot.py", ["bot", "run", "./bot.py", "--strict"]),
        pytest.param("bot.py", ["bot", "run", "painfirst", "--against", "bot.py", "--strict"], marks=pytest.mark.long),
        ("program.py", ["bot", "check", PROGRAM]),
        pytest.param(
            "program.py",
            ["arena", "uno", PROGRAM, "painfirst", "--games", "1", "--jobs", "1"],
            marks=pytest.mark.long,
        ),
        ("sweeper.py", ["arena", "minesweeper", "sweeper.py", "--games", "1", "--level", "beginner"]),
        ("program.py", ["bot", "exec", "--strict", "{}", "--", sys.executable, "program.py"]),
    ],
)
def test_confined_bots_see_their_own_files_and_what_they_may_read(
    bot: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    for name, text in {**BOTS, "secret": "", "shared": ""}.items():
        (tmp_path / name).write_text(text)
    options = ["--confined", "--readable", "shared"]
    place = words.index("{}") if "{}" in words else len(words)
    assert main([*words[:place], *options, *words[place + 1 :]]) == 0
    seen = {line.partition("sees ")[2] for line in capsys.readouterr().err.splitlines() if "sees " in line}
    assert seen == {str(sorted([bot, "shared"]))}


LEARNED = """class Learned:
    def __init__(self, weights="w.npz"):
        self.weights = open(weights)

    def play(self, turn):
        return 0
"""


@pytest.mark.parametrize("words", [["run"], ["run", "--arena", "2"], ["check"], ["run", "--open", "2"]])
def test_bot_that_cannot_be_made_plays_no_match(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "learned.py"
    file.write_text(LEARNED)
    assert main(["bot", words[0], str(file), *words[1:]]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 2)
    assert "learned cannot be made: " in err
    assert "FileNotFoundError" in err


@pytest.mark.parametrize("words", [["check"], ["run", "--arena", "2"], ["run"]])
def test_bot_that_declares_no_game_learns_which_one_it_played(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sweeper.py"
    file.write_text("def play(turn):\n    return turn.view['rows']\n")
    main(["bot", words[0], str(file), *words[1:], "--option", "scoring=single"])
    [note] = [line for line in capsys.readouterr().err.splitlines() if "declares no game" in line]
    assert "uno" in note
    assert "GAME" in note
    assert "--game" in note


def test_bot_that_declares_its_game_is_told_nothing_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sweeper.py"
    file.write_text("GAME = 'uno'\ndef play(turn):\n    return turn.view['rows']\n")
    main(["bot", "check", str(file)])
    assert "declares no game" not in capsys.readouterr().err


FIVE = """GAME = "minesweeper"


def play(turn):
    cells = "".join(turn.view["rows"])
    assert len(cells) == 25
    return cells.index(".")
"""
SIZE = [word for each in ("level=custom", "width=5", "height=5", "mines=4") for word in ("--option", each)]


@pytest.mark.parametrize("words", [["check"], ["run", "--arena", "2"], ["run"], ["run", "--strict"]])
def test_options_of_the_game_can_be_given(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "five.py"
    file.write_text(FIVE)
    assert main(["bot", words[0], str(file), *words[1:], *SIZE]) == 0
    assert "mistake" not in capsys.readouterr().err


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

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from parlour_bots.loading import NoBot, describe, find, installed
from parlour_bots.sdk import Function
from parlour_bots.uno import painfirst

FUNCTION = "def play(turn): return 0\n"
CLASS = "class Deep:\n    def play(self, turn): return 0\n"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "Writer":
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    return Writer(tmp_path)


class Writer:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, name: str, text: str) -> str:
        path = self._folder / name
        path.write_text(text)
        return str(path)


def test_bundled_bots_are_installed() -> None:
    assert {"uno.random", "uno.painfirst"} <= set(installed())


@pytest.mark.parametrize("name", ["painfirst", "uno.painfirst"])
def test_installed_bot_by_short_and_full_name(name: str) -> None:
    bot = find(name)
    assert (bot.name, bot.game, bot.make()) == ("painfirst", "uno", Function(painfirst.play))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("painfrist", "There is no bot 'painfrist' for uno. Did you mean painfirst?"),
        ("uno.randon", "Did you mean uno.random?"),
        ("xyzzy", "There is no bot 'xyzzy' for uno. See: parlour bot list"),
    ],
)
def test_unknown_name_is_answered_by_the_nearest(name: str, words: str) -> None:
    with pytest.raises(NoBot) as error:
        find(name)
    assert words in str(error.value)


@pytest.mark.parametrize("text", [FUNCTION, CLASS, f"{FUNCTION}from parlour_bots import run\nrun(play, game='uno')\n"])
def test_file_with_one_bot_needs_no_name(write: Writer, text: str) -> None:
    bot = find(write("mine.py", text))
    assert (bot.name, bot.game, bot.call_uno) == ("mine", "uno", True)
    assert bot.make().play(None) == 0  # type: ignore[arg-type]


def test_what_the_file_gives_to_run_counts_first_and_with_its_options(write: Writer) -> None:
    text = f"{FUNCTION}def other(turn): return 5\nfrom parlour_bots import run\nrun(other, 'chess', call_uno=False)\n"
    bot = find(write("mine.py", text))
    assert (bot.make().play(None), bot.game, bot.call_uno) == (5, "chess", False)  # type: ignore[arg-type]


def test_name_in_a_file(write: Writer) -> None:
    file = write("mine.py", FUNCTION + CLASS + "def other(turn): return 5\n")
    assert find(f"{file}:other").make().play(None) == 5  # type: ignore[arg-type]
    assert find(f"{file}:Deep").name == "Deep"


def test_relative_file_can_import_what_lies_beside_it(write: Writer) -> None:
    write("mybrain.py", "ANSWER = 3\n")
    write("mine.py", "from mybrain import ANSWER\ndef play(turn): return ANSWER\n")
    assert find("mine.py").make().play(None) == 3  # type: ignore[arg-type]


def test_files_of_one_name_stay_apart(write: Writer, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    one, two = write("mine.py", FUNCTION), write("b/mine.py", "def play(turn): return 1\n")
    assert [find(file).make().play(None) for file in (one, two)] == [0, 1]  # type: ignore[arg-type]


def test_module_and_name() -> None:
    assert find("parlour_bots.uno.painfirst:play").make() == Function(painfirst.play)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\nimport nothing_like_that\n", "mine.py:2: import nothing_like_that\n    ModuleNotFoundError"),
        ("x = 1\ny = [\n", "SyntaxError"),
        ("x = 1\n", "it has no function play(turn) and no class with that method"),
        (CLASS + CLASS.replace("Deep", "Deeper"), "it has several bots (Deep, Deeper); name one:"),
        ("play = 7\n", "mine is not a bot"),
        ("class Odd: pass\nplay = Odd\n", "class Odd is not a bot: it has no method play(self, turn)"),
    ],
)
def test_file_that_is_no_bot_says_why(write: Writer, text: str, words: str) -> None:
    with pytest.raises(NoBot) as error:
        find(write("mine.py", text))
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("nowhere.py", "nowhere.py: check its name and folder, or make one with: parlour bot new"),
        ("no_module_like_that:play", "cannot be loaded: ModuleNotFoundError"),
        ("parlour_bots.uno.painfirst:nix", "it has no 'nix'"),
    ],
)
def test_missing_file_module_or_name(write: Writer, what: str, words: str) -> None:
    with pytest.raises(NoBot) as error:
        find(what)
    assert words in str(error.value)
    assert error.value.exit_code == 2


def test_a_bot_that_cannot_be_loaded_is_described_as_such() -> None:
    broken = EntryPoint("uno.broken", "no_such_module:play", "parlour.bots")
    assert describe(broken) == "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
def test_levels_are_different_installed_bots(game: str) -> None:
    bots = [find(level, game) for level in ("easy", "normal", f"{game}.hard")]
    assert {bot.game for bot in bots} == {game}
    assert len({bot.name for bot in bots}) == 3


@pytest.mark.parametrize("given", ["game='minesweeper', call_uno=False", "'minesweeper', call_uno=False"])
def test_game_stands_in_a_run_that_only_a_program_reaches(write: Writer, given: str) -> None:
    guarded = f"from parlour_bots import run\nif __name__ == '__main__':\n    run(Deep, {given})\n"
    file = write("guarded.py", CLASS + guarded)
    for bot in (find(file), find(f"{file}:Deep"), find(file, "uno")):
        assert (bot.game, bot.call_uno, bot.assumed) == ("minesweeper", False, False)


def test_constant_and_attribute_come_before_a_run_that_only_a_program_reaches(write: Writer) -> None:
    guarded = "from parlour_bots import run\nif __name__ == '__main__':\n    run(play, 'minesweeper')\n"
    assert find(write("guarded.py", f"GAME = 'uno'\n{FUNCTION}{guarded}")).game == "uno"


def test_bot_that_declares_no_game_is_known_as_such(write: Writer) -> None:
    bot = find(write("mine.py", FUNCTION), "minesweeper")
    assert (bot.game, bot.assumed) == ("minesweeper", True)
    assert not find(write("other.py", f"GAME = 'uno'\n{FUNCTION}")).assumed
    assert not find("painfirst").assumed

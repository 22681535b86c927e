import re
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from parlour_bots.loading import BadParameters, NoBot, add_parameters, describe, find, parameter_names, split
from parlour_bots.sdk import Function
from parlour_bots.uno import painfirst

Write = Callable[[str, str], str]
FUNCTION = "def play(turn): return 0\n"
CLASS = "class Deep:\n    def play(self, turn): return 0\n"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Return a function that writes a file into the current folder and returns its path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])

    def written(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return written


def played(what: str) -> object:
    return find(what).make().play(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["painfirst", "uno.painfirst", "parlour_bots.uno.painfirst:play"])
def test_bot_by_short_and_full_name_and_by_its_module(name: str) -> None:
    bot = find(name)
    assert (bot.game, bot.make()) == ("uno", Function(painfirst.play))


@pytest.mark.parametrize("text", [FUNCTION, CLASS, f"{FUNCTION}from parlour_bots import run\nrun(play, game='uno')\n"])
def test_file_with_one_bot_needs_no_name(write: Write, text: str) -> None:
    file = write("mine.py", text)
    bot = find(file)
    assert (bot.name, bot.game, bot.call_uno, played(file)) == ("mine", "uno", True, 0)


def test_what_the_file_gives_to_run_counts_first_and_with_its_options(write: Write) -> None:
    text = f"{FUNCTION}def other(turn): return 5\nfrom parlour_bots import run\nrun(other, 'chess', call_uno=False)\n"
    file = write("mine.py", text)
    bot = find(file)
    assert (played(file), bot.game, bot.call_uno) == (5, "chess", False)


def test_name_in_a_file(write: Write) -> None:
    file = write("mine.py", FUNCTION + CLASS + "def other(turn): return 5\n")
    assert played(f"{file}:other") == 5
    assert find(f"{file}:Deep").name == "Deep"


def test_relative_file_can_import_what_lies_beside_it(write: Write) -> None:
    write("mybrain.py", "ANSWER = 3\n")
    write("mine.py", "from mybrain import ANSWER\ndef play(turn): return ANSWER\n")
    assert played("mine.py") == 3


def test_files_of_one_name_stay_apart(write: Write, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    one, two = write("mine.py", FUNCTION), write("b/mine.py", "def play(turn): return 1\n")
    assert (played(one), played(two)) == (0, 1)


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
def test_file_that_is_no_bot_says_why(write: Write, text: str, words: str) -> None:
    with pytest.raises(NoBot, match=re.escape(words)):
        find(write("mine.py", text))


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("painfrist", "There is no bot 'painfrist' for uno. Did you mean painfirst?"),
        ("uno.randon", "Did you mean uno.random?"),
        ("chess.random", "There is no bot 'chess.random' for uno."),
        ("xyzzy", "There is no bot 'xyzzy' for uno. See: parlour bot list"),
        ("nowhere.py", "nowhere.py: check its name and folder, or make one with: parlour bot new"),
        ("no_module_like_that:play", "cannot be loaded: ModuleNotFoundError"),
        ("parlour_bots.uno.painfirst:nix", "it has no 'nix'"),
    ],
)
def test_missing_file_module_or_name(write: Write, what: str, words: str) -> None:
    with pytest.raises(NoBot, match=re.escape(words)):
        find(what)


def test_a_bot_that_cannot_be_loaded_is_described_as_such() -> None:
    broken = EntryPoint("uno.broken", "no_such_module:play", "parlour.bots")
    assert describe(broken) == "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
def test_levels_are_different_installed_bots(game: str) -> None:
    bots = [find(level, game) for level in ("easy", "normal", f"{game}.hard")]
    assert {bot.game for bot in bots} == {game}
    assert len({bot.name for bot in bots}) == 3


@pytest.mark.parametrize("given", ["game='minesweeper', call_uno=False", "'minesweeper', call_uno=False"])
def test_game_stands_in_a_run_that_only_a_program_reaches(write: Write, given: str) -> None:
    guarded = f"from parlour_bots import run\nif __name__ == '__main__':\n    run(Deep, {given})\n"
    file = write("guarded.py", CLASS + guarded)
    for bot in (find(file), find(f"{file}:Deep"), find(file, "uno")):
        assert (bot.game, bot.call_uno, bot.assumed) == ("minesweeper", False, False)


def test_constant_and_attribute_come_before_a_run_that_only_a_program_reaches(write: Write) -> None:
    guarded = "from parlour_bots import run\nif __name__ == '__main__':\n    run(play, 'minesweeper')\n"
    assert find(write("guarded.py", f"GAME = 'uno'\n{FUNCTION}{guarded}")).game == "uno"


def test_bot_that_declares_no_game_is_known_as_such(write: Write) -> None:
    bot = find(write("mine.py", FUNCTION), "minesweeper")
    assert (bot.game, bot.assumed) == ("minesweeper", True)
    assert not find(write("other.py", f"GAME = 'uno'\n{FUNCTION}")).assumed
    assert not find("painfirst").assumed


GREEDY = """
class Greedy:
    def __init__(self, greed=1, style="calm", *, bold=False):
        if greed < 0:
            raise ValueError("greed must not be negative")
        self.told = greed, style, bold
    def play(self, turn):
        return self.told
"""


@pytest.mark.parametrize(
    ("what", "name", "given"),
    [
        ("search", "search", {}),
        ("search()", "search", {}),
        ("search(worlds=300)", "search", {"worlds": 300}),
        ("a.py:B( x = -1.5 , y=true,z=False )", "a.py:B", {"x": -1.5, "y": True, "z": False}),
        ("b(style=bold)", "b", {"style": "bold"}),
        ("b(style='a, b=c', n=none)", "b", {"style": "a, b=c", "n": None}),
        ("b(x=1e3)", "b", {"x": 1000.0}),
        ("b(x=__import__)", "b", {"x": "__import__"}),
    ],
)
def test_parameters_are_read_from_the_name(what: str, name: str, given: dict[str, object]) -> None:
    read = split(what)
    assert read == (name, given)
    assert [type(value) for value in read[1].values()] == [type(value) for value in given.values()]


@pytest.mark.parametrize("what", ["b(1)", "b(x=)", "b(x)", "b(=1)", "b(x=1 y=2)", "b(,)", "b(x=1,,y=2)", "b(x=1,x=2)"])
def test_what_cannot_be_read_is_told(what: str) -> None:
    with pytest.raises(BadParameters, match=r"write parameters as NAME=VALUE|x is given twice"):
        split(what)


@pytest.mark.parametrize("what", ["b(x=1;y=2)b(", "a(1)/b.py", "(x=1)", "b("])
def test_other_names_have_no_parameters(what: str) -> None:
    assert split(what) == (what, {})


def test_further_parameters_replace_earlier_ones() -> None:
    assert add_parameters("search", think=50) == "search(think=50)"
    assert split(add_parameters("search(worlds=3,think=9,style='a b')", think=50)) == (
        "search",
        {"worlds": 3, "think": 50, "style": "a b"},
    )


def test_class_gets_its_parameters(write: Write) -> None:
    greedy = write("greedy.py", GREEDY)
    bot = find(f"{greedy}(greed=3, bold=true)")
    assert bot.name == "greedy(greed=3,bold=True)"
    assert vars(bot.make())["told"] == (3, "calm", True)
    assert bot.make() is not bot.make()
    assert parameter_names(bot) == parameter_names(find(greedy)) == ["greed", "style", "bold"]


def test_function_gets_its_parameters_besides_the_turn(write: Write) -> None:
    file = write("plain.py", "def play(turn, greed=1):\n    return greed\n")
    assert parameter_names(find(file)) == ["greed"]
    assert (played(f"{file}(greed=7)"), played(file)) == (7, 1)


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("{}(gred=1)", "greedy has no parameter gred: it has greed, style, bold"),
        ("{}(greed=-1)", "greed must not be negative"),
        ("{}(greed=much)", "not supported between"),
        ("random(turn=1)", "random has no parameter turn: it has none"),
        ("nobody(x=1)", "no bot 'nobody'"),
    ],
)
def test_errors_teach(what: str, told: str, write: Write) -> None:
    with pytest.raises(NoBot, match=told):
        find(what.format(write("greedy.py", GREEDY)))


def test_file_that_a_bot_lacks_is_the_bots_fault(write: Write) -> None:
    text = (
        "class Learned:\n    def __init__(self, weights='w.npz'): open(weights)\n    def play(self, turn): return 0\n"
    )
    file = write("learned.py", text)
    with pytest.raises(NoBot, match=r"learned cannot be made: .*learned\.py:2: .*\n +FileNotFoundError: .*none\.npz"):
        find(f"{file}(weights=none.npz)")

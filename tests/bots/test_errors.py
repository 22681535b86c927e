import functools
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.bots.programs import turn

from parlour_bots.errors import Mistake, SourceLine, definition, place, place_in

HERE = __file__


def raised_by(call: Callable[[], object]) -> BaseException:
    with pytest.raises(Exception) as raised:  # noqa: PT011
        call()
    return raised.value


def culprit() -> None:
    json.loads("{")  # here


def test_place_is_the_last_line_in_the_file_of_the_author_else_the_definition() -> None:
    found = place(culprit, raised_by(culprit))
    assert found.text == 'json.loads("{")  # here'
    assert found.where.startswith(f"{HERE}:")
    assert place(culprit, ValueError("from nowhere")) == definition(culprit)
    assert definition(culprit).text == "def culprit() -> None:"


def test_wrapped_functions_methods_objects_and_builtins_have_a_place() -> None:
    @functools.wraps(culprit)
    def wrapper() -> None:
        culprit()

    class Bot:
        def play(self) -> None: ...

        def __call__(self) -> None: ...

    assert definition(wrapper) == definition(culprit)
    assert "def play" in definition(Bot().play).text
    assert "class Bot" in definition(Bot()).text
    assert definition(functools.partial(culprit)) == definition(culprit)
    assert definition(len) == SourceLine(repr(len), "")


def test_file_that_does_not_parse_is_placed(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("x = 1\ndef play(:\n")
    found = place_in(str(file), raised_by(lambda: compile(file.read_text(), str(file), "exec")))
    assert found == SourceLine(f"{file}:2", "def play(:")
    assert place_in(HERE, ValueError()) is None


def test_report_names_line_reason_and_turn() -> None:
    asked = turn(12)
    first, second, third = str(Mistake("KeyError: 'x'", SourceLine("bot.py:7", "return x"), asked)).splitlines()
    assert (first, second) == ("bot.py:7: KeyError: 'x'", "    return x")
    assert json.loads(third.removeprefix("  turn: ")) == asked.plain()
    assert asked.plain()["rid"] == 12


@pytest.mark.parametrize(
    ("what", "kind"),
    [("illegal answer: 7", "illegal"), ("Late: 3 ms", "late"), ("Broken: x", "broken"), ("KeyError: y", "broken")],
)
def test_three_kinds_of_mistakes(what: str, kind: str) -> None:
    assert Mistake(what, SourceLine("", ""), turn()).kind == kind


class Program:
    place = SourceLine("exec:it", "what it wrote")

    def play(self) -> None:
        culprit()


def test_bot_that_knows_its_place_tells_it() -> None:
    play = Program().play
    assert place(play, raised_by(play)) == definition(play) == Program.place

    @functools.wraps(play)
    def wrapper() -> None:
        play()

    assert place(wrapper, raised_by(wrapper)) == Program.place

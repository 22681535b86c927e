import re
from pathlib import Path

import attrs
import pytest
from rich._emoji_codes import EMOJI
from rich.cells import cell_len

import parlour_client.tui
from parlour_client.tui.glyphs import ASCII, UNICODE, Glyphs

SETS = {"unicode": UNICODE, "ascii": ASCII}
PACKAGE = Path(parlour_client.tui.__file__).parent


def characters(glyphs: Glyphs) -> dict[str, str]:
    values = attrs.asdict(glyphs, filter=lambda field, _: field.name != "frame")
    return {f"{name}{n}": char for name, value in values.items() for n, char in enumerate(value)}


@pytest.mark.parametrize("name", SETS)
def test_every_glyph_is_one_column_wide_and_no_emoji(name: str) -> None:
    found = characters(SETS[name])
    emoji = set("".join(EMOJI.values())) - set("0123456789*#©®")
    assert {role: char for role, char in found.items() if cell_len(char) != 1 or char in emoji - {"™"}} == {}
    assert all(len(char) == 1 for char in found.values())


def test_ascii_is_ascii() -> None:
    assert "".join(characters(ASCII).values()).isascii()


@pytest.mark.parametrize("name", SETS)
def test_the_suits_have_different_shapes(name: str) -> None:
    assert len({SETS[name].suit(colour) for colour in ("red", "yellow", "green", "blue", "wild")}) == 5


def test_no_other_module_draws_with_characters_of_its_own() -> None:
    drawing = set("".join(characters(UNICODE).values())) - set("·–“”…×")
    modules = [path for path in PACKAGE.rglob("*.py") if path.name != "glyphs.py"]
    found = {path.name: set(_without_docstrings(path.read_text())) & drawing for path in modules}
    assert {name: chars for name, chars in found.items() if chars} == {}


def _without_docstrings(source: str) -> str:
    return re.sub(r'(?s)(?<![=(,] )""".*?"""|#.*', "", source)

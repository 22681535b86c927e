"""The looks: what is chosen, colours that everybody can tell apart and read, and glyphs."""

import re
from collections.abc import Iterable
from colorsys import rgb_to_hls
from itertools import combinations, product
from pathlib import Path
from typing import Any

import attrs
import pytest
from rich._emoji_codes import EMOJI
from rich.cells import cell_len
from rich.color import Color, ColorSystem
from rich.text import Text

import parlour_client.tui
from parlour_client.core.errors import Usage
from parlour_client.tui import colors
from parlour_client.tui.colors import BLENDS_256, DEFAULT, LIGHT, MONO, PALETTE_16, PALETTE_256, SLATE, THEMES, Palette
from parlour_client.tui.glyphs import ASCII, UNICODE, Glyphs
from parlour_client.tui.theme import Appearance, look_for, names_colours

COLOUR = Appearance(UNICODE, DEFAULT, "truecolour")
MANY = Appearance(UNICODE, PALETTE_256, "256")
PLAIN = Appearance(ASCII, MONO, "mono")
UTF8 = {"LANG": "en_GB.UTF-8"}


@pytest.mark.parametrize(
    ("environ", "choice", "palette", "glyphs"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "auto", DEFAULT, UNICODE),
        ({"TERM": "xterm-direct"}, "auto", DEFAULT, UNICODE),
        ({"TERM": "xterm-256color"}, "auto", PALETTE_256, UNICODE),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "auto", MONO, UNICODE),
        ({"TERM": "xterm", "NO_COLOR": "", "COLORTERM": "24bit"}, "auto", DEFAULT, UNICODE),
        ({"TERM": "dumb"}, "auto", MONO, ASCII),
        ({"TERM": "xterm-16color"}, "auto", PALETTE_16, UNICODE),
        ({"TERM": "linux"}, "auto", PALETTE_16, ASCII),
        ({"LANG": "C", "TERM": "xterm"}, "auto", PALETTE_16, ASCII),
        ({"LC_ALL": "de_DE.ISO-8859-1", "TERM": "xterm"}, "auto", PALETTE_16, ASCII),
        ({"LANG": "C", "TERM": "xterm"}, "unicode", PALETTE_16, UNICODE),
        ({"NO_COLOR": "1"}, "light", LIGHT, UNICODE),
        ({"TERM": "xterm"}, "mono,ascii", MONO, ASCII),
        ({}, "auto", DEFAULT, UNICODE),
    ],
)
def test_the_terminal_and_the_person_choose(environ: dict[str, str], choice: str, palette: Any, glyphs: Any) -> None:
    look = look_for({**UTF8, **environ}, choice)
    assert (look.palette, look.glyphs) == (palette, glyphs)


def test_an_unknown_look_or_theme_is_a_mistake_of_usage_that_names_those_there_are(own: Path) -> None:
    with pytest.raises(Usage, match="no look 'pink', only auto"):
        look_for({}, "pink")
    with pytest.raises(Usage, match="there is no theme 'pink', only felt, night"):
        look_for({}, "truecolour", "pink")
    assert look_for({}, "mono", "pink").palette is MONO, "themes are for true colour"


def linear(colour: str | None) -> tuple[float, float, float]:
    """Return red, green and blue, each from 0 to 1 and proportional to the light, as WCAG defines it."""
    assert colour
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def contrast(*colours: str | None) -> float:
    lights = [0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in map(linear, colours)]
    return (max(lights) + 0.05) / (min(lights) + 0.05)


SUITS = ("red", "yellow", "green", "blue")
LEAST: dict[tuple[str, str], float] = {
    **dict.fromkeys(product(("ink", "dim", "gold", "coral"), ("table", "panel")), 4.5),
    **dict.fromkeys(product(("ink", "flag", "mine"), ("closed_a", "closed_b")), 4.5),
    **dict.fromkeys(product([f"number_{n}" for n in range(1, 9)], ("open_a", "open_b")), 4.5),
    **dict.fromkeys(product(("table",), ("gold", "coral", "safe")), 4.5),
    **{(f"{ground}_ink", ground): 4.5 for ground in (*SUITS, "wild", "cursor")},
}
"""Text and what is beneath it → the contrast that WCAG asks for."""
MORE = {
    **{("ink", ground): 7.0 for ground in ("table", "panel")},
    **{(f"{ground}_ink", ground): 6.25 for ground in (*SUITS, "wild", "cursor")},
}
"""What the usual palettes have beyond that."""
COLOURED = {"default": DEFAULT, "slate": SLATE, "light": LIGHT, "256": PALETTE_256}


@pytest.mark.parametrize(
    ("palette", "least"),
    [*product((*THEMES.values(), PALETTE_16), [LEAST]), *product(COLOURED.values(), [LEAST | MORE])],
    ids=[*THEMES, "16", *COLOURED],
)
def test_text_can_be_read_in_every_theme(palette: Palette, least: dict[tuple[str, str], float]) -> None:
    found = {pair: contrast(*map(palette.colour, pair)) for pair in least}
    assert {pair: ratio for pair, ratio in found.items() if ratio < least[pair]} == {}


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the file of a theme of one's own."""
    monkeypatch.setattr(colors, "folder", lambda: tmp_path)
    return tmp_path / "mine.toml"


def test_a_theme_of_ones_own_changes_colours_of_another(own: Path) -> None:
    own.write_text('base = "night"\ngold = "#f2b705"\n')
    assert colors.theme_names() == [*THEMES, "mine"]
    palette = look_for({}, "truecolour", "mine").palette
    assert (palette.gold, palette.table) == ("#f2b705", THEMES["night"].table)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('golden = "#f2b705"', "there is no role 'golden'"),
        ('gold = "yellow"', 'gold must be a colour like "#e3b23c"'),
        ('numbers = ["#f2b705"]', "numbers must be a list of 8 colours"),
        ('base = "pink"', "base must be one of felt, night"),
        ("gold = ", "is not valid TOML"),
    ],
)
def test_a_mistake_in_a_theme_is_named_with_its_file(text: str, told: str, own: Path) -> None:
    own.write_text(text)
    with pytest.raises(Usage, match=re.escape(told)) as wrong:
        look_for({}, "truecolour", "mine")
    assert str(own) in str(wrong.value)


@pytest.mark.parametrize(("look", "style", "more", "words"), [
    (COLOUR, ("gold", "table"), {"bold": True}, "bold #e3b23c on #10231c"),
    (COLOUR, ("number_3", "#102030"), {}, "#ff8a80 on #102030"),
    (COLOUR, (None,), {"dim": True, "reverse": True}, "none"),
    (PLAIN, ("gold",), {}, "bold"),
    (PLAIN, ("coral", "table"), {}, "bold underline"),
    (PLAIN, ("dim",), {}, "dim"),
    (PLAIN, ("ink", "cursor"), {}, "reverse"),
    (PLAIN, ("ink",), {"dim": True, "reverse": True}, "dim reverse"),
])  # fmt: skip
def test_styles_have_the_colours_of_their_roles_and_without_colours_weight_tells_what_they_would(
    look: Appearance, style: tuple[str | None, ...], more: Any, words: str
) -> None:
    assert str(look.style(*style, **more)) == words


def test_a_colour_can_be_blended_into_another() -> None:
    assert COLOUR.blend("red", "table", 0.0) == DEFAULT.red
    assert COLOUR.blend("red", "table", 1.0) == DEFAULT.table
    assert COLOUR.blend("#000000", "#ffffff", 0.5) == "#808080"
    assert PLAIN.blend("red", "table", 0.7) is None


FIXED = {color.get_truecolor().hex for color in (Color.from_ansi(number) for number in range(16, 256))}


def test_blends_among_256_colours_are_some_of_them() -> None:
    for (role, into, amount), colour in BLENDS_256.items():
        assert {colour, *(each for each in (role, into) if each.startswith("#"))} <= FIXED, (role, into)
        assert MANY.blend(role, into, amount) == colour


def test_cards_that_cannot_be_played_can_be_read_and_keep_their_hues_among_256_colours() -> None:
    grounds = {suit: MANY.blend(suit, "table", 0.7) for suit in (*SUITS, "wild")}
    assert all(contrast(MANY.blend("ink", str(ground), 0.2), ground) > 4.5 for ground in grounds.values())
    for one, other in combinations(SUITS, 2):
        apart = abs(hue(grounds[one]) - hue(grounds[other]))
        assert min(apart, 1 - apart) > 0.1, (one, other)
    assert grounds["wild"] in FIXED


def hue(colour: str | None) -> float:
    """Return the hue from 0 to 1 of a colour that is not grey."""
    assert colour
    hue, _, saturation = rgb_to_hls(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))
    assert saturation > 0.5
    return hue


@pytest.mark.parametrize(
    ("choice", "system"),
    [("truecolour", "TRUECOLOR"), ("256,ascii", "EIGHT_BIT"), ("16", "STANDARD"), ("mono", None), ("light", None)],
)
def test_a_look_that_counts_colours_says_how_they_are_written(choice: str, system: str | None) -> None:
    assert look_for({}, choice).color_system == (system and ColorSystem[system])
    assert names_colours(choice) == (choice != "light")


def test_a_game_may_have_a_cloth_of_its_own() -> None:
    assert COLOUR.cloth("minesweeper").palette is SLATE
    assert COLOUR.cloth("uno") is COLOUR
    assert PLAIN.cloth("minesweeper") is PLAIN
    assert len({look.theme_name for look in (COLOUR, COLOUR.cloth("minesweeper"))}) == 2


def test_text_is_harmless_and_its_parts_are_joined_but_empty_ones_left_out() -> None:
    assert COLOUR.text("\x1b[2Jevil", ("[bold]me[/]", "gold")).plain == "\ufffd[2Jevil[bold]me[/]"
    assert PLAIN.joined(Text("a"), Text(), Text("b"), gap=3).plain == "a   b"
    assert PLAIN.key("d", "Draw").plain == "d Draw"


@pytest.mark.parametrize("width", range(12))
def test_a_line_has_exactly_the_width_asked_for(width: int) -> None:
    line = COLOUR.text("match ", ("▲ red", "gold"))
    for align in ("left", "center"):
        strip = COLOUR.strip(line, width, align=align)
        assert strip.cell_length == sum(len(segment.text) for segment in strip) == width
    assert width < 1 or COLOUR.strip(line, width).text.endswith("…") == (width < 11)


def test_a_line_keeps_its_styles_on_its_ground() -> None:
    strip = COLOUR.strip(COLOUR.text(("a", "gold"), "b"), 4)
    styles = [str(segment.style) for segment in strip]
    assert styles == ["#e3b23c on #10231c", "#e9e4d4 on #10231c", "#e9e4d4 on #10231c"]


@pytest.mark.parametrize(("share", "full"), [(0, 0), (0.001, 1), (0.5, 5), (1, 10), (7, 10), (-1, 0)])
def test_a_bar_is_full_as_far_as_it_says(share: float, full: int) -> None:
    assert COLOUR.bar(share, 10).plain == "━" * full + "─" * (10 - full)


# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
CONES = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)


def times(matrix: tuple[tuple[float, ...], ...], vector: Iterable[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def lab(colour: str | None, cones: str) -> tuple[float, float, float]:
    seen = [min(max(c, 0.0), 1.0) for c in times(CONES[cones], linear(colour))]
    scaled = [c / white for c, white in zip(times(TO_XYZ, seen), WHITE, strict=True)]
    x, y, z = (c ** (1 / 3) if c > 216 / 24389 else (24389 / 27 * c + 16) / 116 for c in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str | None, other: str | None, cones: str) -> float:
    """ΔE of 1976."""
    pairs = zip(lab(one, cones), lab(other, cones), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


@pytest.mark.parametrize("cones", CONES)
@pytest.mark.parametrize("name", COLOURED)
def test_suits_stay_apart_for_everybody(name: str, cones: str) -> None:
    colours = map(COLOURED[name].colour, SUITS)
    assert min(difference(one, other, cones) for one, other in combinations(colours, 2)) >= 34


def test_the_256_colours_are_the_fixed_ones_and_mono_has_none() -> None:
    assert set(_colours(PALETTE_256).values()) <= FIXED
    assert set(_colours(MONO).values()) == {None}


def _colours(palette: Palette) -> dict[str, str | None]:
    roles = [field.name for field in attrs.fields(Palette) if field.name != "numbers"]
    return {role: palette.colour(role) for role in (*roles, *(f"number_{n}" for n in range(1, 9)))}


PACKAGE = Path(parlour_client.tui.__file__).parent


def characters(glyphs: Glyphs) -> dict[str, str]:
    values = attrs.asdict(glyphs, filter=lambda field, _: field.name != "frame")
    return {f"{name}{n}": char for name, value in values.items() for n, char in enumerate(value)}


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_glyph_is_one_column_wide_and_no_emoji_and_suits_have_different_shapes(glyphs: Glyphs) -> None:
    found = characters(glyphs)
    emoji = set("".join(EMOJI.values())) - set("0123456789*#©®™")
    assert {role: char for role, char in found.items() if cell_len(char) != 1 or char in emoji} == {}
    assert all(len(char) == 1 for char in found.values())
    assert glyphs is UNICODE or "".join(found.values()).isascii()
    assert len({glyphs.suit(colour) for colour in (*SUITS, "wild")}) == 5


def test_no_other_module_draws_with_characters_of_its_own() -> None:
    drawing = set("".join(characters(UNICODE).values())) - set("·–“”…×")
    without_docstrings = re.compile(r'(?s)(?<![=(,] )""".*?"""|#.*')
    modules = [path for path in PACKAGE.rglob("*.py") if path.name != "glyphs.py"]
    found = {path.name: set(without_docstrings.sub("", path.read_text())) & drawing for path in modules}
    assert {name: chars for name, chars in found.items() if chars} == {}

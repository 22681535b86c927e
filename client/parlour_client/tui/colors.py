"""The colours of the screens by role. Colour is never the only cue: shapes and words repeat it.

The four suits are distinguishable with any colour blindness, and text on them is readable; a test measures both.
``None`` is the terminal's default colour.

Themes are named sets of colours for terminals with true colour: TOML files, the built-in ones in ``themes/``, those of
the user in ``themes/`` beside the settings. A theme names a built-in one to start from, and colours by role::

    base = "night"
    table = "#101014"
    gold = "#f2b705"
    numbers = ["#7fb2ff", "#7ed491", "#ff8a80", "#c39bff", "#ffb26b", "#5fd3d0", "#f2f2f2", "#a9b1c6"]
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from parlour_client.core.errors import Usage, reading
from parlour_client.core.phrases import say
from parlour_client.storage import settings

NUMBERS = 8
"""The numbers of Minesweeper that have a colour."""
Colour = str | None
"""``#rrggbb``, or None: the terminal's default."""
Colours = tuple[Colour, ...]


@attrs.frozen(kw_only=True)
class Palette:
    """A set of colours, by default the usual one: green, in true colour.

    ``*_ink`` is text on the colour of that name; ``numbers[n - 1]`` is the colour of number n.
    """

    table: Colour = "#10231c"
    """The background."""
    panel: Colour = "#193129"
    """Bars and boxes on the table."""
    edge: Colour = "#2b4b40"
    """Lines that separate."""
    ink: Colour = "#e9e4d4"
    dim: Colour = "#869e93"
    gold: Colour = "#e3b23c"
    """Emphasis: you, the current item, a key."""
    coral: Colour = "#ff8a75"
    """Danger."""
    red: Colour = "#b3261e"
    red_ink: Colour = "#ffffff"
    yellow: Colour = "#f5d547"
    yellow_ink: Colour = "#2b1e00"
    green: Colour = "#4fb286"
    green_ink: Colour = "#052419"
    blue: Colour = "#2250a8"
    blue_ink: Colour = "#ffffff"
    wild: Colour = "#2e2740"
    wild_ink: Colour = "#ffffff"
    back: Colour = "#1d3557"
    """The back of a card."""
    back_ink: Colour = "#6f9ad6"
    chip: Colour = "#fffaf0"
    """The light middle of a card."""
    closed_a: Colour = "#3d5a80"
    closed_b: Colour = "#375274"
    open_a: Colour = "#20252f"
    open_b: Colour = "#1d212c"
    numbers: Colours = ("#7fb2ff", "#7ed491", "#ff8a80", "#c39bff", "#ffb26b", "#5fd3d0", "#f2f2f2", "#a9b1c6")
    flag: Colour = "#ffd166"
    mine: Colour = "#ffc2b8"
    cursor: Colour = "#ffd166"
    cursor_ink: Colour = "#1b1600"
    safe: Colour = "#7ed491"
    """A safe cell; mines are marked with coral."""

    def colour(self, role: str) -> Colour:
        """Return the colour of ``role``, ``number_1`` … ``number_8`` included. Raises AttributeError."""
        if role.startswith("number_"):
            return self.numbers[int(role[-1]) - 1]
        found: Colour = getattr(self, role)
        return found


USUAL = "felt"
DEFAULT = Palette()
"""The theme ``felt``."""

BLENDS_256 = {
    ("red", "chip", 0.25): "#d75f5f",
    ("yellow", "chip", 0.25): "#ffd787",
    ("green", "chip", 0.25): "#87d7af",
    ("blue", "chip", 0.25): "#5f87af",
    ("wild", "chip", 0.25): "#6c6c6c",
    ("back_ink", "back", 0.6): "#005f87",
    # cards that cannot be played; then the chip, the edge and the text on each
    ("red", "table", 0.7): "#5f0000",
    ("yellow", "table", 0.7): "#5f5f00",
    ("green", "table", 0.7): "#005f00",
    ("blue", "table", 0.7): "#00005f",
    ("wild", "table", 0.7): "#303030",
    ("chip", "#5f0000", 0.75): "#875f5f",
    ("chip", "#5f5f00", 0.75): "#87875f",
    ("chip", "#005f00", 0.75): "#5f875f",
    ("chip", "#00005f", 0.75): "#5f5f87",
    ("chip", "#303030", 0.75): "#585858",
    ("ink", "#5f0000", 0.85): "#870000",
    ("ink", "#5f5f00", 0.85): "#878700",
    ("ink", "#005f00", 0.85): "#008700",
    ("ink", "#00005f", 0.85): "#5f5f87",
    ("ink", "#303030", 0.85): "#585858",
    ("ink", "#5f0000", 0.2): "#d7afaf",
    ("ink", "#5f5f00", 0.2): "#d7d7af",
    ("ink", "#005f00", 0.2): "#afd7af",
    ("ink", "#00005f", 0.2): "#afafd7",
    ("ink", "#303030", 0.2): "#bcbcbc",
    # cells
    ("ink", "closed_b", 0.35): "#afd7ff",
    ("closed_a", "gold", 0.3): "#5f8787",
    ("closed_b", "gold", 0.3): "#5f87af",
    ("open_a", "gold", 0.3): "#5f5f00",
    ("open_b", "gold", 0.3): "#5f5f00",
    # cells under the mouse
    ("closed_a", "ink", 0.1): "#0087af",
    ("closed_b", "ink", 0.1): "#0087d7",
    ("open_a", "ink", 0.1): "#3a3a3a",
    ("open_b", "ink", 0.1): "#303030",
    ("#5f8787", "ink", 0.1): "#87afaf",
    ("#5f87af", "ink", 0.1): "#87afd7",
    ("#5f5f00", "ink", 0.1): "#878700",
    ("safe", "ink", 0.1): "#afd7af",
    ("coral", "ink", 0.1): "#ffafaf",
}
"""(colour, what it is blended into, by how much) → the colour of the 256 that keeps the hue.

Of blends the 256 have few: the nearest one of a faded yellow and of a faded green is the same grey.
"""

OUTLINES_16 = {"red": "#ff5555", "yellow": "#ffff55", "green": "#55ff55", "blue": "#5555ff", "wild": "#ff55ff"}
"""The suits as text on the table, among 16 colours."""

_NONE: Colour = None
MONO = Palette(
    **{field.name: _NONE for field in attrs.fields(Palette) if field.name != "numbers"},
    numbers=(_NONE,) * 8,
)
"""No colours: weight, underline and reversal replace them."""

_ROLES = {field.name for field in attrs.fields(Palette)}
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_SAMPLES = ("#e3b23c", "#7fb2ff")


def folder() -> Path:
    """Return the folder of the user's themes."""
    return settings.file().parent / "themes"


def theme_names() -> list[str]:
    """Return the names of all themes, those of the user last."""
    return [*THEMES, *sorted({path.stem for path in folder().glob("*.toml")} - {*THEMES})]


def palette_of(name: str) -> Palette:
    """Return the colours of a theme. Raises Usage, naming what is wrong in the user's file."""
    if name in THEMES:
        return THEMES[name]
    path = folder() / f"{name}.toml"
    if name not in theme_names():
        raise Usage(say("fault.no_theme", said=ascii(name[:20]), names=", ".join(theme_names()), path=path))
    return _read(path, THEMES)


def _read(path: Path, bases: Mapping[str, Palette]) -> Palette:
    """Return the colours in a file, which may begin with those of one of ``bases``. Raises Usage."""
    try:
        with reading(path):
            given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Usage(say("fault.bad_theme", path=path, why=error)) from None
    base = given.pop("base", USUAL)
    if base not in bases:
        raise Usage(say("fault.no_base", names=", ".join(bases), path=path))
    return attrs.evolve(bases[base], **{role: _colour(path, role, value) for role, value in given.items()})


def _colour(path: Path, role: str, value: Any) -> Any:
    """Return the colour or colours given for ``role``. Raises Usage."""
    if role not in _ROLES:
        raise Usage(say("fault.no_role", said=ascii(role[:20]), path=path, names=", ".join(sorted(_ROLES))))
    several = value if role == "numbers" and isinstance(value, list) else [value]
    if len(several) != (NUMBERS if role == "numbers" else 1) or not all(map(_is_colour, several)):
        raise Usage(say("fault.no_colour", role=role, n=NUMBERS, sample=_SAMPLES[role == "numbers"], path=path))
    return tuple(several) if role == "numbers" else value


def _is_colour(value: Any) -> bool:
    return isinstance(value, str) and _COLOUR.fullmatch(value) is not None


def _built_in(name: str) -> Palette:
    return _read(Path(__file__).parent / "themes" / f"{name}.toml", {USUAL: DEFAULT})


_OTHERS = ("night", "nord", "gruvbox", "catppuccin", "contrast", "paper")
THEMES = {USUAL: DEFAULT, **{name: _built_in(name) for name in _OTHERS}}
LIGHT = THEMES["paper"]
"""Truecolour for terminals with a light background."""
SLATE = _built_in("slate")
"""Truecolour: slate, for boards with their own colours."""
PALETTE_256 = _built_in("256")
"""Only the 240 fixed colours of xterm."""
PALETTE_16 = _built_in("16")
"""Only the 16 colours that every terminal has, by the values that rich knows them by. They cannot be blended."""

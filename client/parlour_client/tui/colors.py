"""The colours of the screens by role. Colour is never the only cue: shapes and words repeat it.

The four suits are distinguishable with any colour blindness, and text on them is readable; a test measures both.
``None`` is the terminal's default colour.

Named sets of colours for terminals with true colour: the built-in ones, and those of the user.

A theme of the user is a TOML file, ``themes/NAME.toml`` beside the settings. It names a built-in theme to start from,
and colours by role::

    base = "night"
    table = "#101014"
    gold = "#f2b705"
    numbers = ["#7fb2ff", "#7ed491", "#ff8a80", "#c39bff", "#ffb26b", "#5fd3d0", "#f2f2f2", "#a9b1c6"]
"""

import re
import tomllib
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


DEFAULT = Palette()

SLATE = Palette(
    table="#14171f",
    panel="#222736",
    edge="#3a4154",
    ink="#e8ebf2",
    dim="#8790a8",
    gold="#ffd166",
    coral="#ff8a80",
)
"""Truecolour: slate, for boards with their own colours."""

LIGHT = Palette(
    table="#f4f0e4",
    panel="#e6e0cd",
    edge="#b9b199",
    ink="#22281f",
    dim="#5b6150",
    gold="#7d5600",
    coral="#b3261e",
    closed_a="#9fb6d3",
    closed_b="#93abcb",
    open_a="#f7f5ee",
    open_b="#efecdf",
    numbers=("#1d4fb8", "#1f6b34", "#b3261e", "#5b2a9d", "#8a4300", "#0b6462", "#20242b", "#565d6d"),
    flag="#5f2900",
    mine="#7a0c06",
    cursor="#e3a400",
    back_ink="#a9c6f2",
    safe="#1f6b34",
)
"""Truecolour for terminals with a light background."""

PALETTE_256 = Palette(
    table="#1c1c1c",
    panel="#303030",
    edge="#4e4e4e",
    ink="#e4e4e4",
    dim="#9e9e9e",
    gold="#d7af5f",
    coral="#ff8787",
    red="#af0000",
    red_ink="#ffffff",
    yellow="#ffd75f",
    yellow_ink="#1c1c1c",
    green="#5fd7af",
    green_ink="#000000",
    blue="#005faf",
    blue_ink="#ffffff",
    wild="#3a3a3a",
    wild_ink="#ffffff",
    back="#00005f",
    back_ink="#87afd7",
    chip="#eeeeee",
    closed_a="#005f87",
    closed_b="#005faf",
    open_a="#262626",
    open_b="#1c1c1c",
    numbers=("#87afff", "#87d787", "#ff8787", "#d7afff", "#ffaf5f", "#5fd7d7", "#eeeeee", "#b2b2b2"),
    flag="#ffff87",
    mine="#ffd7d7",
    cursor="#ffd75f",
    cursor_ink="#000000",
    safe="#87d787",
)
"""Only the 240 fixed colours of xterm."""

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

PALETTE_16 = Palette(
    table="#000000",
    panel="#000000",
    edge="#555555",
    ink="#ffffff",
    dim="#aaaaaa",
    gold="#ffff55",
    coral="#ff5555",
    red="#aa0000",
    red_ink="#ffffff",
    yellow="#ffff55",
    yellow_ink="#000000",
    green="#00aa00",
    green_ink="#000000",
    blue="#0000aa",
    blue_ink="#ffffff",
    wild="#aa00aa",
    wild_ink="#ffffff",
    back="#555555",
    back_ink="#55ffff",
    chip="#ffffff",
    closed_a="#0000aa",
    closed_b="#555555",
    open_a="#000000",
    open_b="#000000",
    numbers=("#55ffff", "#55ff55", "#ff5555", "#ff55ff", "#ffff55", "#00aaaa", "#ffffff", "#aaaaaa"),
    flag="#ffff55",
    mine="#ffffff",
    cursor="#ffff55",
    cursor_ink="#000000",
    safe="#55ff55",
)
"""Only the 16 colours that every terminal has, by the values that rich knows them by. They cannot be blended."""

OUTLINES_16 = {"red": "#ff5555", "yellow": "#ffff55", "green": "#55ff55", "blue": "#5555ff", "wild": "#ff55ff"}
"""The suits as text on the table, among 16 colours."""

_NONE: Colour = None
MONO = Palette(
    **{field.name: _NONE for field in attrs.fields(Palette) if field.name != "numbers"},
    numbers=(_NONE,) * 8,
)
"""No colours: weight, underline and reversal replace them."""


USUAL = "felt"
THEMES = {
    USUAL: DEFAULT,
    "night": Palette(
        table="#0b1020",
        panel="#161d33",
        edge="#2c3658",
        ink="#e3e8f5",
        dim="#8b96b5",
        gold="#ffc857",
        coral="#ff8b94",
        closed_a="#3a4a7a",
        closed_b="#34436f",
        open_a="#131a2e",
        open_b="#10162a",
    ),
    "nord": Palette(
        table="#2e3440",
        panel="#3b4252",
        edge="#4c566a",
        ink="#eceff4",
        dim="#b4bdcc",
        gold="#ebcb8b",
        coral="#f0a3a3",
        closed_a="#43618a",
        closed_b="#3e5a80",
        open_a="#2b303b",
        open_b="#272c36",
        numbers=("#88c0d0", "#a3be8c", "#e89aa2", "#c8a2c4", "#e0a088", "#8fbcbb", "#eceff4", "#b4bdcc"),
        flag="#ffe3a6",
        mine="#ffd0cc",
    ),
    "gruvbox": Palette(
        table="#282828",
        panel="#32302f",
        edge="#504945",
        ink="#ebdbb2",
        dim="#a89984",
        gold="#fabd2f",
        coral="#fe8b78",
        closed_a="#5a5149",
        closed_b="#524a43",
        open_a="#1f2223",
        open_b="#1d2021",
        numbers=("#83a598", "#b8bb26", "#fb7b6b", "#d3869b", "#fe8019", "#8ec07c", "#fbf1c7", "#a89984"),
    ),
    "catppuccin": Palette(
        table="#1e1e2e",
        panel="#2a2a3c",
        edge="#45475a",
        ink="#cdd6f4",
        dim="#a6adc8",
        gold="#f9e2af",
        coral="#f38ba8",
        closed_a="#4f5266",
        closed_b="#484b5e",
        open_a="#181825",
        open_b="#141420",
        numbers=("#89b4fa", "#a6e3a1", "#f38ba8", "#cba6f7", "#fab387", "#94e2d5", "#f5e0dc", "#a6adc8"),
    ),
    "contrast": Palette(
        table="#000000",
        panel="#141414",
        edge="#8a8a8a",
        ink="#ffffff",
        dim="#d0d0d0",
        gold="#ffe600",
        coral="#ff9d8c",
        closed_a="#3f3f66",
        closed_b="#34345a",
        open_a="#000000",
        open_b="#0c0c0c",
        numbers=("#8ab4ff", "#7dff9b", "#ff9b9b", "#d9b3ff", "#ffc48a", "#7df5f5", "#ffffff", "#c8c8c8"),
    ),
    "paper": LIGHT,
}
_ROLES = {field.name for field in attrs.fields(Palette)}
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def folder() -> Path:
    """Return the folder of the user's themes."""
    return settings.file().parent / "themes"


_SAMPLES = ("#e3b23c", "#7fb2ff")


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
    try:
        with reading(path):
            given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Usage(say("fault.bad_theme", path=path, why=error)) from None
    base = given.pop("base", USUAL)
    if base not in THEMES:
        raise Usage(say("fault.no_base", names=", ".join(THEMES), path=path))
    return attrs.evolve(THEMES[base], **{role: _colour(path, role, value) for role, value in given.items()})


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

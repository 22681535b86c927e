"""Named sets of colours for terminals with true colour: the built-in ones, and those of the user.

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

from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_client.storage import settings
from parlour_client.tui.theme.colors import DEFAULT, LIGHT, NUMBERS, Palette

USUAL = "felt"
THEMES = {
    USUAL: DEFAULT,
    "night": attrs.evolve(
        DEFAULT,
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
    "nord": attrs.evolve(
        DEFAULT,
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
    "gruvbox": attrs.evolve(
        DEFAULT,
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
    "catppuccin": attrs.evolve(
        DEFAULT,
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
    "contrast": attrs.evolve(
        DEFAULT,
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


def names() -> list[str]:
    """Return the names of all themes, those of the user last."""
    return [*THEMES, *sorted({path.stem for path in folder().glob("*.toml")} - {*THEMES})]


def palette_of(name: str) -> Palette:
    """Return the colours of a theme. Raises Usage, naming what is wrong in the user's file."""
    if name in THEMES:
        return THEMES[name]
    path = folder() / f"{name}.toml"
    if name not in names():
        raise Usage(say("fault.no_theme", said=ascii(name[:20]), names=", ".join(names()), path=path))
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Usage(say("fault.bad_theme", path=path, why=error)) from None
    except OSError as error:
        raise Usage(say("fault.unread", path=path, why=error.strerror or error)) from None
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

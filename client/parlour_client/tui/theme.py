"""The look of the screens: a set of glyphs, a palette, and styles by role.

::

    look = look_for(os.environ)
    look.style("gold", bold=True)               # a rich Style
    look.text(("YOUR TURN", "gold"), "  play")  # a rich Text
    look.strip(text, 80)                        # a line of a widget, padded with the background

Without colours ``style`` uses weight, underline and reversal instead.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Literal, TypeAlias

import attrs
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip
from textual.theme import BUILTIN_THEMES, Theme

from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_client.core.printing import clean
from parlour_client.core.terminal import colours
from parlour_client.tui.colors import (
    BLENDS_256,
    DEFAULT,
    LIGHT,
    MONO,
    OUTLINES_16,
    PALETTE_16,
    PALETTE_256,
    SLATE,
    USUAL,
    Palette,
    palette_of,
)
from parlour_client.tui.glyphs import ASCII, UNICODE, Glyphs

Part: TypeAlias = str | tuple[str, str] | Text
"""A piece of a line: text in ink, (text, role), or a finished Text."""

CHOICES = ("auto", "truecolour", "256", "16", "mono", "light", "ascii", "unicode")
"""The names of looks. Several can be combined with commas."""

_PALETTES = {"truecolour": DEFAULT, "256": PALETTE_256, "16": PALETTE_16, "mono": MONO, "light": LIGHT}
_CLOTHS: dict[tuple[str, str, str], Palette] = {("truecolour", USUAL, "minesweeper"): SLATE}
"""(look, theme, game) → the palette for games that have their own."""
_SYSTEMS = {"truecolour": ColorSystem.TRUECOLOR, "256": ColorSystem.EIGHT_BIT, "16": ColorSystem.STANDARD, "mono": None}
"""The color system of the looks that name one."""
_TEXTUAL_DEFAULT = "ansi_default"
_BOLD, _DIM, _LOUD = Style(bold=True), Style(dim=True), Style(bold=True, underline=True)
_REVERSED = Style(reverse=True)
_INKS_WITHOUT_COLOUR = {"gold": _BOLD, "flag": _BOLD, "mine": _LOUD, "coral": _LOUD, "dim": _DIM, "edge": _DIM}
_GROUNDS_WITHOUT_COLOUR = dict.fromkeys(("gold", "coral", "cursor", "chip"), _REVERSED)


@attrs.frozen(eq=False)
class Appearance:
    """Glyphs and colours for a terminal. ``name``: what the terminal can show, as in CHOICES.

    ``colours``: the theme, which sets the colours where the terminal can show all.
    """

    glyphs: Glyphs
    palette: Palette
    name: str = "truecolour"
    colours: str = USUAL
    _styles: dict[tuple[object, ...], Style] = attrs.field(factory=dict, init=False, repr=False)

    @property
    def coloured(self) -> bool:
        """Whether colours are used."""
        return self.palette.ink is not None

    @property
    def color_system(self) -> ColorSystem | None:
        """How colours are written to the terminal; None: as its environment says."""
        return _SYSTEMS.get(self.name)

    def cloth(self, game: str) -> "Appearance":
        """Return the look for ``game``."""
        palette = _CLOTHS.get((self.name, self.colours, game))
        return attrs.evolve(self, palette=palette) if palette else self

    @property
    def theme_name(self) -> str:
        """The name of the Textual theme for this look."""
        cloth = any(self.palette is palette for palette in _CLOTHS.values())
        return f"parlour-{self.name}-{self.colours}-{'cloth' if cloth else 'plain'}"

    def colour(self, role: str | None) -> str | None:
        """Return the colour of a role; ``#rrggbb`` and None are returned as they are."""
        return role if role is None or role.startswith("#") else self.palette.colour(role)

    def blend(self, role: str, into: str, amount: float) -> str | None:
        """Blend the colour of ``role`` by ``amount`` (0 to 1) into that of ``into``. Returns None without colours.

        Among 256 colours it is the one that is chosen in BLENDS_256. Among 16 it is the nearer one of the two.
        """
        start, end = self.colour(role), self.colour(into)
        if start is None or end is None:
            return None
        if self.palette is PALETTE_256 and (role, into, amount) in BLENDS_256:
            return BLENDS_256[role, into, amount]
        if self.palette is PALETTE_16:
            return start if amount < 0.5 else end
        return "#" + "".join(f"{round(a + (b - a) * amount):02x}" for a, b in zip(_rgb(start), _rgb(end), strict=True))

    def outline(self, suit: str) -> str | None:
        """Return the colour of a suit as text on the table if colours cannot be blended, else None."""
        return OUTLINES_16[suit] if self.palette is PALETTE_16 else None

    def style(
        self,
        ink: str | None = "ink",
        ground: str | None = None,
        *,
        bold: bool = False,
        dim: bool = False,
        underline: bool = False,
        reverse: bool = False,
    ) -> Style:
        """Return the style of ``ink`` on ``ground``: roles or ``#rrggbb``; None keeps the present colour.

        ``dim`` and ``reverse`` only apply to looks without colours.
        """
        key = (ink, ground, bold, dim, underline, reverse)
        if key not in self._styles:
            self._styles[key] = self._made(ink, ground, bold, dim, underline, reverse)
        return self._styles[key]

    def text(self, *parts: Part, bold: bool = False) -> Text:
        """Return a line of ``parts``. They are sanitized."""
        line = Text(no_wrap=True, end="")
        for part in parts:
            if isinstance(part, Text):
                line.append_text(part)
            else:
                said, role = (part, "ink") if isinstance(part, str) else part
                line.append(clean(said), self.style(role, bold=bold))
        return line

    def wrapped(self, *lines: Part) -> Text:
        """Return lines below each other, which wrap where they are too long."""
        text = Text("\n").join(self.text(line) for line in lines)
        text.no_wrap = False
        return text

    def cut(self, text: Text, width: int) -> Text:
        """Return ``text`` if it fits in ``width`` columns, else its beginning with a mark."""
        if text.cell_len <= width:
            return text
        text = text.copy()
        text.truncate(max(0, width - 1))
        return text.append(self.glyphs.more if width > 0 else "", self.style("dim"))

    def joined(self, *parts: Text, gap: int) -> Text:
        """Return the parts that are not empty in one line, with ``gap`` columns between."""
        return Text(" " * gap, end="").join(part for part in parts if part)

    def bar(self, share: float, length: int, role: str = "gold") -> Text:
        """Return a bar of ``length`` columns, filled by ``share`` (0 to 1), with at least one column if it is not 0."""
        share = min(max(share, 0.0), 1.0)
        full = max(round(share * length), 1 if share else 0)
        glyphs = self.glyphs
        return self.text((glyphs.bar_full * full, role), (glyphs.bar_empty * (length - full), "edge"))

    def key(self, key: str, label: str) -> Text:
        """Return a key, in gold, and its label."""
        return self.joined(self.text((key, "gold"), bold=True), self.text(label), gap=1)

    def strip(
        self, text: Text, width: int, *, ground: str | None = "table", align: Literal["left", "center"] = "left"
    ) -> Strip:
        """Return ``text`` as a line of a widget, cut or padded to ``width`` columns, on ``ground``."""
        text = self.cut(text, width)
        base = self.style("ink", ground)
        before = (width - text.cell_len) // 2 if align == "center" else 0
        after = width - before - text.cell_len
        pieces = [Segment(" " * before, base), *_segments(text, base), Segment(" " * after, base)]
        return Strip([piece for piece in pieces if piece.text], width)

    def theme(self, name: str) -> Theme:
        """Return the Textual theme with the variables of this look: ``$table``, ``$ink``, ``$frame``."""
        names = ("table", "panel", "edge", "ink", "dim", "gold", "coral")
        variables = {name: self.palette.colour(name) or _TEXTUAL_DEFAULT for name in names}
        table, ink, gold = variables["table"], variables["ink"], variables["gold"]
        base = {} if self.coloured else BUILTIN_THEMES["ansi-dark"].variables
        return Theme(
            name=name,
            primary=gold if self.coloured else "ansi_white",
            accent=gold if self.coloured else "ansi_white",
            foreground=ink,
            background=table,
            surface=table,
            panel=variables["panel"],
            error=variables["coral"],
            dark=not self.coloured or sum(_rgb(table)) < sum(_rgb(ink)),
            ansi=not self.coloured,
            variables={**base, **variables, "frame": self.glyphs.frame, **_fields(variables, self.coloured)},
        )

    def _made(
        self, ink: str | None, ground: str | None, bold: bool, dim: bool, underline: bool, reverse: bool
    ) -> Style:
        if self.coloured:
            return Style(
                color=self.colour(ink), bgcolor=self.colour(ground), bold=bold or None, underline=underline or None
            )
        style = _INKS_WITHOUT_COLOUR.get(ink or "", Style()) + _GROUNDS_WITHOUT_COLOUR.get(ground or "", Style())
        return style + Style(bold=bold or None, dim=dim or None, underline=underline or None, reverse=reverse or None)


def look_for(environ: Mapping[str, str], choice: str = "auto", theme: str = USUAL) -> Appearance:
    """Return the look for ``choice``, else the one that suits the environment. Raises Usage.

    ``theme`` sets the colours in true colour; other looks have their own.

    A locale without UTF-8, or a TERM with few characters, gets ASCII.
    """
    asked = _words(choice)
    if unknown := [word for word in asked if word not in CHOICES]:
        raise Usage(say("fault.no_look", said=ascii(unknown[0][:20]), names=", ".join(CHOICES)))
    name = next((word for word in asked if word in _PALETTES), None) or colours(environ)
    plain = "ascii" in asked or ("unicode" not in asked and _few_characters(environ))
    palette = palette_of(theme) if name == "truecolour" else _PALETTES[name]
    return Appearance(ASCII if plain else UNICODE, palette, name, theme)


def names_colours(choice: str) -> bool:
    """Return whether a look says how many colours there are, so that the terminal need not be asked."""
    return not _SYSTEMS.keys().isdisjoint(_words(choice))


def _words(choice: str) -> list[str]:
    return [word.strip() for word in choice.lower().split(",") if word.strip()]


def _few_characters(environ: Mapping[str, str]) -> bool:
    if environ.get("TERM") in ("dumb", "linux"):
        return True
    locale = next((value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := environ.get(name))), "UTF-8")
    return "utf" not in locale.lower()


def _segments(text: Text, base: Style) -> list[Segment]:
    """Return the segments of ``text`` with equal style, on ``base``."""
    plain = text.plain
    ends = sorted({0, len(plain), *(end for span in text.spans for end in (span.start, span.end))})
    pieces: list[Segment] = []
    for start, end in pairwise(ends):
        style = base + text.style if isinstance(text.style, Style) else base
        for span in text.spans:
            if span.start <= start and end <= span.end and isinstance(span.style, Style):
                style += span.style
        pieces.append(Segment(plain[start:end], style))
    return pieces


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _fields(variables: Mapping[str, str], coloured: bool) -> dict[str, str]:
    """Return the variables for Textual's own widgets: cursors of input fields, scroll bars."""
    table, ink, gold, edge = (variables[name] for name in ("table", "ink", "gold", "edge"))
    return {
        "input-cursor-background": gold if coloured else "ansi_white",
        "input-cursor-foreground": table if coloured else "ansi_black",
        "input-selection-background": edge if coloured else "ansi_white",
        "scrollbar": edge,
        "scrollbar-hover": gold,
        "scrollbar-active": gold,
        "scrollbar-background": table,
        "scrollbar-background-hover": table,
        "scrollbar-background-active": table,
        "scrollbar-corner-color": table,
        "block-cursor-background": gold if coloured else "ansi_white",
        "block-cursor-foreground": table if coloured else "ansi_black",
        "text-muted": variables["dim"],
        "foreground-muted": ink,
    }

"""Contact sheets: each game in each look."""

import re
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

from docs.studio.screens import at
from docs.studio.staged_match import StagedMatch

from parlour_client.tui import colors
from parlour_client.tui.colors import THEMES
from parlour_client.tui.filming import Size
from parlour_client.tui.svg import CELL, FONT, Shot, still
from parlour_client.tui.theme import Appearance, look_for

SIZE: Size = (60, 20)
PAGE = Path(__file__).parent.parent / "looks.md"
CHOICES = ("256", "16", "mono", "ascii", "mono,ascii")
"""Looks beside the themes."""
_GAMES = {
    "uno": (12, {}, {"ada": "shaper", "bruno": "painfirst"}, "counter", 1),
    "minesweeper": (5, {"mode": "solo", "level": "intermediate"}, {}, "exact", 4),
}
"""Seed, options, bots, who advises the person, and the person's decision that is shown."""
_ACROSS, _CAPTION, _GAP = 2, 30, 16
_STEP = 900
"""Milliseconds between the acts of bots."""
_MOST = 100
"""The maximum of steps."""


def own_theme() -> str:
    """Return the theme that the documentation shows as an example."""
    [example] = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return str(example)


async def all_looks() -> str:
    """Return a sheet of all themes and looks."""
    looks = {name: look_for({}, "truecolour", name) for name in THEMES}
    return await _sheet({**looks, **{f"--look {choice}": look_for({}, choice) for choice in CHOICES}})


async def own_look() -> str:
    """Return a sheet with the theme of the documentation."""
    colors.folder().mkdir(parents=True)
    (colors.folder() / "mine.toml").write_text(own_theme(), encoding="utf-8", newline="\n")
    return await _sheet({"mine": look_for({}, "truecolour", "mine")})


async def _sheet(looks: dict[str, Appearance]) -> str:
    pictures = [(name, [await _taken(game, look) for game in _GAMES]) for name, look in looks.items()]
    width, height = pictures[0][1][0].size
    columns, rows = min(_ACROSS, len(pictures)), -(-len(pictures) // _ACROSS)
    across, down = 2 * width + _GAP, height + _CAPTION
    whole = columns * across - _GAP, rows * down
    drawn = (_row(name, shots, n % columns * across, n // columns * down) for n, (name, shots) in enumerate(pictures))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole[0]}" height="{whole[1]}" font-family="{FONT}" '
        f'font-size="18"><rect width="100%" height="100%" fill="#ffffff"/>{"".join(drawn)}</svg>\n'
    )


def _row(name: str, shots: Iterable[Shot], x: int, y: int) -> str:
    """Return the pictures of one look beside each other, under its name."""
    drawn = [f'<text x="{x + 4}" y="{y + CELL[1] + 3}">{escape(name)}</text>']
    for shot in shots:
        drawn.append(f'<g transform="translate({x} {y + _CAPTION - 4})">{still(shot)}</g>')
        x += shot.size[0]
    return "".join(drawn)


async def _taken(game: str, look: Appearance) -> Shot:
    """Return the table at a decision of the person, after those before it were made as advised."""
    seed, options, bots, adviser, decision = _GAMES[game]
    async with at(StagedMatch(seed, game, options, bots=bots, adviser=adviser), SIZE, look) as seen:
        for _ in range(_MOST):
            if seen.room.question is not None:
                if decision == 0:
                    return await seen.shot()
                decision -= 1
                await seen.act()
            await seen.step(_STEP)
    raise AssertionError("the decision never came")

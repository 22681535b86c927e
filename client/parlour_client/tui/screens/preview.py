"""Samples of the games: cards and a piece of a board, for themes in the settings and entries of the start screen."""

from collections.abc import Sequence

from textual.strip import Strip

from parlour_client.core.phrases import say
from parlour_client.core.printing import folded
from parlour_client.text.uno.words import colour_name
from parlour_client.tui.games.minesweeper.cells import CELLS, Cell, Painter, Square
from parlour_client.tui.games.uno.cards import LARGE, SHORT, Size, card
from parlour_client.tui.theme import Appearance
from parlour_client.tui.widgets.canvas import Canvas, placed
from parlour_games.uno.cards import CARDS_BY_FACE

_FACES = ("r7", "ys", "g+2", "b0", "w+4")
_BOARD = ["1F....", "113...", "01F211", "012100", "001M10"]
_WIDE = 56
"""Columns from which the samples of an entry are large."""


def hand(look: Appearance, faces: Sequence[str], size: Size) -> list[Strip]:
    """Return cards side by side, line by line."""
    pictures = [card(look, CARDS_BY_FACE[face][0], size) for face in faces]
    return [
        placed((at * (size.width + 1), picture[y]) for at, picture in enumerate(pictures)) for y in range(size.rows)
    ]


def board(look: Appearance, cell: Cell) -> list[Strip]:
    """Return a piece of a board of Minesweeper, line by line."""
    cells = Painter(look.cloth("minesweeper"), cell)
    return [
        Strip([cells.paint(Square(char, odd=bool((x + y) & 1)))[part] for x, char in enumerate(row)])
        for y, row in enumerate(_BOARD)
        for part in range(cell[1])
    ]


def _beside(left: list[Strip], right: list[Strip]) -> list[Strip]:
    """Return two pictures side by side, the lower one in the middle."""
    at, rows = max(line.cell_length for line in left) + 2, max(len(left), len(right))
    lines = zip(_centred(left, rows), _centred(right, rows), strict=True)
    return [placed([(0, each), (at, other)]) for each, other in lines]


def _centred(picture: list[Strip], rows: int) -> list[Strip]:
    above = (rows - len(picture)) // 2
    return [Strip([])] * above + picture + [Strip([])] * (rows - len(picture) - above)


class Preview(Canvas):
    """Samples in the colours of its look, a line of words above them."""

    DEFAULT_CSS = "Preview { height: 6; width: 100%; margin: 0 2; display: none; }"

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return cards beside a piece of a board."""
        look = self.look
        rule = say("uno.rule.match", colour=colour_name("red"), sign=7)
        words = look.strip(look.text((say("uno.turn.yours"), "gold"), f"  {rule}"), width, ground=None)
        return [words, *_beside(hand(look, _FACES, SHORT), board(look, CELLS[1]))]


class Showcase(Canvas):
    """A picture of an entry of the start screen, and what it is."""

    DEFAULT_CSS = "Showcase { width: 1fr; height: 100%; }"

    def __init__(self, look: Appearance) -> None:
        super().__init__(look)
        self._game = ""
        self._words: list[tuple[str, str]] = []

    def tell(self, game: str, about: str, own: Sequence[str]) -> None:
        """Show a picture of ``game``, or of several for "", the description of the entry, and the player's results."""
        self._game = game
        self._words = [(about, "ink"), ("", "ink"), *((line, "dim") for line in own)]
        self.repaint()

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return picture and words, in the middle."""
        look, inner = self.look, max(1, width - 4)
        words = [(line, role) for text, role in self._words for line in folded(text, inner).split("\n")]
        picture = self._picture(width >= _WIDE)
        picture = [] if len(picture) + len(words) + 1 > height else picture
        shown = [(max(0, (width - line.cell_length) // 2), line) for line in picture]
        shown += [(2, look.strip(look.text(part), inner)) for part in [("", "ink"), *words]]
        above = max(0, (height - len(shown)) // 2)
        return [Strip([])] * above + [placed([piece]) for piece in shown]

    def _picture(self, large: bool) -> list[Strip]:
        size, cell = (LARGE, CELLS[2]) if large else (SHORT, CELLS[1])
        if self._game == "uno":
            return hand(self.look, _FACES[1:] if large else _FACES[2:], size)
        if self._game == "minesweeper":
            return board(self.look, CELLS[2])
        cards, cells = hand(self.look, _FACES[4:], size), board(self.look, cell)
        return _beside(cards, cells)

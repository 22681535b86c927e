"""The preview of a theme: cards, part of a board, and text."""

from textual.strip import Strip

from parlour_client.core.phrases import say
from parlour_client.text.uno.words import colour_name
from parlour_client.tui.games.minesweeper.cells import Painter, Square
from parlour_client.tui.games.minesweeper.viewport import CELLS
from parlour_client.tui.games.uno.cards import SHORT, card
from parlour_client.tui.widgets.canvas import Canvas, placed
from parlour_games.uno.cards import CARDS_BY_FACE

_CARDS = [CARDS_BY_FACE[face][0] for face in ("r7", "ys", "g+2", "b0", "w+4")]
_BOARD = ["1F....", "113...", "01F211", "012100", "001M10"]


class Preview(Canvas):
    """Samples in the colours of its look, a line of words above them."""

    DEFAULT_CSS = "Preview { height: 6; width: 100%; margin: 0 2; display: none; }"

    def paint(self, width: int, height: int) -> list[Strip]:
        """Return cards beside a piece of a board."""
        look, apart = self.look, SHORT.width + 1
        cells = Painter(look.cloth("minesweeper"), CELLS[1])
        pictures = [card(look, face, SHORT) for face in _CARDS]
        rule = say("uno.rule.match", colour=colour_name("red"), sign=7)
        lines = [look.strip(look.text((say("uno.turn.yours"), "gold"), f"  {rule}"), width, ground=None)]
        for y, row in enumerate(_BOARD):
            board = Strip([cells.paint(Square(char, odd=bool((x + y) & 1)))[0] for x, char in enumerate(row)])
            hand = [(at * apart, picture[y]) for at, picture in enumerate(pictures)]
            lines.append(placed([*hand, (len(_CARDS) * apart + 1, board)]))
        return lines

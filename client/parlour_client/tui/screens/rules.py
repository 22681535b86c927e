"""Short rules of the games for beginners, shown first in the help."""

from parlour_protocol.messages import Plain

UNO = [
    ("aim", "be the first without cards; what the others still hold counts for you"),
    ("your turn", "lay a card of the colour of the top one, or of its number or sign; or draw one"),
    ("wild", "goes on anything, and you name the colour; +4 only if you hold nothing of the colour"),
    ("signs", "skip: the next one misses a turn; reverse: the other way round; +2, +4: the next one draws"),
    ("UNO!", "call it when you lay your last card but one, or whoever catches you lets you draw two"),
]
_AIMS = {
    "lowest": "be without cards first; each keeps the points of what it still holds, and in the end the fewest win",
    "elimination": "be without cards first; each keeps the points of what it still holds: too many, and one is out",
}
"""The aim of UNO for other values of ``scoring``."""
MINES = [
    ("aim", "open every cell that has no mine; a mine that you open is the end"),
    ("numbers", "so many of the eight cells around it are mines"),
    ("flags", "mark what must be a mine: with all flags around a number set, open it to open the rest"),
]
_MODES = {
    "race": (
        "race",
        "everybody has the same board: the first to clear it wins; you see how far the others are",
    ),
    "coop": ("together", "one board for all: what one opens is open to all"),
    "duel": ("duel", "here you look for the mines: who finds one goes on, who misses passes; most mines win"),
}


def rules_of(game: str, options: Plain) -> list[tuple[str, str]]:
    """Return (term, explanation) for a game with ``options``; nothing for an unknown game."""
    mode = str(options.get("mode", ""))
    if game == "uno":
        aim = _AIMS.get(str(options.get("scoring")))
        return [("aim", aim), *UNO[1:]] if aim else UNO
    if game != "minesweeper":
        return []
    return [MINES[1], _MODES[mode]] if mode == "duel" else [*MINES, *([_MODES[mode]] if mode in _MODES else [])]

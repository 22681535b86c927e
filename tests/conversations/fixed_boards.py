"""Boards with the mines that a conversation gives: ``5x4 0,0 4,3 / 2,2`` (size, mines, the start of a race)."""

from typing import Any

from parlour_games.fair import Fair, Stream, Words


class _FixedWords(Words):
    """Draws the given mines; ``below`` returns the start cell."""

    def __init__(self, mines: list[int], start: int) -> None:
        super().__init__(b"", "")
        self._mines, self._start = mines, start

    def below(self, n: int) -> int:
        return self._start

    def draw(self, items: list[Any], count: int) -> list[Any]:
        assert set(self._mines) <= set(items), "a mine is where the first click keeps cells free"
        assert len(self._mines) == count, "the options give another number of mines"
        return self._mines


class FixedBoardFair(Fair):
    """Fairness whose matches all have the board in ``text``."""

    def __init__(self, text: str) -> None:
        super().__init__(b"", "", [])
        board, _, start = text.partition("/")
        size, *mines = board.split()
        self._width = int(size.partition("x")[0])
        self._mines = [self._cell(mine) for mine in mines]
        self._start = self._cell(start.strip() or "0,0")

    def deal(self, number: int) -> Stream:
        mines, start = self._mines, self._start

        class FixedStream(Stream):
            def label(self, label: str) -> Words:
                return _FixedWords(mines, start)

        return FixedStream(b"")

    def _cell(self, text: str) -> int:
        x, y = map(int, text.split(","))
        return y * self._width + x

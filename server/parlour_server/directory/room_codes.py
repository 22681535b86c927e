"""Which codes have been given away, in memory that does not grow with the rooms that there have been."""

from collections.abc import Iterable

from parlour_server.directory.room_creation import LETTERS, LISTED

_DIGITS = {letter: digit for digit, letter in enumerate(LETTERS)}


class Codes:
    """The codes that cannot be given to a new room: a bit for each code that a listed room may have, 24 KB in all.

    Longer codes are forgotten. There are so many that none comes twice; should it ever, the store refuses it, and
    whoever wanted the room comes back for another code.
    """

    def __init__(self) -> None:
        self._bits = bytearray(-(-(len(LETTERS) ** LISTED) // 8))

    def __contains__(self, code: object) -> bool:
        number = _number(code)
        return number is not None and bool(self._bits[number // 8] >> number % 8 & 1)

    def add(self, code: str) -> None:
        """Give ``code`` away."""
        number = _number(code)
        if number is not None:
            self._bits[number // 8] |= 1 << number % 8

    def update(self, codes: Iterable[str]) -> None:
        """Give ``codes`` away."""
        for code in codes:
            self.add(code)

    def difference_update(self, codes: Iterable[str]) -> None:
        """Nothing is stored under ``codes`` any more: they can be given away again."""
        for code in codes:
            number = _number(code)
            if number is not None:
                self._bits[number // 8] &= ~(1 << number % 8)


def _number(code: object) -> int | None:
    """Return which one of all codes of listed rooms this is, from 0; None if it is no such code."""
    if not isinstance(code, str) or len(code) != LISTED or not _DIGITS.keys() >= set(code):
        return None
    number = 0
    for letter in code:
        number = number * len(LETTERS) + _DIGITS[letter]
    return number

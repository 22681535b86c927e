"""Room codes: how they are drawn, and which are taken, in memory that does not grow with the number of rooms."""

from collections.abc import Callable, Container, Iterable

LETTERS = "CDFGHJKMNPQRTVWX34679"
"""The letters of room codes: no vowels, none that look or sound alike."""
LISTED, PRIVATE = 4, 8
"""The length of the codes of listed and of private rooms."""
TRIES = 64
"""Taken codes drawn in a row after which a new code gets one letter more."""

_DIGITS = {letter: digit for digit, letter in enumerate(LETTERS)}


def new_code(private: bool, used: Container[str], entropy: Callable[[int], bytes]) -> str:
    """Return a code that is not ``used``, one letter longer where nearly all of the usual length are."""
    length, tries = PRIVATE if private else LISTED, 0
    while True:
        # 252 is the largest multiple of the 21 letters in a byte: bytes above it would favour the first letters
        fair = [byte for byte in entropy(4 * length) if byte < 252]
        code = "".join(LETTERS[byte % len(LETTERS)] for byte in fair[:length])
        if len(code) == length and code not in used:
            return code
        tries += 1
        length += tries % TRIES == 0


def is_code(text: str) -> bool:
    """Whether ``text`` can be a room's code."""
    return LISTED <= len(text) <= PRIVATE and set(text) <= set(LETTERS)


class UsedCodes:
    """The codes that cannot be given to a new room: one bit for each code of a listed room, 24 KB in all.

    Longer codes are only counted: a collision is improbable. The store refuses it, and the client asks again.
    """

    def __init__(self) -> None:
        self._bits = bytearray(-(-(len(LETTERS) ** LISTED) // 8))
        self._longer = 0

    def __len__(self) -> int:
        return int.from_bytes(self._bits).bit_count() + self._longer

    def __contains__(self, code: object) -> bool:
        number = _number(code)
        return number is not None and bool(self._bits[number // 8] >> number % 8 & 1)

    def add(self, code: str) -> None:
        """Mark the code of a new room as taken."""
        self.update([code])
        self._longer += len(code) > LISTED

    def update(self, codes: Iterable[str]) -> None:
        """Mark those of ``codes`` that listed rooms have as taken."""
        for number in map(_number, codes):
            if number is not None:
                self._bits[number // 8] |= 1 << number % 8

    def restore(self, codes: Iterable[str], count: int) -> None:
        """Mark ``codes`` as taken. ``count``: of how many rooms in all they are."""
        self.update(codes)
        self._longer = max(0, count - len(self))

    def difference_update(self, codes: Iterable[str]) -> None:
        """Mark ``codes`` as free: nothing is stored under them any more."""
        for code in codes:
            number = _number(code)
            if number is not None:
                self._bits[number // 8] &= ~(1 << number % 8)
            elif len(code) > LISTED and self._longer:
                self._longer -= 1


def _number(code: object) -> int | None:
    """Return the index of a listed room's code among all such codes, from 0; None for anything else."""
    if not isinstance(code, str) or len(code) != LISTED or not _DIGITS.keys() >= set(code):
        return None
    number = 0
    for letter in code:
        number = number * len(LETTERS) + _DIGITS[letter]
    return number

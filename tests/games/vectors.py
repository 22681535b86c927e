"""Compute docs/parlour-fair-1.json with the project's own code: ``python -m tests.games.vectors`` writes it.

It is published, so that other implementations can be checked; tests compare it with two that share no code with ours.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from parlour_games.fair import Fair, Stream, commitment
from parlour_games.game import Plain
from parlour_games.minesweeper.board import Dealt
from parlour_games.minesweeper.fair_boards import make
from parlour_games.minesweeper.options import Shape
from parlour_games.uno.cards import cards_in
from parlour_games.uno.options import Options
from parlour_games.uno.piles import deal
from parlour_games.uno.rounds import begin_round
from parlour_games.uno.state import State

FILE = Path(__file__).parents[2] / "docs" / "parlour-fair-1.json"
ABOUT = "Test vectors of parlour-fair/1, explained in docs/fairness.md. Hex in lower case; a cell is y * width + x."
BOUNDS = (1, 2, 7, 10, 108, 480, 2**31, 2**31 + 1, 2**32 - 1)


@attrs.frozen
class Origin:
    """The inputs from which a match is derived."""

    secret: bytes
    context: str
    nonces: tuple[bytes, ...]

    def plain(self) -> Plain:
        return {"secret": self.secret.hex(), "context": self.context, "nonces": [nonce.hex() for nonce in self.nonces]}

    @property
    def fair(self) -> Fair:
        return Fair(self.secret, self.context, self.nonces)


COUNTING = bytes(range(32))
ALONE = Origin(COUNTING, "K7QD/1", (b"",))
SPEC = Origin(COUNTING, "K7QD/1", (b"", b"\xff" * 32))
THREE = Origin(COUNTING, "K7QD/1", (b"\x01" * 32, b"", b"\x03" * 32))
NO_NONCES = Origin(bytes(32), "B2C4D6F8/12", (b"", b""))
TEN = Origin(b"\xff" * 32, "B2C4D6F8/4294967295", tuple(bytes([seat]) * 32 for seat in range(10)))
STREAMS: tuple[tuple[Origin, int, str, int], ...] = (
    *((SPEC, 1, label, size) for label, size in (("deck", 108), ("start", 0), ("mines/1", 81))),
    *((THREE, number, "deck", 108) for number in (1, 2, 3)),
    *((THREE, 2, label, size) for label, size in (("reshuffle/1", 20), ("reshuffle/2", 2), ("reshuffle/12", 300))),
    *((NO_NONCES, 7, label, size) for label, size in (("deck", 108), ("mines/3", 256), ("mines/500", 1))),
    *((TEN, 2**32 - 1, label, 12) for label in ("deck", "start")),
)
"""Origin, deal, label, number of shuffled items."""
FACES = {"official": "any but a Wild Draw Four", "numbers": "a number"}
"""The kinds of first cards of a round."""
BOARDS: tuple[tuple[tuple[int, int, int], str, tuple[int, int]], ...] = (
    *(((9, 9, 10), promise, (4, 4)) for promise in ("any", "safe", "opening", "radius")),
    *(((9, 9, 10), promise, (0, 8)) for promise in ("any", "safe", "opening", "radius")),
    *(((24, 10, 60), promise, (20, 1)) for promise in ("opening", "radius")),
    ((16, 16, 51), "any", (0, 0)),
    ((30, 16, 99), "opening", (29, 15)),
    ((2, 2, 3), "safe", (1, 0)),
    ((100, 100, 2_000), "radius", (50, 99)),
)
NO_GUESS: tuple[tuple[tuple[int, int, int], str, tuple[int, int]], ...] = (
    *(((5, 5, 4), promise, (2, 1)) for promise in ("safe", "opening")),
    ((6, 4, 4), "safe", (0, 0)),
    ((3, 3, 6), "safe", (1, 1)),
    ((9, 9, 10), "safe", (4, 4)),
    ((16, 16, 40), "opening", (8, 0)),
    ((30, 16, 99), "radius", (15, 8)),
)


def made() -> str:
    """Return the content of the file."""
    parts: dict[str, Sequence[Plain]] = {
        "streams": [_stream(*wanted) for wanted in STREAMS],
        "uno": list(_deals()),
        "boards": [*(_board(ALONE, *wanted) for wanted in BOARDS), *(_board(THREE, *wanted) for wanted in BOARDS[:4])],
        "no_guess": [_no_guess(*wanted) for wanted in NO_GUESS],
    }
    lists = ",\n".join(f'"{name}": [\n{_lines(values)}\n]' for name, values in parts.items())
    return f'{{"fair": "parlour-fair/1", "about": "{ABOUT}",\n{lists}\n}}\n'


def _lines(values: Sequence[Plain]) -> str:
    return ",\n".join(map(json.dumps, values))


def _stream(origin: Origin, number: int, label: str, size: int) -> Plain:
    stream, items = origin.fair.deal(number), list(range(size))
    stream.label(label).shuffle(items)
    words = stream.label(label)
    return {
        **origin.plain(),
        "commitment": commitment(origin.secret),
        "deal": number,
        "key": stream.key.hex(),
        "label": label,
        "words": [words.below(2**32) for _ in range(9)],
        "below": [[n, stream.label(label).below(n)] for n in BOUNDS],
        "shuffled": items,
    }


def _deals() -> Iterator[Plain]:
    """Yield deals: the first of a match, and later ones that were reshuffled because of their first card."""
    for origin, seats in ((SPEC, 2), (THREE, 3), (TEN, 10)):
        yield _first_deal(origin, seats)
    for rule, again in (("official", 1), ("numbers", 2), ("numbers", 3)):
        yield next(found for found in _later_deals(rule) if found["reshuffles"] == again)


def _first_deal(origin: Origin, seats: int) -> Plain:
    state = State(Options(), origin.fair, seats)
    begin_round(state, [])
    state = _dealt(state, origin.fair.deal(1))
    return _told(origin, 1, "official", state) | {"start": origin.fair.deal(1).label("start").below(seats)}


def _later_deals(rule: str) -> Iterator[Plain]:
    for number in range(2, 2**10):
        state = State(Options(first_card_number_only=rule == "numbers"), THREE.fair, 3)
        yield _told(THREE, number, rule, _dealt(state, THREE.fair.deal(number)))


def _dealt(state: State, stream: Stream) -> State:
    """Return the state after dealing, before the effect of the first card."""
    state.stream, state.reshuffles = stream, 0
    deal(state)
    return state


def _told(origin: Origin, number: int, rule: str, state: State) -> Plain:
    hands = [cards_in(hand) for hand in state.hands]
    return {
        **origin.plain(),
        "deal": number,
        "seats": state.seats,
        "first_card": FACES[rule],
        "reshuffles": state.reshuffles,
        "hands": hands,
        "first": state.pile[0],
        "pile": state.deck,
    }


def _board(origin: Origin, size: tuple[int, int, int], promise: str, at: tuple[int, int], attempt: int = 1) -> Plain:
    shape, (x, y) = Shape(*size), at
    first = y * shape.width + x
    layout = Dealt(origin.fair.deal(1)).mines(shape, promise, first, attempt)
    plain = attrs.asdict(shape) | {"promise": promise, "first": first, "attempt": attempt}
    return origin.plain() | plain | {"layout": sorted(layout)}


def _no_guess(size: tuple[int, int, int], promise: str, at: tuple[int, int]) -> Plain:
    """Return the board of the first attempt that needs no guess. Attempt and layout are null if there is none."""
    shape, (x, y) = Shape(*size), at
    attempt = make(Dealt(SPEC.fair.deal(1)), shape, promise, y * shape.width + x)
    board = _board(SPEC, size, promise, at, attempt or 1)
    return board if attempt else board | {"attempt": None, "layout": None}


if __name__ == "__main__":
    FILE.write_text(made(), encoding="utf-8")

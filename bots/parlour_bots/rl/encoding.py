"""Encodings of views and actions as arrays: of UNO, and ``ListEncoding`` for games without one of their own.

UNO has 186 numbered actions, and an observation of 120 + 5 · seats numbers.

``docs/train-a-bot.md`` has the tables of both. Cards with equal faces are one action. Other seats are counted from the
own one, in ascending order: the next seat is 1.
"""

import json
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Sequence
from operator import itemgetter
from struct import pack_into
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from parlour_games.game import Decision, action_map
from parlour_games.registry import AnyGame
from parlour_games.uno.actions import BY_CODE, COLOUR_CODES, RESIGN, Action
from parlour_games.uno.cards import CARDS, COLOUR, COLOURS, FIRST_WILD, SYMBOL, WILD
from parlour_games.uno.options import MAX_SEATS
from parlour_games.uno.state import PHASES, State
from parlour_protocol.messages import Plain


class Encoding(ABC):
    """Turns what a seat sees into an array, and its legal actions into numbers.

    An encoding reads only the view and the legal actions of the seat that it encodes for, so it cannot show more. The
    same encoding serves a bot, which gets both in its ``Turn``.
    """

    actions: int
    """The number of actions; they are numbered from 0."""
    decline: int
    """The number of the answer to an optional decision that does nothing."""
    space: Box
    """The space of the observations."""

    @abstractmethod
    def observe(self, view: Plain, seat: int) -> np.ndarray:
        """Return the view of ``seat`` as an array in ``space``."""

    @abstractmethod
    def numbers(self, legal: Sequence[Plain], seat: int) -> list[int]:
        """Return the number of each legal action of ``seat``. Actions with the same effect may share one."""

    def choices(self, game: AnyGame, state: Any, decision: Decision) -> dict[int, Any]:
        """Return the legal answers to a decision by number."""
        legal = game.legal(state, decision.seat, decision.key)
        return dict(zip(self.numbers(game.wires(legal), decision.seat), legal, strict=True))

    def mask(self, numbers: Iterable[int]) -> np.ndarray:
        """Return an int8 array of length ``actions``: 1 at ``numbers``, 0 elsewhere."""
        mask = bytearray(self.actions)
        for number in numbers:
            mask[number] = 1
        return np.frombuffer(mask, np.int8)


class ListEncoding(Encoding):
    """Numbers an action by its place in the legal list, and shows the view as JSON.

    The observation is the view in JSON, with sorted keys, as UTF-8 bytes: a uint8 array of length ``size``, padded
    with zeros.
    """

    def __init__(self, longest: int = 256, size: int = 4096) -> None:
        self.longest = longest
        """The longest legal list that can be numbered."""
        self.size = size
        self.actions = longest + 1
        self.decline = longest
        self.space = Box(0, 255, (size,), np.uint8)

    def observe(self, view: Plain, seat: int) -> np.ndarray:
        """Return the view as JSON. Raises ValueError if it is longer than ``size``."""
        text = json.dumps(view, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()
        if len(text) > self.size:
            raise ValueError(f"the view has {len(text)} bytes: use ListEncoding(size={len(text)}) or more")
        return np.frombuffer(bytearray(text.ljust(self.size, b"\0")), np.uint8)

    def numbers(self, legal: Sequence[Plain], seat: int) -> list[int]:
        """Return the places in the list. Raises ValueError if the list is longer than ``longest``."""
        if len(legal) > self.longest:
            raise ValueError(f"there are {len(legal)} legal actions: use ListEncoding(longest={len(legal)}) or more")
        return [*range(len(legal))]


_SYMBOLS = 13


def _face(card: int) -> int:
    colour = COLOUR[card]
    return 52 + SYMBOL[card] - WILD if colour is None else colour * _SYMBOLS + SYMBOL[card]


FACE = tuple(map(_face, range(CARDS)))
"""Face by card, 0 to 53: coloured cards by colour and symbol, then Wild and Wild Draw Four."""

_FACES_OF = bytes(FACE).ljust(256, b"\0")
_PLAY = tuple(FACE[card] if card < FIRST_WILD else 52 + 4 * (FACE[card] - 52) for card in range(CARDS))
_COLOUR_NUMBER = {name: number for number, name in enumerate(COLOURS)}
_CALLING, _JUMP, _CATCH, _SWAP, _JUMP_SWAP = 60, 130, 132, 141, 177
_OTHERS = MAX_SEATS - 1
_FIXED = {"draw": 120, "pass": 121, "accept": 122, "challenge": 123, "uno": 128}
_NAME = 124
_TOP, _COLOUR, _PHASE, _DIRECTION, _SEATS = 54, 108, 112, 117, 120
_COLOUR_AT = {name: _COLOUR + number for number, name in enumerate(COLOURS)}
_PHASE_AT = {name: _PHASE + number for number, name in enumerate(PHASES[:5])}
_LARGEST = 2**15 - 1
_SHOWN = itemgetter("colour", "phase", "turn", "counts", "scores")


class UnoEncoding(Encoding):
    """The numbers of the actions and of the view of UNO: see the module. Observations are int16 arrays."""

    actions = 186
    decline = 129

    def __init__(self, seats: int = 2) -> None:
        self.seats = seats
        self._empty = bytes(2 * (_SEATS + 5 * seats))
        self._quantities = f"={3 + 2 * seats}h"
        low = np.zeros(_SEATS + 5 * seats, np.int16)
        high = np.ones_like(low)
        high[:_TOP] = 4
        low[_DIRECTION], high[_DIRECTION + 1 : _SEATS + seats] = -1, CARDS
        points = slice(_SEATS + seats, _SEATS + 2 * seats)
        low[points], high[points] = -_LARGEST, _LARGEST
        self.space = Box(low, high, dtype=np.int16)

    def observe(self, view: Plain, seat: int) -> np.ndarray:
        """Return the view of ``seat`` as an array."""
        seats, seen = self.seats, array("h", self._empty)
        for face in bytes(view["hand"]).translate(_FACES_OF):
            seen[face] += 1
        seen[_TOP + FACE[view["top"]]] = 1
        colour, phase, turn, counts, scores = _SHOWN(view)
        if colour is not None:
            seen[_COLOUR_AT[colour]] = 1
        if phase in _PHASE_AT:
            seen[_PHASE_AT[phase]] = 1
        quantities = view["direction"], view["deck"], view.get("pending", 0), *counts[seat:], *counts[:seat]
        pack_into(self._quantities, seen, 2 * _DIRECTION, *quantities, *scores[seat:], *scores[:seat])
        if turn is not None:
            seen[_SEATS + 2 * seats + (turn - seat) % seats] = 1
        for other in view["called"]:
            seen[_SEATS + 3 * seats + (other - seat) % seats] = 1
        for other in view["out"]:
            seen[_SEATS + 4 * seats + (other - seat) % seats] = 1
        return np.frombuffer(seen, np.int16)

    def numbers(self, legal: Sequence[Plain], seat: int) -> list[int]:
        """Return the number of each legal action of ``seat``."""
        found = []
        for action in legal:
            do = action["do"]
            if do in _FIXED:
                found.append(_FIXED[do])
            elif "swap" in action:
                first = _JUMP_SWAP if do == "jump" else _SWAP + _OTHERS * (action["card"] // 25)
                found.append(first + self._distance(action["swap"], seat))
            elif do == "play":
                number = _PLAY[action["card"]] + (_COLOUR_NUMBER[action["colour"]] if "colour" in action else 0)
                found.append(number + _CALLING if "uno" in action else number)
            elif do == "jump":
                found.append(_JUMP + ("uno" in action))
            elif do == "catch":
                found.append(_CATCH + self._distance(action["seat"], seat))
            else:
                found.append(_NAME + _COLOUR_NUMBER[action["colour"]])
        return found

    def choices(self, game: AnyGame, state: State, decision: Decision) -> dict[int, Action]:
        """Return the legal answers to a decision by number, without a detour by plain data where that is possible."""
        if state.house or not decision.must or state.asked is None:
            return super().choices(game, state, decision)
        _, codes = state.asked
        return dict(zip(map(_NUMBER_BY_CODE.__getitem__, codes), map(BY_CODE.__getitem__, codes), strict=True))

    def _distance(self, other: int, seat: int) -> int:
        """Return how many seats ``other`` is behind the next one."""
        return (other - seat) % self.seats - 1


_NUMBER_BY_CODE = {
    code: UnoEncoding().numbers([action_map(action)], 0)[0]
    for code, action in BY_CODE.items()
    if code < RESIGN or code in COLOUR_CODES
}
"""The numbers of answers to required decisions under official rules, by the code of the rules."""

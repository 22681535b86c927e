"""UNO as arrays: 186 numbered actions, and an observation of 120 + 5 · seats numbers.

``docs/train-a-bot.md`` has the tables of both. Cards with equal faces are one action. Other seats are counted from the
own one, in ascending order: the next seat is 1.
"""

from array import array
from collections.abc import Sequence
from struct import pack_into

import numpy as np
from gymnasium.spaces import Box

from parlour_bots.rl.encoding import Encoding
from parlour_games.game import Decision, action_map
from parlour_games.registry import AnyGame
from parlour_games.uno.actions import BY_CODE, COLOUR_CODES, RESIGN, Action
from parlour_games.uno.cards import CARDS, COLOUR, COLOURS, FIRST_WILD, SYMBOL, WILD
from parlour_games.uno.options import MAX_SEATS
from parlour_games.uno.state import PHASES, State
from parlour_protocol.messages import Plain

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
        colour, phase, turn, counts, scores = (
            view["colour"],
            view["phase"],
            view["turn"],
            view["counts"],
            view["scores"],
        )
        if colour is not None:
            seen[_COLOUR_AT[colour]] = 1
        if phase in _PHASE_AT:
            seen[_PHASE_AT[phase]] = 1
        quantities = view["direction"], view["deck"], view.get("pending", 0)
        pack_into(
            self._quantities,
            seen,
            2 * _DIRECTION,
            *quantities,
            *counts[seat:],
            *counts[:seat],
            *scores[seat:],
            *scores[:seat],
        )
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

"""Encodings of views and actions as arrays, and ``ListEncoding`` for games without one of their own."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box

from parlour_games.game import Decision
from parlour_games.registry import AnyGame
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

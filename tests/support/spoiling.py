"""Corrupt plain data at random places, like a hostile server or a forged file."""

import copy
import random
from collections.abc import Iterator
from typing import Any

from parlour_protocol.messages import Plain

ESCAPES = (
    "\x1b[2J\x1b[H", "\x1b]0;owned\x07", "\x9b31m", "\x1bc", "\r", "\n", "\x00", "\x7f", "\x08\x08", "\u202egnp.exe",
    "\u2066x\u2069", "a" + "\u0301" * 60, "\ufeff", "\U000e0041", "[bold red]x[/]", "[/]", "[link=file:///etc]x",
)  # fmt: skip
"""Text that must not reach a terminal unescaped."""
TEXTS = (*ESCAPES, "", "0", "-1", "x" * 600, "seat", "K7QD", "red", "uno", "minesweeper", "ß" * 40, "1e9", "٣")
NUMBERS = (0, 1, -1, 2, 3, 4, 7, 10, 99, 100, 107, 108, 255, -108, 2**31, 2**53 - 1, 1 - 2**53)
NODES = 400
"""The maximum of containers to choose from."""


def spoilt(rng: random.Random, data: Plain, times: int = 2) -> Plain:
    """Return a copy of ``data`` with up to ``times`` random changes."""
    made = copy.deepcopy(data)
    for _ in range(rng.randint(1, times)):
        holders = [holder for holder, _ in zip(_holders(made), range(NODES), strict=False)]
        if holders:  # no container is left to change
            _spoil(rng, rng.choice(holders), made)
    return made


def _holders(value: Any) -> Iterator[Any]:
    """Yield each list and map that is not empty."""
    if value:
        yield value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from _holders(inner)


def _spoil(rng: random.Random, holder: Any, whole: Plain) -> None:
    key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    what = rng.randrange(8)
    if what == 0:
        del holder[key]
    elif what == 1 and isinstance(holder, list):
        holder += [copy.deepcopy(holder[key])] * rng.choice((1, 3, 200))
    elif what == 1:
        holder[rng.choice(TEXTS)] = holder[key]
    elif what < 5:
        holder[key] = _alike(rng, holder[key])
    elif what == 5:
        holder[key] = copy.deepcopy(rng.choice(list(_values(whole))))
    else:
        holder[key] = rng.choice((*TEXTS, *NUMBERS, None, True, False, [], {}, [[]], {"e": "play"}))


def _alike(rng: random.Random, value: Any) -> Any:
    """Return another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((*NUMBERS, value + 1, value - 1, -value))
    if isinstance(value, str):
        return rng.choice((*TEXTS, value + rng.choice(ESCAPES), value[1:]))
    return [] if isinstance(value, list) else {} if isinstance(value, dict) else 0


def _values(value: Any) -> Iterator[Any]:
    """Yield all values, recursively."""
    for inner in value.values() if isinstance(value, dict) else value:
        yield inner
        if isinstance(inner, dict | list):
            yield from _values(inner)

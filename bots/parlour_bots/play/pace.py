"""The pace of a bot at a table with people: slow enough to follow its cards and to win a race against it."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random  # noqa: TID251  for the pauses; never for the deal

import attrs
from msgspec import structs

from parlour_protocol.messages import Act, Plain, Table

SPREAD = 0.15
"""The largest difference of a pause from the mean, as a share of it."""
MOST_OF_CLOCK = 0.25
"""The share of the time left that a pause may take."""


@attrs.frozen
class Pace:
    """Pauses before each card or click. ``usual``: their average in seconds where a person plays; 0 means none.

    A room may have an average of its own, which is multiplied by ``tempo``.
    """

    usual: float = 0.0
    tempo: float = 1.0
    rng: Random = attrs.field(factory=Random)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def seconds(self, table: Table) -> float:
        """Return the average pause in a room: its own if it has one, else the usual one where a person has a seat."""
        room = table.get("pace")
        if room is not None:
            return room / 1000 * self.tempo
        return self.usual * self.tempo if any(row["kind"] == "human" for row in table["seats"]) else 0.0

    async def wait(self, seconds: float, left: int | None = None) -> None:
        """Wait about ``seconds``. ``left``: milliseconds left on the clock."""
        if seconds:
            pause = seconds * self.rng.uniform(1 - SPREAD, 1 + SPREAD)
            await self.sleep(pause if left is None else min(pause, MOST_OF_CLOCK * left / 1000))


def one_click(act: Act) -> Act:
    """Return ``act`` cut to one click, as it fits in one pause."""
    return structs.replace(act, act=_one_click(act.act))


def _one_click(action: int | Plain) -> int | Plain:
    """Return the first click of an action on several cells. The server asks again for the rest."""
    if isinstance(action, int):
        return action
    return {name: value[:1] if name in ("cells", "moves") else value for name, value in action.items()}

"""The pace of a bot at a table with people: slow enough to follow its cards and to win a race against it."""

import asyncio
from collections.abc import Awaitable, Callable
from random import Random  # noqa: TID251  for the pauses; never for the deal

import attrs

from parlour_protocol.messages import Act, Plain

SPREAD = 0.15
"""How far a pause may differ from the mean, as a share of it."""
MOST_OF_CLOCK = 0.25
"""The share of the time left that a pause may take."""


@attrs.frozen
class Pace:
    """Pauses of ``seconds`` on average before each card or click; 0 means none."""

    seconds: float = 0.0
    rng: Random = attrs.field(factory=Random)
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def take(self, act: Act, left: int | None) -> Act:
        """Wait, then return the act, cut to one click. ``left``: milliseconds left on the clock."""
        if not self.seconds:
            return act
        pause = self.seconds * self.rng.uniform(1 - SPREAD, 1 + SPREAD)
        await self.sleep(pause if left is None else min(pause, MOST_OF_CLOCK * left / 1000))
        return attrs.evolve(act, act=_one_click(act.act))


def _one_click(action: int | Plain) -> int | Plain:
    """Return the first click of an action on several cells. The server asks again for the rest."""
    if isinstance(action, int):
        return action
    return {name: value[:1] if name in ("cells", "moves") else value for name, value in action.items()}

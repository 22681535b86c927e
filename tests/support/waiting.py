"""Waiting for something that tells nobody when it happens."""

import asyncio
from collections.abc import Awaitable, Callable
from inspect import isawaitable

PATIENCE = 10.0
"""Seconds until a test that waits for something fails."""


async def until(condition: Callable[[], bool | Awaitable[bool]], every: float = 0.02, within: float = PATIENCE) -> None:
    """Ask again and again until ``condition`` holds. Raises TimeoutError ``within`` seconds, as a rule 10."""
    async with asyncio.timeout(within):
        while not (await found if isawaitable(found := condition()) else found):  # noqa: ASYNC110 - see above
            await asyncio.sleep(every)

"""Waiting for something that tells nobody when it happens."""

import asyncio
from collections.abc import Awaitable, Callable
from inspect import isawaitable

PATIENCE = 10.0
"""Seconds until a test that waits for something fails."""


async def until(condition: Callable[[], bool | Awaitable[bool]], every: float = 0.02) -> None:
    """Ask again and again until ``condition`` holds. Raises TimeoutError after 10 s."""
    async with asyncio.timeout(PATIENCE):
        while not (await found if isawaitable(found := condition()) else found):  # noqa: ASYNC110 - see above
            await asyncio.sleep(every)

"""Timeouts of waits name what did not happen."""

import asyncio
from functools import partial
from itertools import count

import pytest
from tests.support.waiting import going_on, limit, until


def never(name: str) -> bool:
    return not name


@pytest.mark.parametrize(
    ("condition", "words"),
    [(lambda: never("the line"), 'never\\("the line"\\)'), (partial(never, "anna"), "never.*anna")],
)
async def test_timeout_names_the_condition(condition: partial[bool], words: str) -> None:
    with pytest.raises(TimeoutError, match=f"^not within 0.05 s: .*{words}"):
        await until(condition, within=0.05)


async def test_inner_timeout_is_not_replaced() -> None:
    with pytest.raises(TimeoutError, match="the inner one"):
        async with limit(60, "the outer one"), limit(0.01, "the inner one"):
            await asyncio.Event().wait()


async def test_progress_extends_the_timeout() -> None:
    steps = count()
    async with going_on(lambda: next(steps), "steps", still=60, every=0.01) as over:
        first = over.when()
        await until(lambda: over.when() != first)
    assert (over.when() or 0) > (first or 0)


async def test_timeout_without_progress() -> None:
    with pytest.raises(TimeoutError, match=r"^not within 0\.05 s: more steps"):
        async with going_on(lambda: 7, "steps", still=0.05, every=0.01):
            await asyncio.Event().wait()

"""A wait that is in vain says for what."""

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
async def test_what_has_not_come_is_said(condition: partial[bool], words: str) -> None:
    with pytest.raises(TimeoutError, match=f"^0.05 s are over, and this has not come: .*{words}"):
        await until(condition, within=0.05)


async def test_another_limit_inside_speaks_for_itself() -> None:
    with pytest.raises(TimeoutError, match="the inner one"):
        async with limit(60, "the outer one"), limit(0.01, "the inner one"):
            await asyncio.Event().wait()


async def test_what_goes_on_is_given_more_time() -> None:
    steps = count()
    async with going_on(lambda: next(steps), "steps", still=60, every=0.01) as over:
        first = over.when()
        await until(lambda: over.when() != first)
    assert (over.when() or 0) > (first or 0)


async def test_what_stands_still_is_not() -> None:
    with pytest.raises(TimeoutError, match=r"^0\.05 s are over, and this has not come: more steps"):
        async with going_on(lambda: 7, "steps", still=0.05, every=0.01):
            await asyncio.Event().wait()

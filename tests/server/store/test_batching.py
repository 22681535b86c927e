"""Asking together: what waits goes into one question, and each hears its own answer."""

import asyncio
from collections.abc import Sequence

import pytest
from tests.support.waiting import PATIENCE, limit

from parlour_server.store.postgres.connections import Batcher


class Asked:
    """Answers when it may, and remembers the questions."""

    def __init__(self) -> None:
        self.questions: list[list[str]] = []
        self.may = asyncio.Event()

    async def find(self, keys: Sequence[str]) -> dict[str, str | Exception]:
        self.questions.append(list(keys))
        await self.may.wait()
        if "broken" in keys:
            raise ConnectionError
        return {key: LookupError(key) if key == "nowhere" else key.upper() for key in keys}


def asking(most: int) -> tuple[Asked, Batcher[str]]:
    asked = Asked()
    return asked, Batcher(asked.find, most)


async def test_what_waits_is_asked_together_and_only_once() -> None:
    asked, together = asking(2)
    asked.may.set()
    assert await asyncio.gather(*map(together.ask, ["a", "b", "a", "c"])) == ["A", "B", "A", "C"]
    assert asked.questions == [["a", "b"], ["c"]]
    assert await together.ask("a") == "A"
    assert asked.questions[2:] == [["a"]]


async def test_each_hears_its_own_error_and_all_hear_that_nothing_could_be_asked() -> None:
    asked, together = asking(2)
    asked.may.set()
    found = await asyncio.gather(*map(together.ask, ["a", "nowhere", "b", "broken"]), return_exceptions=True)
    assert found[0] == "A"
    assert [type(each) for each in found[1:]] == [LookupError, ConnectionError, ConnectionError]


async def test_who_waits_no_more_takes_the_answer_from_nobody() -> None:
    asked, together = asking(2)
    first, second = asyncio.create_task(together.ask("a")), asyncio.create_task(together.ask("a"))
    await asyncio.sleep(0)
    first.cancel()
    asked.may.set()
    assert await second == "A"


@pytest.mark.parametrize("steps", [1, 2], ids=["before it has asked", "while it asks"])
async def test_whoever_waits_when_it_is_closed_hears_so_and_nothing_is_asked_any_more(steps: int) -> None:
    asked, together = asking(1)
    waiting = [asyncio.create_task(together.ask(key)) for key in ("a", "b")]
    for _ in range(steps):
        await asyncio.sleep(0)
    together.close(ConnectionError("closed"))
    async with limit(PATIENCE, "an answer for who waits"):
        found = await asyncio.gather(*waiting, together.ask("c"), return_exceptions=True)
    assert [type(each) for each in found] == [ConnectionError] * 3
    assert asked.questions == [["a"]] * (steps - 1)

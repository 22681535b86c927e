import asyncio
from collections.abc import AsyncIterator

import pytest

from parlour_bots.loader import find
from parlour_bots.practice import MOST, NAMES, practise
from parlour_bots.sdk import Choice, Turn, entrant
from parlour_client.cli import main
from parlour_protocol.messages import Create

PATIENCE = 60.0


class Person:
    """Somebody at the console who answers every prompt by the last thing on offer, a draw or a pass."""

    interactive = True

    def __init__(self) -> None:
        self.printed: list[str] = []
        self._typed: asyncio.Queue[str] = asyncio.Queue()

    def line(self, text: str) -> None:
        self.printed.append(text)
        if text.startswith("1 "):
            self._typed.put_nowait(text.rpartition("  ")[2].split()[0])

    def prompt(self) -> None:
        """Need no prompt."""

    async def lines(self) -> AsyncIterator[str]:
        while True:
            yield await self._typed.get()


def table(seats: int) -> Create:
    return Create("uno", {"scoring": "single"}, seats=seats, private=True, clock=None)


async def test_person_plays_a_match_against_bots() -> None:
    person = Person()
    play = practise(find("painfirst"), 2, table(3), name="maria", once=True, console=person)
    assert await asyncio.wait_for(play, PATIENCE) == 0
    text = "\n".join(person.printed)
    assert "maria" in text
    assert "ada (bot) sits down" in text
    assert "bruno (bot) sits down" in text
    assert "Your turn" in text
    assert "1. " in text


async def test_bot_is_never_called_like_the_person() -> None:
    person = Person()
    play = practise(find("random"), 1, table(2), name=NAMES[0].upper(), once=True, console=person)
    assert await asyncio.wait_for(play, PATIENCE) == 0
    assert f"{NAMES[1]} (bot) sits down" in "\n".join(person.printed)


async def test_mistakes_of_the_bot_are_told_after_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    def wrong(turn: Turn) -> Choice:
        return 99

    play = practise(entrant(wrong, "wrong"), 1, table(2), name="maria", once=True, console=Person())
    assert await asyncio.wait_for(play, PATIENCE) == 0
    err = capsys.readouterr().err
    assert f"{__file__}:" in err
    assert "there is no action 99" in err


@pytest.mark.parametrize("bots", [0, MOST + 1])
def test_number_of_bots_is_bounded(bots: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "uno", "--bots", str(bots)]) == 2
    assert f"--bots must be from 1 to {MOST}, not {bots}" in capsys.readouterr().err

"""A saved match goes on from one of its acts, with bots and a person at the console."""

import asyncio
from pathlib import Path

import pytest
from tests.bots.hosting.test_practice import Person
from tests.server.matches import play
from tests.support.waiting import PATIENCE

from parlour_bots.errors import Mistake
from parlour_bots.hosting.continued import continued_room
from parlour_bots.hosting.practice import visit
from parlour_client.core.errors import Fault, Usage


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    path.write_text("".join(f"{line}\n" for line in play("uno", 8).lines))
    return path


async def continued(file: Path, act: int, whose: str | None, *bots: str) -> list[str]:
    person, mistakes = Person(), list[Mistake]()
    room = continued_room(file, act, whose, bots, mistakes=mistakes, once=True)
    assert await asyncio.wait_for(visit(room, mistakes, lines=True, console=person), PATIENCE) == 0
    assert mistakes == []
    return person.printed


async def test_a_match_is_played_on_to_the_end(file: Path) -> None:
    text = "\n".join(await continued(file, 20, "anna", "random"))
    told = ("Practice: the deal of this room was chosen", "Fair: ", "Digest")
    assert [words for words in told if words not in text] == []


@pytest.mark.long
async def test_another_seat_plays_on_from_the_first_act(file: Path) -> None:
    printed = await continued(file, 1, "1")
    assert any("bert (you" in line for line in printed)
    assert any(line.startswith("Fair: ") for line in printed)


@pytest.mark.long
@pytest.mark.parametrize(
    ("act", "whose", "told"),
    [
        (0, None, "the match has acts 1 to"),
        (9_999, None, "but no act 9999"),
        (1, "nobody", "no player has the name 'nobody'"),
    ],
)
async def test_acts_and_seats_that_are_not_there(file: Path, act: int, whose: str | None, told: str) -> None:
    with pytest.raises(Usage, match=told):
        await continued(file, act, whose)


def test_a_file_that_was_changed(file: Path) -> None:
    file.write_text(file.read_text().replace('"seat":1', '"seat":0', 1))
    with pytest.raises(Fault, match="line"):
        asyncio.run(continued(file, 1, None))

"""Recall: a server keeps few of those in memory who are away, and knows all of them when they come."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.server.nodes import House
from tests.server.store.writes import identity, match, opened

from parlour_protocol import messages as m
from parlour_server.directory import guests
from parlour_server.directory.identities import hashed
from parlour_server.store import procedures
from parlour_server.store.sqlite.store import SqliteStore

NAMES = [f"player{n}" for n in range(6)]


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A server with six names that have played, of which it keeps two in memory."""
    for module in (guests, procedures):
        monkeypatch.setattr(module, "REMEMBERED", 2)
    path = tmp_path / "parlour.db"
    store = SqliteStore(path)
    people = [identity(name, key=hashed(f"key of {name}"), token=hashed(f"token of {name}")) for name in NAMES]
    seats = [(name, rank, 1) for rank, name in enumerate(NAMES, start=1)]
    await store.commit([*opened(), *people, match("d", *seats, game="fake")])
    await store.close()
    house = House(path)
    await house.node.start()
    yield house
    await house.close()


async def test_who_comes_back_is_known_by_key_and_by_token(house: House) -> None:
    assert len(house.lobby.identities) == 0
    by_key = m.Hello(NAMES[0], "human", key="key of player0")
    for hello in (by_key, m.Hello(NAMES[1], "human", token="token of player1")):
        name = hello.name
        assert (await house.connect(name).ask(hello, m.Welcome)).name == name
        found = house.lobby.identities.by_name(name)
        assert found is not None
        assert found.who == f"id-{name}"
        assert house.lobby.ratings.of(found.who, "fake") is not None
        assert found.who not in house.lobby.identities.unplayed


@pytest.mark.parametrize("name", ["player0", "PLAYER3", "pIayer4"])
async def test_names_of_those_away_are_taken_and_so_are_names_like_them(house: House, name: str) -> None:
    guest = house.connect(name)
    assert (await guest.ask(m.Hello(name, "human"), m.Error)).code == "name_taken"
    assert (await guest.ask(m.Hello("player2", "human", key="another key"), m.Error)).code == "bad_key"


async def test_only_so_many_stay_in_memory_and_a_ban_outlasts_that(house: House) -> None:
    admin = await house.guest("admin")
    await admin.ask(m.Admin("operator", "ban", name=NAMES[5]), m.Ok)
    for name in NAMES[:5]:
        guest = await house.guest(name, key=f"key of {name}")
        await guest.say(m.Ping())
        await house.settled()
        guest.leave()
        await house.settled()
    assert len(house.lobby.identities) == 1 + 2
    guest = house.connect(NAMES[5])
    assert (await guest.ask(m.Hello(NAMES[5], "human", key="key of player5"), m.Error)).code == "banned"


async def test_who_was_just_deleted_is_not_recalled(house: House) -> None:
    guest = await house.guest(NAMES[0], key="key of player0")
    house.store.hold()
    await guest.say(m.Delete("key of player0"))
    other = house.connect(NAMES[0])
    await other.say(m.Hello(NAMES[0], "human"))
    house.store.let_go()
    assert (await other.hear(m.Welcome)).name == NAMES[0]
    found = house.lobby.identities.by_name(NAMES[0])
    assert found is not None
    assert found.who != "id-player0"

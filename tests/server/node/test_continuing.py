"""A finished match goes on in a room for practice on the server that has its file. SPEC.md#continue."""

import json

import pytest
from structlog.testing import capture_logs
from tests.server.matches import play
from tests.server.nodes import Guest, House
from tests.server.store.test_archive import stored
from tests.support.waiting import until

from parlour_protocol import messages as m
from parlour_server import persistence
from parlour_server.game_files.continuation import continuation
from parlour_server.game_files.verify import verify
from parlour_server.node import store_queries
from parlour_server.node.compute import Worker
from parlour_server.rooms.records import game_file

PLAYED = play("uno", 1, trouble=False)
ACTS = sum('"r":"act"' in line for line in PLAYED.lines)
SEATS = len(json.loads(PLAYED.lines[0])["players"])


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let matches be replayed in this process."""

    async def replayed(self: Worker, asked: m.Plain, *_: object) -> m.Plain:
        return continuation(**asked)

    monkeypatch.setattr(Worker, "continuation", replayed)


async def house_bot(house: House, name: str) -> Guest:
    """Return a house bot that can be invited to UNO."""
    bot = house.connect(name)
    await bot.ask(m.Hello(name, "bot", ticket=house.lobby.identities.ticket(name)), m.Welcome)
    await bot.ask(m.OfferBot(["uno"], 8), m.Ok)
    return bot


async def people(house: House, bots: int = SEATS - 1) -> tuple[Guest, list[Guest]]:
    """Return a guest and bots for the other seats; the match is in the store of their node."""
    await house.store.commit(stored(PLAYED))
    house.store.commits.clear()
    return await house.guest("anna"), [await house_bot(house, f"hal{n}") for n in range(bots)]


async def test_a_match_goes_on_for_practice_until_its_end(house: House) -> None:
    anna, bots = await people(house)
    joined = await anna.ask(m.Continue(PLAYED.digest, ACTS, seat=1, id=7), m.Joined)
    code, table = joined.room, joined.table
    assert (joined.re, joined.seat, table["state"], table["private"]) == (7, 1, "playing", True)
    assert (table["fair"]["deal"], table["clock"], table["host"]) == ("chosen", None, "anna")
    assert sorted(row["name"] for row in table["seats"]) == ["anna", *(bot.name for bot in bots)]
    assert all(row["here"] for row in table["seats"])
    by_seat = {row["seat"]: guest for row in table["seats"] for guest in (anna, *bots) if row["name"] == guest.name}
    for bot in bots:
        assert (await bot.hear(m.Joined)).room == code
    while house.lobby.rooms.loaded[code].room.match is not None:
        seat, rid = house.turn(code)
        await by_seat[seat].say(m.Act(code, rid, 0))
        await house.settled()
    over = await anna.hear(m.Over)
    [finished] = [write.match for write in house.written(persistence.SaveMatch)]
    assert (finished.digest, finished.rated) == (over.digest, False)
    assert house.written(persistence.SaveLink) == [], "its deal is no match of the chain"
    lines = await house.store.match_lines(over.digest)
    assert lines is not None
    assert verify([*game_file(lines)], over.digest).ok


async def test_it_is_still_there_after_a_restart(house: House) -> None:
    anna, _ = await people(house)
    joined = await anna.ask(m.Continue(PLAYED.digest, 3), m.Joined)
    await house.settled()
    await house.restart()
    again, welcome = await house.back(anna)
    assert welcome.rooms == [joined.room]
    back = await again.hear(m.Joined)
    assert (back.seat, back.view) == (0, joined.view)


@pytest.mark.parametrize(
    ("act", "seat", "bots", "longest", "code"),
    [
        *((act, seat, SEATS - 1, ACTS * 2, "no_replay") for act, seat in ((0, 0), (99_999, 0), (1, 99), (1, -1))),
        (1, 0, SEATS - 1, 3, "no_replay"),
        (1, 0, SEATS - 2, ACTS * 2, "no_bot"),
    ],
)
async def test_what_does_not_go_on(
    house: House, act: int, seat: int, bots: int, longest: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_queries, "MAX_REPLAYED", longest)
    anna, _ = await people(house, bots)
    refusal = await anna.ask(m.Continue(PLAYED.digest, act, seat, id=7), m.Error)
    assert (refusal.code, refusal.re) == (code, 7)
    assert house.lobby.rooms.loaded == {}


async def test_none_for_who_has_gone_meanwhile(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = await people(house)

    async def replayed(self: Worker, asked: m.Plain, *_: object) -> m.Plain:
        anna.leave()
        return continuation(**asked)

    monkeypatch.setattr(Worker, "continuation", replayed)
    await anna.say(m.Continue(PLAYED.digest, 1))
    with capture_logs() as logs:
        await until(lambda: anna.conn not in house.node.sockets and not house.node.tasks.running)
    assert (house.lobby.rooms.loaded, logs) == ({}, [])

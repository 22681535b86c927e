"""Stored rooms come back: once, in order, and as far as the store lets them."""

import asyncio
from functools import partial

import pytest
from structlog.testing import capture_logs
from tests.server.nodes import House, tick
from tests.support.waiting import PATIENCE

from parlour_games.uno.plugin import Uno
from parlour_protocol import messages as m
from parlour_server.node import node, tasks
from parlour_server.node.room_loader import AT_ONCE
from parlour_server.node.tasks import Slices


async def test_room_is_loaded_once_however_many_come_back(house: House) -> None:
    room, guests = await house.table("anna", "bert", "cleo")
    house.store.hold()
    await house.restart()
    house.store.loads.clear()
    coming = [asyncio.create_task(house.back(guest)) for guest in guests]
    await tick()
    house.store.let_go()
    assert [(await each)[1].rooms for each in coming] == [[room]] * 3
    assert house.store.loads == [room]


async def test_a_house_bot_comes_back_to_a_room_that_is_not_loaded_yet(house: House) -> None:
    anna = await house.guest("anna")
    room = (await anna.ask(m.Create("uno", seats=2), m.Joined)).room
    hal = house.connect("hal")
    await hal.greet(ticket=house.lobby.bots.expect("hal"))
    await hal.ask(m.Join(room), m.Joined)
    house.store.hold()
    await house.restart()
    again = house.connect("hal")
    coming = asyncio.create_task(again.greet(ticket=house.lobby.bots.expect("hal")))
    await tick()
    house.store.let_go()
    assert (await coming).rooms == [room]


async def test_rooms_are_loaded_in_the_background_a_few_at_a_time(house: House) -> None:
    rooms = {(await house.table(f"anna{number}", game="fake"))[0] for number in range(AT_ONCE + 1)}
    house.store.hold()
    house.store.loads.clear()
    await house.restart()
    await tick()
    assert house.store.loads == sorted(rooms)[:AT_ONCE]
    house.store.let_go()
    await asyncio.gather(*house.node.tasks.running)
    assert set(house.lobby.rooms.loaded) == rooms
    assert not house.lobby.rooms.dormant


async def test_broken_room_costs_nobody_else_anything(house: House) -> None:
    broken, guests = await house.table("anna", "bert")
    good, _ = await house.table("cleo", "dora")
    house.store._db.execute("UPDATE recent SET line = '{\"n\":2}' WHERE room = ? AND n = 2", (broken,))
    house.store._db.commit()
    with capture_logs() as logs:
        await house.restart()
        again, welcome = await house.back(guests[0])
        await asyncio.gather(*house.node.tasks.running)
    assert [(entry["event"], entry["room"]) for entry in logs] == [("a stored room cannot be loaded", broken)]
    assert welcome.rooms == []
    assert set(house.lobby.rooms.loaded) == {good}
    await again.ask(m.Create("uno"), m.Joined)


async def test_others_are_served_while_a_room_with_a_long_log_is_loaded(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, (anna, _) = await house.table("anna", "bert")
    paused, go_on = asyncio.Event(), asyncio.Event()

    async def pause(_: float) -> None:
        paused.set()
        await go_on.wait()

    monkeypatch.setattr(tasks, "SLICE", 0)
    monkeypatch.setattr(node, "Slices", partial(Slices, pause=pause))
    await house.restart()
    await asyncio.wait_for(paused.wait(), PATIENCE)
    other, _ = await house.table("cleo", "dora")
    assert set(house.lobby.rooms.loaded) == {other}
    assert room in house.node.loader.loading
    go_on.set()
    assert (await house.back(anna))[1].rooms == [room]


async def test_room_is_loaded_behind_what_it_had_still_to_store(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    room, guests = await house.table("anna", "bert")
    cleo = await house.guest("cleo")
    house.store.hold()
    await cleo.say(m.Create("uno"))
    await house.store.asked(len(house.store.commits) + 1)
    seat, rid = house.turn(room)
    await guests[seat].say(m.Act(room, rid, 0, id=1))
    with monkeypatch.context() as patch, capture_logs() as logs:
        patch.setattr(Uno, "apply", lambda *_: 1 / 0)
        seat, rid = house.turn(room)
        await guests[seat].say(m.Act(room, rid, 0))
    guests[seat].leave()
    again = house.connect(guests[seat].name, guests[seat].token)
    with capture_logs() as more:
        coming = asyncio.create_task(again.greet())
        await asyncio.sleep(0)
        house.store.let_go()
        assert (await coming).rooms == [room]
        assert (await again.hear(m.Turn)).rid == rid
    assert [entry["event"] for entry in logs + more] == ["a fault in a room; it is loaded again"]
    assert cleo.closed is None


async def test_who_asks_for_a_stored_room_while_the_server_stops_does_not_hold_it_up(house: House) -> None:
    room, _ = await house.table("anna", game="fake")
    await house.node.stop(0)
    house.lobby.rooms.discard(room)
    with capture_logs() as logs:
        await asyncio.wait_for(house.node.loader.load(room), PATIENCE)
    assert (room in house.lobby.rooms.loaded, logs) == (False, [])
    house.reopen()

"""When a commit fails nothing of it has happened; when a room fails it is taken up again as it was."""

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs
from tests.server.nodes import Guest, House, tick
from tests.support.waiting import PATIENCE

from parlour_games.uno.plugin import Uno
from parlour_protocol import messages as m
from parlour_protocol.errors import INTERNAL
from parlour_server.store.base import StoreError

TRY_AGAIN = 1013
"""RFC 6455's registry: the server asks the client to come back."""


async def sent_away(guest: Guest, code: str = "retry", close: int = TRY_AGAIN) -> list[m.ServerMessage]:
    """Assert that ``guest`` has been told to come back; return what it was told before."""
    *before, bye = guest.told()
    assert isinstance(bye, m.Bye)
    assert (bye.code, guest.closed) == (code, close)
    return before


async def fail(house: House, error: Exception | None = None) -> None:
    """Let what is not stored yet fail."""
    with capture_logs() as logs:
        house.store.fail(error)
        await house.settled()
    assert [entry["event"] for entry in logs] == ["not stored"]


@pytest.mark.parametrize("error", [None, OSError("gone"), ValueError("a bug")], ids=["full", "OSError", "ValueError"])
async def test_lost_act_is_told_to_nobody_and_can_be_done_again_once(house: House, error: Exception | None) -> None:
    room, guests = await house.table("anna", "bert")
    seat, rid = house.turn(room)
    await guests[seat].say(m.Act(room, rid, 0, id=1))
    await fail(house, error)
    for guest in guests:
        assert await sent_away(guest) == []
    again = [(await house.back(guest))[0] for guest in guests]
    assert [(each.room, each.seat, each.epoch) for each in [await guest.hear(m.Joined) for guest in again]] == [
        (room, number, 2) for number in range(2)
    ]
    turn = await again[seat].hear(m.Turn)
    assert turn.rid == rid
    assert turn.legal is not None
    await again[seat].say(m.Act(room, rid, 0, id=2))
    assert await again[seat].accepted() == {"rid": rid, "act": turn.legal[0], "re": 2}
    repeated = await again[seat].ask(m.Act(room, rid, 0, id=3), m.Ok)
    assert (repeated.rid, repeated.act, repeated.re) == (rid, turn.legal[0], 3)
    assert len(house.lines(room, "act")) == 1


async def test_everything_behind_a_failed_commit_is_lost_with_it(house: House) -> None:
    room, guests = await house.table("anna", "bert")
    seat, rid = house.turn(room)
    house.store.hold()
    await guests[seat].say(m.Act(room, rid, 0))
    await house.store.asked(len(house.store.commits) + 1)
    seat, rid = house.turn(room)
    await guests[seat].say(m.Act(room, rid, 0))
    await guests[0].say(m.Chat(room, "hello"))
    house.store.let_go()
    await fail(house)
    for guest in guests:
        assert await sent_away(guest) == []
    assert not house.lines(room, "act")


async def test_what_comes_from_a_socket_that_was_sent_away_is_not_done(house: House) -> None:
    anna = await house.guest("anna")
    await anna.say(m.Create("uno"))
    await fail(house)
    await anna.say(m.Create("uno"))
    await house.settled()
    await sent_away(anna)
    assert not house.lobby.rooms.loaded


async def test_rooms_that_lost_nothing_go_on(house: House) -> None:
    room, guests = await house.table("anna", "bert")
    other, (cleo, dora) = await house.table("cleo", "dora")
    seat, rid = house.turn(room)
    await guests[seat].say(m.Act(room, rid, 0))
    await fail(house)
    seat, rid = house.turn(other)
    await (cleo, dora)[seat].say(m.Act(other, rid, 0))
    await house.settled()
    for guest in (cleo, dora):
        assert guest.closed is None
        assert guest.told()[0].t in ("update", "turn")
    assert house.lobby.rooms.loaded[other].room.state.epoch == 1
    await asyncio.gather(*house.node.tasks.running)
    assert house.lobby.rooms.loaded[room].room.state.epoch == 2, "it is loaded without being asked for"


async def test_newcomer_who_was_not_stored_can_say_hello_again(house: House) -> None:
    anna = house.connect("anna")
    await anna.say(m.Hello("anna", "human", key="secret"))
    await fail(house)
    assert await sent_away(anna) == []
    anna.leave()
    await house.guest("anna")


async def test_hello_and_what_followed_it_unheard_can_be_said_again(house: House) -> None:
    room, (anna, _) = await house.table("anna", "bert")
    anna.leave()
    again = house.connect("anna")
    house.store.hold()
    await again.say(m.Hello("anna", "human", token=anna.token))
    await again.say(m.Ping())  # counts as the frame that proves that the new token has arrived
    house.store.let_go()
    await fail(house)
    assert await sent_away(again) == []
    again.leave()
    assert (await house.back(anna))[1].rooms == [room]


@pytest.mark.parametrize("do", ["ban", "delete", "close"])
async def test_what_an_operator_does_and_is_not_stored_has_not_happened(house: House, do: Any) -> None:
    room, guests = await house.table("anna", "bert")
    about: dict[str, Any] = {"room": room} if do == "close" else {"name": "bert"}
    await guests[0].say(m.Admin("operator", do, **about))
    await fail(house)
    for guest in guests:
        assert (await house.back(guest))[1].rooms == [room]


async def test_room_that_was_not_stored_is_not_there(house: House) -> None:
    anna = await house.guest("anna")
    await anna.say(m.Create("uno"))
    await fail(house)
    assert await sent_away(anna) == []
    assert not house.lobby.rooms.dormant
    anna, welcome = await house.back(anna)
    assert welcome.rooms == []
    assert (await anna.ask(m.List(), m.Rooms)).rooms == []
    await anna.ask(m.Create("uno"), m.Joined)


async def test_seat_that_was_not_stored_is_neither_taken_nor_lost(house: House) -> None:
    anna, bert = await house.guest("anna"), await house.guest("bert")
    room = (await anna.ask(m.Create("uno", seats=2), m.Joined)).room
    await bert.say(m.Join(room))
    await fail(house)
    bert, welcome = await house.back(bert)
    assert welcome.rooms == []
    assert (await bert.ask(m.Join(room), m.Joined)).seat == 1
    await bert.say(m.Leave(room))
    await fail(house)
    assert (await house.back(bert))[1].rooms == [room]


async def test_spectators_come_back_too(house: House) -> None:
    room, guests = await house.table("anna", "bert")
    cleo = await house.guest("cleo")
    await cleo.ask(m.Join(room, "spectator"), m.Joined)
    seat, rid = house.turn(room)
    await guests[seat].say(m.Act(room, rid, 0))
    await fail(house)
    await sent_away(cleo)
    fresh = house.connect("cleo", cleo.token)  # before the server has seen the old socket close
    await fresh.greet()
    cleo.leave()
    assert (await fresh.ask(m.Join(room, "spectator"), m.Joined)).epoch == 2


@pytest.mark.parametrize("message", [m.File("00" * 32), m.Standings(), m.Profile()])
async def test_lost_question_is_not_left_unanswered(house: House, message: m.ClientMessage) -> None:
    anna = await house.guest("anna")
    bert = house.connect("bert")
    house.store.hold()
    await bert.say(m.Hello("bert", "human"))
    asking = asyncio.create_task(anna.say(message))
    await tick()
    house.store.let_go()
    await fail(house)
    await asyncio.wait_for(asking, PATIENCE)
    assert await sent_away(anna) == []


@pytest.mark.parametrize("message", [m.File("00" * 32, id=7), m.Standings(id=7)])
async def test_reading_that_fails_is_answered(house: House, message: m.ClientMessage) -> None:
    anna = await house.guest("anna")
    for table in ("match", "standing"):
        house.store._db.execute(f"DROP TABLE {table}")
    with capture_logs() as logs:
        error = await anna.ask(message, m.Error)
    assert (error.code, error.re) == ("retry", 7)
    assert error.retry_after
    assert [entry["event"] for entry in logs] == ["not read"]


async def test_stop_that_was_not_stored_still_stops(house: House) -> None:
    anna, bert = await house.guest("anna"), house.connect("bert")
    await bert.say(m.Hello("bert", "human"))
    await anna.say(m.Admin("operator", "drain"))
    await fail(house)
    assert house.node.stopping.is_set()


async def test_store_that_fails_for_long_loses_nobody(house: House) -> None:
    room, guests = await house.table("anna", "bert")
    seat, rid = house.turn(room)
    await guests[seat].say(m.Act(room, rid, 0))
    house.store.load_failures += [StoreError("the disk is full")] * 3
    await fail(house)
    again = house.connect(guests[seat].name, guests[seat].token)
    with capture_logs():
        for _ in range(3):
            error = await again.ask(m.Hello(again.name, "human", token=again.token, id=7), m.Error)
            assert (error.code, error.re) == ("retry", 7)
            assert error.retry_after
    assert (await again.greet()).rooms == [room]
    assert (await again.hear(m.Turn)).rid == rid


async def test_fault_in_a_room_takes_it_up_as_it_was(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    room, guests = await house.table("anna", "bert")
    other, (cleo, _) = await house.table("cleo", "dora")
    seat, rid = house.turn(room)
    secret = house.lobby.rooms.loaded[room].room.match.begun.secret  # type: ignore[union-attr]

    def apply(*_: object) -> None:
        raise ZeroDivisionError(f"the hand is {secret}")

    with monkeypatch.context() as patch, capture_logs() as logs:
        patch.setattr(Uno, "apply", apply)
        await guests[seat].say(m.Act(room, rid, 0))
        await house.settled()
    [entry] = logs
    assert (entry["room"], entry["error"], entry["where"].partition(":")[0]) == (
        room,
        "ZeroDivisionError",
        __name__.rpartition(".")[2] + ".py",
    )
    assert secret not in str(logs)
    for number, guest in enumerate(guests):
        errors = [each.code for each in await sent_away(guest, "internal", INTERNAL) if isinstance(each, m.Error)]
        assert errors == (["internal"] if number == seat else []), "only who asked gets an answer"
    again = [(await house.back(guest))[0] for guest in guests]
    assert (await again[seat].hear(m.Turn)).rid == rid
    await again[seat].say(m.Act(room, rid, 0))
    assert (await again[seat].accepted())["rid"] == rid
    assert cleo.closed is None
    assert house.lobby.rooms.loaded[other].room.state.epoch == 1


async def test_fault_while_a_room_wakes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    room, guests = await house.table("anna", "bert", clock={"bank": 1_000, "add": 0})
    seat, rid = house.turn(room)
    with monkeypatch.context() as patch, capture_logs():
        patch.setattr(Uno, "default_action", lambda *_: 1 / 0)
        house.time += 10
        house.node.queue.put(house.lobby.wake(room, house.node.queue.now()))
        await house.settled()
    for guest in guests:
        await sent_away(guest, "internal", INTERNAL)
    again = [(await house.back(guest))[0] for guest in guests]
    assert (await again[seat].hear(m.Turn)).rid == rid


async def test_computation_for_a_room_that_was_lost_does_no_harm(house: House) -> None:
    room, (anna, _) = await house.table("anna", "bert", game="fake")
    _, rid = house.turn(room)
    house.store.hold()
    await anna.say(m.Act(room, rid, {"do": "make"}))
    house.lobby.rooms.discard(room)
    house.store.let_go()
    await fail(house)
    await asyncio.gather(*house.node.tasks.running)
    anna, welcome = await house.back(anna)
    assert welcome.rooms == [room]
    assert (await anna.hear(m.Turn)).rid == rid

"""Games that raise: whoever asks is answered, and a room that would fail for ever is closed with its log kept.

Rooms of games and versions that a server does not know stay in the store, open, for a server that knows them.
"""

from typing import Any

import pytest
from structlog.testing import capture_logs
from tests.nodes.in_process import cluster
from tests.server.nodes import Guest, House, tick
from tests.server.rooms.fake import Fake
from tests.support.sockets import open_socket

from parlour_protocol import messages as m
from parlour_server.lobby.lobby import Lobby
from parlour_server.metrics import FAULTS
from parlour_server.rooms.records import ROOM_VERSION

IN_A_STEP = ("apply", "decisions", "legal", "note_time", "outcome", "pending", "redact", "view")
"""Methods that every step of a match calls."""
ROUNDS = 4
"""Failures within which a room has to be closed: a method may fail at two places, each twice."""


def fail(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError("a secret card")


async def attempt(house: House, guest: Guest, room: str, do: str = "take") -> list[m.ServerMessage]:
    """Come back and make a move; return everything that was said."""
    again = house.connect(guest.name, guest.token)
    await again.say(m.Hello(guest.name, "human", token=guest.token))
    await house.settled()
    told = again.told()
    guest.token = next((each.token for each in told if isinstance(each, m.Welcome)), guest.token)
    if again.closed is None and room in house.lobby.rooms.loaded:
        _, rid = house.turn(room)
        await again.say(m.Act(room, rid, {"do": do, **({"cell": 1} if do == "take" else {})}, id=1))
        await tick()  # a computation may follow
        await house.settled()
        told += again.told()
    if again.closed is None:
        again.leave()
    return told


def stored(house: House, room: str) -> tuple[int, int]:
    """Return whether a room is open in the store, and how many lines it has."""
    [(is_open,)] = house.store._db.execute("SELECT open FROM room WHERE code = ?", (room,))
    return is_open, len(house.lines(room))


@pytest.mark.parametrize(
    ("method", "do"), [*((method, "take") for method in IN_A_STEP), ("canonical", "end"), ("settle", "make")]
)
async def test_room_whose_game_fails_again_and_again_is_closed(
    house: House, method: str, do: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, [anna] = await house.table("anna", game="fake")
    before = stored(house, room)[1]
    with capture_logs() as logs, monkeypatch.context() as patch:
        patch.setattr(Fake, method, fail)
        anna.leave()
        rounds = [await attempt(house, anna, room, do)]
        while stored(house, room)[0] and len(rounds) < ROUNDS:
            rounds.append(await attempt(house, anna, room, do))
    assert all(isinstance(told[0], m.Welcome) for told in rounds)
    assert "internal" in [each.code for each in rounds[0] if isinstance(each, m.Error | m.Bye)]
    left = [each.why for each in rounds[-1] if isinstance(each, m.Left)]
    assert left == ["aborted"] or method != "apply", "those inside are told"
    assert stored(house, room)[0] == 0
    await house.store.prune(2**40, "")
    assert stored(house, room)[1] > before
    assert room not in house.lobby.rooms.loaded.keys() | house.lobby.rooms.dormant
    assert "secret card" not in repr(logs)
    faults = [entry["event"] for entry in logs if entry["log_level"] == "error"]
    assert [("closed" in event) for event in faults] == [False] * (len(faults) - 1) + [True]
    assert house.node._metrics._counts[FAULTS]["room",] == len(faults)
    again, welcome = await house.back(anna)
    assert welcome.rooms == []
    await again.ask(m.Create("fake", seats=1), m.Joined)


@pytest.mark.parametrize("method", ["seats", "start", "Options"])
async def test_room_that_cannot_be_opened_or_begin_is_refused(
    house: House, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await house.guest("anna")
    with capture_logs() as logs, monkeypatch.context() as patch:
        patch.setattr(Fake, method, fail)
        refused = await anna.ask(m.Create("fake", {"breath": 1}, seats=1, start="full", id=5), m.Error)
        assert (refused.code, refused.re) == ("internal", 5)
        await house.settled()
    assert len(logs) == 1
    again, _ = await house.back(anna)
    await again.ask(m.Create("fake", seats=1, start="full", id=6), m.Turn)


async def test_room_that_fails_at_different_places_goes_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    room, [anna] = await house.table("anna", game="fake")
    for _ in range(3):
        with capture_logs(), monkeypatch.context() as patch:
            patch.setattr(Fake, "apply", fail)
            await attempt(house, anna, room)
        assert any(isinstance(each, m.Update | m.Turn) for each in await attempt(house, anna, room))
    assert stored(house, room)[0] == 1


async def test_room_whose_log_makes_its_game_fail_is_closed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    room, [anna] = await house.table("anna", game="fake")
    await attempt(house, anna, room)
    monkeypatch.setattr(Fake, "apply", fail)
    with capture_logs() as logs:
        await house.restart()
        await house.node.loader.load(room)
        await house.settled()
        assert (await house.back(anna))[1].rooms == []
    assert [(entry["room"], entry["error"]) for entry in logs] == [(room, "ZeroDivisionError")]
    is_open, lines = stored(house, room)
    assert not is_open, "no node loads it again"
    assert lines > 3


async def test_what_fails_between_requests_is_reported(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lobby, "take", fail)
    with capture_logs() as logs:
        house.node.sweep()
        house.node._wake("K7QD")
    assert [entry["error"] for entry in logs] == ["ZeroDivisionError"] * 2
    assert house.node._metrics._counts[FAULTS]["task",] == 2
    monkeypatch.undo()
    house.node.sweep()
    await house.guest("anna")


async def test_room_of_a_game_that_is_not_installed_waits_for_it(house: House) -> None:
    room, [anna] = await house.table("anna", game="fake")
    with capture_logs() as logs:
        await house.restart()
        fake = house.lobby.games.pop("fake")
        assert (await house.back(anna))[1].rooms == []
        guest = await house.guest("bert")
        refused = await guest.ask(m.Join(room), m.Error)
    assert refused.code == "retry"
    assert "fake" in refused.msg
    assert [entry["room"] for entry in logs] == [room]
    assert stored(house, room)[0] == 1
    await house.restart()
    house.lobby.games["fake"] = fake
    assert (await house.back(anna))[1].rooms == [room]


NEWER = {
    "room": (f'"room":{ROOM_VERSION}', f'"a field of later":1,"room":{ROOM_VERSION + 1}'),
    "opened": (f'"version":{ROOM_VERSION}', f'"version":{ROOM_VERSION + 1}'),
    "rules": ('"rules":1', '"rules":2'),
}
"""What another version of parlour writes differently."""


class SecondFake(Fake):
    """The next version of a game."""

    rules_version = 2

    def under(self, version: int) -> Fake | None:
        return {1: Fake(), 2: self}.get(version)


@pytest.mark.parametrize("where", NEWER)
async def test_room_of_a_newer_version_waits_for_a_server_that_knows_it(
    house: House, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    load, (old, new) = house.store.load, NEWER[where]

    async def load_newer(room: str) -> tuple[int, list[str]]:
        epoch, lines = await load(room)
        return epoch, [line.replace(old, new) for line in lines]

    room, [anna] = await house.table("anna", game="fake")
    before = stored(house, room)
    monkeypatch.setattr(house.store, "load", load_newer)
    with capture_logs() as logs:
        for _ in range(3):
            await house.restart()
            assert (await house.back(anna))[1].rooms == []
            refused = await (await house.guest("bert")).ask(m.Join(room, id=5), m.Error)
            assert (refused.code, refused.re) == ("retry", 5)
            assert refused.retry_after
    assert stored(house, room) == before
    needed = 2 if where == "rules" else ROOM_VERSION + 1
    assert [f"version {needed} " in entry["reason"] for entry in logs] == [True] * 3
    monkeypatch.undo()
    await house.restart()
    assert (await house.back(anna))[1].rooms == [room]


@pytest.mark.parametrize("over", [False, True])
async def test_room_of_rules_that_a_game_has_dropped_waits_for_them(
    house: House, over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, [anna] = await house.table("anna", game="fake")
    if over:
        await anna.ask(m.Act(room, house.turn(room)[1], {"do": "end"}), m.Over)
    monkeypatch.setattr(Fake, "rules_version", 2)
    with capture_logs() as logs:
        await house.restart()
        assert (await house.back(anna))[1].rooms == []
    assert ["version 1 " in entry["reason"] for entry in logs] == [True]
    assert stored(house, room)[0] == 1
    monkeypatch.undo()
    await house.restart()
    assert (await house.back(anna))[1].rooms == [room]


async def test_newer_node_takes_a_room_that_an_older_one_does_not_know() -> None:
    async with cluster("older", "newer", "upgraded") as nodes:
        for name in ("newer", "upgraded"):
            nodes[name].lobby.games["fake"] = SecondFake()
        async with open_socket(nodes["newer"].url) as anna:
            token = (await anna.hello("anna"))["token"]
            room = (await anna.ask("create", "joined", game="fake", seats=1, start="full"))["room"]
        await nodes.kill("newer")
        with capture_logs() as logs:
            await nodes["older"].heartbeat()
            await nodes["older"].heartbeat()
        assert ["version 2 " in each["reason"] for each in logs if "reason" in each] == [True]
        async with open_socket(nodes["older"].url) as bert:
            await bert.hello("bert")
            assert (await bert.ask("join", "error", room=room))["code"] == "retry"
            assert nodes.shared.rooms[room].open
            async with open_socket(nodes["upgraded"].url) as back:
                assert (await back.hello("anna", token=token))["rooms"] == [room]
                await nodes.heartbeat()
                await bert.ask("join", "joined", room=room, **{"as": "spectator"})

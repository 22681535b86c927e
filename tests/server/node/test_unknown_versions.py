"""Rooms of versions that a server does not know: they stay in the store, open, for a server that knows them."""

from typing import Any

import pytest
from structlog.testing import capture_logs
from tests.nodes.in_process import cluster
from tests.server.node.test_broken_games import stored
from tests.server.nodes import House
from tests.server.rooms.fake import Fake
from tests.support.sockets import open_socket

from parlour_protocol import messages as m
from parlour_server.rooms.records import ROOM_VERSION

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
            turn = await anna.until("turn")
            await anna.ask("act", "turn", room=room, rid=turn["rid"], act={"do": "take", "cell": 1})
            await nodes.kill("newer")
        with capture_logs() as logs:
            await nodes["older"].heartbeat()
            await nodes["older"].heartbeat()
        assert ["version 2 " in each["reason"] for each in logs if "reason" in each] == [True]
        async with open_socket(nodes["older"].url) as bert:
            await bert.hello("bert")
            refused: dict[str, Any] = await bert.ask("join", "error", room=room)
            assert refused["code"] == "retry"
            assert nodes.shared.rooms[room].open
            async with open_socket(nodes["upgraded"].url) as back:
                assert (await back.hello("anna", token=token))["rooms"] == [room]
                await nodes.heartbeat()
                await bert.ask("join", "joined", room=room, **{"as": "spectator"})

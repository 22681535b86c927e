"""Killing a node of an in-process cluster releases everyone who waits there."""

import asyncio

import pytest
from tests.nodes.in_process import cluster, hold_lookups
from tests.support.receiver import receiving
from tests.support.sockets import open_socket
from tests.support.waiting import PATIENCE, limit, until

from parlour_server.directory import guests
from parlour_server.node.node import Node
from parlour_server.persistence import Rated, SaveIdentity
from parlour_server.rooms.timers import AWAY
from parlour_server.settings import ServerSettings


async def test_node_can_be_killed_during_a_lookup() -> None:
    async with cluster("one", "two") as nodes, open_socket(nodes["two"].url) as socket:
        token = (await socket.hello("anna"))["token"]
        await socket.ask("create", "joined", game="uno", seats=2)
        asked = hold_lookups(nodes["one"].store)
        async with open_socket(nodes["one"].url) as other:
            await other.send("hello", name="anna", kind="human", token=token)
            answered = await asked.get()
            killing = asyncio.create_task(nodes.kill("one"))
            await asyncio.sleep(0)  # lets the kill begin
            answered.set()
            async with limit(PATIENCE, "the end of the node"):
                await killing


async def test_of_two_nodes_one_notifies_a_player_of_a_turn() -> None:
    async with receiving() as receiver, cluster("one", "two", settings=allowed(receiver.host)) as nodes:
        async with open_socket(nodes["two"].url) as anna, open_socket(nodes["one"].url) as bert:
            for socket, name, key in ((anna, "anna", "ab" * 32), (bert, "bert", "cd" * 32)):
                await socket.hello(name, key=key)
                await socket.ask("webhook", "webhook", do="set", url=receiver.url)
            clock = {"bank": 0, "add": 86_400_000}
            room = (await anna.ask("create", "joined", game="uno", seats=2, clock=clock, standin=False))["room"]
            await nodes.heartbeat()
            await bert.ask("join", "joined", room=room)
            await anna.ask("start", "ok", room=room)
        await later(nodes["two"].node, room)
        request = await receiver.received()
        assert request.json["room"] == room
        await nodes.kill("two")
        await nodes.heartbeat()
        for _ in range(2):
            await later(nodes["one"].node, room)
        assert receiver.requests.empty()
        assert len(nodes.shared.turns) == 1


def allowed(host: str) -> ServerSettings:
    return ServerSettings(webhooks=True, webhook_host=(host,))


async def later(node: Node, room: str) -> None:
    """Let a room wake up when its players have been away for long enough, and all webhooks be called."""
    audience = node.lobby.rooms.loaded[room].room.audience
    await until(lambda: not audience.here)
    node.queue.put(node.lobby.wake(room, node.queue.now() + 2 * AWAY))
    await node.queue.settled()
    await asyncio.gather(*node.tasks.running)


async def test_node_that_reads_an_identity_reads_its_rating_too() -> None:
    async with cluster("one", "two") as nodes:
        async with open_socket(nodes["one"].url) as socket:
            await socket.hello("anna")
            [who] = nodes.shared.identities
        nodes.shared.ratings = [Rated(who, "uno", 1_600)]
        async with open_socket(nodes["two"].url) as socket:
            await socket.ask("hello", "error", name="anna", kind="human")
        assert nodes["two"].lobby.ratings.of(who, "uno") == 1_600


async def test_name_that_looks_like_one_of_another_node_is_taken() -> None:
    async with cluster("one", "two") as nodes, open_socket(nodes["one"].url) as cleo:
        await cleo.hello("cleo")
        async with open_socket(nodes["two"].url) as socket:
            assert (await socket.ask("hello", "error", name="C1EO", kind="human"))["code"] == "name_taken"


async def test_node_keeps_few_of_those_in_memory_whom_it_has_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "REMEMBERED", 2)
    async with cluster("one") as nodes:
        names = [f"player{n}" for n in range(5)]
        for name in names:
            saved = SaveIdentity(f"id-{name}", name, "human", None, None, f"key of {name}")
            nodes.shared.identities[saved.who], nodes.shared.versions[saved.who] = saved, 1
        for name in names:
            async with open_socket(nodes["one"].url) as socket:
                await socket.ask("hello", "error", name=name, kind="human")
        assert [name for name in names if nodes["one"].lobby.identities.by_name(name)] == names[-2:]

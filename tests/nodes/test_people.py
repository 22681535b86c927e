"""People of several nodes: names, ratings and webhooks, coming back, and requests whose answer was lost."""

import asyncio
import os

import pytest
from tests.nodes.in_process import cluster, hold_commit, hold_lookups
from tests.nodes.test_redirect import hear
from tests.support.receiver import receiving
from tests.support.sockets import open_socket
from tests.support.waiting import PATIENCE, limit, until

from parlour_client.core.connection import Connection
from parlour_client.core.session import Session
from parlour_protocol.messages import Chat, Create, Joined, Ok, Welcome
from parlour_server.directory import guests
from parlour_server.directory.sessions import SILENT
from parlour_server.node.node import Node
from parlour_server.persistence import Rated, SaveIdentity, SaveRoom
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
    async with (
        receiving() as receiver,
        cluster("one", "two", settings=ServerSettings(webhooks=True, webhook_host=(receiver.host,))) as nodes,
    ):
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


async def later(node: Node, room: str) -> None:
    """Let a room wake up when its players have been away for long enough, and all webhooks be called."""
    audience = node.lobby.rooms.loaded[room].room.audience
    await until(lambda: not audience.here)
    node.queue.put(node.lobby.wake(room, node.queue.now() + 2 * AWAY))
    await node.queue.settled()
    await asyncio.gather(*node.tasks.running)


async def test_name_that_looks_like_one_of_another_node_is_taken_and_read_with_its_rating() -> None:
    async with cluster("one", "two") as nodes, open_socket(nodes["one"].url) as cleo:
        await cleo.hello("cleo")
        [who] = nodes.shared.identities
        nodes.shared.ratings = [Rated(who, "uno", 1_600)]
        async with open_socket(nodes["two"].url) as socket:
            assert (await socket.ask("hello", "error", name="C1EO", kind="human"))["code"] == "name_taken"
        assert nodes["two"].lobby.ratings.of(who, "uno") == 1_600


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


async def test_delayed_hello_of_a_closed_socket_does_not_replace_a_newer_one() -> None:
    async with cluster("one") as at, open_socket(at["one"].url) as first, open_socket(at["one"].url) as late:
        token = (await first.hello("anna"))["token"]
        asked = hold_lookups(at["one"].store, 2)
        await late.send("hello", name="anna", kind="human", token=token)
        release = await asked.get()
        async with open_socket(at["one"].url) as newer:
            await newer.send("hello", name="anna", kind="human", token=token)
            (await asked.get()).set()
            await newer.until("welcome")
            late.ws.transport.abort()
            await until(lambda: sum(link.is_open for link in at["one"].gateway._sockets) == 1)
            release.set()
            await until(lambda: len(at["one"].lobby.connections.sessions) == 1)
            assert await newer.ask("ping", "pong") == {"t": "pong"}


async def test_token_of_a_newer_hello_elsewhere_survives_a_hello_that_is_stored_late() -> None:
    async with cluster("one", "two") as at:
        async with open_socket(at["one"].url) as first:
            token = (await first.hello("anna"))["token"]
            assert await first.ask("ping", "pong")
        held = hold_commit(at["one"].store, SaveIdentity)
        async with open_socket(at["one"].url) as unanswered:
            await unanswered.send("hello", name="anna", kind="human", token=token)
            release = await held.get()
        async with open_socket(at["two"].url) as elsewhere:
            token = (await elsewhere.hello("anna", token=token))["token"]
            assert await elsewhere.ask("ping", "pong")
        async with open_socket(at["one"].url) as early:
            asked = hold_lookups(at["one"].store)
            await early.send("hello", name="anna", kind="human", token=token)
            (await asked.get()).set()
            release.set()
            token = (await early.receive())["token"]
        for name in ("one", "two"):
            async with open_socket(at[name].url) as again:
                await again.hello("anna", token=token)


async def test_player_whose_create_was_stored_late_stays_in_the_second_room() -> None:
    async with cluster("one", "two") as at:
        create = Create("fake", seats=2)
        anna = Session("anna", entropy=os.urandom, can=("redirect",), only=create)
        held = hold_commit(at["one"].store, SaveRoom)
        async with Connection(at["one"].url, anna) as first:
            await hear(first, Welcome)
            await first.send(create)
            stored = await held.get()
        async with Connection(at["two"].url, anna) as second:
            joined = await hear(second, Joined)
        stored.set()
        await at["one"].node.queue.settled()
        async with Connection(at["one"].url, anna) as third:
            welcome = await hear(third, Welcome)
            assert len(welcome.rooms) == 2
            back = await hear(third, Joined)
            assert (back.room, back.why) == (joined.room, "resume")
            await third.send(Chat(joined.room, "hello"))
            ok = await hear(third, Ok)
            assert ok.room == joined.room


async def test_greeting_client_is_not_disconnected_while_the_store_is_slow() -> None:
    async with cluster("one") as nodes, open_socket(nodes["one"].url) as socket:
        asked, node = hold_lookups(nodes["one"].store), nodes["one"].node
        await socket.send("hello", name="anna", kind="human")
        answered = await asked.get()
        node.queue.put(node.lobby.sweep(node.queue.now() + SILENT + 1))
        answered.set()
        assert (await socket.receive())["t"] == "welcome"
        [session] = node.lobby.connections.sessions.values()
        assert not session.greeting

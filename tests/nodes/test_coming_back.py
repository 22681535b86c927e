"""Reconnecting to another node: seats, names, and requests whose answer was lost."""

import os

from tests.nodes.in_process import cluster, hold_commit, hold_lookups
from tests.nodes.test_redirect import hear
from tests.support.sockets import open_socket
from tests.support.waiting import until

from parlour_client.core.connection import Connection
from parlour_client.core.session import Session
from parlour_protocol.messages import Chat, Create, Joined, Ok, Welcome
from parlour_server.directory.sessions import SILENT
from parlour_server.persistence import SaveIdentity, SaveRoom


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

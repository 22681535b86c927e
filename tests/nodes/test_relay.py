"""Relays: a node passes all messages of a room at another node on, in both directions."""

import asyncio
import gc
import random
import weakref
from typing import Any

import pytest
from tests.nodes.in_process import cluster, hosted
from tests.nodes.test_redirect import UNO
from tests.support.sockets import Map, Socket, open_socket
from tests.support.waiting import PATIENCE, limit, until
from websockets.asyncio import client
from websockets.asyncio.client import ClientConnection, connect

from parlour_protocol.codec import SUBPROTOCOLS


@pytest.mark.parametrize("subprotocol", SUBPROTOCOLS)
async def test_relayed_player_gets_one_answer_per_request(subprotocol: str) -> None:
    async with hosted("one", "two") as (at, anna, room), open_socket(at["two"].url, subprotocol) as bert:
        await bert.hello("bert")
        await bert.send("join", room=room.lower(), id=1)
        joined = await bert.receive()
        assert (joined["t"], joined["re"], joined["seat"], joined["epoch"]) == ("joined", 1, 1, 1)
        assert (await anna.until("seats"))["table"]["seats"][1]["name"] == "bert"
        await bert.send("chat", room=room, text="hello", id=2)
        assert await bert.until("ok") == {"t": "ok", "re": 2, "room": room}
        assert (await anna.until("chat"))["text"] == "hello"
        error = await bert.ask("start", "error", room=room, id=3)
        assert (error["re"], error["code"]) == (3, "not_host")
        await bert.send("leave", room=room, id=4)
        assert await bert.until("left") == {"t": "left", "re": 4, "room": room, "why": "left"}
        assert (await bert.ask("chat", "error", room=room, text="?"))["code"] == "not_here"
        await bert.ask("join", "joined", room=room, **{"as": "spectator"})
        await bert.send("handover", room=room, seat=0, id=5)
        assert await bert.until("ok") == {"t": "ok", "re": 5, "room": room}
        await anna.send("handover", room=room, to="bert")
        await anna.until("ok")
        assert (await bert.until("joined"))["seat"] == 0


async def test_ended_relay_is_freed_without_garbage_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[weakref.ref[Any]] = []

    async def noted(*args: Any, **options: Any) -> ClientConnection:
        socket = await connect(*args, **options)
        opened.extend([weakref.ref(socket), weakref.ref(socket.protocol)])
        return socket

    monkeypatch.setattr(client, "connect", noted)
    async with hosted("one", "two") as (at, _, room), open_socket(at["two"].url) as bert:
        await bert.hello("bert")
        gc.disable()
        try:
            await bert.ask("join", "joined", room=room)
            await bert.ask("leave", "left", room=room)
            assert len(opened) == 2
            await until(lambda: all(each() is None for each in opened))
        finally:
            gc.enable()


async def test_unknown_codes_are_refused_and_rate_limited() -> None:
    async with cluster("one", "two", clock=lambda: 0.0) as at, open_socket(at["two"].url) as bert:
        await bert.hello("bert")
        codes = [(await bert.ask("join", "error", room="CDFG", id=number))["code"] for number in range(12)]
        assert codes[0] == "no_room"
        assert codes[-1] == "rate_limited"
        assert not at["two"].lobby.rooms.dormant


async def test_seat_is_resumed_from_any_node() -> None:
    async with cluster("one", "two") as at, open_socket(at["one"].url) as anna:
        token = (await anna.hello("anna"))["token"]
        room = (await anna.ask("create", "joined", game="fake", seats=2))["room"]
        async with open_socket(at["two"].url) as again:
            assert (await again.hello("anna", token=token))["rooms"] == [room]
            joined = await again.until("joined")
            assert (joined["seat"], joined["why"]) == (0, "resume")
            await at.heartbeat()
            assert await anna.closed() == 4001
            await again.send("chat", room=room, text="still here", id=1)
            assert (await again.until("ok"))["re"] == 1


async def test_token_rotated_at_one_node_is_refused_at_the_other() -> None:
    async with cluster("one", "two") as at, open_socket(at["one"].url) as anna, open_socket(at["two"].url) as again:
        first = (await anna.hello("anna"))["token"]
        await anna.ask("ping", "pong")
        second = (await again.hello("anna", token=first))["token"]
        await again.ask("ping", "pong")
        async with open_socket(at["one"].url) as late:
            await late.send("hello", name="anna", kind="human", token=first)
            assert (await late.receive())["code"] == "bad_token"
            await late.send("hello", name="anna", kind="human")
            assert (await late.receive())["code"] == "name_taken"
            assert (await late.hello("anna", token=second))["name"] == "anna"


async def played(socket: Socket, room: str, seed: int) -> Map:
    """Answer every turn like the minimal bot until the match is over."""
    rng = random.Random(seed)
    async with limit(PATIENCE * 6, "the end of the match"):
        while (message := await socket.receive())["t"] != "over":
            if message["t"] == "turn":
                await socket.send("act", room=room, rid=message["rid"], act=rng.randrange(len(message["legal"])))
    return message


async def test_relayed_player_plays_on_when_the_owner_dies() -> None:
    async with (
        hosted("one", "two", "three", **UNO) as (at, host, room),
        open_socket(at["two"].url) as bert,
        open_socket(at["three"].url) as cleo,
    ):
        for socket, name in ((bert, "bert"), (cleo, "cleo")):
            await socket.hello(name)
            await socket.ask("join", "joined", room=room)
        await host.ask("start", "ok", room=room)
        for socket in (bert, cleo):
            await socket.until("turn", "update")
        await at.kill("one")
        await at["two"].heartbeat()
        back = [await socket.until("joined") for socket in (bert, cleo)]
        assert [(each["seat"], each["epoch"]) for each in back] == [(0, 2), (1, 2)]
        ends = await asyncio.gather(played(bert, room, 1), played(cleo, room, 2))
        assert ends[0]["digest"] == ends[1]["digest"]
        assert not at["two"].lobby.connections.sides.get(("", ""))


@pytest.mark.parametrize("heir", ["two", "three"])
async def test_client_does_not_wait_for_a_frozen_owner(heir: str) -> None:
    async with hosted("one", "two", "three") as (at, _, room), open_socket(at["two"].url) as bert:
        await bert.hello("bert")
        assert (await bert.ask("join", "joined", room=room))["epoch"] == 1
        at.shared.die("one")  # its sockets stay open and silent
        await at[heir].heartbeat()
        await at["two"].heartbeat()
        back = await bert.until("joined")
        assert (back["epoch"], back["seat"], room in at[heir].lobby.rooms.loaded) == (2, 1, True)
        assert (await bert.ask("chat", "ok", room=room, text="hello"))["room"] == room


async def test_requests_while_the_owner_is_lost_get_retry_once() -> None:
    async with hosted("one", "two") as (at, _, room), open_socket(at["two"].url) as bert:
        await bert.hello("bert")
        await bert.ask("join", "joined", room=room)
        living = at.shared.living["one"]
        await at.kill("one")
        at.shared.living["one"] = living  # its lease has not ended yet
        relays = at["two"].node.routing
        assert relays is not None
        [relay] = relays.relays._relays.values()
        await until(lambda: relay._lost)
        error = await bert.ask("chat", "error", room=room, text="anybody?", id=7)
        assert (error["re"], error["code"], error["room"]) == (7, "retry", room)
        at.shared.die("one")
        joined = await bert.until("joined")
        assert (joined["seat"], joined["epoch"]) == (1, 2)
        await bert.send("chat", room=room, text="me", id=8)
        assert (await bert.until("ok"))["re"] == 8


async def test_lists_span_nodes_and_a_bot_of_another_node_can_be_invited() -> None:
    async with hosted("one", "two") as (at, anna, room), open_socket(at["two"].url) as otto:
        await anna.ask("create", "joined", game="fake", private=True)
        await otto.hello("otto", "bot")
        await otto.ask("offer", "ok", games=["fake"], max=1)
        await at.heartbeat()
        rows = (await otto.ask("list", "rooms"))["rooms"]
        assert [(row["room"], row["host"]) for row in rows] == [(room, "anna")]
        assert (await anna.ask("list", "rooms"))["bots"] == [{"name": "otto", "games": ["fake"], "free": 1}]
        assert (await anna.ask("invite", "ok", room=room, bot="otto", id=1))["seat"] == 1
        await at.heartbeat()
        joined = await otto.until("joined")
        assert (joined["room"], joined["seat"], joined["why"]) == (room, 1, "invited")
        await at.heartbeat()
        assert (await anna.ask("list", "rooms"))["bots"][0]["free"] == 0

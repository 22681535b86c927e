"""Redirects to the owner of a room: the client's connection follows them transparently."""

import asyncio
import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

import pytest
from tests.nodes.in_process import cluster, hosted
from tests.support.sockets import open_socket
from tests.support.waiting import PATIENCE, limit, until

from parlour_client.core.connection import Connection
from parlour_client.core.session import Session
from parlour_protocol.messages import (
    Act,
    Chat,
    Create,
    Join,
    Joined,
    Leave,
    Left,
    Ok,
    Over,
    Redirect,
    ServerMessage,
    Turn,
    Welcome,
)

MessageT = TypeVar("MessageT", bound=ServerMessage)
UNO = {"game": "uno", "options": {"scoring": "single", "breath": 0}, "seats": 2, "clock": None, "as": "spectator"}


@asynccontextmanager
async def client(url: str, name: str) -> AsyncIterator[Connection]:
    async with Connection(url, Session(name, "bot", entropy=os.urandom, can=("redirect",))) as connection:
        yield connection


async def hear(connection: Connection, cls: type[MessageT]) -> MessageT:
    """Return the next message of a class; skip others."""
    async with limit(PATIENCE, str(cls)):
        async for message in connection:
            assert not isinstance(message, Redirect)
            if isinstance(message, cls):
                return message
    raise AssertionError(f"no {cls} has come")


async def playing(connection: Connection, seed: int) -> Over:
    """Answer every turn at random until the match is over."""
    rng = random.Random(seed)
    async with limit(PATIENCE * 3, "the end of the match"):
        async for message in connection:
            if isinstance(message, Turn):
                assert message.legal is not None
                await connection.send(Act(message.room, message.rid, rng.randrange(len(message.legal))))
            if isinstance(message, Over):
                return message
    raise AssertionError("no end has come")


async def test_ticket_opens_a_side_socket_once_for_one_room() -> None:
    async with hosted("one", "two") as (at, _, room), open_socket(at["two"].url) as bert:
        await bert.hello("bert", can=["redirect"])
        redirect = await bert.ask("join", "redirect", room=room, id=5)
        assert (redirect["re"], redirect["room"], redirect["url"]) == (5, room, at["one"].url)
        async with open_socket(redirect["url"]) as side:
            welcome = await side.hello("bert", ticket=redirect["ticket"])
            assert (welcome["name"], welcome["rooms"], "token" in welcome) == ("bert", [], False)
            assert (await side.ask("join", "joined", room=room, id=6))["seat"] == 1
            assert (await side.ask("list", "error"))["code"] == "not_here"
            assert await side.ask("ping", "pong") == {"t": "pong"}
            async with open_socket(redirect["url"]) as late:
                refusal = await late.ask("hello", "error", name="bert", kind="human", ticket=redirect["ticket"])
                assert refusal["code"] == "bad_ticket"
            newer = (await bert.ask("join", "redirect", room=room))["ticket"]
            async with open_socket(redirect["url"]) as second:
                assert (await second.hello("bert", ticket=newer))["rooms"] == [room]
                assert (await second.receive())["why"] == "resume"
                assert await side.closed() == 4001


async def test_new_main_socket_closes_older_side_sockets() -> None:
    async with (
        hosted("one", "two", "three") as (at, _, room),
        open_socket(at["two"].url) as bert,
        open_socket(at["one"].url) as side,
    ):
        token = (await bert.hello("bert", can=["redirect"]))["token"]
        ticket = (await bert.ask("join", "redirect", room=room))["ticket"]
        await side.hello("bert", ticket=ticket)
        await side.ask("join", "joined", room=room)
        async with open_socket(at["three"].url) as newer:
            assert (await newer.hello("bert", token=token))["rooms"] == [room]
            await at.heartbeat()
            assert [await bert.closed(), await side.closed()] == [4001, 4001]
            assert (await newer.until("joined"))["seat"] == 1


async def test_connection_follows_redirects_to_several_rooms() -> None:
    async with hosted("one", "two") as (at, anna, first), client(at["two"].url, "bert") as bert:
        rooms = [first, (await anna.ask("create", "joined", game="fake", seats=2))["room"]]
        for room in rooms:
            await bert.send(Join(room))
            joined = await hear(bert, Joined)
            assert (joined.room, joined.seat) == (room, 1)
        await bert.send(Create("fake", seats=2))
        own = await hear(bert, Joined)
        for room in (*rooms, own.room):
            await bert.send(Chat(room, "hello"))
            ok = await hear(bert, Ok)
            assert ok.room == room
        await bert.send(Leave(rooms[0]))
        left = await hear(bert, Left)
        assert (left.room, left.why) == (rooms[0], "left")
        assert not bert.session.reports


async def test_redirected_bot_plays_on_when_the_owner_dies() -> None:
    async with (
        hosted("one", "two", "three", **UNO) as (at, host, room),
        client(at["two"].url, "bert") as bert,
        client(at["three"].url, "cleo") as cleo,
    ):
        for connection in (bert, cleo):
            await connection.send(Join(room))
            await hear(connection, Joined)
        await host.ask("start", "ok", room=room)
        await at.kill("one")
        await bert.send(Act(room, 1, 0))  # the request id may never be used: the answer comes once the room is back
        await at["two"].heartbeat()
        ends = await asyncio.gather(playing(bert, 1), playing(cleo, 2))
        assert ends[0].digest == ends[1].digest


async def test_reconnecting_to_another_node_redirects_to_the_held_seat() -> None:
    async with cluster("one", "two") as at, client(at["one"].url, "anna") as anna:
        await anna.send(Create("fake", seats=2))
        joined = await hear(anna, Joined)
        session = Session("anna", "bot", entropy=os.urandom, can=("redirect",), token=anna.session.token)
        async with Connection(at["two"].url, session) as again:
            welcome = await hear(again, Welcome)
            assert welcome.rooms == [joined.room]
            back = await hear(again, Joined)
            assert (back.room, back.seat, back.why) == (joined.room, 0, "resume")
            await again.send(Chat(joined.room, "hello"))
            ok = await hear(again, Ok)
            assert ok.room == joined.room


@pytest.mark.parametrize("heir", ["two", "three"])
async def test_client_does_not_wait_for_a_frozen_owner(heir: str) -> None:
    async with hosted("one", "two", "three") as (at, _, room), client(at["two"].url, "bert") as bert:
        await bert.send(Join(room))
        await hear(bert, Joined)
        assert room in bert._sides
        at.shared.die("one")  # its sockets stay open and silent
        await at[heir].heartbeat()
        await at["two"].heartbeat()
        back = await hear(bert, Joined)
        assert (back.epoch, back.seat) == (2, 1)
        assert (room in bert._sides) == (heir == "three")
        await bert.send(Chat(room, "hello"))
        await hear(bert, Ok)


async def test_player_who_left_is_not_reseated_when_the_owner_dies() -> None:
    async with hosted("one", "two") as (at, _, room), client(at["two"].url, "bert") as bert:
        await bert.send(Join(room))
        await hear(bert, Joined)
        await bert.send(Leave(room))
        await hear(bert, Left)
        at.shared.die("one")
        await at["two"].heartbeat()
        await until(lambda: not at["two"].node.tasks.running)
        assert room in at["two"].lobby.rooms.loaded
        assert not at["two"].lobby.rooms.loaded[room].room.audience.here

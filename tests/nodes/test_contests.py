"""Contests across nodes: one node holds a contest, its players connect to any."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from tests.nodes.in_process import Cluster, cluster
from tests.nodes.test_redirect import client
from tests.server.crash.players import SENSE
from tests.support.sockets import Socket, open_socket
from tests.support.waiting import until

from parlour_client.core.connection import Connection
from parlour_protocol.messages import Act, OfferBot, Turn
from parlour_server.lobby import sync

BOTS = {"ada": "one", "bea": "one", "cid": "two", "dov": "two"}
"""Bot → the node to which it connects. dov can follow a redirect."""
TABLES = 6
"""Pairings of four players in a round robin."""
CONTEST: dict[str, Any] = {"game": "uno", "options": {"scoring": "single", "breath": 0}}


async def test_bots_of_two_nodes_play_a_contest() -> None:
    async with cluster("one", "two") as at, offered(at), open_socket(at["two"].url) as olga:
        await olga.hello("olga")
        await olga.ask("admin", "ok", token="operator", do="contest", name="friday", args=CONTEST)
        await until(lambda: played(olga, at))
        rows = (await olga.ask("standings", "standings", contest="friday"))["rows"]
        assert sorted((row["name"], row["games"]) for row in rows) == [(name, 3) for name in sorted(BOTS)]
        assert sum(row["wins"] for row in rows) == TABLES


async def test_another_node_continues_a_contest_when_its_holder_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync, "CALLED_AFTER", 200)
    async with cluster("one", "two", "three") as at, offered(at), open_socket(at["one"].url) as olga:
        async with open_socket(at["three"].url) as otto:
            await otto.hello("otto")
            await otto.ask("admin", "ok", token="operator", do="contest", name="friday", args=CONTEST)
            await at.kill("three")
        await olga.hello("olga")
        await until(lambda: played(olga, at))
        assert {tuple(pairing) for pairing in at.shared.pairings} == {("friday", number) for number in range(TABLES)}


async def played(olga: Socket, at: Cluster) -> bool:
    """Exchange heartbeats; return whether all pairings of the contest are finished."""
    for member in at.nodes.values():
        member.node.sweep()
    await at.heartbeat()
    message = await olga.ask("standings", "standings", "error", contest="friday")
    return bool(sum(row["games"] for row in message.get("rows", ())) == 2 * TABLES)


@asynccontextmanager
async def offered(at: Cluster) -> AsyncIterator[None]:
    """Make all bots available; they play in every room that seats them."""
    async with AsyncExitStack() as stack:
        for name, node in BOTS.items():
            if name == "dov":
                connection = await stack.enter_async_context(client(at[node].url, name))
                await connection.send(OfferBot(["uno"], 3))
                in_background(stack, follow(connection))
            else:
                socket = await stack.enter_async_context(open_socket(at[node].url))
                await socket.hello(name, "bot")
                await socket.ask("offer", "ok", games=["uno"], max=3)
                in_background(stack, answer(socket))
        await until(lambda: sum(len(member.lobby.bots.available) for member in at.nodes.values()) == len(BOTS))
        await at.heartbeat()
        yield


def in_background(stack: AsyncExitStack, work: Any) -> None:
    task = asyncio.get_running_loop().create_task(work)
    stack.callback(task.cancel)


async def answer(socket: Socket) -> None:
    """Answer every turn at random, in any room."""
    rng = random.Random(0)
    async for frame in socket.ws:
        message = socket.codec.decode(frame)
        if message["t"] == "turn":
            act = sensible(rng, len(message["legal"]))
            await socket.send("act", room=message["room"], rid=message["rid"], act=act)


async def follow(connection: Connection) -> None:
    """Answer turns in rooms of any node."""
    rng = random.Random(0)
    async for message in connection:
        if isinstance(message, Turn):
            assert message.legal is not None
            await connection.send(Act(message.room, message.rid, sensible(rng, len(message.legal))))


def sensible(rng: random.Random, legal: int) -> int:
    """Return the first legal action most of the time: a random round takes long."""
    return 0 if rng.random() < SENSE else rng.randrange(legal)

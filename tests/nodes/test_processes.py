"""Node processes at PostgreSQL: every room is reachable from every node and survives the death of its owner."""

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from tests.nodes.processes import processes
from tests.nodes.test_redirect import UNO, client, hear, playing
from tests.nodes.test_relay import played
from tests.support.processes import otherwise
from tests.support.server import ServerProcess
from tests.support.sockets import Map, Socket, open_socket
from tests.support.waiting import until
from websockets.exceptions import ConnectionClosed

from parlour_protocol.messages import Join, Joined, Turn, Update
from parlour_server.children import HOUSE_BOTS, name_at

pytestmark = pytest.mark.postgres


@pytest.mark.long
async def test_relayed_and_redirected_players_play_on_when_the_owner_is_killed(tmp_path: Path, database: str) -> None:
    async with (
        processes(tmp_path, database, "one", "two", "three") as at,
        client(at["two"].url, "anna") as anna,
        open_socket(at["three"].url) as bert,
    ):
        async with open_socket(at["one"].url) as carl:
            await carl.hello("carl")
            room = (await carl.ask("create", "joined", **UNO))["room"]
            await bert.hello("bert", "bot")
            await until(lambda: lists(bert, room))
            await anna.send(Join(room))
            joined = await hear(anna, Joined)
            assert isinstance(joined, Joined)
            assert joined.seat == 0
            assert room in anna._sides
            assert (await bert.ask("join", "joined", room=room.lower()))["seat"] == 1
            await carl.ask("start", "ok", room=room)
            await hear(anna, Turn, Update)
            await bert.until("turn", "update")
            at["one"].kill()
        ends = await asyncio.gather(playing(anna, 1), played(bert, room, 2))
        assert ends[0].digest == ends[1]["digest"]
        assert not anna.session.reports


@pytest.mark.long
async def test_frozen_node_acknowledges_nothing_and_disconnects_its_players(tmp_path: Path, database: str) -> None:
    async with (
        processes(tmp_path, database, "one", "two") as at,
        open_socket(at["two"].url) as bert,
    ):
        async with open_socket(at["one"].url) as anna:
            token = (await anna.hello("anna", "bot"))["token"]
            room = (await anna.ask("create", "joined", **{**UNO, "as": "player"}))["room"]
            await bert.hello("bert", "bot")
            assert (await bert.ask("join", "joined", room=room))["epoch"] == 1
            await anna.send("start", room=room)
            asked = [(await each.until("turn", "update")) for each in (anna, bert)]
            with otherwise(f"kill -KILL {at['one'].pid}"):
                at["one"].signal(signal.SIGSTOP)
                for each, message in zip((anna, bert), asked, strict=True):
                    await each.send("act", room=room, rid=message.get("rid", 1), act=0)
                back = await bert.until("joined")
                assert (back["epoch"], back["seat"]) == (2, 1)
                at["one"].signal(signal.SIGCONT)
            heard = await everything(anna)
            assert heard[-1]["t"] == "bye"
            assert not [message for message in heard if "ok" in message or message["t"] == "ok"]
        async with open_socket(at["two"].url) as again:
            assert (await again.hello("anna", "bot", token=token))["rooms"] == [room]
            ends = await asyncio.gather(played(again, room, 1), played(bert, room, 2))
            assert ends[0]["digest"] == ends[1]["digest"]


async def everything(socket: Socket) -> list[Map]:
    """Return all messages until the server closes the socket."""
    heard: list[Map] = []
    with suppress(ConnectionClosed):
        while True:
            heard.append(await socket.receive())
    return heard


async def lists(socket: Socket, room: str) -> bool:
    """Return whether the node of ``socket`` lists a room."""
    return room in [row["room"] for row in (await socket.ask("list", "rooms"))["rooms"]]


async def test_each_node_has_its_own_house_bots(tmp_path: Path, database: str) -> None:
    async with processes(tmp_path, database, "one", "two", house_bots=True) as at:
        for name, node in at.items():
            await until(lambda name=name, node=node: has_its_bots(name, node), every=0.5, within=60)  # type: ignore[misc]


async def has_its_bots(name: str, node: ServerProcess) -> bool:
    """Return whether exactly the house bots of a node are available there."""
    async with open_socket(node.url) as socket:
        await socket.hello(f"guest-of-{name}")
        found = {row["name"] for row in (await socket.ask("list", "rooms"))["bots"]}
    return found == {name_at(name, bot) for bot in HOUSE_BOTS}

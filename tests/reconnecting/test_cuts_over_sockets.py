"""Matches cut at random over real sockets, in each encoding, give the same outcome as without cuts."""

import asyncio
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.bots.rooms import fail
from tests.conversations import stacked_server
from tests.reconnecting.test_every_cut import DEAL, MINES, Case, FixedBot, play
from tests.support import server as support
from tests.support.proxy import Fault, Proxy, Way
from tests.support.server import ServerProcess
from tests.support.sockets import open_socket
from tests.support.stores import LONG_STORES, new_store
from tests.support.waiting import PATIENCE

from parlour_bots.play.network import BotClient, play_room
from parlour_client.core.connection import Connection
from parlour_client.core.session import Session
from parlour_protocol.codec import JSON, MSGPACK, SUBPROTOCOLS
from parlour_protocol.messages import Create, Joined, Plain, ServerMessage

UNO = Case("uno", 2, {"scoring": "single", "breath": 0})
"""Without catches: the network would decide who is first."""
MATCHES = [(UNO, 3), (MINES, 2)]
WAYS: tuple[Way, Way] = ("up", "down")
CUTS = 10
"""Per match; in the long form 50 per encoding and store."""


@pytest.fixture(scope="module", params=LONG_STORES)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(support, "SERVE", (sys.executable, str(Path(stacked_server.__file__)), "0", DEAL))
        folder = tmp_path_factory.mktemp("server")
        process = ServerProcess(folder, "--lease", "60", store=new_store(request))  # longer than any test
    yield process
    process.close()


def client(url: str, seat: int, case: Case, encoding: str, room: "asyncio.Future[str]") -> tuple[BotClient, FixedBot]:
    """Return a runner and its bot; it reconnects without waiting."""
    bot = FixedBot(seat)

    def watch(message: ServerMessage) -> None:
        if isinstance(message, Joined) and not room.done():
            room.set_result(message.room)

    session = Session(f"bot-{seat}", "bot", entropy=random.Random(seat).randbytes)
    connection = Connection(url, session, encoding=encoding, sleep=lambda _: asyncio.sleep(0))
    return BotClient(connection, bot.bot_spec(case.game), fail, watch=watch), bot


async def over_sockets(
    server: ServerProcess, case: Case, encoding: str, faults: list[Fault]
) -> tuple[list[Plain], list[list[Plain]], Proxy]:
    """Play a match, the second player behind a bad network; return the answers and each bot's turns."""
    room: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    create = Create(case.game, case.options, seats=case.seats, private=True, clock=None, start="full")
    async with asyncio.timeout(PATIENCE), Proxy(server.url, faults) as proxy:
        host, first = client(server.url, 0, case, encoding, room)
        other, second = client(proxy.url, 1, case, encoding, room)
        hosting = asyncio.create_task(play_room(host, create))
        player = await play_room(other, await room)
        await hosting
        assert not other.connection.session.reports
    assert player.over is not None
    async with open_socket(server.url) as socket:
        await socket.hello("reader")
        answered = acts(map(json.loads, await socket.file(player.over.digest)))
    return answered, [first.asked, second.asked], proxy


def acts(records: Any) -> list[Plain]:
    return [{name: record[name] for name in ("seat", "rid", "act")} for record in records if record.get("r") == "act"]


def somewhere(rng: random.Random, proxy: Proxy) -> list[Fault]:
    """Return random cuts after the first greeting, and other network faults."""
    frames = [(way, at) for way in WAYS for at in range(1, proxy.passed[way])]
    places = rng.sample(frames, CUTS + 4)
    cuts = [Fault(way, at, rng.choice(("lose", "cut"))) for way, at in places[:CUTS]]
    return cuts + [Fault(way, at, "late") for way, at in places[CUTS:]]


@pytest.mark.parametrize(
    ("case", "matches", "encoding"),
    [
        (UNO, 1, MSGPACK),
        (MINES, 1, JSON),
        *(pytest.param(*each, code, marks=pytest.mark.long) for each in MATCHES for code in SUBPROTOCOLS),
    ],
    ids=lambda each: getattr(each, "game", each),
)
async def test_random_cuts_do_not_change_a_match(
    case: Case, matches: int, encoding: str, server: ServerProcess, seed: int
) -> None:
    rng = random.Random(f"{seed}/{encoding}/{case.game}")
    alone = play(case)
    expected = acts(alone.happened)
    answered, asked, proxy = await over_sockets(server, case, encoding, [])
    assert (answered, asked, proxy.sockets) == (expected, alone.asked, 1)
    for _ in range(matches):
        faults = somewhere(rng, proxy)
        answered, asked, bad = await over_sockets(server, case, encoding, faults)
        assert bad.failed == len(faults), faults
        assert bad.sockets > 1
        assert answered == expected, faults
        assert asked == alone.asked, faults


@pytest.mark.parametrize(("case", "_"), MATCHES, ids=["uno", "minesweeper"])
async def test_duplicated_messages_do_not_change_a_match(case: Case, _: int, server: ServerProcess) -> None:
    alone = play(case)
    *_rest, proxy = await over_sockets(server, case, SUBPROTOCOLS[0], [])
    twice = [Fault(way, at, "twice") for way in WAYS for at in range(3, proxy.passed[way] - 3)]
    answered, asked, bad = await over_sockets(server, case, SUBPROTOCOLS[0], twice)
    assert bad.sockets == 1
    assert (answered, asked) == (acts(alone.happened), alone.asked)


async def test_leave_whose_answer_is_lost_counts(server: ServerProcess) -> None:
    *_, proxy = await over_sockets(server, MINES, SUBPROTOCOLS[0], [])
    last = Fault("down", proxy.passed["down"] - 1, "lose")
    *_, bad = await over_sockets(server, MINES, SUBPROTOCOLS[0], [last])
    assert (bad.failed, bad.sockets) == (1, 2)

"""Bots over sockets finish a contest although the server is killed: no result is lost, and none counts twice."""

import asyncio
import json
import os
from collections.abc import Coroutine
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.bots.rooms import fail
from tests.support.server import ServerProcess, server_process
from tests.support.stores import FILE, LONG_STORES, execute, new_store
from tests.support.waiting import STILL, going_on, until

from parlour_bots.loading import find
from parlour_bots.play.network import BotClient
from parlour_client.core.connection import Connection
from parlour_client.core.errors import CannotConnect, Interrupted, Refused
from parlour_client.core.queries import ask, asked, lobby, visiting
from parlour_client.core.session import Session
from parlour_protocol.messages import Admin, OfferBot, Ok, Standings, StandingsRow

T = TypeVar("T")
PAINFIRST = find("painfirst")
PASSING = ("retry", "busy")
"""Refusals of a server that is not as fast as it would like to be: who asks comes again."""
OPTIONS = {"scoring": "single", "breath": 0, "pause": 0}


PLAYED = "SELECT number, room, result FROM pairing ORDER BY number"
MATCHES = "SELECT room, rank, name FROM match JOIN result USING (digest) ORDER BY room, seat"


@pytest.fixture(params=LONG_STORES)
def store(request: pytest.FixtureRequest) -> str | None:
    return new_store(request)


@pytest.mark.parametrize("bots", [5, pytest.param(30, marks=pytest.mark.torture)])
async def test_a_contest_survives_two_kills(tmp_path: Path, store: str | None, bots: int) -> None:
    with server_process(tmp_path, "--log-level", "warning", store=store) as server:
        rows = await _contest(server, bots)
        assert server.stop() == 0
        assert "a fault" not in server.log()
        assert store or server.log() == ""  # a node tells of the rooms that its predecessor has left behind
    played, matches = [await execute(store or f"{FILE}{server.store}", each) for each in (PLAYED, MATCHES)]
    tables = bots * (bots - 1) // 2
    assert [row["games"] for row in rows] == [bots - 1] * bots
    assert sum(row["wins"] for row in rows) == tables
    _audit(rows, tables, played, matches)
    print(f"\n{bots} bots, {tables} tables, two kills: every result once; first {rows[0]['name']}")


async def _contest(server: ServerProcess, bots: int) -> list[StandingsRow]:
    async with asyncio.TaskGroup() as group:
        talking = [group.create_task(_talk(server.url, number)) for number in range(bots)]
        await until(lambda: _all_on_offer(server.url, bots), every=0.3, within=STILL)
        await until(lambda: _is_held(server), every=0.3, within=STILL)
        tables = bots * (bots - 1) // 2
        for part in (1, 2):
            await _played(server, part * tables // 3)
            server.kill()
            await asyncio.to_thread(server.restart, same_port=True)
        rows = await _played(server, tables)
        for task in talking:
            task.cancel()
    return rows


async def _all_on_offer(url: str, bots: int) -> bool:
    found = await _answered(lobby(url))
    return found is not None and len(found["bots"]) == bots


async def _is_held(server: ServerProcess) -> bool:
    """Find that the contest has begun, or let it begin: the answer may be lost, and then it is found the next time."""
    if await _answered(asked(server.url, Standings(contest="friday")), "no_contest") is not None:
        return True
    contest = Admin(server.admin, "contest", "friday", args={"game": "uno", "options": OPTIONS})
    return await _answered(_told(server.url, contest), "bad_options") is not None


async def _told(url: str, message: Admin) -> Ok:
    async with visiting(url) as operator:
        return await ask(operator, message)


async def _answered(question: Coroutine[Any, Any, T], no: str = "") -> T | None:
    """Return what is answered; None if somebody has to ask again, or is refused with the code ``no``."""
    try:
        return await question
    except Refused as refused:
        if refused.code not in (*PASSING, no):
            raise
    except (CannotConnect, Interrupted):
        pass
    return None


async def _talk(url: str, number: int) -> None:
    name = f"bot-{number}"
    while True:
        session = Session(name, "bot", entropy=os.urandom)
        back = Connection(url, session, sleep=lambda _: asyncio.sleep(0.05))
        client = BotClient(back, PAINFIRST, fail, number, stay=True, availability=OfferBot(["uno"], 3))
        if await _answered(client.connection.__aenter__()):
            break
        name += "x"  # it may have been let in by its first name
    try:
        await client.run()
    finally:
        await client.connection.close()


async def _played(server: ServerProcess, tables: int) -> list[StandingsRow]:
    """Return the standings once so many tables have been played."""
    rows: list[StandingsRow] = []

    def games() -> int:
        return sum(row["games"] for row in rows)

    async with going_on(games, "tables played"):
        while games() < 2 * tables:
            await asyncio.sleep(0.1)
            found = await _answered(asked(server.url, Standings(contest="friday")))
            rows[:] = found.rows if found else ()
    return rows


def _audit(
    rows: list[StandingsRow], tables: int, played: list[tuple[Any, ...]], matches: list[tuple[Any, ...]]
) -> None:
    """Compare the standings with the matches and their rooms as they are stored."""
    assert [number for number, *_ in played] == list(range(tables))
    by_room: dict[str, list[tuple[int, str]]] = {}
    for room, rank, name in matches:
        by_room.setdefault(room, []).append((rank, name))
    assert sorted(by_room) == sorted(room for _, room, _ in played), "each table has one room, and each room one match"
    wins: dict[str, int] = dict.fromkeys((row["name"] for row in rows), 0)
    met = set()
    for _, room, result in played:
        seats: list[tuple[int, str]] = by_room[room]
        ranks: list[Any] = json.loads(result)["ranks"]
        assert [rank for rank, _ in seats] == ranks
        met.add(frozenset(name for _, name in seats))
        for rank, name in seats:
            wins[name] += rank == 1
    assert met == {frozenset(pair) for pair in combinations(wins, 2)}
    assert wins == {row["name"]: row["wins"] for row in rows}

"""Attacks by valid requests: rooms, guessed codes, chat, giant boards and heavy computations."""

import asyncio
import sqlite3
from collections import Counter
from contextlib import AsyncExitStack, closing
from typing import Any

import pytest
from tests.attacks.harness import MIB, attacked, bystander, open_board, person, run_many, uno
from tests.support.server import ServerProcess
from tests.support.sockets import Map, Socket

BUDGET = 48 * MIB
GIANT = {"level": "custom", "width": 100, "height": 100, "mines": 2_000}
"""The search for such a no-guess board takes up to a minute."""
OVERTAXED = 120
"""Seconds that a bystander's computation may take beside the heaviest of others."""


async def _spend(client: Socket, number: int, t: str, *answers: str, **fields: Any) -> list[Map]:
    """Send a message ``number`` times without waiting; return the answers."""
    for _ in range(number):
        await client.send(t, **fields)
    return [await client.until("error", *answers) for _ in range(number)]


async def test_room_flood_is_rate_limited_and_bounded(server: ServerProcess) -> None:
    async def attack(_: int) -> int:
        async with person(server) as client:
            said = await _spend(client, 100, "create", "joined", game="uno")
            assert {m["code"] for m in said if m["t"] == "error"} <= {"rate_limited", "too_many_rooms", "busy"}
            return sum(m["t"] == "joined" for m in said)

    async with attacked(server, BUDGET) as player:
        assert all(0 < made < 64 for made in await player.during(run_many(20, attack)))
        async with person(server) as newcomer:
            await open_board(newcomer)


@pytest.mark.parametrize("acts", [50, pytest.param(2_000, marks=pytest.mark.torture)])
async def test_acts_that_change_nothing_fill_neither_memory_nor_store(server: ServerProcess, acts: int) -> None:
    cells = [[x, y] for x in range(64) for y in range(4)]

    async def attack(_: int) -> tuple[str, Counter[str]]:
        answers: Counter[str] = Counter()
        async with person(server) as client:
            board = await open_board(client, **GIANT)
            for number in range(acts):
                act = {"do": "unflag" if number % 2 else "flag", "cells": cells}
                await client.send("act", room=board.room, rid=board.rid, act=act, why="🚩" * 1_024)
                answer = await client.until("turn", "error")
                board.rid = answer["rid"]
                answers[answer.get("code", "turn")] += 1
        return board.room, answers

    async with attacked(server, BUDGET) as player:
        for room, answers in await player.during(run_many(2, attack)):
            assert set(answers) <= {"turn", "too_much", "rate_limited"}
            assert 0 < answers["turn"] < 250
            assert _stored(server, room) < 2 * MIB
    server.restart()
    async with person(server) as newcomer:
        await open_board(newcomer)


def _stored(server: ServerProcess, room: str) -> int:
    """Return the size of a room's log in KiB."""
    with closing(sqlite3.connect(server.store)) as store:
        asked = "SELECT sum(length(CAST(line AS BLOB))) FROM log WHERE room = ?"
        size: int = store.execute(asked, (room,)).fetchone()[0]
    return size // 1024


async def test_guessing_codes_is_rate_limited(server: ServerProcess) -> None:
    async with person(server) as owner, bystander(server) as player, person(server) as guesser:
        private = (await owner.ask("create", "joined", game="uno", private=True))["room"]
        wrong = private[:-1] + ("C" if private[-1] != "C" else "D")
        refusals = await player.during(_spend(guesser, 200, "join", "joined", room=wrong))
        codes = Counter(refusal["code"] for refusal in refusals)
        assert codes.keys() == {"no_room", "rate_limited"}
        assert codes["no_room"] < 40


async def test_chat_flood_in_one_room(server: ServerProcess) -> None:
    async with attacked(server, BUDGET) as player, AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(person(server)) for _ in range(40)]
        room = await uno(crowd[0], seats=2)
        for guest in crowd[1:]:
            await guest.ask("join", "joined", room=room, **{"as": "spectator"})

        async def talk(n: int) -> int:
            said = await _spend(crowd[n], 60, "chat", "ok", room=room, text="x" * 200)
            return sum(m["t"] == "ok" for m in said)

        told = await player.during(run_many(len(crowd), talk))
        assert all(isinstance(said, int) and said < 60 for said in told)
        for guest in crowd:  # unread messages would prevent a clean close
            guest.ws.transport.abort()


async def test_giant_boards_for_a_crowd(server: ServerProcess) -> None:
    async def attack(_: int) -> int:
        async with person(server) as client:
            board = await open_board(client, **GIANT)
            for _ in range(25):
                await board.act()
            return board.acts

    async with attacked(server, BUDGET) as player:
        assert await player.during(run_many(20, attack)) == [25] * 20


@pytest.mark.long
async def test_many_requests_for_the_heaviest_boards(server: ServerProcess) -> None:
    """Three players with four rooms each: a bystander still gets a small board, and its review."""
    async with attacked(server, BUDGET) as player, AsyncExitStack() as stack:
        for _ in range(3):
            client = await stack.enter_async_context(person(server))
            for _ in range(4):
                board = await open_board(client, **GIANT, no_guess=True)
                await client.send("act", room=board.room, rid=board.rid, act=0)
        for _ in range(5):
            await player.act()
        async with asyncio.timeout(OVERTAXED), person(server) as newcomer:
            board = await open_board(newcomer, no_guess=True)
            await newcomer.send("act", room=board.room, rid=board.rid, act=40)
            turn = await _patiently(newcomer, "turn")
            assert turn["view"]["rows"][4][4] not in ".F"
            await newcomer.send("act", room=board.room, rid=turn["rid"], act={"do": "resign"})
            assert (await _patiently(newcomer, "over"))["result"]["why"]


async def _patiently(client: Socket, t: str) -> Map:
    """Return the next message of type ``t``, without a timeout."""
    while True:
        message = client.codec.decode(await client.ws.recv())
        if message["t"] == t:
            return message

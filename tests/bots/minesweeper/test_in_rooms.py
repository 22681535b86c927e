"""Minesweeper over WebSockets: bots and a person at one table, in every mode for more than one."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import attrs
from tests.bots.rooms import fail, opened
from tests.support.server import ServerProcess
from tests.support.waiting import PATIENCE
from websockets.asyncio.client import connect

from parlour_bots.loading import find
from parlour_bots.play.network import BotClient, connection, play_room
from parlour_protocol.messages import Over, Plain, ServerMessage, Update
from parlour_protocol.wire import plain

EXACT = find("exact", "minesweeper")
_numbers = itertools.count()
"""Names are used once: who has gone keeps its name for a while."""
Choose = Callable[[Plain], Any]


@attrs.define
class Table:
    """A match that was played out: what a spectator and the person were sent, and how it ended."""

    watched: list[ServerMessage] = attrs.field(factory=list)
    heard: list[Plain] = attrs.field(factory=list)
    bots: list[BotClient] = attrs.field(factory=list)

    @property
    def over(self) -> Over:
        """Return the end as the spectator saw it."""
        end = self.watched[-1]
        assert isinstance(end, Over)
        return end


async def table(server: ServerProcess, bots: int, choose: Choose | None, options: Plain) -> Table:
    """Play a match between exact bots and a person who answers each turn by ``choose``."""
    found = Table()
    seats = bots + (choose is not None)
    async with asyncio.timeout(PATIENCE), connection(server.url, f"audience-{next(_numbers)}") as audience:
        room = await opened(audience, seats, "minesweeper", options)
        for number in range(bots):
            found.bots.append(BotClient(connection(server.url, f"exact-{next(_numbers)}"), EXACT, fail, number))
        name = f"paula-{next(_numbers)}"
        people = [_person(server.url, room, name, choose, found.heard)] if choose else []
        playing = asyncio.gather(*(play_room(bot, room) for bot in found.bots), *people)
        async for message in audience:
            found.watched.append(message)
            if isinstance(message, Over):
                break
        await playing
    return found


async def _person(url: str, room: str, name: str, choose: Choose, heard: list[Plain]) -> None:
    """Speak the protocol without any help."""
    async with connect(url) as socket:
        await socket.send(json.dumps({"t": "hello", "name": name, "kind": "human"}))
        await socket.send(json.dumps({"t": "join", "room": room}))
        async for message in _messages(socket):
            heard.append(message)
            if message["t"] == "turn":
                act = {"t": "act", "room": room, "rid": message["rid"], "act": choose(message)}
                await socket.send(json.dumps(act))
            if message["t"] == "over":
                return


async def _messages(socket: Any) -> AsyncIterator[Plain]:
    async for frame in socket:
        yield json.loads(frame)


def first_closed(turn: Plain) -> int:
    return "".join(turn["view"]["rows"]).index(".")


def paula(table: Table) -> int:
    """Return the person's seat."""
    return int(next(message["seat"] for message in table.heard if message["t"] == "joined"))


async def test_three_exact_bots_and_a_person_race(server: ServerProcess) -> None:
    played = await table(server, 3, first_closed, {"mode": "race", "level": "intermediate"})
    result = played.over.result
    seat = paula(played)
    assert result["why"] == "race"
    assert sorted(result["ranks"]) == ["0", "1", "2", "3"]
    best = max(result["scores"].values())
    assert all(result["scores"][seat] == best for seat, rank in result["ranks"].items() if rank == 1)
    assert [row["guesses"] is not None for row in result["stats"]["seats"]] == [True] * 4
    running = [message for message in played.watched if isinstance(message, Update) and not isinstance(message, Over)]
    decided = [message for message in running if message.view["phase"] == "over"]
    assert all(message.view["rows"] is None for message in running if message not in decided)
    told = [event for message in running for event in message.events if event["e"] in ("open", "mine")]
    assert told
    assert all("at" not in event for event in told)
    rivals = [e for message in played.heard for e in message.get("events", ()) if e.get("seat", seat) != seat]
    assert rivals
    assert all("at" not in event and event["e"] != "flag" for event in rivals)


async def test_bots_and_a_person_clear_one_board_together(server: ServerProcess) -> None:
    flagged: list[Plain] = []

    def choose(turn: Plain) -> Any:
        cell = first_closed(turn)
        flagged.append(turn)
        width = turn["view"]["width"]
        return {"do": "flag" if len(flagged) % 2 else "unflag", "cells": [[cell % width, cell // width]]}

    options = {"mode": "coop", "level": "intermediate", "lives": 100, "no_guess": True}
    played = await table(server, 2, choose, options)
    result = played.over.result
    assert (result["why"], set(result["ranks"].values())) == ("won", {1})
    assert sum(result["scores"].values()) == 16 * 16 - 40
    assert result["scores"][str(paula(played))] == 0
    assert all(row["guesses"] == [] for row in result["stats"]["seats"]), "the board needs no guess"
    seats = {event["seat"] for m in played.watched for event in plain(m).get("events", ()) if event["e"] == "open"}
    assert seats <= {0, 1, 2} - {paula(played)}


async def test_duel_between_a_bot_and_a_person(server: ServerProcess) -> None:
    played = await table(server, 1, first_closed, {"mode": "duel"})
    result = played.over.result
    winner = next(seat for seat, rank in result["ranks"].items() if rank == 1)
    assert result["why"] == "majority"
    assert result["scores"][winner] >= 26 > min(result["scores"].values())
    assert int(winner) != paula(played), "whoever opens the first closed cell again and again finds little"


async def test_duel_between_bots_ends(server: ServerProcess) -> None:
    played = await table(server, 2, None, {"mode": "duel", "level": "custom", "width": 9, "height": 9, "mines": 15})
    assert max(played.over.result["scores"].values()) >= 8

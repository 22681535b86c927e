"""One secret, the same bots: the same match in process, over sockets, and over a server that is killed."""

import asyncio
import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.bots.rooms import fail, opened
from tests.conversations import stacked_server
from tests.conversations.drivers import SECRET, stacked
from tests.support import server as support
from tests.support.server import ServerProcess
from tests.support.waiting import PATIENCE, until

from parlour_bots.play import in_process
from parlour_bots.play.network import BotClient, connection, play_room
from parlour_bots.play.player import SeatPlayer
from parlour_bots.sdk import Turn, bot_spec
from parlour_client.core.connection import Connection
from parlour_client.core.queries import ask
from parlour_games.registry import games
from parlour_protocol.messages import File, Over, Plain, SeatsChanged, Update
from parlour_server.local import Local
from parlour_server.rooms.records import RoomOpened, parse
from parlour_server.rooms.state import State

DEAL = SECRET + "2a" * 32
CASES: dict[str, tuple[int, Plain]] = {
    "uno": (3, {"target": 200, "pause": 0, "breath": 0}),
    "minesweeper": (2, {"mode": "duel"}),
}
"""Game → seats, options."""


def play(turn: Turn) -> Any:
    """Answer without any chance, but not always in the same way."""
    if turn.legal:
        return turn.legal[turn.rid * (turn.seat + 3) % len(turn.legal)]
    closed = [cell for cell, char in enumerate("".join(turn.view["rows"])) if char == "."]
    return closed[turn.rid * (turn.seat + 3) % len(closed)]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerProcess]:
    monkeypatch.setattr(support, "SERVE", (sys.executable, str(Path(stacked_server.__file__)), "0", DEAL))
    process = ServerProcess(tmp_path)
    yield process
    process.close()


def acts(lines: list[str]) -> list[tuple[int, int, Plain]]:
    return [(record["seat"], record["rid"], record["act"]) for record in records(lines, "act")]


def records(lines: list[str], kind: str) -> list[Plain]:
    return [record for record in map(json.loads, lines) if record.get("r") == kind]


def result(lines: list[str]) -> Plain:
    [over] = records(lines, "over")
    return {name: over[name] for name in ("ranks", "scores", "why")}


def in_this_process(game: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    halls: list[Local] = []

    def local(seed: int) -> Local:
        halls.append(Local(seed, randomness=stacked(DEAL, 0)))
        return halls[0]

    seats, options = CASES[game]
    with monkeypatch.context() as patch:
        patch.setattr(in_process, "Local", local)
        in_process.play_match(
            [SeatPlayer(bot_spec(play, f"bot-{seat}", game), seat, fail) for seat in range(seats)], 1, options
        )
    [lines] = halls[0].log.values()
    return lines


def events(lines: list[str]) -> list[Plain]:
    """Return what a spectator is told, from a room's lines."""
    first = parse(lines[0])
    assert isinstance(first, RoomOpened)
    state = State(first, games()[first.game], stacked(DEAL, 0))
    told = []
    for line in lines:
        found = state.fold(parse(line), line)
        told += state.match.redacted(found, None) if state.match else []
    return told


async def over_sockets(server: ServerProcess, game: str, *, kill: bool) -> tuple[list[str], list[Plain]]:
    """Return the lines of the match file, and what a spectator was told."""
    seats, options = CASES[game]
    told: list[Plain] = []
    async with asyncio.timeout(PATIENCE), connection(server.url, "audience") as audience:
        room = await opened(audience, seats, game, options)
        seated = [asyncio.Event() for _ in range(seats)]
        async with asyncio.TaskGroup() as group:
            group.create_task(_sit_in_order(server.url, room, game, seated))
            watching = group.create_task(_watch(audience, told, seated))
            if kill:
                await until(lambda: len(told) >= 25, every=0)
                server.kill()
                await asyncio.to_thread(partial(server.restart, same_port=True))
            over = await watching
        return await _file(audience, over.digest), told


async def _sit_in_order(url: str, room: str, game: str, seated: list[asyncio.Event]) -> None:
    async with asyncio.TaskGroup() as group:
        for seat, taken in enumerate(seated):
            client = BotClient(connection(url, f"bot-{seat}"), bot_spec(play, f"bot-{seat}", game), fail, seat)
            group.create_task(play_room(client, room))
            await taken.wait()


async def _watch(audience: Connection, told: list[Plain], seated: list[asyncio.Event]) -> Over:
    async for message in audience:
        if isinstance(message, SeatsChanged):
            for seat, _ in enumerate(message.table["seats"]):
                seated[seat].set()
        if isinstance(message, Update | Over):
            told += message.events
        if isinstance(message, Over):
            return message
    raise AssertionError("the connection ended")


async def _file(audience: Connection, digest: str) -> list[str]:
    page = await ask(audience, File(digest))
    lines = [*page.lines]
    while page.after is not None:
        page = await ask(audience, File(digest, page.after))
        lines += page.lines
    return lines


@pytest.mark.parametrize(
    ("game", "kill"),
    [
        ("uno", False),
        pytest.param("uno", True, marks=pytest.mark.long),
        pytest.param("minesweeper", False, marks=pytest.mark.long),
        pytest.param("minesweeper", True, marks=pytest.mark.long),
    ],
)
async def test_a_match_is_the_same_in_process_and_over_sockets(
    game: str, kill: bool, server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = in_this_process(game, monkeypatch)
    file, told = await over_sockets(server, game, kill=kill)
    assert len(acts(lines)) > 20
    assert (acts(file), result(file)) == (acts(lines), result(lines))
    assert ('"r":"owned"' in "".join(file)) is kill, "the server was killed in the middle of the match"
    assert kill or told == events(lines)

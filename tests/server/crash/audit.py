"""What players were shown and told, compared with what the server has stored."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import asyncpg
import attrs
from tests.server.crash.players import Player
from tests.support.server import ServerProcess
from tests.support.sockets import Map

from parlour_games.registry import games
from parlour_server.rooms.records import RoomOpened, parse
from parlour_server.rooms.state import State

ANSWERS = ("act", "timeout")


@attrs.frozen
class Room:
    """A room as it is stored."""

    code: str
    lines: list[str]
    matches: list[tuple[str, int, int]]
    """Digest, first and last line of each finished match, in order."""

    def answers(self) -> list[tuple[int, int, Map]]:
        """Return seat, rid and act of every answered decision."""
        records = map(json.loads, self.lines)
        return [(r["seat"], r["rid"], r.get("act", {})) for r in records if r["r"] in ANSWERS]

    def told(self, viewers: Sequence[int | None]) -> dict[int | None, list[tuple[str, str]]]:
        """Return for each viewer, line by line, the events and the view that follow from the log."""
        opened = parse(self.lines[0])
        assert isinstance(opened, RoomOpened)
        state = State(opened, games()[opened.game])
        told: dict[int | None, list[tuple[str, str]]] = {viewer: [] for viewer in viewers}
        for line in self.lines:
            events = state.fold(parse(line), line)
            match = state.match
            for viewer in viewers if match else ():
                assert match is not None
                told[viewer].append((_text(match.redacted(events, viewer)), _text(match.view(viewer))))
        return told


def rooms(store: Path) -> Iterator[Room]:
    """Yield every stored room."""
    with closing(sqlite3.connect(store)) as db:
        for (code,) in db.execute("SELECT code FROM room").fetchall():
            lines = db.execute("SELECT line FROM log WHERE room = ? ORDER BY n", (code,)).fetchall()
            matches = db.execute(
                "SELECT digest, first, last FROM match WHERE room = ? ORDER BY first", (code,)
            ).fetchall()
            yield Room(code, [line for (line,) in lines], matches)


async def stored_rooms(server: ServerProcess) -> list[Room]:
    """Return every room that a server has stored, wherever that is."""
    return list(rooms(server.store)) if server.database is None else await shared_rooms(server.database)


async def shared_rooms(url: str) -> list[Room]:
    """Return every room that is stored in a PostgreSQL database."""
    db = await asyncpg.connect(url)
    try:
        async with db.transaction(isolation="repeatable_read", readonly=True):  # one snapshot: the nodes may go on
            await db.execute("SET search_path TO parlour")
            lines: dict[str, list[str]] = {code: [] for (code,) in await db.fetch("SELECT code FROM room")}
            matches: dict[str, list[tuple[str, int, int]]] = {code: [] for code in lines}
            for code, line in await db.fetch("SELECT room, line FROM event ORDER BY room, seq"):
                lines[code].append(line)
            for code, *match in await db.fetch("SELECT room, digest, first, last FROM match ORDER BY room, first"):
                matches[code].append((match[0], match[1], match[2]))
    finally:
        await db.close()
    return [Room(code, lines[code], matches[code]) for code in lines]


def faults(room: Room, players: Sequence[Player]) -> list[str]:
    """Return all in which the memory of ``players`` and the log of their room differ."""
    if doubled := _doubled(room):
        return doubled  # such a log cannot even be folded
    told = room.told(sorted({player.seat for player in players}, key=str))
    found = [*_broken_chains(room)]
    for player in players:
        found += [*_forgotten_acts(room, player), *_forgotten_views(told[player.seat], player)]
        if room.matches and room.matches[-1][0] not in player.digests:
            found.append(f"{player.name} was not told the digest of the last match")
        found += [f"{player.name}: no such match {each}" for each in player.digests - {m[0] for m in room.matches}]
    return found


def all_faults(rooms: Iterable[Room], players: Sequence[Player]) -> list[str]:
    """Return all in which the memory of ``players`` and the logs of ``rooms`` differ."""
    return [fault for room in rooms for fault in faults(room, [each for each in players if each.room == room.code])]


def summary(players: Sequence[Player], found: Sequence[str]) -> str:
    """Return how much was compared, and the number of faults of each kind."""
    acts = sum(len(player.acknowledged) for player in players)
    shown = sum(len(player.shown) for player in players)
    lost, twice = (sum(word in fault for fault in found) for word in ("was acknowledged", "was answered"))
    return (
        f"of {acts:,} acknowledged acts {lost} lost and {twice} done twice, "
        f"of {shown:,} views {len(found) - lost - twice} forgotten or otherwise wrong"
    )


def _doubled(room: Room) -> list[str]:
    counts = Counter((seat, rid) for seat, rid, _ in room.answers())
    return [
        f"{room.code}: rid {rid} of seat {seat} was answered {n} times" for (seat, rid), n in counts.items() if n > 1
    ]


def _broken_chains(room: Room) -> Iterator[str]:
    for digest, first, last in room.matches:
        chain = b""
        for line in room.lines[first : last + 1]:
            chain = sha256(chain + line.encode()).digest()
        if chain.hex() != digest:
            yield f"{room.code}: lines {first} to {last} are not what {digest} says"


def _forgotten_acts(room: Room, player: Player) -> Iterator[str]:
    recorded = {rid: act for seat, rid, act in room.answers() if seat == player.seat}
    for rid, act in player.acknowledged.items():
        if recorded.get(rid) != act:
            yield f"{player.name}: act {act} under rid {rid} was acknowledged, stored is {recorded.get(rid)}"


def _forgotten_views(told: Sequence[tuple[str, str]], player: Player) -> Iterator[str]:
    """Yield the first message that has no place in the log behind that of the message before."""
    at = 0
    for message in player.shown:
        joined, view = message["t"] == "joined", _text(message["view"])
        events = _text([] if joined else message["events"])
        fresh = events != "[]"
        start = at + 1 if fresh and at else at
        place = next(
            (n for n in range(start, len(told)) if told[n][1] == view and (not fresh or told[n][0] == events)), None
        )
        if place is None:
            yield f"{player.name}: shown and forgotten: {_text(message)[:300]}"
            return
        at = place


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)

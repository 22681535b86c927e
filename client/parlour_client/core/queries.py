"""Questions to a server that need no seat: rooms, bots, standings, profiles."""

import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import attrs
from msgspec.structs import replace

from parlour_client.core.connection import Connection
from parlour_client.core.errors import Interrupted, Refused, Usage
from parlour_client.core.phrases import refused_by, say
from parlour_client.core.room import JoinedRoom
from parlour_client.core.session import Session
from parlour_protocol.messages import (
    Among,
    BotRow,
    Chain,
    ChainLink,
    ContestView,
    Daily,
    DailyRows,
    Delete,
    Error,
    Joined,
    List,
    Missed,
    MissedRow,
    MissedRows,
    Ping,
    PlayerRow,
    Pong,
    PresetRow,
    Presets,
    Profile,
    ProfileRows,
    ReplyT,
    Request,
    RoomRow,
    Standings,
    StandingsRow,
    StandingsRows,
    Webhook,
    WebhookState,
    Welcome,
    answer_of,
)

_PATIENCE = 10.0


@asynccontextmanager
async def visiting(url: str) -> AsyncIterator[Connection]:
    """Connect under a temporary name. Raises Fault.

    If the server requires a key, a new identity is registered and deleted afterwards.
    """
    name, key = f"visitor-{os.urandom(4).hex()}", None
    connection = Connection(url, Session(name, entropy=os.urandom), patience=_PATIENCE)
    try:
        await connection.__aenter__()
    except Refused as refused:
        if refused.code != "key_required":
            raise
        key = os.urandom(32).hex()
        connection = Connection(url, Session(name, entropy=os.urandom, key=key), patience=_PATIENCE)
        await connection.__aenter__()
    try:
        yield connection
        if key is not None:
            await connection.send(Delete(key))  # the server reads it before the close; no answer is needed
    finally:
        await connection.close()


async def ask(connection: Connection, message: Request[ReplyT]) -> ReplyT:
    """Return the answer to ``message``. Raises Refused, and Interrupted if no answer comes."""
    answer = answer_of(type(message))
    await connection.send(message)
    async for found in connection:
        if isinstance(found, Error):
            raise Refused(found.code, refused_by(connection.url, found))
        if isinstance(found, answer):
            return found
        if isinstance(found, Welcome) and (lost := _unanswered(connection)):
            raise Interrupted(f"{connection.url}: {lost}")
    raise Interrupted(say("fault.unanswered", url=connection.url))


def _unanswered(connection: Connection) -> str:
    """Return the session's report that a lost socket left the request unanswered, "" if there is none."""
    reports = [report.text for report in connection.session.reports if report.code == "unanswered"]
    connection.session.reports.clear()
    return ", ".join(reports)


async def listed(connection: Connection, game: str | None = None) -> tuple[list[RoomRow], list[BotRow]]:
    """Return all open rooms and the bots that can be invited. Raises Refused, Interrupted."""
    page = await ask(connection, List(game))
    rooms, bots = [*page.rooms], page.bots
    while page.after is not None:
        page = await ask(connection, List(game, page.after))
        rooms += page.rooms
    return rooms, bots


def people(row: RoomRow) -> list[str]:
    """Return descriptions of the players in a room, people before bots, and of a host without a seat."""
    players = sorted(row.get("players", []), key=lambda player: player["kind"] == "bot")
    apart = row["host"] is not None and row["host"] not in (player["name"] for player in players)
    return [
        *(_player(player, row["host"]) for player in players),
        *([f"{say('tui.host')} {row['host']}"] if apart else []),
    ]


def _player(player: PlayerRow, host: str | None) -> str:
    marks = [say("line.daily.bot")] * (player["kind"] == "bot") + [say("tui.host")] * (player["name"] == host)
    return f"{player['name']} ({', '.join(marks)})" if marks else player["name"]


async def lobby(url: str, game: str | None = None) -> dict[str, Any]:
    """Return ``{"server": URL, "rooms": [RoomRow], "bots": [BotRow]}``. Raises Fault."""
    async with visiting(url) as connection:
        rooms, bots = await listed(connection, game)
        return {"server": connection.url, "rooms": rooms, "bots": bots}


async def standings(url: str, game: str | None = None, contest: str | None = None) -> list[StandingsRow]:
    """Return the complete leaderboard of a server, a game, or a contest. Raises Fault."""
    async with visiting(url) as connection:
        return (await _pages(connection, Standings(game, contest))).rows


async def ladder(url: str, game: str, among: Among) -> StandingsRows:
    """Return the whole ladder of a game. Raises Fault."""
    async with visiting(url) as connection:
        return await _pages(connection, Standings(game, ladder=among))


async def profile(url: str, name: str) -> ProfileRows:
    """Return what ``name`` has done on a server. Raises Fault."""
    async with visiting(url) as connection:
        return await ask(connection, Profile(name))


async def daily(url: str, board: str, day: str | None = None) -> DailyRows:
    """Return the table of a daily board. Raises Fault."""
    async with visiting(url) as connection:
        found = await ask(connection, Daily(board, day))
        assert isinstance(found, DailyRows)  # without play
        return found


async def chain(url: str, after: int = 0) -> list[ChainLink]:
    """Return the links of a server's public chain from number ``after`` + 1 on. Raises Fault."""
    async with visiting(url) as connection:
        page = await ask(connection, Chain(after))
        links = [*page.links]
        while page.after is not None:
            page = await ask(connection, Chain(page.after))
            links += page.links
        return links


async def presets(url: str, game: str | None = None) -> list[PresetRow]:
    """Return the presets of a server, of a game or all. Raises Fault."""
    async with visiting(url) as connection:
        return (await ask(connection, Presets(game=game))).presets


async def preset(url: str, game: str, name: str) -> PresetRow:
    """Return the preset of a game that a server has under this name. Raises Fault."""
    return named(await presets(url, game), game, name)


def named(rows: Iterable[PresetRow], game: str, name: str) -> PresetRow:
    """Return the preset of a game with this name, in any letter case. Raises Usage."""
    known = {row["name"].casefold(): row for row in rows if row["game"] == game}
    wanted = " ".join(name.split()).casefold()
    if wanted not in known:
        there = ", ".join(row["name"] for row in known.values())
        raise Usage(say("fault.preset", name=ascii(name[:30]), game=game, there=there or say("fault.preset.none")))
    return known[wanted]


@attrs.frozen
class OwnGames:
    """The rooms in which a player has a seat, and the matches that ended while they were away."""

    rooms: list[JoinedRoom]
    missed: list[MissedRow]
    webhook: WebhookState | None = None
    """The player's webhook, if the server has one that was switched off."""


async def own_games(url: str, session: Session) -> OwnGames:
    """Return the games of the player of ``session``, which returns to all seats for a moment. Raises Fault."""
    rooms: dict[str, JoinedRoom] = {}
    async with Connection(url, session, patience=_PATIENCE) as connection:
        await connection.send(Missed() if "missed" in connection.can else Ping())
        async for message in connection:
            if isinstance(message, Joined):
                rooms[message.room] = JoinedRoom.of(message)
            elif isinstance(message, MissedRows):
                return OwnGames([*rooms.values()], message.matches, await _webhook_off(connection))
            elif isinstance(message, Pong):
                return OwnGames([*rooms.values()], [])
            elif room := rooms.get(getattr(message, "room", None) or ""):
                room.apply(message)
    raise Interrupted(say("fault.unanswered", url=url))


async def _webhook_off(connection: Connection) -> WebhookState | None:
    """Return the player's webhook if the server has switched it off."""
    if "webhook" not in connection.can or connection.session.key is None:
        return None
    found = await ask(connection, Webhook())
    return None if found.off is None else found


async def contest_standings(url: str, name: str, *, cross: bool = False) -> tuple[ContestView, list[StandingsRow]]:
    """Return the state of a contest and the rows of its bots, with ``cross`` including their pairings. Raises Fault."""
    async with visiting(url) as connection:
        found = await _pages(connection, Standings(contest=name, cross=cross))
        assert found.contest is not None
        return found.contest, found.rows


async def _pages(connection: Connection, wanted: Standings) -> StandingsRows:
    """Return all pages of a leaderboard as one answer. Raises Refused, Interrupted."""
    page = await ask(connection, wanted)
    rows = [*page.rows]
    while page.after is not None:
        page = await ask(connection, replace(wanted, after=page.after))
        rows += page.rows
    return replace(page, rows=rows)

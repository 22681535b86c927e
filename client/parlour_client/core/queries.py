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
from parlour_client.core.url import normalise_url
from parlour_protocol.messages import (
    BotRow,
    ChainLinks,
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
    Reply,
    ReplyT,
    Request,
    RoomRow,
    Rooms,
    StandingsRows,
    Webhook,
    WebhookState,
    Welcome,
    answer_of,
)

_PATIENCE = 10.0
_LONG = 30.0
"""Seconds to wait for an answer: a test of a webhook takes up to ten, and may have to wait for others."""


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


_ROWS: dict[type[Reply], str] = {Rooms: "rooms", StandingsRows: "rows", ChainLinks: "links"}
"""The field of an answer that may go on on a further page."""


async def complete(connection: Connection, wanted: Request[ReplyT]) -> ReplyT:
    """Return the answer to ``wanted`` with the rows of all its pages. Raises Refused, Interrupted."""
    answer: Any = await ask(connection, wanted)
    if field := _ROWS.get(type(answer)):
        rows, page = [*getattr(answer, field)], answer
        while page.after is not None:
            page = await ask(connection, replace(wanted, after=page.after))
            rows += getattr(page, field)
        answer = replace(answer, after=None, **{field: rows})
    found: ReplyT = answer
    return found


async def asked_in(url: str, session: Session, wanted: Request[ReplyT]) -> ReplyT:
    """Return the answer of the server at ``url`` to the player of ``session``. Raises Fault."""
    async with Connection(url, session, patience=_LONG) as connection:
        return await ask(connection, wanted)


async def listed(connection: Connection) -> tuple[list[RoomRow], list[BotRow]]:
    """Return all open rooms and the bots that can be invited. Raises Refused, Interrupted."""
    found = await complete(connection, List())
    return found.rooms, found.bots


async def asked(url: str, wanted: Request[ReplyT]) -> ReplyT:
    """Return the complete answer of the server at ``url``, asked under a temporary name. Raises Fault."""
    async with visiting(url) as connection:
        return await complete(connection, wanted)


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
    """Return ``{"server": URL, "rooms": [RoomRow], "bots": [BotRow]}``: all open rooms, and who can be invited.

    Raises Fault.
    """
    found = await asked(url, List(game))
    return {"server": normalise_url(url), "rooms": found.rooms, "bots": found.bots}


async def profile(url: str, name: str) -> ProfileRows:
    """Return what ``name`` has done on a server. Raises Fault."""
    return await asked(url, Profile(name))


async def daily(url: str, board: str, day: str | None = None) -> DailyRows:
    """Return the table of a daily board. Raises Fault."""
    found = await asked(url, Daily(board, day))
    assert isinstance(found, DailyRows)  # without play
    return found


async def preset(url: str, game: str, name: str) -> PresetRow:
    """Return the preset of a game that a server has under this name. Raises Fault."""
    return named((await asked(url, Presets(game=game))).presets, game, name)


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
    """Return the games of the player of ``session``, which returns to all seats for a moment. Raises Fault.

    Without a token or a key it can have none.
    """
    if not (session.token or session.key):
        return OwnGames([], [])
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
    if "webhook" not in connection.can or connection.session.key is None:
        return None
    found = await ask(connection, Webhook())
    return None if found.off is None else found

"""``parlour demo``: a real server, four bots, one whole match over real sockets, and where its game file lies."""

import asyncio
import json as encoding
import sys
import time
from collections.abc import Callable
from pathlib import Path
from secrets import randbits
from typing import Annotated

import attrs
from cyclopts import Parameter
from platformdirs import user_data_path

from parlour_bots.loader import find
from parlour_bots.mistakes import Mistake
from parlour_bots.progress import Progress
from parlour_bots.remote import Guest, connection, play_room
from parlour_bots.reports import Report, Scribe
from parlour_bots.serving import serving
from parlour_client.connection import Connection
from parlour_client.faults import Interrupted, Refused
from parlour_client.table import Room
from parlour_protocol.messages import Create, Error, File, FileLines, Joined, Over

PLAYERS = {"ada": "painfirst", "bruno": "painfirst", "dice": "random", "rolf": "random"}
"""Who plays, and what plays under that name."""
TARGET = 500


def demo(
    *,
    json: Annotated[bool, Parameter(negative="", help="Print the result as one JSON object.")] = False,
    folder: Annotated[Path | None, Parameter(help="Where to put the game file. Default: your data folder.")] = None,
) -> int:
    """Let four bots play a whole match of UNO on a real server, over real sockets.

    Examples:
    parlour demo
    parlour demo --json | jq .scores
    """
    with Progress(TARGET, sys.stderr) as progress:
        played = asyncio.run(_demonstrate(progress.show))
    file = _saved(played, folder or user_data_path("parlour", appauthor=False) / "games")
    report = _report(played, file)
    sys.stdout.write(f"{encoding.dumps(report.data) if json else report.text}\n")
    return 0


@attrs.frozen
class _Played:
    """The end of the match, how many moves it took, how many seconds, and the lines of its game file."""

    end: Report
    moves: int
    seconds: float
    lines: list[str]


async def _demonstrate(show: Callable[[Room], None]) -> _Played:
    """Play the match on a server of our own. Raises Fault."""
    ends: list[Report] = []
    scribe = Scribe(ends.append)
    async with serving("--no-house-bots") as server, connection(server.url, "audience") as audience:
        begun = time.monotonic()
        room = await _opened(audience, scribe)
        guests = [Guest(connection(server.url, name), find(bot), _tell, randbits(64)) for name, bot in PLAYERS.items()]
        playing = asyncio.gather(*(play_room(guest, room) for guest in guests))
        players, _ = await asyncio.gather(playing, _watch(audience, scribe, show))
        seconds = round(time.monotonic() - begun, 2)
        lines = await _file(server.url, ends[0].data["digest"])
    return _Played(ends[0], sum(len(player.acts) for player in players), seconds, lines)


async def _opened(audience: Connection, scribe: Scribe) -> str:
    """Open a room that begins when its last seat is taken, and return its code."""
    await audience.send(
        Create("uno", {"target": TARGET}, seats=len(PLAYERS), private=True, start="full", as_="spectator")
    )
    async for message in audience:
        scribe.follow(message)
        match message:
            case Joined():
                return message.room
            case Error():
                raise Refused(message.code, message.msg)
    raise Interrupted(audience.state.reason)


async def _watch(audience: Connection, scribe: Scribe, show: Callable[[Room], None]) -> None:
    """Follow the match to its end."""
    async for message in audience:
        scribe.follow(message)
        for room in scribe.rooms.values():
            show(room)
        if isinstance(message, Over):
            return
    raise Interrupted(audience.state.reason)


async def _file(url: str, digest: str) -> list[str]:
    """Return the lines of the game file with this digest, fetched page by page."""
    lines: list[str] = []
    async with connection(url, "archivist") as archivist:
        await archivist.send(File(digest))
        async for message in archivist:
            match message:
                case FileLines():
                    lines += message.lines
                    if message.after is None:
                        return lines
                    await archivist.send(File(digest, message.after))
                case Error():
                    raise Refused(message.code, message.msg)
    raise Interrupted(archivist.state.reason)


def _saved(played: _Played, folder: Path) -> Path:
    path = folder / f"uno-{played.end.data['digest'][:12]}.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in played.lines), encoding="utf-8")
    return path


def _report(played: _Played, file: Path) -> Report:
    end = played.end
    data = {
        "game": end.data["game"],
        "rounds": end.data["rounds"],
        "moves": played.moves,
        "winner": end.data["winner"],
        "scores": end.data["scores"],
        "seconds": played.seconds,
        "file": str(file),
    }
    size = f"{data['rounds']} rounds, {played.moves} moves in {played.seconds} s over real sockets"
    return Report(f"{end.text}\n{size}\ngame file: {file}", data)


def _tell(mistake: Mistake) -> None:
    sys.stderr.write(f"{mistake}\n")

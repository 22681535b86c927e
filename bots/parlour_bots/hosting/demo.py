"""``parlour demo``: bots play a match of UNO and a Minesweeper race on a real server."""

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path
from secrets import randbits
from tempfile import TemporaryFile
from typing import Annotated

import attrs
from cyclopts import Parameter
from platformdirs import user_data_path

from parlour_bots.errors import Mistake
from parlour_bots.hosting.child_server import serving
from parlour_bots.loading import find
from parlour_bots.play.network import BotClient, connection, play_room
from parlour_bots.tools.progress import MatchProgress
from parlour_bots.tools.reports import Report, of_over
from parlour_client.core.connection import Connection
from parlour_client.core.errors import Interrupted, writing
from parlour_client.core.queries import ask
from parlour_client.core.room import JoinedRoom
from parlour_games.plural import counted
from parlour_protocol.messages import Create, File, Over, Plain

PLAYERS = {"ada": "painfirst", "bruno": "painfirst", "dice": "random", "rolf": "random"}
"""The players of UNO and their bots."""
TARGET = 500
RACERS = {name: f"minesweeper.{name}" for name in ("exact", "adjacency", "article")}
"""The players of the Minesweeper race and their bots."""
LEVEL = "intermediate"


def demo(
    *,
    json: Annotated[bool, Parameter(negative="", help="Print the result as one JSON object.")] = False,
    folder: Annotated[Path | None, Parameter(help="Folder for the match file. Default: your data folder.")] = None,
) -> int:
    """Let bots play a match of UNO and a Minesweeper race on a real server.

    Examples:
    parlour demo
    parlour demo --json | jq .scores
    """
    folder = folder or user_data_path("parlour", appauthor=False) / "games"
    with writing(folder):  # before the match
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    with MatchProgress(TARGET, sys.stderr) as progress:
        shown = asyncio.run(_demonstrate(progress.show))
    file = folder / f"uno-{shown.uno.over.digest[:12]}.jsonl"
    with writing(file):
        file.write_text("".join(f"{line}\n" for line in shown.lines), encoding="utf-8", newline="\n")
    report = _report(shown, file)
    report.write(sys.stdout, as_json=json)
    return 0


@attrs.frozen
class _Played:
    """A finished match: its room, its last message, its moves, and its duration in seconds."""

    room: JoinedRoom
    over: Over
    moves: int
    seconds: float


@attrs.frozen
class _Shown:
    """Both matches, and the lines of the match file of the first."""

    uno: _Played
    race: _Played
    lines: list[str]


async def _demonstrate(show: Callable[[JoinedRoom], None]) -> _Shown:
    """Play both matches on a local server. Raises Fault."""
    async with serving("--no-house-bots") as server, connection(server.url, "audience") as audience:
        uno = await _played(audience, server.url, "uno", {"target": TARGET}, PLAYERS, show)
        race = await _played(audience, server.url, "minesweeper", {"mode": "race", "level": LEVEL}, RACERS, show)
        return _Shown(uno, race, await _file(server.url, uno.over.digest))


async def _played(
    audience: Connection,
    url: str,
    game: str,
    options: Plain,
    players: dict[str, str],
    show: Callable[[JoinedRoom], None],
) -> _Played:
    """Let ``players`` play one match, watched by ``audience``."""

    def report(mistake: Mistake) -> None:
        sys.stderr.write(f"{mistake}\n")

    begun = time.monotonic()
    create = Create(game, options, seats=len(players), private=True, start="full", as_="spectator")
    room = JoinedRoom.of(await ask(audience, create))
    clients = [BotClient(connection(url, name), find(bot, game), report, randbits(64)) for name, bot in players.items()]
    playing = asyncio.gather(*(play_room(client, room.code) for client in clients))
    seated, over = await asyncio.gather(playing, _watch(audience, room, show))
    return _Played(room, over, sum(len(player.acts) for player in seated), round(time.monotonic() - begun, 2))


async def _watch(audience: Connection, room: JoinedRoom, show: Callable[[JoinedRoom], None]) -> Over:
    """Follow the match in ``room`` to its end."""
    async for message in audience:
        room.apply(message)
        show(room)
        if isinstance(message, Over) and message.room == room.code:
            return message
    raise Interrupted(audience.state.reason)


async def _file(url: str, digest: str) -> list[str]:
    """Fetch the match file with this digest, page by page, and return its lines."""
    async with connection(url, "archivist") as archivist:
        page = await ask(archivist, File(digest))
        lines = [*page.lines]
        while page.after is not None:
            page = await ask(archivist, File(digest, page.after))
            lines += page.lines
        return lines


def _report(shown: _Shown, file: Path) -> Report:
    uno, race = shown.uno, shown.race
    end, cells = of_over(uno.room, uno.over), of_over(race.room, race.over)
    data = {
        "game": end.data["game"],
        "rounds": end.data["rounds"],
        "moves": uno.moves,
        "winner": end.data["winner"],
        "scores": end.data["scores"],
        "seconds": uno.seconds,
        "file": str(file),
        "race": {"winner": cells.data["winner"], "scores": cells.data["scores"], "seconds": race.seconds},
    }
    lines = [
        end.text,
        f"{counted(data['rounds'], 'round')}, {counted(uno.moves, 'move')} in {uno.seconds} s over WebSockets",
        f"match file: {file}",
        f"and a race at Minesweeper, {LEVEL}, in {race.seconds} s:",
        *_finish(race),
    ]
    return Report("\n".join(lines), data)


def _finish(race: _Played) -> list[str]:
    """Return a line per racer, best first."""
    ranks, opened = race.over.result["ranks"], race.over.result["scores"]
    width, safe = max(map(len, RACERS)), race.over.view["safe"]
    seats = sorted(ranks, key=lambda seat: (ranks[seat], int(seat)))
    return [f"{ranks[seat]}. {race.room.name(int(seat)):<{width}} {opened[seat]:>3} of {safe} cells" for seat in seats]

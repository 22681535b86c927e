"""Write a store with a room in which the match of a file goes on.

``python -m parlour_server.cli.continue_match FILE STORE --before ACT --as SEAT`` writes the SQLite file ``STORE``,
which a server can then open. The match goes on before act number ``ACT``, from 1, for the player of ``SEAT``, a number
or a name; without ``--as`` for the first person. It prints the ``room``, its ``game``, the ``seat``, and by seat the
``players`` with ``name`` and ``key``, as JSON. The exit code is 1 for a file that is wrong, and 2 for one that cannot
be read and for a seat or act that is not there; the reason is on standard error.
"""

import asyncio
import json
import secrets
import sys
from argparse import ArgumentParser
from pathlib import Path

from parlour_protocol.messages import Plain
from parlour_server.directory.identities import hashed
from parlour_server.game_files.continuation import continued
from parlour_server.game_files.reader import BadFile, lines_of
from parlour_server.game_files.replay import finished, seat_of
from parlour_server.persistence import Append, SaveIdentity, SaveRoom, SaveSeat, Write
from parlour_server.rooms.records import Begun, StartingSeat
from parlour_server.store.sqlite.store import SqliteStore

CODE = "MATCH"
"""The code of the room."""
WRONG, USAGE = 1, 2


async def write(path: Path, store: Path, act: int, whose: str | None) -> Plain:
    """Write the store; return what to print. Raises BadFile, LookupError, OSError."""
    file = finished(lines_of(path))
    begun = file[0].record
    if not isinstance(begun, Begun):
        raise BadFile(1, f"a match file begins with begun, not with {begun.r}")
    people = [seat for seat, player in enumerate(begun.players) if player.kind == "human"]
    person = next(iter(people), 0) if whose is None else seat_of(begun, whose)
    players = [
        StartingSeat(p.who, p.name, "human" if seat == person else "bot") for seat, p in enumerate(begun.players)
    ]
    log = continued(file, act - 1, person, players, CODE)
    writes: list[Write] = [SaveRoom(CODE, 1, True)]
    found: list[Plain] = []
    for player in players:
        key = secrets.token_hex(32)
        writes += [
            SaveIdentity(player.who, player.name, player.kind, None, None, hashed(key)),
            SaveSeat(CODE, player.who, True),
        ]
        found.append({"name": player.name, "key": key})
    writes += [Append(CODE, 1, n, line) for n, line in enumerate(log)]
    opened = SqliteStore(store)
    await opened.commit(writes)
    await opened.close()
    return {"room": CODE, "game": begun.game, "seat": person, "players": found}


def main() -> int:
    """Write the store that the arguments name."""
    arguments = ArgumentParser()
    arguments.add_argument("file", type=Path)
    arguments.add_argument("store", type=Path)
    arguments.add_argument("--before", type=int, default=1)
    arguments.add_argument("--as", dest="seat")
    given = arguments.parse_args()
    try:
        found = asyncio.run(write(given.file, given.store, given.before, given.seat))
    except (LookupError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return USAGE
    except BadFile as bad:
        sys.stderr.write(f"{given.file}: {bad}\n")
        return WRONG
    sys.stdout.write(json.dumps(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

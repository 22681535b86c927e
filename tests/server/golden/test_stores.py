"""Files that servers of older schemas wrote, as they were when those were killed in a match: all is still there."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.nodes import House

from parlour_games.registry import games
from parlour_protocol import messages as m
from parlour_server.persistence import MatchFinished, MatchRow, SaveMatch
from parlour_server.rooms.records import RoomOpened, link, parse
from parlour_server.rooms.room import replay
from parlour_server.store.sqlite.archive import archive
from parlour_server.store.sqlite.schema import SCHEMA
from parlour_server.store.sqlite.store import SqliteStore

FOLDER = Path(__file__).parent / "stores"


@pytest.fixture(params=range(1, SCHEMA))
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file as the server of one schema left it."""
    path = tmp_path / "parlour.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((FOLDER / f"schema-{request.param}.sql").read_text())
        assert db.execute("PRAGMA user_version").fetchone() == (request.param,)
    return path


async def test_everything_is_still_there_and_new_results_are_taken(path: Path) -> None:
    store = SqliteStore(path)
    index = await store.index()
    assert {each.name: (each.kind, bool(each.key)) for each in index.identities} == {
        "anna": ("human", True),
        "bert": ("bot", False),
    }
    rows, _ = await store.standings("uno", None, 10)
    assert [(row["name"], row["games"], row["wins"]) for row in rows] == [("anna", 1, 1), ("bert", 1, 0)]
    assert rows[0]["rating"] > rows[1]["rating"]
    profile = await store.profile("anna")
    assert profile is not None
    assert [(row["matches"], row["wins"], row["streak"]) for row in profile[2]] == [(1, 1, 1)]
    assert len(index.open_rooms) == 2
    assert len(index.kept_rooms) == 1
    who = {each.name: each.who for each in index.identities}
    played = MatchRow(0, who["bert"], "bert", "bot", 1, 50, "hard"), MatchRow(1, who["anna"], "anna", "human", 2, 0)
    await store.commit([SaveMatch(index.open_rooms[0], MatchFinished("d1", "uno", 0, 0, True, played))])
    rows, _ = await store.standings(None, None, 10)
    assert {row["name"]: (row["games"], row["wins"], row.get("style")) for row in rows} == {
        "anna": (2, 1, None),
        "bert": (2, 1, "hard"),
    }
    await store.close()


async def test_finished_match_has_its_file_and_rooms_fold(path: Path) -> None:
    with archive(f"sqlite:///{path}") as found:  # before a server opens the file
        (match,) = found.matches()
        ended = json.loads(found.file(match.digest)[-1])
        assert (ended["r"], ended["h"]) == ("over", match.digest)
    store = SqliteStore(path)
    chain = b""
    for line in await store.match_lines(match.digest) or ():
        chain = link(chain, line)
    assert chain.hex() == match.digest
    for code in (await store.index()).open_rooms:
        lines = (await store.load(code))[1]
        opened = parse(lines[0])
        assert isinstance(opened, RoomOpened)
        assert replay(lines, games()[opened.game]).state.n == len(lines)
    await store.close()


async def test_match_goes_on(path: Path) -> None:
    house = House(path)
    await house.node.start()
    with closing(sqlite3.connect(path)) as db:
        ((room,),) = db.execute("SELECT code FROM room WHERE NOT kept").fetchall()
    anna = house.connect("anna")
    welcome = await anna.greet(key="a key of anna's")
    assert welcome.rooms == [room]
    assert (await anna.hear(m.Joined)).seat == 0
    seat, rid = house.turn(room)
    assert seat in (0, 1)
    assert rid > 1
    await house.close()


@pytest.mark.parametrize("path", [8], indirect=True)
async def test_a_day_that_was_played_is_still_there(path: Path) -> None:
    store = SqliteStore(path)
    rows, you = await store.daily("2026-11-22", "expert", "anna")
    await store.close()
    assert rows == [{"name": "anna", "kind": "human", "ms": 52_000}]
    assert you == {"played": True, "days": 1, "room": "DAY1DAY1", "ms": 52_000}

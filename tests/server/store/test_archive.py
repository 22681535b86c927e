"""Reading a store beside the server that holds it."""

import json
import sqlite3
from pathlib import Path

import pytest
from tests.server.matches import Played, play

from parlour_server import persistence
from parlour_server.game_files.verify import verify
from parlour_server.rooms.records import canonical
from parlour_server.store import open_store
from parlour_server.store.base import CannotOpen, Store, StoreError
from parlour_server.store.sqlite.archive import archive

LIMIT = 2


def stored(played: Played) -> list[persistence.Write]:
    """Return what stores a match as a server does."""
    begun, *_, over = [json.loads(line) for line in played.lines]
    room = begun["context"].partition("/")[0]
    lines = [{name: value for name, value in json.loads(line).items() if name != "h"} for line in played.lines]
    rows = tuple(
        persistence.MatchRow(seat, who["who"], who["name"], who["kind"], over["ranks"][seat], over["scores"][seat])
        for seat, who in enumerate(begun["players"])
    )
    match = persistence.MatchFinished(played.digest, played.game, begun["n"], over["n"], True, rows)
    appended: list[persistence.Write] = [persistence.Append(room, 1, line["n"], canonical(line)) for line in lines]
    return [persistence.SaveRoom(room, 1, True), *appended, persistence.SaveMatch(room, match)]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'a store.db'}"


async def filled(url: str) -> tuple[Store, list[Played]]:
    matches = [play("uno", 1), play("minesweeper", 2), play("uno", 3)]
    store = open_store(url)
    for played in matches:
        await store.commit(stored(played))
    return store, matches


async def test_matches_are_read_while_a_server_holds_the_store(url: str) -> None:
    store, matches = await filled(url)
    with archive(url) as found:
        assert {match.digest for match in found.matches()} == {played.digest for played in matches}
        [mines] = found.matches("minesweeper")
        assert (mines.digest, mines.game, mines.rated) == (matches[1].digest, "minesweeper", True)
        assert [player.name for player in mines.players] == ["anna", "bert", "cleo", "dora"][: len(mines.players)]
        assert len(found.matches(limit=LIMIT)) == LIMIT
        for played in matches:
            assert found.file(played.digest) == played.lines
            assert verify(found.file(played.digest), played.digest).ok
    await store.close()
    with archive(url) as found:
        assert len(found.matches()) == len(matches)


async def test_a_digest_is_found_by_its_beginning(url: str) -> None:
    store, matches = await filled(url)
    await store.close()
    with archive(url) as found:
        assert found.digests(matches[0].digest[:6]) == [matches[0].digest]
        assert found.digests(matches[0].digest) == [matches[0].digest]
        assert sorted(found.digests("")) == sorted(played.digest for played in matches)
        assert found.digests("0" * 64) == found.file("0" * 64) == []


async def test_nothing_is_written(url: str) -> None:
    store, _ = await filled(url)
    await store.close()
    with pytest.raises(StoreError, match="readonly"), archive(url) as found:
        found._db.execute("DELETE FROM match")


def test_what_is_no_store_is_told(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    text = tmp_path / "text.db"
    text.write_text("no database at all, but long enough to look like one\n" * 100)
    newer = tmp_path / "newer.db"
    for path, version in ((other, 0), (newer, 999)):
        with sqlite3.connect(path) as db:
            db.execute(f"PRAGMA user_version = {version}")
            db.execute("CREATE TABLE t (x)")
        db.close()
    for path, words in (
        (tmp_path / "none.db", "there is no store"),
        (other, "not written by parlour"),
        (newer, "a newer parlour"),
        (text, "cannot be used"),
    ):
        with pytest.raises(CannotOpen, match=words), archive(f"sqlite:///{path}"):
            raise AssertionError("it was opened")
    with pytest.raises(CannotOpen, match="unknown store"), archive("nonsense"):
        raise AssertionError("it was opened")

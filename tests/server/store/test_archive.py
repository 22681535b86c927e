"""Reading a store beside the server that holds it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.matches import Played, play

from parlour_server import persistence
from parlour_server.game_files.verify import verify
from parlour_server.store import open_store
from parlour_server.store.base import CannotOpen, StoreError
from parlour_server.store.sqlite.archive import archive


def stored(played: Played) -> list[persistence.Write]:
    """Return what stores a match as a server does."""
    begun, *_, over = [json.loads(line) for line in played.lines]
    room = begun["context"].partition("/")[0]
    rows = tuple(
        persistence.MatchRow(seat, who["who"], who["name"], who["kind"], over["ranks"][seat], over["scores"][seat])
        for seat, who in enumerate(begun["players"])
    )
    match = persistence.MatchFinished(played.digest, played.game, begun["n"], over["n"], True, rows)
    lines = [persistence.Append(room, 1, n, line) for n, line in enumerate(played.log, begun["n"])]
    return [persistence.SaveRoom(room, 1, False), *lines, persistence.SaveMatch(room, match)]


async def test_matches_are_read_and_nothing_is_written_beside_a_server_and_without_one(tmp_path: Path) -> None:
    url, matches = f"sqlite:///{tmp_path / 'a store.db'}", [play("uno", 1), play("minesweeper", 2), play("uno", 3)]
    store = open_store(url)
    for played in matches:
        await store.commit(stored(played))
    with archive(url) as found:
        assert {match.digest for match in found.matches()} == {played.digest for played in matches}
        [mines] = found.matches("minesweeper")
        assert (mines.digest, mines.game, mines.rated) == (matches[1].digest, "minesweeper", True)
        assert [player.name for player in mines.players] == ["anna", "bert", "cleo", "dora"][: len(mines.players)]
        assert len(found.matches(limit=2)) == 2
        for played in matches:
            assert found.file(played.digest) == played.lines
            assert verify(found.file(played.digest), played.digest).ok
    await store.close()
    with archive(url) as found:
        assert found.digests(matches[0].digest[:6]) == [matches[0].digest]
        assert found.digests(matches[0].digest) == [matches[0].digest]
        assert sorted(found.digests("")) == sorted(played.digest for played in matches)
        assert found.digests("0" * 64) == found.file("0" * 64) == []
    with pytest.raises(StoreError, match="readonly"), archive(url) as found:
        found._db.execute("DELETE FROM match")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none.db", "there is no store"),
        ("other.db", "not written by parlour"),
        ("newer.db", "a newer parlour"),
        ("text.db", "cannot be used"),
        (None, "unknown store"),
    ],
)
def test_what_is_no_store_is_told(tmp_path: Path, name: str | None, words: str) -> None:
    (tmp_path / "text.db").write_text("no database at all, but long enough to look like one\n" * 100)
    for other, version in (("other.db", 0), ("newer.db", 999)):
        with closing(sqlite3.connect(tmp_path / other)) as db:
            db.execute(f"PRAGMA user_version = {version}")
            db.execute("CREATE TABLE t (x)")
    with pytest.raises(CannotOpen, match=words), archive(f"sqlite:///{tmp_path / name}" if name else "nonsense"):
        raise AssertionError("it was opened")

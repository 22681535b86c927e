"""A copy of a store: whole, consistent while others write, in place only when it is complete."""

import os
import shutil
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from tests.server.store.writes import identity, line, lines, long_room, match, opened

from parlour_server.persistence import Append, SaveSeat
from parlour_server.store.base import CannotOpen, StoreError
from parlour_server.store.sqlite import backup
from parlour_server.store.sqlite.backup import Copy, back_up, restore
from parlour_server.store.sqlite.store import SqliteStore


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "copies" / "friday #1?.db"


@pytest.fixture
async def store(path: Path, target: Path) -> AsyncIterator[SqliteStore]:
    target.parent.mkdir()
    store = SqliteStore(path)
    await store.commit([*opened("AAAA"), *opened("BBBB"), line(1), identity("anna"), SaveSeat("AAAA", "id-anna", True)])
    await store.commit([match("d", ("anna", 1, 5), ("bert", 2, 0), room="AAAA")])
    yield store
    await store.close()


@pytest.fixture
async def released(path: Path, target: Path) -> Path:
    """A store that nobody holds any more."""
    target.parent.mkdir()
    return await long_room(path)


def copy(path: Path, target: Path, *, overwrite: bool = False) -> Copy:
    return back_up(path, target, overwrite=overwrite, progress=lambda done, total: None)


def test_copy_is_one_file_that_only_its_owner_can_read(store: SqliteStore, path: Path, target: Path) -> None:
    assert copy(path, target) == Copy(target.stat().st_size, rooms=2, matches=1)
    assert [each.name for each in target.parent.iterdir()] == [target.name]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


async def test_copy_is_the_store(store: SqliteStore, path: Path, target: Path) -> None:
    copy(path, target)
    again = SqliteStore(target)
    assert await again.index() == await store.index()
    assert await again.standings(None, None, 10) == await store.standings(None, None, 10)
    assert (await again.load("AAAA"))[1] == lines(1, "AAAA")
    await again.close()


def test_store_of_a_killed_server_is_copied_with_its_last_commits(
    store: SqliteStore, path: Path, target: Path, tmp_path: Path
) -> None:
    dead = tmp_path / "dead.db"
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", f"{dead}{end}")
    assert copy(dead, target) == Copy(target.stat().st_size, rooms=2, matches=1)


async def test_what_is_written_meanwhile_is_not_half_in_it(store: SqliteStore, path: Path, target: Path) -> None:
    """Each step of the copy is followed by a commit to the store; it is what it was at the beginning."""
    await store.commit([Append("AAAA", 1, n, "x" * 1_000) for n in range(1, 4_000)])
    steps: list[int] = []
    with closing(sqlite3.connect(path)) as other:

        def meanwhile(done: int, total: int) -> None:
            steps.append(total)
            assert len(steps) < 100, "it begins again and again"
            with other:
                other.execute("INSERT INTO record VALUES ('AAAA', ?, 'new')", (10_000 + len(steps),))
                other.execute("INSERT INTO room VALUES (?, 1, 1, 0)", (f"NEW{len(steps)}",))

        made = back_up(path, target, overwrite=False, progress=meanwhile)
    assert len(steps) > 2
    assert len(set(steps)) == 1
    assert made.rooms == 2
    again = SqliteStore(target)
    assert len((await again.load("AAAA"))[1]) == 4_000
    await again.close()


async def test_restored_copy_replaces_the_store_which_is_kept(released: Path, target: Path) -> None:
    held = copy(released, target)
    assert held.rooms == 1
    store = SqliteStore(released)
    await store.commit(opened("CCCC"))
    with pytest.raises(CannotOpen, match="is in use by"):
        restore(target, released, progress=lambda done, total: None)
    await store.close()
    put, kept = restore(target, released, progress=lambda done, total: None)
    assert put == held
    assert kept is not None
    for path, codes in ((released, {"AAAA"}), (kept, {"AAAA", "CCCC"})):
        store = SqliteStore(path)
        assert set((await store.index()).codes) == codes
        await store.close()


@pytest.mark.parametrize("content", [None, b"", b"no database at all", b"SQLite format 3\0" + bytes(4_000)])
def test_what_is_no_copy_replaces_nothing(released: Path, target: Path, content: bytes | None) -> None:
    before = released.read_bytes()
    if content is not None:
        target.write_bytes(content)
    with pytest.raises(CannotOpen):
        restore(target, released, progress=lambda done, total: None)
    with pytest.raises(StoreError, match="is the store itself"):
        restore(released, released, progress=lambda done, total: None)
    assert released.read_bytes() == before


def test_file_that_is_there_is_not_overwritten_unless_told(store: SqliteStore, path: Path, target: Path) -> None:
    target.write_text("precious")
    with pytest.raises(StoreError, match=r"exists; .*--force"):
        copy(path, target)
    assert target.read_text() == "precious"
    assert copy(path, target, overwrite=True).rooms == 2


def test_nothing_is_written_over_the_store_itself_or_where_no_folder_is(
    store: SqliteStore, path: Path, tmp_path: Path
) -> None:
    with pytest.raises(StoreError, match="cannot be written: No such file or directory"):
        copy(path, tmp_path / "nowhere" / "copy.db")
    other_name = tmp_path / "link.db"
    os.link(path, other_name)
    for same in (path, other_name):
        with pytest.raises(StoreError, match="is the store itself"):
            copy(path, same, overwrite=True)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, r"there is no store .*parlour\.db; .*--store"),
        (b"", "nothing was ever stored"),
        (b"no database at all, " * 300, "not a database"),
    ],
)
def test_no_store(path: Path, tmp_path: Path, content: bytes | None, words: str) -> None:
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CannotOpen, match=words):
        copy(path, tmp_path / "copy.db")
    assert (path.exists(), (tmp_path / "copy.db").exists()) == (content is not None, False)


def test_damaged_store_gives_no_copy(released: Path, target: Path) -> None:
    content = bytearray(released.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 4096] = os.urandom(4096)
    released.write_bytes(content)
    with pytest.raises(CannotOpen, match=r"damaged|malformed"):
        copy(released, target)
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_copy_that_cannot_be_finished_leaves_nothing(
    store: SqliteStore, path: Path, target: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    target.write_text("precious")
    monkeypatch.setattr(backup.os, call, Mock(side_effect=OSError(28, "No space left on device")))  # type: ignore[attr-defined]
    with pytest.raises(StoreError, match="cannot be written: No space left on device"):
        copy(path, target, overwrite=True)
    assert target.read_text() == "precious"
    assert [each.name for each in target.parent.iterdir()] == [target.name]

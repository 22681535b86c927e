"""What a host's machine is looked at for."""

import asyncio
import errno
import os
import socket
import sqlite3
import sys
from contextlib import closing
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import asyncpg
import pytest
from tests.support.server import ServerProcess, server_process

from parlour_protocol.installation import extra_hint
from parlour_server import ssh
from parlour_server.cli import doctor
from parlour_server.cli.doctor import FULL, NEARLY_FULL, SLOW_SYNC, Row, at_port, by_ssh, look, network
from parlour_server.cli.doctor import database as found_at
from parlour_server.settings import ServerSettings
from parlour_server.store.postgres import schema
from parlour_server.store.postgres.schema import VERSION, prepare
from parlour_server.store.sqlite.schema import SCHEMA, migrate


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as db:
        migrate(db, 0)
    return path


def _database(path: Path) -> dict[str, Row]:
    return {row[0]: row for row in found_at(f"sqlite:///{path}")}


def test_free_port_and_an_address_that_is_not_ours() -> None:
    assert at_port("127.0.0.1", 0)[:2] == ("port", "ok")
    assert at_port("::1", 0)[0] == "port"
    assert at_port("192.0.2.1", 7777)[1] == "fail"


def test_port_held_by_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as held:
        check, status, says, next_ = at_port("127.0.0.1", held.getsockname()[1])
    assert (check, status, "in use" in says, "--port" in next_) == ("port", "fail", True, True)


def test_port_and_store_of_a_server_of_ours(server: ServerProcess) -> None:
    _, status, says, _ = at_port("127.0.0.1", int(server.url.rpartition(":")[2]))
    assert (status, "already" in says) == ("ok", True)
    assert _database(server.store)["database"][1] == "ok"


def test_port_that_needs_root(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("socket.socket.bind", refuse)
    assert at_port("127.0.0.1", 80)[1:3] == ("fail", "port 80 needs the rights of root")


@pytest.mark.ssh
def test_ssh_of_a_server_of_ours_and_of_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(by_ssh(ServerSettings())) == []
    monkeypatch.setattr(doctor, "PATIENCE", 240)
    with server_process(tmp_path, "--ssh", "127.0.0.1:0") as server:
        [(_, status, says, _)] = by_ssh(ServerSettings(ssh=f"127.0.0.1:{server.ssh}"))
    assert (status, f"ssh -p {server.ssh} localhost" in says) == ("ok", True)
    monkeypatch.setattr(doctor, "PATIENCE", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as held:
        [(_, status, _, next_)] = by_ssh(ServerSettings(ssh=f"127.0.0.1:{held.getsockname()[1]}"))
    assert (status, "--ssh" in next_) == ("fail", True)
    assert [row[1] for row in by_ssh(ServerSettings(ssh="here"))] == ["fail"]
    monkeypatch.setattr(ssh, "find_spec", lambda _: None)
    [(_, status, says, next_)] = by_ssh(ServerSettings(ssh="2222"))
    assert (status, "asyncssh" in says, next_ != "") == ("fail", True, True)


@pytest.mark.parametrize(
    ("found", "status"), [(["ws://localhost:1", "ws://10.1.2.3:1"], "ok"), (["ws://localhost:1"], "warn")]
)
def test_network(monkeypatch: pytest.MonkeyPatch, found: list[str], status: str) -> None:
    monkeypatch.setattr(doctor, "addresses", lambda *_: found)
    assert network(1)[1] == status


@pytest.mark.parametrize(("place", "words"), [("games.db", f"schema {SCHEMA}"), ("new/games.db", "first start")])
def test_store_that_is_sound_or_not_there_yet_is_left_as_it_is(store: Path, place: str, words: str) -> None:
    before = store.read_bytes()
    found = _database(store.parent / place)
    assert (found["database"][1], words in found["database"][2], found["disk"][1]) == ("ok", True, "ok")
    assert store.read_bytes() == before
    assert list(store.parent.iterdir()) == [store]


@pytest.mark.parametrize(
    ("version", "found", "words", "next_step"),
    [(SCHEMA - 1, "warn", "next start", "backup"), (SCHEMA + 1, "fail", "newer parlour", "Install that one again")],
)
def test_store_of_another_version(store: Path, version: int, found: str, words: str, next_step: str) -> None:
    with closing(sqlite3.connect(store)) as db:
        db.execute(f"PRAGMA user_version = {version}")
    _, status, says, next_ = _database(store)["database"]
    assert (status, words in says, next_step in next_) == (found, True, True)


@pytest.mark.parametrize(
    "content", [b"this is a letter to my aunt, not a database " * 40, b"SQLite format 3\0" + b"\xff" * 8192]
)
def test_store_that_is_damaged(store: Path, content: bytes) -> None:
    store.write_bytes(content)
    [(check, status, _, next_)] = _database(store).values()
    assert (check, status, next_ != "") == ("database", "fail", True)


def test_store_that_can_only_be_read(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert _database(store)["database"][1:3] == ("fail", f"{store} can only be read")


def test_folder_that_cannot_be_written(store: Path) -> None:
    _, status, says, next_ = _database(store / "parlour.db")["disk"]
    assert (status, says) == ("fail", f"{store} cannot be written: Not a directory")
    assert "--store" in next_


@pytest.mark.parametrize(
    ("free", "status"), [(FULL - 1, "fail"), (FULL, "warn"), (NEARLY_FULL - 1, "warn"), (NEARLY_FULL, "ok")]
)
def test_room_on_the_disk(store: Path, monkeypatch: pytest.MonkeyPatch, free: int, status: str) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    assert _database(store)["disk"][1] == status


@pytest.mark.parametrize(("seconds", "status"), [(0.0003, "ok"), (SLOW_SYNC, "ok"), (0.4, "warn")])
def test_speed_of_the_disk(store: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, status: str) -> None:
    now = count()
    monkeypatch.setattr(doctor.time, "perf_counter", lambda: next(now) * seconds)  # type: ignore[attr-defined]
    _, found, says, next_ = _database(store)["sync"]
    assert (found, f"{seconds * 1000:.0f} ms" in says, "--store" in next_) == (status, True, status == "warn")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://localhost/games", "mysql"),
        ("postgresql://parlour:secret@127.0.0.1:1/games", "games at 127.0.0.1 cannot be reached"),
    ],
)
def test_store_that_is_unknown_or_cannot_be_reached(url: str, words: str) -> None:
    [(check, status, says, next_)] = found_at(url)
    assert (check, status, words in says + next_) == ("database", "fail", True)
    assert "secret" not in says + next_


def test_missing_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    [row] = found_at("postgresql://localhost/games")
    assert row == ("database", "fail", "asyncpg is missing", extra_hint("postgres"))


async def _look(url: str, *statements: str, tables: bool = True) -> Row:
    """Return what is found after the tables were made and these statements were carried out."""
    db = await asyncpg.connect(url)
    try:
        await db.execute("SET search_path TO parlour")
        if tables:
            await prepare(db)
        for statement in statements:
            await db.execute(statement)
    finally:
        await db.close()
    return await look(url)


@pytest.mark.postgres
async def test_sound_database(database: str) -> None:
    _, status, says, _ = await _look(database)
    assert (status, "PostgreSQL 1" in says, f"schema {VERSION}" in says) == ("ok", True, True)
    assert [row[:2] for row in await asyncio.to_thread(lambda: [*found_at(database)])] == [("database", "ok")]


@pytest.mark.postgres
async def test_empty_database_stays_empty(database: str) -> None:
    for _ in range(2):
        _, status, says, _ = await _look(database, tables=False)
        assert (status, "first start" in says) == ("ok", True)


@pytest.mark.postgres
@pytest.mark.parametrize(("version", "status"), [(VERSION + 1, "fail"), (0, "ok")])
async def test_other_versions(database: str, version: int, status: str) -> None:
    assert (await _look(database, f"UPDATE parlour.version SET number = {version}"))[1] == status


@pytest.mark.postgres
async def test_older_version(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "VERSION", VERSION + 1)
    _, status, says, next_ = await _look(database)
    assert (status, "next start" in says, "pg_dump" in next_) == ("warn", True, True)


@pytest.mark.postgres
async def test_user_without_rights(database: str) -> None:
    name = urlsplit(database).path.lstrip("/")
    made = (f"CREATE ROLE {name}_guest LOGIN", f"REVOKE CREATE ON DATABASE {name} FROM PUBLIC")
    await _look(database, *made, tables=False)
    guest = database.replace(f"//{urlsplit(database).username}@", f"//{name}_guest@")
    _, status, says, _ = await look(guest)
    assert (status, "we may make no tables" in says) == ("fail", True)
    await _look(database)
    _, status, says, next_ = await look(guest)
    assert (status, "rights" in next_) == ("fail", True), says


@pytest.mark.postgres
async def test_database_or_user_that_is_not_there(database: str) -> None:
    _, status, says, next_ = await look(database.rpartition("/")[0] + "/nowhere")
    assert (status, "createdb" in next_) == ("fail", True), says
    _, status, says, next_ = await look(database.replace(f"//{urlsplit(database).username}@", "//nobody:secret@"))
    assert (status, "password" in next_) == ("fail", True), says
    assert "secret" not in says

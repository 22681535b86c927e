"""What is found in a PostgreSQL store, by a look at a real one."""

import sys
from urllib.parse import urlsplit

import asyncpg
import pytest
from tests.support.postgres import Postgres

from parlour_protocol.installation import extra_hint
from parlour_server.cli import doctor
from parlour_server.cli.doctor import Row, database, look
from parlour_server.store.postgres import schema
from parlour_server.store.postgres.schema import VERSION, prepare

OURS = "SET search_path TO parlour"


def test_database_that_cannot_be_reached() -> None:
    [(check, status, says, next_)] = database("postgresql://parlour:secret@127.0.0.1:1/games")
    assert (check, status) == ("database", "fail")
    assert "games at 127.0.0.1 cannot be reached" in says
    assert "secret" not in says + next_


def test_missing_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    [row] = database("postgresql://localhost/games")
    assert row == ("database", "fail", "asyncpg is missing", extra_hint("postgres"))


async def _look(url: str, *statements: str, tables: bool = True) -> Row:
    """Return what is found after the tables were made and these statements were carried out."""
    db = await asyncpg.connect(url)
    try:
        await db.execute(OURS)
        if tables:
            await prepare(db)
        for statement in statements:
            await db.execute(statement)
    finally:
        await db.close()
    return await look(url)


@pytest.mark.postgres
async def test_sound_database(postgres: Postgres) -> None:
    _, status, says, _ = await _look(postgres.database())
    assert status == "ok"
    assert "PostgreSQL 1" in says
    assert f"schema {VERSION}" in says


@pytest.mark.postgres
async def test_empty_database(postgres: Postgres) -> None:
    url = postgres.database()
    _, status, says, _ = await _look(url, tables=False)
    assert (status, "first start" in says) == ("ok", True)
    db = await asyncpg.connect(url)
    assert await db.fetchval("SELECT to_regnamespace('parlour') IS NULL")  # nothing was changed
    await db.close()


@pytest.mark.postgres
@pytest.mark.parametrize(("version", "status"), [(VERSION + 1, "fail"), (0, "ok")])
async def test_other_versions(postgres: Postgres, version: int, status: str) -> None:
    found = await _look(postgres.database(), f"UPDATE parlour.version SET number = {version}")
    assert found[1] == status


@pytest.mark.postgres
async def test_older_version(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "VERSION", VERSION + 1)
    _, status, says, next_ = await _look(postgres.database())
    assert (status, "next start" in says, "pg_dump" in next_) == ("warn", True, True)


@pytest.mark.postgres
async def test_user_without_rights(postgres: Postgres) -> None:
    url = postgres.database()
    name = urlsplit(url).path.lstrip("/")
    made = (f"CREATE ROLE {name}_guest LOGIN", f"REVOKE CREATE ON DATABASE {name} FROM PUBLIC")
    await _look(url, *made, tables=False)
    guest = url.replace(f"//{urlsplit(url).username}@", f"//{name}_guest@")
    _, status, says, _ = await look(guest)
    assert (status, "we may make no tables" in says) == ("fail", True)
    await _look(url)
    _, status, says, next_ = await look(guest)
    assert (status, "rights" in next_) == ("fail", True), says


@pytest.mark.postgres
async def test_database_or_user_that_is_not_there(postgres: Postgres) -> None:
    url = postgres.database()
    _, status, says, next_ = await look(url.rpartition("/")[0] + "/nowhere")
    assert (status, "createdb" in next_) == ("fail", True), says
    _, status, says, next_ = await look(url.replace(f"//{urlsplit(url).username}@", "//nobody:secret@"))
    assert (status, "password" in next_) == ("fail", True), says
    assert "secret" not in says


@pytest.mark.postgres
def test_checkup_looks_into_it(postgres: Postgres) -> None:
    [row] = doctor.database(postgres.database())
    assert row[:2] == ("database", "ok")

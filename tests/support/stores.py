"""Run a test on both stores: ``@pytest.fixture(params=STORES)`` on a fixture that calls ``new_store``."""

import sqlite3
from contextlib import closing
from typing import Any

import asyncpg
import pytest
from tests.support.postgres import Postgres

STORES = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))
LONG_STORES = ("sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.long]))
"""The same for tests of what hardly depends on the store."""
FILE = "sqlite:///"


def new_store(request: pytest.FixtureRequest) -> str | None:
    """Return the URL of a new PostgreSQL database, or None for the SQLite file of the server."""
    if request.param == "sqlite":
        return None
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.database()


async def execute(url: str, statement: str) -> list[tuple[Any, ...]]:
    """Execute a statement directly in the database of a store; return the rows."""
    if url.startswith(FILE):
        with closing(sqlite3.connect(url.removeprefix(FILE))) as file, file:
            return file.execute(statement).fetchall()
    db = await asyncpg.connect(url, server_settings={"search_path": "parlour"})
    try:
        return [tuple(row) for row in await db.fetch(statement)]
    finally:
        await db.close()

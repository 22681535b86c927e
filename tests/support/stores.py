"""The same test on either store: ``@pytest.fixture(params=STORES)`` over a fixture that asks for ``new_store``."""

import sqlite3
from contextlib import closing
from typing import Any

import asyncpg
import pytest
from tests.support.postgres import Postgres

STORES = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))
FILE = "sqlite:///"


def new_store(request: pytest.FixtureRequest) -> str | None:
    """Return where a server is to keep everything: the URL of a new database, or None, which is a file of its own."""
    if request.param == "sqlite":
        return None
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.database()


async def execute(url: str, statement: str) -> list[tuple[Any, ...]]:
    """Do something to the database of a store, behind its back; return what it answers."""
    if url.startswith(FILE):
        with closing(sqlite3.connect(url.removeprefix(FILE))) as file, file:
            return file.execute(statement).fetchall()
    db = await asyncpg.connect(url, server_settings={"search_path": "parlour"})
    try:
        return [tuple(row) for row in await db.fetch(statement)]
    finally:
        await db.close()

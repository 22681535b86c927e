"""Check a PostgreSQL store, for ``parlour doctor``. Changes nothing and prints no password."""

import time
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import asyncpg

from parlour_server.store.postgres.schema import VERSION

Row: TypeAlias = tuple[str, str, str, str]
PATIENCE = 5.0
"""Seconds to wait for each answer of the database."""


async def look(url: str) -> Row:
    """Check the database at ``url``; return a row of ``checkup``."""
    where = _where(url)
    began = time.monotonic()
    try:
        db = await asyncpg.connect(url, timeout=PATIENCE, command_timeout=PATIENCE)
    except (OSError, TimeoutError) as error:
        says = f"{where} cannot be reached: {str(error) or 'no answer'}"
        return (
            "database",
            "fail",
            says,
            "Is PostgreSQL running, does it listen there, does a firewall let this machine in?",
        )
    except asyncpg.InvalidAuthorizationSpecificationError as error:
        return "database", "fail", f"{where} does not let us in: {error}", "Look after the user and the password"
    except asyncpg.InvalidCatalogNameError as error:
        return "database", "fail", f"{where}: {error}", "Make it: createdb NAME"
    except (asyncpg.PostgresError, asyncpg.InterfaceError, ValueError) as error:
        return "database", "fail", f"{where} refuses: {error}", "Its log may tell more"
    try:
        return await _judge(db, where, (time.monotonic() - began) * 1000)
    except asyncpg.PostgresError as error:
        return "database", "fail", f"{where} refuses: {error}", "Give the user rights in this database"
    finally:
        await db.close()


async def _judge(db: Any, where: str, ms: float) -> Row:
    if await db.fetchval("SELECT pg_is_in_recovery()"):
        return "database", "fail", f"{where} is a standby: nothing can be stored there", "Name the primary"
    there = await db.fetchval("SELECT to_regclass('parlour.version') IS NOT NULL")
    schema = await db.fetchval("SELECT max(number) FROM parlour.version") if there else 0
    version = str(await db.fetchval("SHOW server_version")).partition(" ")[0]
    says = f"{where}: PostgreSQL {version} answers in {ms:.0f} ms"
    if not schema:
        may = await db.fetchval("SELECT has_database_privilege(current_database(), 'CREATE')")
        if not may:
            return "database", "fail", f"{says}; we may make no tables", "GRANT CREATE ON DATABASE … TO the user"
        return "database", "ok", f"{says}; the tables will be made at the first start", ""
    if schema > VERSION:
        says += f"; it was written by a newer parlour (schema {schema}, this one knows {VERSION})"
        return "database", "fail", says, "Install that one again"
    if schema < VERSION:
        says += f"; the next start brings schema {schema} up to {VERSION}"
        return "database", "warn", says, "Copy it before: pg_dump"
    return "database", "ok", f"{says}; schema {schema}", ""


def _where(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path.lstrip('/') or 'the database'} at {parts.hostname or 'this machine'}"

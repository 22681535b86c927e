"""Check a machine as a host, for ``parlour doctor``: port, network, database, disk. Changes nothing.

Each finding is ``(check, status, says, next)``: status ``ok``, ``warn`` or ``fail``, the finding, and what to do.
"""

import asyncio
import errno
import http.client
import os
import shutil
import socket
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Annotated, Any, TypeAlias
from urllib.parse import urlsplit

from cyclopts import Parameter

from parlour_protocol.installation import extra_hint
from parlour_server import ssh, system
from parlour_server.app import addresses
from parlour_server.settings import LOOPBACK, BadSettings, ServerSettings, Store
from parlour_server.store.base import POSTGRES, CannotOpen, path_of
from parlour_server.store.sqlite import file
from parlour_server.store.sqlite.schema import SCHEMA
from parlour_server.transport.gateway import MAX_CONNECTIONS
from parlour_server.transport.listening import listening, tcp_socket

Row: TypeAlias = tuple[str, str, str, str]
_DEFAULTS = ServerSettings()
PATIENCE = 3.0
"""Seconds to wait for a server at the port."""
ANSWERS = 5.0
"""Seconds to wait for each answer of a database."""
FULL, NEARLY_FULL = 50_000_000, 1_000_000_000
"""Free bytes on the disk below which the check fails, and below which it warns."""
SYNCS, SLOW_SYNC = 5, 0.1
"""How often to sync a small file to learn how long it takes, and the seconds from which it warns."""


def checkup(
    *,
    host: Annotated[str, Parameter(env_var="PARLOUR_HOST")] = _DEFAULTS.host,
    port: Annotated[int, Parameter(env_var="PARLOUR_PORT")] = _DEFAULTS.port,
    lan: Annotated[bool, Parameter(env_var="PARLOUR_LAN")] = _DEFAULTS.lan,
    ssh: Annotated[str, Parameter(env_var="PARLOUR_SSH")] = _DEFAULTS.ssh,
    store: Store = "",
) -> list[Row]:
    """Run all checks with the settings of ``parlour serve``."""
    settings = ServerSettings(host=host, port=port, lan=lan, ssh=ssh, store=store)
    return [at_port(host, port), *by_ssh(settings), network(port), files(), *database(settings.store_url())]


def at_port(host: str, port: int) -> Row:
    """Check that a server can listen at the port."""
    try:
        with listening(host, port) as place:
            if "host" in place:
                with tcp_socket(host, port):
                    pass
    except PermissionError:
        return (
            "port",
            "fail",
            f"port {port} needs the rights of root",
            f"Use {_DEFAULTS.port} behind a proxy, or AmbientCapabilities",
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE and _serves_already(port):
            return "port", "ok", f"a parlour server listens at port {port} already", ""
        why = error.strerror or str(error)
        return ("port", "fail", f"port {port} of {host} cannot be used: {why}", "Stop what uses it, or try --port 8000")
    return "port", "ok", f"port {port} is free", ""


def by_ssh(settings: ServerSettings) -> Iterator[Row]:
    """Check that a server can serve by ssh, if it should."""
    try:
        ssh.check(settings)
        place = settings.ssh_place()
    except BadSettings as error:
        yield "ssh", "fail", *_split(str(error))
        return
    if place is None:
        return
    host, port = place
    try:
        with tcp_socket(host, port):
            pass
    except OSError as error:
        if error.errno != errno.EADDRINUSE or not _serves_ssh_already(port):
            why = error.strerror or str(error)
            yield (
                "ssh",
                "fail",
                f"port {port} of {host} cannot be used: {why}",
                "Stop what uses it, or try --ssh 2222",
            )
            return
    yield "ssh", "ok", f"others connect with: {ssh.commands(settings, port)[-1]}", ""


def network(port: int) -> Row:
    """Find the address of this machine in the network."""
    [_, *others] = addresses(ServerSettings(lan=True), port)
    if not others:
        return "network", "warn", "this machine has no network", "Connect it to a network to play with others"
    return "network", "ok", f"others reach parlour serve --lan at {others[0]}", ""


def files() -> Row:
    """Check how many connections the system's limit of open files allows."""
    found = system.possible_connections(MAX_CONNECTIONS)
    if found < system.FEW_CONNECTIONS:
        return "files", "warn", f"the system allows only {found} connections", system.MORE_FILES
    return "files", "ok", f"the system allows {found} connections", ""


def database(url: str) -> Iterator[Row]:
    """Check the store, whether or not a server uses it."""
    if url.startswith(POSTGRES):
        yield _postgres(url)
        return
    try:
        path = path_of(url)
        yield _file(path) if path.exists() else ("database", "ok", f"{path} will be created at the first start", "")
    except CannotOpen as error:
        yield "database", "fail", *_split(str(error))
        return
    yield from _folder(path)


def _postgres(url: str) -> Row:
    try:
        return asyncio.run(look(url))
    except ModuleNotFoundError as error:
        return "database", "fail", f"{error.name} is missing", extra_hint("postgres")


async def look(url: str) -> Row:
    """Check the database at ``url``; return a row of ``checkup``. Changes nothing and prints no password."""
    import asyncpg  # an optional dependency

    where = _where(url)
    began = time.monotonic()
    try:
        db = await asyncpg.connect(url, timeout=ANSWERS, command_timeout=ANSWERS)
    except (OSError, TimeoutError) as error:
        why = "Is PostgreSQL running, does it listen there, does a firewall let this machine in?"
        return "database", "fail", f"{where} cannot be reached: {str(error) or 'no answer'}", why
    except asyncpg.InvalidAuthorizationSpecificationError as error:
        return "database", "fail", f"{where} refuses the login: {error}", "Check the user and the password"
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
    from parlour_server.store.postgres.schema import VERSION

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
        return "database", "ok", f"{says}; the tables will be created at the first start", ""
    if schema > VERSION:
        says += f"; it was written by a newer parlour (schema {schema}, this one knows {VERSION})"
        return "database", "fail", says, "Install that one again"
    if schema < VERSION:
        says += f"; the next start upgrades schema {schema} to {VERSION}"
        return "database", "warn", says, "Copy it before: pg_dump"
    return "database", "ok", f"{says}; schema {schema}", ""


def _where(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path.lstrip('/') or 'the database'} at {parts.hostname or 'this machine'}"


def _file(path: Path) -> Row:
    try:
        with closing(file.read_only(path, PATIENCE)) as db:
            schema = file.check(db, path)
    except sqlite3.Error as error:
        raise file.cannot_use(path, error) from error
    if not os.access(path, os.W_OK):
        return "database", "fail", f"{path} can only be read", "Give it to the user who serves"
    size = path.stat().st_size / 1_000_000
    if schema < SCHEMA:
        says = f"{path} is sound; the next start upgrades schema {schema} to {SCHEMA}"
        return "database", "warn", says, "Back it up first: parlour server backup FILE"
    return "database", "ok", f"{path} is sound, {size:.1f} MB, schema {schema}", ""


def _folder(path: Path) -> Iterator[Row]:
    """Check that the folder of ``path`` can be written, how fast, and has space left."""
    folder = next(each for each in path.resolve().parents if each.exists())
    try:
        seconds = sync_time(folder)
    except OSError as error:
        says = f"{folder} cannot be written: {error.strerror}"
        yield "disk", "fail", says, "Make it writable for the user who serves, or name another file with --store"
        return
    free = shutil.disk_usage(folder).free
    says = f"{free / 1_000_000_000:.1f} GB free in {folder}"
    if free < NEARLY_FULL:
        status = "fail" if free < FULL else "warn"
        yield "disk", status, says, "Free some space: the server refuses moves that it cannot store"
    else:
        yield "disk", "ok", says, ""
    says = f"a sync to the disk takes {seconds * 1000:.0f} ms"
    if seconds > SLOW_SYNC:
        yield ("sync", "warn", says, "Every move waits for one: name a file on a faster disk with --store")
    else:
        yield "sync", "ok", says, ""


def sync_time(folder: Path) -> float:
    """Return the seconds that a sync of a small file takes in ``folder``, the median of a few. Raises OSError."""
    seconds = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(SYNCS):
            file.write(bytes(4096))
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - began)
    return median(seconds)


def _serves_already(port: int) -> bool:
    try:
        with closing(http.client.HTTPConnection(LOOPBACK, port, timeout=PATIENCE)) as talk:
            talk.request("GET", "/healthz")
            return talk.getresponse().read(3) == b"ok\n"
    except (OSError, http.client.HTTPException):
        return False


def _serves_ssh_already(port: int) -> bool:
    try:
        with socket.create_connection((LOOPBACK, port), PATIENCE) as talk:
            return talk.recv(len(ssh.BANNER), socket.MSG_WAITALL) == ssh.BANNER
    except OSError:
        return False


def _split(text: str) -> tuple[str, str]:
    """Split an error text into the finding and its last sentence, which says what to do."""
    says, _, next_ = text.rpartition(". ")
    return (says, next_) if says else (text, "")

"""Stores: SQLite for one server, PostgreSQL for several nodes. May import persistence and rooms."""

from parlour_protocol.installation import extra_hint
from parlour_server.persistence import Member
from parlour_server.store.base import POSTGRES, CannotOpen, Store, path_of


def open_store(url: str, me: Member | None = None) -> Store:
    """Return the store at ``url``. In a PostgreSQL store this server takes part as ``me``. Raises CannotOpen."""
    if not url.startswith(POSTGRES):
        from parlour_server.store.sqlite.store import SqliteStore  # importing the base loads no database

        return SqliteStore(path_of(url))
    try:
        from parlour_server.store.postgres.store import PostgresStore  # asyncpg is an optional dependency
    except ModuleNotFoundError as error:
        raise CannotOpen(f"{error.name} is missing. {extra_hint('postgres')}") from None
    return PostgresStore(url, me or Member("parlour", "", ""))

"""What the server remembers across a crash."""

from pathlib import Path

from parlour_server.persistence import Member
from parlour_server.store.base import CannotOpen, Store
from parlour_server.store.sqlite.store import SqliteStore

POSTGRES = "postgresql://"


def open_store(url: str, me: Member | None = None) -> Store:
    """Return the store that ``url`` names: ``sqlite:///FILE``, relative, or absolute with a fourth slash.

    Or ``postgresql://USER@HOST/DATABASE``, in which this server takes part as ``me``. Raises CannotOpen.
    """
    if not url.startswith(POSTGRES):
        return SqliteStore(path_of(url))
    try:
        from parlour_server.store.postgres.store import PostgresStore
    except ModuleNotFoundError as error:
        raise CannotOpen(f"{error.name} is missing: pip install 'parlour[postgres]'") from None
    return PostgresStore(url, me or Member("parlour", "", ""))


def path_of(url: str) -> Path:
    """Return the file that ``url`` names. Raises CannotOpen."""
    scheme, found, path = url.partition(":///")
    if url.startswith(POSTGRES):
        raise CannotOpen("this works on a file; for PostgreSQL use its own tools, pg_dump and psql")
    if scheme != "sqlite" or not found or not path:
        raise CannotOpen(f"unknown store {url!r}; use sqlite:///FILE (a fourth slash begins an absolute path)")
    return Path(path).expanduser()

"""The URLs of stores: ``sqlite:///FILE``, relative or absolute with a fourth slash, or ``postgresql://USER@HOST/NAME``."""

from pathlib import Path
from urllib.parse import urlsplit

from parlour_server.store.base import CannotOpen

POSTGRES = ("postgresql://", "postgres://")
"""How the URLs of PostgreSQL begin."""


def path_of(url: str) -> Path:
    """Return the file of a SQLite store. Raises CannotOpen."""
    scheme, found, path = url.partition(":///")
    if url.startswith(POSTGRES):
        raise CannotOpen("this works on a file; for PostgreSQL use its own tools, pg_dump and psql")
    if scheme != "sqlite" or not found or not path:
        raise CannotOpen(f"unknown store {url!r}; use sqlite:///FILE (a fourth slash begins an absolute path)")
    return Path(path).expanduser()


def without_password(url: str) -> str:
    """Return a store's URL without its password."""
    parts = urlsplit(url)
    if not url.startswith(POSTGRES) or "@" not in parts.netloc:
        return url if not parts.query else url.partition("?")[0]
    user, _, host = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user.partition(':')[0]}@{host}", query="").geturl()

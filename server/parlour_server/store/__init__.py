"""What the server remembers across a crash."""

from pathlib import Path

from parlour_server.store.port import CannotOpen, Store
from parlour_server.store.sqlite import SqliteStore


def open_store(url: str) -> Store:
    """Return the store that ``url`` names: ``sqlite:///FILE``, relative, or absolute with a fourth slash.

    Raises CannotOpen.
    """
    return SqliteStore(path_of(url))


def path_of(url: str) -> Path:
    """Return the file that ``url`` names. Raises CannotOpen."""
    scheme, found, path = url.partition(":///")
    if scheme != "sqlite" or not found or not path:
        raise CannotOpen(f"unknown store {url!r}; use sqlite:///FILE (a fourth slash begins an absolute path)")
    return Path(path).expanduser()

"""``parlour serve`` with a store that does not sync: a power failure could lose moves that players have seen."""

import sys

from parlour_client.cli.main import main
from parlour_server import app
from parlour_server.persistence import Member
from parlour_server.store.base import Store, path_of
from parlour_server.store.sqlite.store import SqliteStore


def _open_store(url: str, me: Member | None = None) -> Store:
    return SqliteStore(path_of(url), synced=False)


if __name__ == "__main__":
    vars(app)["open_store"] = _open_store  # replaces the function that opens the store
    sys.exit(main())

"""``parlour serve`` whose store leaves the syncing to the operating system: a power cut would cost what was shown."""

import sys

from parlour_client.cli import main
from parlour_server import serving
from parlour_server.store import path_of
from parlour_server.store.port import Member, Store
from parlour_server.store.sqlite import SqliteStore


def _open_store(url: str, me: Member | None = None) -> Store:
    return SqliteStore(path_of(url), synced=False)


if __name__ == "__main__":
    vars(serving)["open_store"] = _open_store  # whoever starts the server gets this one
    sys.exit(main())

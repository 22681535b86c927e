"""The samples of the soak test contain the collections of the node's services."""

import os
from pathlib import Path

from benchmarks.soak_server import sample

from parlour_games.registry import games
from parlour_server.lobby.lobby import Lobby
from parlour_server.metrics import Metrics
from parlour_server.node.node import Node
from parlour_server.store.sqlite.store import SqliteStore


async def test_sample_has_the_collections_of_services(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "parlour.db")
    node = Node(Lobby(games(), os.urandom), store, Metrics())
    try:
        found = sample(node)
    finally:
        await store.close()
    assert {"lobby.rooms.loaded", "lobby.connections.sessions", "lobby.identities._all", "lobby.guests._due"} <= set(
        found
    )

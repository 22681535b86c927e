"""Node processes at PostgreSQL: their house bots."""

from pathlib import Path

import pytest
from tests.nodes.processes import processes
from tests.support.server import ServerProcess
from tests.support.sockets import open_socket
from tests.support.waiting import until

from parlour_server.children import HOUSE_BOTS, name_at

pytestmark = pytest.mark.postgres


async def test_each_node_has_its_own_house_bots(tmp_path: Path, database: str) -> None:
    async with processes(tmp_path, database, "one", "two", house_bots=True) as at:
        for name, node in at.items():
            await until(lambda name=name, node=node: has_its_bots(name, node), every=0.5, within=60)  # type: ignore[misc]


async def has_its_bots(name: str, node: ServerProcess) -> bool:
    """Return whether exactly the house bots of a node are available there."""
    async with open_socket(node.url) as socket:
        await socket.hello(f"guest-of-{name}")
        found = {row["name"] for row in (await socket.ask("list", "rooms"))["bots"]}
    return found == {name_at(name, bot) for bot in HOUSE_BOTS}

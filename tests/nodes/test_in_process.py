"""Killing a node of an in-process cluster releases everyone who waits there."""

import asyncio

from tests.nodes.in_process import cluster, hold_lookups
from tests.support.sockets import open_socket
from tests.support.waiting import PATIENCE, limit


async def test_node_can_be_killed_during_a_lookup() -> None:
    async with cluster("one", "two") as nodes, open_socket(nodes["two"].url) as socket:
        token = (await socket.hello("anna"))["token"]
        await socket.ask("create", "joined", game="uno", seats=2)
        asked = hold_lookups(nodes["one"].store)
        async with open_socket(nodes["one"].url) as other:
            await other.send("hello", name="anna", kind="human", token=token)
            async with limit(PATIENCE, "the question who that is"):
                await asked.arrived.wait()
            killing = asyncio.create_task(nodes.kill("one"))
            await asyncio.sleep(0)  # lets the kill begin
            asked.release.set()
            async with limit(PATIENCE, "the end of the node"):
                await killing

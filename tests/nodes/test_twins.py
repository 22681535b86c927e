"""The nodes of tests: one that is killed lets go of everybody who waits there."""

import asyncio

from tests.nodes.twins import cluster, hold_back
from tests.support.sockets import open_socket
from tests.support.waiting import PATIENCE, limit


async def test_node_can_be_killed_while_somebody_is_looked_up_who_sits_elsewhere() -> None:
    async with cluster("one", "two") as nodes, open_socket(nodes["two"].url) as socket:
        token = (await socket.hello("anna"))["token"]
        await socket.ask("create", "joined", game="uno", seats=2)
        asked = hold_back(nodes["one"].store)
        async with open_socket(nodes["one"].url) as other:
            await other.send("hello", name="anna", kind="human", token=token)
            async with limit(PATIENCE, "the question who that is"):
                await asked.has_been.wait()
            killing = asyncio.create_task(nodes.kill("one"))
            await asyncio.sleep(0)  # it does nothing more
            asked.may_be_answered.set()
            async with limit(PATIENCE, "the end of the node"):
                await killing

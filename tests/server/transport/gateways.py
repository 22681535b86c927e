"""A gateway in the test's own loop, reached over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
from tests.server.nodes import House
from tests.support.sockets import Socket, open_socket
from tests.support.waiting import PATIENCE, until

from parlour_server.metrics import Metrics
from parlour_server.node.node import Node
from parlour_server.settings import ServerSettings
from parlour_server.transport.gateway import Gateway


@attrs.define
class Host:
    address: tuple[str, int]
    gateway: Gateway
    node: Node
    metrics: Metrics

    @property
    def url(self) -> str:
        return "ws://{}:{}".format(*self.address)

    async def until(self, sockets: int) -> None:
        await until(lambda: len(self.node.sockets) == sockets)

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Return status and body of a plain HTTP request."""
        head = [f"GET {path} HTTP/1.1", "Host: {}:{}".format(*self.address)]
        head += [f"{name.replace('_', '-')}: {line}" for name, value in headers.items() for line in value.split("|")]
        return await self.raw("\r\n".join([*head, "", ""]).encode())

    async def raw(self, request: bytes) -> tuple[int, str]:
        """Return status and body of what answers these bytes; 0 if nothing does."""
        reader, writer = await asyncio.open_connection(*self.address)
        writer.write(request)
        async with asyncio.timeout(PATIENCE):
            answer = (await reader.read()).decode()
        writer.close()
        await writer.wait_closed()
        head, _, body = answer.partition("\r\n\r\n")
        return int(head.split()[1]) if head else 0, body


@asynccontextmanager
async def hosting(path: Path, settings: ServerSettings = ServerSettings(web=False)) -> AsyncIterator[Host]:
    house, metrics = House(path, settings), Metrics()
    node = Node(house.lobby, house.store, metrics)
    gateway = Gateway(metrics, node)
    await node.start()
    try:
        async with gateway.listen("127.0.0.1", 0) as server:
            yield Host(server.sockets[0].getsockname(), gateway, node, metrics)
    finally:
        await node.stop(0)


@asynccontextmanager
async def bystander(host: Host) -> AsyncIterator[Socket]:
    """Connect somebody who does nothing wrong, and is still answered at the end."""
    async with open_socket(host.url) as socket:
        await socket.hello("bystander")
        yield socket
        await alive(socket)


async def alive(bystander: Socket) -> None:
    """Assert that the server still answers somebody who has done nothing wrong."""
    assert await bystander.ask("ping", "pong", id="alive?") == {"t": "pong", "re": "alive?"}

"""``parlour serve`` for the soak test: it samples its own memory, sockets, tasks and collections.

It appends a sample as a JSON line to the file ``SOAK_SAMPLES`` every ``SOAK_EVERY`` seconds. A sample takes a few
milliseconds, so this is not part of the product. The server remembers guests who left for ``SOAK_KEPT`` seconds.
"""

import asyncio
import gc
import json
import os
import sys
import time
from collections.abc import Sized
from pathlib import Path
from typing import Any

import attrs

from parlour_bots.load import usage_of
from parlour_client.cli.main import main
from parlour_server import app
from parlour_server.directory import guests
from parlour_server.node.node import Node


class SampledNode(Node):
    """A node that writes samples while it runs."""

    async def start(self) -> None:
        """Start the node and the sampling."""
        await super().start()
        self._samples = asyncio.get_running_loop().create_task(self._sample())

    async def stop(self, retry_after: int) -> None:
        """Write a last sample with the number of objects that a full garbage collection frees, then stop."""
        self._samples.cancel()
        last, before = sample(self), len(gc.get_objects())
        gc.collect()  # its return value does not count objects freed by closing a generator
        _append({**last, "garbage": before - len(gc.get_objects())})
        await super().stop(retry_after)

    async def _sample(self) -> None:
        while True:
            _append(sample(self))
            await asyncio.sleep(float(os.environ["SOAK_EVERY"]))


def _append(found: dict[str, float]) -> None:
    with Path(os.environ["SOAK_SAMPLES"]).open("a") as file:
        file.write(json.dumps(found) + "\n")


def sample(node: Node) -> dict[str, float]:
    """Return the resource usage of the process and the sizes of all collections of the node and its lobby."""
    process = usage_of(os.getpid())
    assert process is not None, "resource usage needs Linux"
    base = {
        "time": time.monotonic(),
        "cpu": process.cpu,
        "rss": process.memory,
        "fds": len(os.listdir("/proc/self/fd")),
        "workers": len(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()),
        "tasks": len(asyncio.all_tasks()),
        "blocks": sys.getallocatedblocks(),
        "full": gc.get_stats()[2]["collections"],
    }
    held = {**sizes("node", node), **sizes("lobby", node.lobby)}
    for name, owner in (("node", node), ("lobby", node.lobby)):
        for field, service in _fields(owner).items():
            if type(service).__module__.startswith("parlour_server.") and service is not node.lobby:
                held |= sizes(f"{name}.{field}", service)
    return {**base, **held}


def sizes(name: str, holder: Any) -> dict[str, float]:
    """Return the length of each collection among the attributes of ``holder``."""
    return {f"{name}.{field}": len(each) for field, each in _fields(holder).items() if isinstance(each, Sized)}


def _fields(holder: Any) -> dict[str, Any]:
    if attrs.has(type(holder)):
        return {each.name: getattr(holder, each.name) for each in attrs.fields(type(holder))}
    return dict(getattr(holder, "__dict__", {}))


if __name__ == "__main__":
    guests.GUEST_KEPT = int(float(os.environ["SOAK_KEPT"]) * 1000)
    vars(app)["Node"] = SampledNode  # replaces the node that the server creates
    sys.exit(main())

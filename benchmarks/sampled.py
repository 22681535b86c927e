"""``parlour serve`` that writes down what it holds, as a line of JSON each ``SOAK_EVERY`` seconds in ``SOAK_SAMPLES``.

Only the soak uses it: counting from within costs some ms a time, and needs no part in the server.
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

from parlour_bots.load.process import used
from parlour_client.cli import main
from parlour_server import serving
from parlour_server.node import Node


class Sampled(Node):
    """A node that is sampled as long as it runs."""

    async def start(self) -> None:
        """Start, and begin to write samples."""
        await super().start()
        self._samples = asyncio.get_running_loop().create_task(self._sample())

    async def _sample(self) -> None:
        path, every = Path(os.environ["SOAK_SAMPLES"]), float(os.environ["SOAK_EVERY"])
        while True:
            _append(path, json.dumps(sample(self)))
            await asyncio.sleep(every)


def _append(path: Path, line: str) -> None:
    with path.open("a") as file:
        file.write(line + "\n")


def sample(node: Node) -> dict[str, float]:
    """Return what the process uses, and how much everything holds that the node and its lobby know by name."""
    process = used(os.getpid())
    fds = len(os.listdir("/proc/self/fd"))
    tasks, objects, full = len(asyncio.all_tasks()), len(gc.get_objects()), gc.get_stats()[2]["collections"]
    held = {**sizes("node", node), **sizes("lobby", node.lobby), **sizes("identities", node.lobby.identities)}
    memory = process.memory if process else 0
    base = {"time": time.monotonic(), "rss": memory, "fds": fds, "tasks": tasks, "objects": objects, "full": full}
    return {**base, **held}


def sizes(name: str, holder: Any) -> dict[str, float]:
    """Return the length of each collection that ``holder`` has as an attribute."""
    fields = [each.name for each in attrs.fields(type(holder))] if attrs.has(type(holder)) else list(vars(holder))
    found = {field: getattr(holder, field) for field in fields}
    return {f"{name}.{field}": len(each) for field, each in found.items() if isinstance(each, Sized)}


if __name__ == "__main__":
    vars(serving)["Node"] = Sampled  # whoever starts the server gets the one that is sampled
    sys.exit(main())

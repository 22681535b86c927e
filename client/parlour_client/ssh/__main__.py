"""``python -m parlour_client.ssh``: the ssh server of a game server, run as its child process.

The first line of stdin holds ``SshOrders``. It serves until stdin closes.
"""

import asyncio
import json
import shutil
import signal
import socket
from functools import partial
from pathlib import Path
from typing import TypedDict

from parlour_client.ssh.visit import be_visitor, warm_up
from parlour_client.ssh.visitors import Nursery


class SshOrders(TypedDict):
    """The first line of stdin.

    ``file``: the number of the listening socket. ``key``: the path of the host key. ``route``: the path of the game
    server's Unix socket for visitors; ``url``: what they call the server. ``visitors``, ``per_address``: how many
    there may be in all, and from one address. ``idle``: seconds without a key press after which they are sent away.
    """

    file: int
    key: str
    route: str
    url: str
    visitors: int
    per_address: int
    idle: int


def main() -> None:
    """Read the orders and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles the terminal's interrupt
    with open(0, "rb", buffering=0, closefd=False) as stdin:
        line = stdin.readline()
    if not line:
        return
    orders: SshOrders = json.loads(line)
    listener = socket.socket(fileno=orders["file"])
    listener.set_inheritable(False)
    nursery = Nursery(warm_up, partial(be_visitor, orders["url"], orders["route"]))
    asyncio.run(_serve(orders, listener, nursery))


async def _serve(orders: SshOrders, listener: socket.socket, nursery: Nursery) -> None:
    """Serve until stdin closes, or the process that forks visitors has ended."""
    from parlour_client.ssh import host  # after the fork: visitors need no ssh, and never have the host key

    folder = Path(orders["route"]).with_name("visits")
    shutil.rmtree(folder, ignore_errors=True)  # what an earlier process has left
    folder.mkdir(mode=0o700)
    key = host.host_key(Path(orders["key"]))
    limits = host.VisitorLimits(orders["visitors"], orders["per_address"], orders["idle"])
    loop, end = asyncio.get_running_loop(), asyncio.Event()
    for file in (0, nursery.socket.fileno()):
        loop.add_reader(file, end.set)
    loop.add_signal_handler(signal.SIGTERM, end.set)
    serving = host.Host(nursery, limits, host.secret_of(key), folder)
    async with await host.listen(serving, listener, key):
        await end.wait()
        serving.dismiss()


if __name__ == "__main__":
    main()

"""A TCP proxy on loopback that delays all bytes by a fixed time in each direction, like a slow network."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

_CHUNK = 65_536


@contextmanager
def delaying_proxy(port: int, seconds: float) -> Iterator[int]:
    """Serve ``port`` with a delay of ``seconds`` each way while in the context; yield the proxy's port.

    It runs on a thread of its own. Connections open without a delay.
    """
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="delaying proxy")
    thread.start()
    tasks: set[asyncio.Task[None]] = set()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        with suppress(OSError, asyncio.CancelledError):
            upstream, back = await asyncio.open_connection("127.0.0.1", port)
            pipes = _pipe(reader, back, seconds), _pipe(upstream, writer, seconds)
            await asyncio.gather(*pipes, return_exceptions=True)  # either side may break its connection
        tasks.discard(task)

    async def stop() -> None:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks)

    def run(what: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(what, loop).result()

    server: asyncio.Server = run(asyncio.start_server(relay, "127.0.0.1", 0))
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        run(stop())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _pipe(source: asyncio.StreamReader, sink: asyncio.StreamWriter, seconds: float) -> None:
    """Copy a stream until its end, each chunk ``seconds`` after it arrived."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def write() -> None:
        while True:
            due, chunk = await queue.get()
            await asyncio.sleep(due - loop.time())
            if not chunk:
                break
            sink.write(chunk)
            await sink.drain()
        sink.close()

    async with asyncio.TaskGroup() as group:
        group.create_task(write())
        while True:
            chunk = await source.read(_CHUNK)
            queue.put_nowait((loop.time() + seconds, chunk))
            if not chunk:
                break

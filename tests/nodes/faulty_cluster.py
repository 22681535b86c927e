"""Three nodes at one PostgreSQL, faults injected between them, and players who move from node to node.

The faults are real: processes are killed or stopped, connections are cut or held, the database restarts.
"""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import attrs
from tests.server.crash.players import ENOUGH, Player
from tests.support.postgres import Postgres
from tests.support.processes import otherwise
from tests.support.server import ServerProcess
from tests.support.sockets import Map, Socket, open_socket
from tests.support.waiting import limit, until
from tests.support.wires import Wire
from websockets.exceptions import ConnectionClosed, InvalidHandshake

NAMES = ("one", "two", "three")
PATIENT = 5.0
"""Seconds without a message after which a player tries another node."""
RESIGNS = 0.3
"""The probability that a player resigns at a turn after the faults have ended, so that matches end."""
RETRIABLE = ("retry", "drain", "busy", "rate_limited", "no_room", "bad_ticket", "not_here")
"""Error codes to expect while rooms move: the player connects again."""
ROOMS_OF = "SELECT code FROM parlour.room WHERE open AND NOT kept AND owner = ANY($1)"
CONTINUED = """
SELECT code FROM parlour.room WHERE code = ANY($1) AND (NOT open OR owner <> ALL($2) AND epoch = (
    SELECT event.epoch FROM parlour.event WHERE event.room = code ORDER BY seq DESC LIMIT 1
))
"""
"""Returns those of some rooms that other nodes than those lost have continued."""
FAULTS = ("kill", "freeze", "partition", "cut", "restart", "crash")


@attrs.define
class Continued:
    """Seconds from a fault until each of the rooms went on."""

    stored: dict[str, float] = attrs.field(factory=dict)
    """Until another node had stored a line of the room."""
    played: dict[str, float] = attrs.field(factory=dict)
    """Until an act in the room was acknowledged."""


@attrs.define(eq=False)
class FaultyCluster:
    """Three nodes, each behind a wire to the database, and what their players share."""

    rng: random.Random
    postgres: Postgres
    database: str
    """Its URL, without a wire."""
    nodes: list[ServerProcess]
    wires: list[Wire]
    closing: bool = False
    """Players resign and play no rematch."""
    pause: float = 0.0
    """The longest time that a player thinks, in seconds."""
    patience: float = PATIENT
    """Seconds without a message after which a player tries another node."""
    up: list[ServerProcess] = attrs.field(factory=list)
    """The nodes to which players are sent; all nodes, if it is empty."""
    away: tuple[float, float] = (0.5, 4.0)
    """The shortest and longest duration of a fault, in seconds."""
    counts: Counter[str] = attrs.field(factory=Counter)
    faults: Counter[str] = attrs.field(factory=Counter)

    def hear(self) -> None:
        """Count a message that a player has received."""
        self.counts["heard"] += 1

    async def heard(self, messages: int) -> None:
        """Wait until players have received ``messages`` more messages."""
        then = self.counts["heard"] + messages
        await until(lambda: self.counts["heard"] >= then, within=ENOUGH)

    def url(self) -> str:
        """Return the URL of any node that is up."""
        return self.rng.choice(self.up or self.nodes).url

    async def think(self) -> None:
        """Wait as long as a player thinks."""
        await asyncio.sleep(self.rng.random() * (0 if self.closing else self.pause))

    async def inject(self, kind: str) -> None:
        """Inject a fault of one of ``FAULTS`` into a node, and repair it after a while."""
        self.faults[kind] += 1
        node, wire = self.rng.choice([*zip(self.nodes, self.wires, strict=True)])
        await getattr(self, f"_{kind}")(node, wire)

    async def _kill(self, node: ServerProcess, wire: Wire) -> None:
        node.kill()
        await self._a_while()
        await asyncio.to_thread(partial(node.restart, same_port=True))

    async def lose_all_but(self, survivor: ServerProcess, acts: Callable[[], Counter[str]]) -> "Continued":
        """Kill one node and freeze another at the same moment, until all of their rooms have gone on; repair both.

        Players are sent to the survivor from then on, as a proxy does that checks the health of nodes. ``acts``: how
        many acts have been acknowledged in each room.
        """
        killed, frozen = self.rng.sample([node for node in self.nodes if node is not survivor], 2)
        db = await asyncpg.connect(self.database)
        try:
            names = [NAMES[self.nodes.index(node)] for node in (killed, frozen)]
            lost = [row["id"] for row in await db.fetch("SELECT id FROM parlour.node WHERE name = ANY($1)", names)]
            rooms = {code for (code,) in await db.fetch(ROOMS_OF, lost)}
            found, before, began = Continued(), acts(), asyncio.get_running_loop().time()
            with otherwise(f"kill -KILL {frozen.pid}"):
                self.up = [survivor]
                killed.kill()
                frozen.signal(signal.SIGSTOP)
                async with limit(ENOUGH, "all rooms go on"):
                    while rooms - found.stored.keys() or rooms - found.played.keys():
                        after, now = asyncio.get_running_loop().time() - began, acts()
                        stored = await db.fetch(CONTINUED, [*rooms - found.stored.keys()], lost)
                        found.stored |= {code: after for (code,) in stored}
                        played = {code for code in rooms - found.played.keys() if now[code] > before[code]}
                        found.played |= dict.fromkeys(played, after)
                        await asyncio.sleep(0.05)
                frozen.signal(signal.SIGCONT)
            await asyncio.to_thread(partial(killed.restart, same_port=True))
            self.up = []
            return found
        finally:
            await db.close()

    async def _freeze(self, node: ServerProcess, wire: Wire) -> None:
        with otherwise(f"kill -KILL {node.pid}"):
            node.signal(signal.SIGSTOP)
            await self._a_while()
            node.signal(signal.SIGCONT)

    async def _partition(self, node: ServerProcess, wire: Wire) -> None:
        wire.hold()
        await self._a_while()
        wire.release()

    async def _cut(self, node: ServerProcess, wire: Wire) -> None:
        wire.cut()

    async def _restart(self, node: ServerProcess, wire: Wire) -> None:
        await asyncio.to_thread(self.postgres.stop)
        await asyncio.to_thread(self.postgres.start)

    async def _crash(self, node: ServerProcess, wire: Wire) -> None:
        await asyncio.to_thread(self.postgres.crash)
        await self._a_while()
        await asyncio.to_thread(self.postgres.start)

    async def _a_while(self) -> None:
        await asyncio.sleep(self.rng.uniform(*self.away))


@attrs.define(eq=False)
class RoamingPlayer(Player):
    """A player who connects to any node."""

    async def play(self) -> None:
        """Reconnect until the cluster closes and the match is over."""
        if not self.host:
            await asyncio.shield(self.table.code)
        broken = (ConnectionClosed, InvalidHandshake, ConnectionError, EOFError, TimeoutError)
        while not self.finished.is_set():
            with suppress(*broken):
                async with open_socket(self.house.url(), close_timeout=1, open_timeout=self.house.patience) as socket:
                    await self._visit(socket)
            self.house.counts["visits"] += 1
            await asyncio.sleep(self.house.rng.random() * 0.5)

    def progress(self) -> Map:
        """Return the player's state for a failure report."""
        last = {name: value for name, value in self.shown[-1].items() if name != "view"} if self.shown else {}
        code = self.table.code.result() if self.table.code.done() else None
        return {"name": self.name, "room": self.room, "table": code, "open": [*self.open], "last": last}

    async def _visit(self, socket: Socket) -> None:
        await self._greet(socket)
        while not self.finished.is_set():
            async with asyncio.timeout(self.house.patience):
                message = await socket.receive()
            self.house.hear()
            await self._follow(socket, message)

    async def _on_welcome(self, socket: Socket, message: Map) -> None:
        assert self.room in (None, *message["rooms"]), f"{self.name} has lost its seat in {self.room}"
        await super()._on_welcome(socket, message)

    async def _on_left(self, socket: Socket, message: Map) -> None:
        raise AssertionError(f"{self.name} has lost its seat: {message}")

    async def _on_error(self, socket: Socket, message: Map) -> None:
        self.house.counts[f"refused: {message['code']}"] += 1
        if message["code"] in RETRIABLE:
            raise EOFError
        await super()._on_error(socket, message)

    async def _on_turn(self, socket: Socket, message: Map) -> None:
        rid = message["rid"]
        if self.house.closing and rid not in self.open and self.house.rng.random() < RESIGNS:
            self.open[rid] = {"room": message["room"], "rid": rid, "act": {"do": "resign"}, "id": rid}
            await socket.send("act", **self.open[rid])
        else:
            await super()._on_turn(socket, message)

    async def _act(self, socket: Socket, room: str, rid: int, legal: list[Any]) -> None:
        await self.house.think()
        await super()._act(socket, room, rid, legal)


@asynccontextmanager
async def faulty_cluster(
    folder: Path, postgres: Postgres, rng: random.Random, program: tuple[str, ...] | None = None, **more: Any
) -> AsyncIterator[FaultyCluster]:
    """Run three nodes at a new database, each behind its own wire."""
    url = postgres.database()
    async with AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(Wire("127.0.0.1", postgres.port)) for _ in NAMES]
        starting = []
        for name, wire in zip(NAMES, wires, strict=True):
            (folder / name).mkdir()
            flags = ("--node", name, "--log-level", "warning", "--per-address", "2000")
            own = url.replace(f":{postgres.port}/", f":{wire.port}/")
            start = partial(ServerProcess, folder / name, *flags, store=own, program=program)
            starting.append(asyncio.to_thread(start))
        started = await asyncio.gather(*starting, return_exceptions=True)
        nodes = [node for node in started if isinstance(node, ServerProcess)]
        for node in nodes:
            stack.push_async_callback(asyncio.to_thread, node.close)
        for failure in started:
            if isinstance(failure, BaseException):
                raise failure
        yield FaultyCluster(rng, postgres, url, nodes, wires, **more)

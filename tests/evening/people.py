"""The people of a scripted evening: those who play by the library, and spectators who keep all that they are told."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import count
from random import Random
from typing import Any

from tests.outsider.verifier import verify
from tests.support.sockets import Map, Socket, open_socket
from tests.support.waiting import until
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from parlour_client.client import Client, Fault, Refused
from parlour_client.core.errors import Interrupted
from parlour_protocol.wire import plain
from parlour_server.game_files.replay import messages
from parlour_server.rooms.records import canonical

QUICK: Map = {"bank": 1_000, "add": 500}
"""The clock: whoever is away or slow holds no one up for long."""
RULES: Map = {"scoring": "single", "breath": 0}
"""A match of UNO of one round."""
_MOMENTS = count()
"""Numbers what people see, in the order in which they see it."""
WATCH: Map = {"t": "join", "as": "spectator"}
_LOST = (OSError, ConnectionClosed, InvalidHandshake, TimeoutError)
_SENSE = 0.9
"""How often a person takes the first action: a random round takes long."""
_PAUSE = 0.05


class Player:
    """A person at the table by the library, who answers every question."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._rng = Random(client.name)
        self.answers = 0
        self.ended: dict[str, int] = {}
        """When the end of each match was seen, by its digest."""

    @property
    def table(self) -> Map:
        """The table of the first room in which the person has, or had, a seat."""
        seat = next(iter(self.client.seats.values()))
        table: Map = dict(seat.state.table)
        return table

    async def ask(self, t: str, **fields: Any) -> Map:
        """Send a request until the server is there to answer it. Raises Refused, Fault."""
        while True:
            try:
                return await self.client.ask({"t": t, **fields})
            except Refused as refused:
                if refused.code not in ("retry", "busy"):
                    raise
            await asyncio.sleep(_PAUSE)

    async def play(self) -> None:
        """Answer what is asked, until cancelled."""
        while True:
            for seat in list(self.client.seats.values()):
                if seat.state.over is not None:
                    self.ended.setdefault(seat.state.over.digest, next(_MOMENTS))
                if (question := seat.question) is not None and question.legal:
                    act = 0 if self._rng.random() < _SENSE else self._rng.randrange(len(question.legal))
                    with suppress(Refused):  # time was up, or the seat has changed hands
                        await seat.act(question.rid, act)
                        self.answers += 1
            await asyncio.sleep(_PAUSE / 5)


@asynccontextmanager
async def players(addresses: dict[str, str]) -> AsyncIterator[dict[str, Player]]:
    """Connect people by name to their address."""
    async with AsyncExitStack() as stack:
        yield {name: await stack.enter_async_context(player(url, name)) for name, url in addresses.items()}


@asynccontextmanager
async def player(url: str, name: str) -> AsyncIterator[Player]:
    """Connect a person with a key, who plays wherever it sits."""
    async with AsyncExitStack() as stack:
        key = name.encode().hex().ljust(64, "0")
        found = Player(await stack.enter_async_context(Client(url, name, kind="human", key=key)))
        in_background(stack, found.play())
        yield found


def in_background(stack: AsyncExitStack, work: Any) -> None:
    """Run ``work`` until the stack closes."""
    task = asyncio.get_running_loop().create_task(work)

    async def end() -> None:
        task.cancel()
        with suppress(asyncio.CancelledError, Fault):
            await task

    stack.push_async_callback(end)


class Spectator:
    """Watches one room and keeps every message, through any number of connections."""

    def __init__(self, url: str, name: str, room: str, *subprotocols: str) -> None:
        self.notes: list[Map] = []
        self.ended: dict[str, int] = {}
        """When the end of each match was seen, by its digest."""
        self._url, self._name, self._room, self._subprotocols = url, name, room, subprotocols
        self._token: str | None = None

    def heard(self, t: str) -> list[Map]:
        """Return the messages of one type."""
        return [note for note in self.notes if note["t"] == t]

    async def watch(self) -> None:
        """Watch until cancelled."""
        while True:
            with suppress(*_LOST):
                async with open_socket(self._url, *self._subprotocols) as socket:
                    await self._follow(socket)
            await asyncio.sleep(_PAUSE)

    async def _follow(self, socket: Socket) -> None:
        token = {} if self._token is None else {"token": self._token}
        greeting = await socket.ask("hello", "welcome", "error", name=self._name, kind="human", **token)
        if greeting["t"] == "error":
            return
        self._token = greeting["token"]
        await socket.send("join", room=self._room, **{"as": "spectator"})
        while (message := await socket.receive(within=600))["t"] != "error":
            self.notes.append(message)
            if message["t"] == "over":
                self.ended.setdefault(message["digest"], next(_MOMENTS))


def leaks(notes: Iterable[Map], files: Sequence[list[str]]) -> list[str]:
    """Return what a spectator was told that the match files do not show to spectators at any point.

    Views are those of a verifier that shares no code with the server, without the hands.
    """
    views: set[str] = set()
    events: set[str] = set()
    verdicts = verify([("".join(f"{line}\n" for line in lines), None) for lines in files])
    for lines, verdict in zip(files, verdicts, strict=True):
        for sight in verdict.sights[0]:
            public = {name: value for name, value in json.loads(sight.view).items() if name not in ("hand", "drawn")}
            views.add(canonical(public))
        events |= {canonical(event) for message in messages(lines) for event in plain(message).get("events", [])}
    hidden = {begun["secret"]: begun["context"] for begun in (json.loads(lines[0]) for lines in files)}
    found = []
    for note in notes:
        if note["t"] == "over":
            hidden = {secret: context for secret, context in hidden.items() if context != note["context"]}
        if note.get("view") and canonical(note["view"]) not in views:
            found.append(f"a view in {note['t']}: {note['view']}")
        told = [event for event in note.get("events", []) if canonical(event) not in events or event.get("cards")]
        found += [f"an event: {event}" for event in told]
        found += [f"{name}: {note[name]}" for name in ("rid", "legal", "may", "seat_code") if note.get(name)]
        found += [f"the secret of {context}" for secret, context in hidden.items() if secret in json.dumps(note)]
    return found


async def file_of(player: Player, digest: str) -> list[str]:
    """Return the lines of a match file."""
    lines: list[str] = []
    after: int | None = 0
    while after is not None:
        page = await player.ask("file", digest=digest, after=after)
        lines, after = lines + page["lines"], page.get("after")
    return lines


async def over(spectator: Spectator, matches: int) -> Map:
    """Wait until a spectator has seen the end of so many matches; return the last."""
    await until(lambda: len(spectator.ended) >= matches, within=240)
    return spectator.heard("over")[-1]


def seated(table: Map, name: str) -> bool:
    """Whether a person owns a seat."""
    return name in [row["name"] for row in table["seats"]]


async def allowed(asking: Awaitable[object], code: str) -> bool:
    """Return whether the server does as it is asked; ``code``: how it refuses what it knows of only in a moment."""
    try:
        await asking
    except Interrupted:  # a slow server is asked again
        return False
    except Refused as refused:
        if refused.code != code:
            raise
        return False
    return True


async def invited(host: Player, room: str, bots: int) -> bool:
    """Invite a bot; return whether ``bots`` sit there. The server may still be starting them."""
    with suppress(Refused):
        await host.ask("invite", room=room)
    return len([row for row in host.table["seats"] if row["kind"] == "bot"]) >= bots


async def waits(player: Player, room: str) -> bool:
    """Wait for a seat again, if a kill has ended that; return whether the table says so."""
    name = player.client.name
    if name not in player.table.get("queue", []):
        with suppress(Refused):
            await player.ask("queue", room=room)
    queue: list[str] = player.table.get("queue", [])
    return name in queue

"""Two-world tests over a relay: relayed frames carry nothing that the seat may not know."""

import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import attrs
import pytest
from tests.nodes.in_process import Cluster
from tests.server.local_server import NAMES
from tests.server.rooms.noninterference import WATCHER, Dealt, Run, Step, exchanged, script, shuffled
from tests.server.rooms.test_secrecy import CountsBySecret, ShowsDraws, ShowsNextCard
from tests.support.sockets import Map, Socket, open_socket
from tests.support.waiting import PATIENCE, limit

from parlour_games.registry import AnyGame
from parlour_games.uno.plugin import Uno

WORLDS, STEPS, SEATS = 6, 60, 3
VIEWER = NAMES[1]
AT = {VIEWER: "two", WATCHER: "three"}
"""Viewers who connect to another node; all others connect to the owner of the room."""
OPTIONS = {"first_card_number_only": True, "pause": 60_000, "breath": 0}
LAST_WORD = "that was that"


class Timeless(Run):
    """A match without timers."""

    def options(self) -> Map:
        return OPTIONS


@attrs.define
class Heard:
    """A socket and all frames received on it."""

    socket: Socket
    frames: list[str | bytes] = attrs.field(factory=list)

    async def until(self, *types: str, **fields: Any) -> Map:
        """Read until a message of one of these types with these fields."""
        while True:
            async with limit(PATIENCE, f"{types} with {fields}"):
                frame = await self.socket.ws.recv()
            self.frames.append(frame)
            message = self.socket.codec.decode(frame)
            answer = message.get("ok") or {}
            if (message["t"] in types or (answer and "ok" in types)) and fields.items() <= {
                **message,
                **answer,
            }.items():
                return message


@asynccontextmanager
async def seated(cards: list[int], start: int, game: AnyGame) -> AsyncIterator[tuple[dict[str, Heard], str]]:
    """Start a match with these cards; yield the sockets of players and spectators, and the room."""
    async with AsyncExitStack() as stack:
        at = Cluster()
        stack.push_async_callback(at.close)
        for name in ("one", "two", "three"):
            member = await at.open(name, randomness=lambda *_: Dealt(cards, start))
            member.lobby.games["uno"] = game
        people: dict[str, Heard] = {}
        for name in (*NAMES[:SEATS], WATCHER):
            url = at[AT.get(name, "one")].url
            people[name] = heard = Heard(await stack.enter_async_context(open_socket(url)))
            await heard.socket.send("hello", name=name, kind="human", id=0)
            await heard.until("welcome")
        host = people[NAMES[0]]
        await host.socket.send("create", game="uno", options=OPTIONS, seats=SEATS, clock=None, id=1)
        room = (await host.until("joined"))["room"]
        for name in (*NAMES[1:SEATS], WATCHER):
            await people[name].socket.send("join", room=room, id=1, **{"as": role(name)})
            await people[name].until("joined", re=1)
        await host.socket.send("start", room=room, id=2)
        await host.until("ok", re=2)
        yield people, room


def role(name: str) -> str:
    return "spectator" if name == WATCHER else "player"


async def replayed(steps: list[Step], cards: list[int], start: int, game: AnyGame) -> dict[str, list[str | bytes]]:
    """Do these steps in order; return the frames that each viewer received."""
    async with seated(cards, start, game) as (people, room):
        for number, (kind, seat, rest) in enumerate(steps, start=10):
            actor = people[WATCHER if kind == "rewatch" else NAMES[seat]]
            fields = {"act": ("rid", "act"), "try": ("rid", "act"), "chat": ("text",)}.get(kind, ("as",))
            values = rest if kind in ("act", "try") else (rest or "spectator",)
            request = {"act": "act", "try": "act", "chat": "chat"}.get(kind, "join")
            await actor.socket.send(request, room=room, id=number, **dict(zip(fields, values, strict=True)))
            await actor.until("ok", "error", "joined", re=number)
        await people[NAMES[0]].socket.send("chat", room=room, text=LAST_WORD)
        for heard in people.values():
            await heard.until("chat", text=LAST_WORD)
        return {name: heard.frames for name, heard in people.items()}


async def runs(seed: int, game: AnyGame) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the frames of two runs that differ only in what relayed viewers may not know."""
    rng = random.Random(seed)
    first = Timeless(seed, SEATS, shuffled(SEATS, rng), rng.randrange(SEATS), Uno())
    steps = [step for step in script(first, VIEWER, rng, STEPS) if step[0] in ("act", "try", "chat", "join", "rewatch")]
    other = exchanged(first, VIEWER, rng)
    return await replayed(steps, first.cards, first.start, game), await replayed(steps, other, first.start, game)


@pytest.mark.parametrize("seed", range(WORLDS))
async def test_relayed_viewers_cannot_tell_worlds_apart(seed: int) -> None:
    one, two = await runs(seed, Uno())
    assert one[VIEWER] == two[VIEWER]
    assert one[WATCHER] == two[WATCHER]
    assert len(one[VIEWER]) > 20


async def test_the_worlds_differ_for_those_whose_cards_were_exchanged() -> None:
    one, two = await runs(1, Uno())
    assert one[NAMES[0]] != two[NAMES[0]] or one[NAMES[2]] != two[NAMES[2]]


@pytest.mark.parametrize("leaky", [ShowsNextCard, CountsBySecret, ShowsDraws])
async def test_the_detector_detects(leaky: type[Uno]) -> None:
    apart = 0
    for seed in range(3):
        one, two = await runs(seed, leaky())
        apart += one[VIEWER] != two[VIEWER] or one[WATCHER] != two[WATCHER]
    assert apart

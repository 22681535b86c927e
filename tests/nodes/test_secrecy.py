"""Two-world tests over a relay: relayed frames carry nothing that the seat may not know."""

import random
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import attrs
import pytest
from tests.nodes.in_process import Cluster
from tests.server.local_server import NAMES
from tests.server.rooms.noninterference import WATCHER, Run, Step, script, shuffled
from tests.support.sockets import Map, Socket, open_socket
from tests.support.waiting import PATIENCE, limit

from parlour_games.uno.plugin import Uno

WORLDS, STEPS, SEATS = 5, 60, 3
VIEWER = NAMES[1]
AT = {VIEWER: "two", WATCHER: "three"}
"""Viewers who connect to another node; all others connect to the owner of the room."""
KINDS = ("act", "try", "chat", "join", "rewatch")
"""Steps that take no time and close no connection."""
LAST_WORD = "that was that"
HEX = re.compile("[0-9a-f]{64}")


class Timeless(Run):
    """A match without timers."""

    def options(self) -> Map:
        return {"first_card_number_only": True, "pause": 60_000, "breath": 0}


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
async def seated(run: Run, nodes: dict[str, str]) -> AsyncIterator[tuple[dict[str, Heard], str]]:
    """Start the match of ``run``; yield the sockets of players and spectators, and the room."""
    async with AsyncExitStack() as stack:
        at = Cluster()
        stack.push_async_callback(at.close)
        for name in ("one", "two", "three"):
            member = await at.open(name, randomness=lambda *_: run.fair())
            member.lobby.games[run.game.name] = run.game
        people: dict[str, Heard] = {}
        for name in (*NAMES[:SEATS], WATCHER):
            url = at[nodes.get(name, "one")].url
            people[name] = heard = Heard(await stack.enter_async_context(open_socket(url)))
            await heard.socket.send("hello", name=name, kind="human", id=0)
            await heard.until("welcome")
        host = people[NAMES[0]]
        await host.socket.send("create", game=run.game.name, options=run.options(), seats=SEATS, clock=None, id=1)
        room = (await host.until("joined"))["room"]
        for name in (*NAMES[1:SEATS], WATCHER):
            await people[name].socket.send("join", room=room, id=1, **{"as": role(name)})
            await people[name].until("joined", re=1)
        await host.socket.send("start", room=room, id=2)
        await host.until("ok", re=2)
        yield people, room


def role(name: str) -> str:
    return "spectator" if name == WATCHER else "player"


async def replayed(steps: list[Step], run: Run, nodes: dict[str, str]) -> dict[str, list[str]]:
    """Do these steps of a match like ``run`` in order; return the frames that each viewer received."""
    async with seated(run, nodes) as (people, room):
        for number, (kind, seat, rest) in enumerate((step for step in steps if step[0] in KINDS), start=10):
            actor = people[WATCHER if kind == "rewatch" else NAMES[seat]]
            fields = {"act": ("rid", "act"), "try": ("rid", "act"), "chat": ("text",)}.get(kind, ("as",))
            values = rest if kind in ("act", "try") else (rest or "spectator",)
            request = {"act": "act", "try": "act", "chat": "chat"}.get(kind, "join")
            await actor.socket.send(request, room=room, id=number, **dict(zip(fields, values, strict=True)))
            await actor.until("ok", "error", "joined", re=number)
        await people[NAMES[0]].socket.send("chat", room=room, text=LAST_WORD)
        for heard in people.values():
            await heard.until("chat", text=LAST_WORD)
        return {name: [_shown(frame, room) for frame in heard.frames] for name, heard in people.items()}


def _shown(frame: str | bytes, room: str) -> str:
    """Return a frame without what the entropy of its node decides: codes, tokens and commitments."""
    return HEX.sub("", str(frame)).replace(room, "")


@pytest.mark.parametrize("seed", range(WORLDS))
async def test_relayed_viewers_are_sent_what_they_would_be_sent_by_the_owner(seed: int) -> None:
    """What that is shows nothing that they may not know: ``server/rooms/test_secrecy.py``."""
    rng = random.Random(seed)
    run = Timeless(seed, SEATS, shuffled(SEATS, rng), rng.randrange(SEATS), Uno())
    steps = script(run, VIEWER, rng, STEPS)
    owned, relayed = [await replayed(steps, Timeless(seed, SEATS, run.cards, run.start, Uno()), at) for at in ({}, AT)]
    for name in AT:
        assert relayed[name][1:] == owned[name][1:], "but for the welcome"
    assert len(owned[VIEWER]) > 20

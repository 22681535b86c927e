"""Two-world tests over a relay: relayed frames carry nothing that the seat may not know."""

import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import attrs
import pytest
from tests.bots.laws import variants
from tests.nodes.in_process import Cluster
from tests.server.local_server import NAMES
from tests.server.rooms import goofspiel_noninterference as goofspiel
from tests.server.rooms.noninterference import WATCHER, Run, Step, exchanged, script, shuffled
from tests.server.rooms.test_secrecy import CountsBySecret, ShowsDraws, ShowsNextCard
from tests.support.sockets import Map, Socket, open_socket
from tests.support.waiting import PATIENCE, limit

from parlour_games.registry import AnyGame
from parlour_games.uno.plugin import Uno
from parlour_goofspiel.game import Goofspiel

WORLDS, GOOFSPIEL_WORLDS, STEPS, SEATS = 5, 2, 60, 3
VIEWER = NAMES[1]
AT = {VIEWER: "two", WATCHER: "three"}
"""Viewers who connect to another node; all others connect to the owner of the room."""
KINDS = ("act", "try", "chat", "join", "rewatch")
"""Steps that take no time and close no connection."""
LAST_WORD = "that was that"


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
async def seated(run: Run) -> AsyncIterator[tuple[dict[str, Heard], str]]:
    """Start the match of ``run``; yield the sockets of players and spectators, and the room."""
    async with AsyncExitStack() as stack:
        at = Cluster()
        stack.push_async_callback(at.close)
        for name in ("one", "two", "three"):
            member = await at.open(name, randomness=lambda *_: run.fair())
            member.lobby.games[run.game.name] = run.game
        people: dict[str, Heard] = {}
        for name in (*NAMES[:SEATS], WATCHER):
            url = at[AT.get(name, "one")].url
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


async def replayed(steps: list[Step], run: Run) -> dict[str, list[str | bytes]]:
    """Do these steps of a match like ``run`` in order; return the frames that each viewer received."""
    async with seated(run) as (people, room):
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
        return {name: heard.frames for name, heard in people.items()}


async def runs(seed: int, game: AnyGame) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the frames of two runs that differ only in what relayed viewers may not know."""
    rng = random.Random(seed)
    if isinstance(game, Goofspiel):
        return await _goofspiel_runs(seed, game, rng)
    first = Timeless(seed, SEATS, shuffled(SEATS, rng), rng.randrange(SEATS), Uno())
    steps = script(first, VIEWER, rng, STEPS)
    one, two = (
        Timeless(seed, SEATS, cards, first.start, game) for cards in (first.cards, exchanged(first, VIEWER, rng))
    )
    return await replayed(steps, one), await replayed(steps, two)


async def _goofspiel_runs(seed: int, game: AnyGame, rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    prizes = rng.sample(range(1, goofspiel.PRIZES + 1), goofspiel.PRIZES)
    first = goofspiel.GoofspielRun(seed, SEATS, prizes, 0, Goofspiel())
    steps, others = goofspiel.scripts(first, VIEWER, rng)
    one, two = (
        goofspiel.GoofspielRun(seed, SEATS, cards, 0, game) for cards in (prizes, goofspiel.other_prizes(first))
    )
    return await replayed(steps, one), await replayed(others, two)


def apart(one: dict[str, Any], two: dict[str, Any]) -> bool:
    """Tell whether a relayed viewer was sent something else in the other run."""
    return any(one[name] != two[name] for name in AT)


@pytest.mark.parametrize(
    ("game", "seed"),
    [*((Uno, seed) for seed in range(WORLDS)), *((Goofspiel, seed) for seed in range(GOOFSPIEL_WORLDS))],
)
async def test_relayed_viewers_cannot_tell_worlds_apart(game: type[AnyGame], seed: int) -> None:
    one, two = await runs(seed, game())
    assert not apart(one, two)
    assert len(one[VIEWER]) > 20


@pytest.mark.parametrize("game", [Uno, Goofspiel])
async def test_the_worlds_differ_for_those_whose_cards_were_exchanged(game: type[AnyGame]) -> None:
    one, two = await runs(1, game())
    assert one[NAMES[0]] != two[NAMES[0]] or one[NAMES[2]] != two[NAMES[2]]


LEAKY = [ShowsNextCard, CountsBySecret, ShowsDraws, variants.ShowsBidsInView, variants.ShowsBidsInEvents]


@pytest.mark.parametrize("leaky", LEAKY)
async def test_the_detector_detects(leaky: type[AnyGame]) -> None:
    for seed in range(3):
        if apart(*await runs(seed, leaky())):
            return
    pytest.fail("no viewer was sent anything that differs")

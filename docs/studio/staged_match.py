"""Matches for pictures: the server's rooms in this process, bots, and a seat for the person at the screen.

Time is virtual and every choice is seeded: the same seed makes the same match with the same timing.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager

import attrs

from parlour_bots.errors import Mistake
from parlour_bots.loading import find
from parlour_bots.play.player import SeatPlayer
from parlour_client.core.connection import ConnectionState
from parlour_client.core.session import Session
from parlour_client.play.entry import Entry
from parlour_protocol.messages import (
    DEFAULT_CLOCK,
    Act,
    ClientMessage,
    Clock,
    Create,
    Join,
    Joined,
    Plain,
    ServerMessage,
)
from parlour_server.local import Local, Peer
from parlour_server.rooms.records import game_file

LATENCY = 12
"""The latency of the person's messages in milliseconds."""
THOUGHT = 900
"""Milliseconds between the acts of bots in a match without a person."""
_LONGEST = 10_000
"""The maximum of acts in a match."""


class LocalConnection:
    """A connection of a real client to rooms in the same process, in place of a socket."""

    def __init__(self, local: Local, name: str) -> None:
        self.url = "ws://localhost:7777"
        self.state = ConnectionState("open")
        self.session = Session(name, entropy=bytes)
        self.heard: list[ServerMessage] = []
        """Messages the client has read and ``advice`` has not."""
        self._local = local
        self._peer = local.open(name)
        self._arrived = asyncio.Event()

    @asynccontextmanager
    async def connected(self, _: Entry, __: Callable[[ConnectionState], None]) -> AsyncIterator["LocalConnection"]:
        """Say hello and yield the connection."""
        self._peer.send(self.session.hello())
        self.wake_reader()
        yield self

    async def send(self, message: ClientMessage) -> None:
        """Send ``message``."""
        if (out := self.session.outgoing(message)) is not None:
            self._local.wait(LATENCY)
            self._peer.send(out)
            self.wake_reader()

    def wake_reader(self) -> None:
        """Wake the reader to take new messages from the inbox."""
        self._arrived.set()

    async def __aiter__(self) -> AsyncIterator[ServerMessage]:
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._peer.inbox:
                message = self._peer.inbox.popleft()
                if self.session.is_news(message):
                    for answer in self.session.receive(message):
                        self._peer.send(answer)
                    self.heard.append(message)
                    yield message


@attrs.define
class SeatedBot:
    """A bot in a seat."""

    peer: Peer
    player: SeatPlayer

    def act(self) -> bool:
        """Answer the next decision; return whether there was one."""
        while self.peer.inbox:
            if acts := self.player.receive(self.peer.inbox.popleft()):
                for act in acts:
                    self.peer.send(act)
                return True
        return False


class StagedMatch:
    """A match of a person and bots that is advanced step by step."""

    def __init__(
        self,
        seed: int,
        game: str,
        options: Plain,
        *,
        bots: Mapping[str, str],
        name: str = "maria",
        adviser: str,
        clock: Clock = DEFAULT_CLOCK,
    ) -> None:
        """``bots``: name → bot, in seat order; ``adviser``: the bot that suggests actions to ``name``."""
        self.local = Local(seed)
        self.name = name
        self.connection = LocalConnection(self.local, name)
        self.create = Create(game, options, seats=len(bots) + 1, clock=clock, start="full")
        self._adviser = SeatPlayer(find(adviser, game), f"{seed}/{name}", _mistaken)
        self._bots = seat_bots(self.local, seed, game, bots)
        self._advice: dict[int, Act] = {}

    def now(self) -> float:
        """Return the virtual time in seconds."""
        return self.local.now / 1000

    def begin(self) -> None:
        """Let the bots join the room that the person has opened."""
        room = next(message.room for message in self.connection.heard if isinstance(message, Joined))
        for bot in self._bots:
            bot.peer.send(Join(room))
        self.connection.wake_reader()

    def step(self, ms: int) -> bool:
        """Advance the time and let each bot answer one decision. Return whether one did."""
        self.local.wait(ms)
        acted = [bot.act() for bot in self._bots]
        self.connection.wake_reader()
        return any(acted)

    def advice(self, rid: int) -> Act:
        """Return the suggested answer to decision ``rid``. Raises KeyError if the client has not received it."""
        heard, self.connection.heard = self.connection.heard, []
        for act in (act for message in heard for act in self._adviser.receive(message)):
            self._advice[act.rid] = act
        return self._advice[rid]


def play_match(seed: int, game: str, options: Plain, players: Mapping[str, str]) -> list[str]:
    """Play a match among bots (name → bot, in seat order); return the lines of its match file."""
    local = Local(seed)
    bots = seat_bots(local, seed, game, players)
    bots[0].peer.send(Create(game, options, seats=len(bots), start="full"))
    room = next(message.room for message in bots[0].peer.inbox if isinstance(message, Joined))
    for bot in bots[1:]:
        bot.peer.send(Join(room))
    for _ in range(_LONGEST):
        if local.matches:
            match = local.matches[0].match
            return list(game_file(local.log[room][match.first : match.last + 1]))
        local.wait(THOUGHT)
        any(bot.act() for bot in bots)
    raise AssertionError("the match did not end")


def seat_bots(
    local: Local, seed: int, game: str, bots: Mapping[str, str], humans: Collection[str] = ()
) -> list[SeatedBot]:
    """Connect players (name → bot), each played by its bot; those in ``humans`` connect as humans."""
    return [
        SeatedBot(
            local.connect(name, "human" if name in humans else "bot"),
            SeatPlayer(find(bot, game), f"{seed}/{name}", _mistaken),
        )
        for name, bot in bots.items()
    ]


def _mistaken(mistake: Mistake) -> None:
    raise AssertionError(f"a bundled bot made a mistake: {mistake}")

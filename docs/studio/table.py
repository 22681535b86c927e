"""A table for pictures: the server's own rooms in this process, bots at it, and one seat for who sits at the screen.

Time is virtual and every choice is seeded, so that the same seed makes the same match, second by second.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager

import attrs

from parlour_bots.errors import Mistake
from parlour_bots.loading.loader import find
from parlour_bots.play.player import Player
from parlour_client.core.connection import State
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
"""Milliseconds that everything said by the person is on its way."""
THOUGHT = 900
"""Milliseconds between the acts of bots that play among themselves."""
_LONGEST = 10_000
"""Acts of a match."""


class Wire:
    """Stands where the socket would be: the talk of a real client with the rooms beside it."""

    def __init__(self, hall: Local, name: str) -> None:
        self.url = "ws://localhost:7777"
        self.state = State("open")
        self.session = Session(name, entropy=bytes)
        self.heard: list[ServerMessage] = []
        """What has been read, until somebody takes it out."""
        self._hall = hall
        self._peer = hall.open(name)
        self._news = asyncio.Event()

    @asynccontextmanager
    async def connected(self, _: Entry, __: Callable[[State], None]) -> AsyncIterator["Wire"]:
        """Be the way to a server."""
        self._peer.send(self.session.hello())
        self.look()
        yield self

    async def send(self, message: ClientMessage) -> None:
        """Send ``message``."""
        if (out := self.session.outgoing(message)) is not None:
            self._hall.wait(LATENCY)
            self._peer.send(out)
            self.look()

    def look(self) -> None:
        """Let what has come in be read."""
        self._news.set()

    async def __aiter__(self) -> AsyncIterator[ServerMessage]:
        while True:
            await self._news.wait()
            self._news.clear()
            while self._peer.inbox:
                message = self._peer.inbox.popleft()
                if self.session.is_news(message):
                    for answer in self.session.receive(message):
                        self._peer.send(answer)
                    self.heard.append(message)
                    yield message


@attrs.define
class Seated:
    """A bot at the table."""

    peer: Peer
    player: Player

    def act(self) -> bool:
        """Answer one thing that it has been asked; return whether there was any."""
        while self.peer.inbox:
            if acts := self.player.receive(self.peer.inbox.popleft()):
                for act in acts:
                    self.peer.send(act)
                return True
        return False


class Table:
    """A match that goes on step by step: the person's ``wire``, and bots that play by themselves."""

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
        """``bots``: name → bot, in the order of their seats; ``adviser``: the bot that tells what ``name`` might do."""
        self.hall = Local(seed)
        self.name = name
        self.wire = Wire(self.hall, name)
        self.create = Create(game, options, seats=len(bots) + 1, clock=clock, start="full")
        self._adviser = Player(find(adviser, game), f"{seed}/{name}", _mistaken)
        self._bots = seated(self.hall, seed, game, bots)
        self._advice: dict[int, Act] = {}

    def now(self) -> float:
        """Return the time at the table, in seconds."""
        return self.hall.now / 1000

    def begin(self) -> None:
        """Let the bots sit down in the room that the person has opened."""
        room = next(message.room for message in self.wire.heard if isinstance(message, Joined))
        for bot in self._bots:
            bot.peer.send(Join(room))
        self.wire.look()

    def step(self, ms: int) -> bool:
        """Let time pass, and then each bot answer one thing that it is asked. Return whether one did."""
        self.hall.wait(ms)
        acted = [bot.act() for bot in self._bots]
        self.wire.look()
        return any(acted)

    def advice(self, rid: int) -> Act:
        """Return what the person might answer to decision ``rid``, of which they have read. Raises KeyError."""
        heard, self.wire.heard = self.wire.heard, []
        for act in (act for message in heard for act in self._adviser.receive(message)):
            self._advice[act.rid] = act
        return self._advice[rid]


def played(seed: int, game: str, options: Plain, players: Mapping[str, str]) -> list[str]:
    """Return the lines of the game file of a match among bots: name → bot, in the order of their seats."""
    hall = Local(seed)
    bots = seated(hall, seed, game, players)
    bots[0].peer.send(Create(game, options, seats=len(bots), start="full"))
    room = next(message.room for message in bots[0].peer.inbox if isinstance(message, Joined))
    for bot in bots[1:]:
        bot.peer.send(Join(room))
    for _ in range(_LONGEST):
        if hall.matches:
            match = hall.matches[0].match
            return list(game_file(hall.log[room][match.first : match.last + 1]))
        hall.wait(THOUGHT)
        any(bot.act() for bot in bots)
    raise AssertionError("the match does not end")


def seated(hall: Local, seed: int, game: str, bots: Mapping[str, str], people: Collection[str] = ()) -> list[Seated]:
    """Return who plays, each by a bot (name → bot); those among ``people`` are said to be human."""
    return [
        Seated(
            hall.connect(name, "human" if name in people else "bot"),
            Player(find(bot, game), f"{seed}/{name}", _mistaken),
        )
        for name, bot in bots.items()
    ]


def _mistaken(mistake: Mistake) -> None:
    raise AssertionError(f"a bot of ours plays wrong: {mistake}")

"""A contest of UNO bots under a virtual clock, some of which misbehave."""

import random
from typing import Any

import attrs
from tests.server.contests.contest_bots import ADMIN, tally
from tests.server.local_server import new_server

from parlour_protocol import messages as m
from parlour_server.contests.contest import Contest
from parlour_server.effects import Effect, LogEvent
from parlour_server.local import Local, Peer

OPTIONS = {"scoring": "single", "breath": 0, "pause": 0}
TICK = 1_000
"""Milliseconds between two sweeps."""
LONGEST = 6 * 3600 * 1000
"""Milliseconds after which a contest counts as endless."""
BEHAVIOURS = ("good", "hangs", "dies", "crashes", "flaps", "leaves", "cheats", "banned", "late")
_SENSE = 0.9


@attrs.define
class Bot:
    """A bot. ``fate``: seconds after which it misbehaves. ``lefts``: the reasons in its ``left`` messages."""

    name: str
    behaviour: str
    fate: int
    peer: Peer
    back_at: int | None = None
    lefts: list[str] = attrs.field(factory=list)


class ContestRun:
    """A server without sockets that holds one contest."""

    def __init__(
        self, behaviours: list[str], seed: int, limit: int = 2, can: list[str] | None = None, **args: Any
    ) -> None:
        self.local: Local = new_server(seed)
        self.local.lobby.admin.token = ADMIN
        self.log: list[str] = []
        self._carry_out = self.local.carry_out
        self.local.carry_out = self._listen  # type: ignore[method-assign]
        self.rng = random.Random(seed)
        self.limit = limit
        self.can = can
        self.bots = [self._bot(f"b{number}-{behaviour}", behaviour) for number, behaviour in enumerate(behaviours)]
        self.operator = self.local.connect("olga")
        self.order(game="uno", options=OPTIONS, **args)

    @property
    def contest(self) -> Contest:
        return self.local.lobby.director.contests["friday"]

    def order(self, **args: Any) -> m.ServerMessage:
        self.operator.inbox.clear()
        self.operator.send(m.Admin(ADMIN, "contest", name="friday", args=args, id=1))
        return self.operator.inbox.popleft()

    def rows(self) -> dict[str, m.StandingsRow]:
        return {row["name"]: row for row in self.contest.standings()}

    def tally(self) -> dict[str, tuple[int, int, int]]:
        return tally(self.contest.standings())

    def disconnect_all(self) -> None:
        for bot in self.bots:
            bot.peer.close()

    def play(self, until: int = LONGEST) -> int:
        """Play until the contest is over and return its milliseconds. Fails if it does not end."""
        while not self.contest.over:
            assert self.local.now < until, (self.contest.rooms, list(self.contest.due())[:5])
            while sum(self._answers(bot) for bot in self.bots):
                pass
            self.local.wait(TICK)
            for bot in self.bots:
                self._behave(bot)
            self.local.carry_out(self.local.lobby.sweep(self.local.now))
        return self.local.now

    def tick(self, times: int = 1) -> None:
        """Let seconds pass without any message."""
        for _ in range(times):
            self.local.wait(TICK)
            self.local.carry_out(self.local.lobby.sweep(self.local.now))

    def back(self, bot: Bot) -> None:
        """Connect a bot again with its token."""
        bot.peer = self.local.connect(bot.name, "bot", token=bot.peer.token)
        bot.peer.send(m.OfferBot(["uno"], self.limit))

    def _listen(self, wanted: list[Effect]) -> None:
        """Keep the events for the server's log."""
        self.log += [f"{each.event} {each.about}" for each in wanted if isinstance(each, LogEvent)]
        self._carry_out(wanted)

    def _bot(self, name: str, behaviour: str) -> Bot:
        bot = Bot(name, behaviour, self.rng.randrange(1, 60), self.local.connect(name, "bot", can=self.can))
        bot.peer.send(m.OfferBot(["uno"], self.limit))
        return bot

    def _behave(self, bot: Bot) -> None:
        here, due = bot.peer.conn in self.local.lobby.connections.sessions, self.local.now >= bot.fate * 1000
        if bot.back_at is not None and self.local.now >= bot.back_at:
            bot.back_at = None
            self.back(bot)
        elif here and due and bot.behaviour in ("dies", "crashes", "flaps"):
            bot.peer.close()
            if bot.behaviour != "dies":
                bot.back_at = self.local.now + self.rng.randrange(1_000, 40_000)
            bot.fate = 10**9 if bot.behaviour == "crashes" else bot.fate + self.rng.randrange(5, 60)
        elif here and due and bot.behaviour == "banned":
            self.operator.send(m.Admin(ADMIN, "ban", name=bot.name))

    def _answers(self, bot: Bot) -> bool:
        """Answer the messages in the inbox; return whether anything was sent."""
        said = False
        while bot.peer.inbox and bot.peer.conn in self.local.lobby.connections.sessions:
            message = bot.peer.inbox.popleft()
            if isinstance(message, m.Left):
                bot.lefts.append(message.why)
            said = self._answer(bot, message) or said
        return said

    def _answer(self, bot: Bot, message: m.ServerMessage) -> bool:
        due = self.local.now >= bot.fate * 1000
        if isinstance(message, m.Joined) and bot.behaviour == "leaves" and due:
            bot.peer.send(m.Leave(message.room))
            return True
        if not isinstance(message, m.Turn | m.Error) or message.room is None or message.rid is None:
            return False
        if isinstance(message, m.Error) and message.code != "illegal_action":
            return False
        if bot.behaviour == "hangs" or (bot.behaviour == "late" and self.rng.random() < 0.1):
            return False
        if bot.behaviour == "cheats" and due:
            bot.peer.send(m.Act(message.room, message.rid, {"do": "play", "card": 999}))
        elif message.legal:
            first = self.rng.random() < _SENSE
            bot.peer.send(m.Act(message.room, message.rid, 0 if first else self.rng.randrange(len(message.legal))))
        return True

"""Bots of a contest on a server without sockets: of the fake game, moved by tests; of UNO, playing."""

import random
from typing import Any

import attrs
from tests.server.local_server import new_server, received, request

from parlour_protocol import messages as m
from parlour_server.contests.contest import Contest
from parlour_server.effects import Effect, LogEvent
from parlour_server.local import Local, Peer

ADMIN = "operator"
OPTIONS = {"scoring": "single", "breath": 0, "pause": 0}
TICK = 1_000
"""Milliseconds between two sweeps."""
LONGEST = 6 * 3600 * 1000
"""Milliseconds after which a contest counts as endless."""
BEHAVIOURS = ("good", "hangs", "dies", "crashes", "flaps", "leaves", "cheats", "banned", "late")
_SENSE = 0.9


class Held:
    """A server that holds a contest, and an admin."""

    def __init__(self, seed: int, limit: int) -> None:
        self.local: Local = new_server(seed)
        self.local.lobby.admin.token = ADMIN
        self.operator = self.local.connect("olga")
        self.limit = limit

    @property
    def contest(self) -> Contest:
        return self.local.lobby.director.contests["friday"]

    def order(self, **args: Any) -> list[m.ServerMessage]:
        self.operator.inbox.clear()
        self.operator.send(m.Admin(ADMIN, "contest", name="friday", args=args, id=1))
        return received(self.operator)

    def refusal(self, **args: Any) -> m.Error:
        """Order something; return why it is refused."""
        [error] = [message for message in self.order(**args) if isinstance(message, m.Error)]
        return error


class Bots(Held):
    """Bots that are available for the fake game, and no contest yet."""

    def __init__(self, *names: str, limit: int = 2) -> None:
        super().__init__(1, limit)
        self.bots: dict[str, Peer] = {}
        for name in names:
            self.offer(self.local.connect(name, "bot"))

    def offer(self, bot: Peer) -> None:
        self.bots[bot.name] = bot
        bot.send(m.OfferBot(["fake"], self.limit))

    def order(self, **args: Any) -> list[m.ServerMessage]:
        return super().order(**{"game": "fake", **args})

    def win(self, name: str) -> str:
        """Let a bot take a cell and end its match; return its room."""
        bot, turn = self.bots[name], one_turn(self.bots[name])
        bot.send(m.Act(turn.room, turn.rid, {"do": "take", "cell": 2}))
        bot.send(m.Act(turn.room, turn.rid + 1, {"do": "end"}))
        return turn.room

    def end(self, name: str) -> str:
        """Let a bot end its match, which is a draw; return its room."""
        turn = one_turn(self.bots[name])
        self.bots[name].send(m.Act(turn.room, turn.rid, {"do": "end"}))
        return turn.room

    def asked(self) -> Peer:
        """Return a bot that has to decide in an open room."""
        for bot in self.bots.values():
            if any(isinstance(each, m.Turn) and each.room in self.rooms for each in bot.inbox):
                return bot
        raise AssertionError("nobody is asked")

    def first_pairing(self) -> list[str]:
        """Return the names of the first pairing, then those of the other bots."""
        playing = [self.contest.plan.entrants[entrant].name for entrant in self.contest.pairings[0]]
        return [*playing, *(self.bots.keys() - playing)]

    def rows(self) -> list[m.StandingsRow]:
        return request(self.operator, m.Standings(contest="friday"), m.StandingsRows).rows

    def view(self) -> m.ContestView:
        view = request(self.operator, m.Standings(contest="friday"), m.StandingsRows).contest
        assert view is not None
        return view

    @property
    def rooms(self) -> list[str]:
        return sorted(self.local.lobby.rooms.loaded)


def tally(rows: list[m.StandingsRow]) -> dict[str, tuple[int, int, int]]:
    """Return the games, wins and forfeits of each entrant."""
    return {row["name"]: (row["games"], row["wins"], row["forfeits"]) for row in rows}


def one_turn(bot: Peer) -> m.Turn:
    return [message for message in received(bot) if isinstance(message, m.Turn)][-1]


def sweep(at: Bots, later: int) -> None:
    at.local.now += later
    at.local.carry_out(at.local.lobby.sweep(at.local.now))
    at.local.now += 1


@attrs.define
class Bot:
    """A bot. ``fate``: seconds after which it misbehaves. ``lefts``: the reasons in its ``left`` messages."""

    name: str
    behaviour: str
    fate: int
    peer: Peer
    back_at: int | None = None
    lefts: list[str] = attrs.field(factory=list)


class ContestRun(Held):
    """A contest of UNO bots under a virtual clock, some of which misbehave."""

    def __init__(
        self, behaviours: list[str], seed: int, limit: int = 2, can: list[str] | None = None, **args: Any
    ) -> None:
        super().__init__(seed, limit)
        self.log: list[str] = []
        self._carry_out = self.local.carry_out
        self.local.carry_out = self._listen  # type: ignore[method-assign]
        self.rng = random.Random(seed)
        self.can = can
        self.bots = [self._bot(f"b{number}-{behaviour}", behaviour) for number, behaviour in enumerate(behaviours)]
        self.order(game="uno", options=OPTIONS, **args)

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

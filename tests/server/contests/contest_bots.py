"""Bots of a contest on a server without sockets."""

from typing import Any

from tests.server.local_server import new_server, received, request

from parlour_protocol import messages as m
from parlour_server.contests.contest import Contest
from parlour_server.local import Local, Peer

ADMIN = "operator"


class Bots:
    """A server, bots that are available for the fake game, and an admin."""

    def __init__(self, *names: str, limit: int = 2) -> None:
        self.local: Local = new_server()
        self.local.lobby.admin.token = ADMIN
        self.limit = limit
        self.bots: dict[str, Peer] = {}
        for name in names:
            self.offer(self.local.connect(name, "bot"))
        self.operator = self.local.connect("olga")

    def offer(self, bot: Peer) -> None:
        self.bots[bot.name] = bot
        bot.send(m.OfferBot(["fake"], self.limit))

    def ask(self, **args: Any) -> list[m.ServerMessage]:
        self.operator.send(m.Admin(ADMIN, "contest", name="friday", args={"game": "fake", **args}, id=1))
        return received(self.operator)

    def refusal(self, **args: Any) -> m.Error:
        """Ask for a contest; return why it is refused."""
        [error] = [message for message in self.ask(**args) if isinstance(message, m.Error)]
        return error

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

    @property
    def contest(self) -> Contest:
        return self.local.lobby.director.contests["friday"]

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

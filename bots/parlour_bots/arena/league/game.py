"""The games of a contest: who plays which deal from which seat, and one game in a room of this process.

Every deal is played from every seat, so that the luck of the cards cancels out.

A *line-up* is the set of bots in a game. With as many bots as seats there is one line-up. With more, every combination
of bots is a line-up, so that all pairs meet equally often. With fewer, the first bot plays alone against the others,
who share the remaining seats evenly: with four players, ``search painfirst`` is one ``search`` and three ``painfirst``.

Each line-up plays each deal once in every rotation of its seats. The order of the bots changes from deal to deal and
goes through all orders.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import factorial, gcd

import attrs

from parlour_bots.arena.measures import Times
from parlour_bots.arena.pool import PlayedGame
from parlour_bots.errors import MISTAKES_SHOWN, Mistake
from parlour_bots.play.in_process import FinishedMatch, MatchTooLong, play_match, win_share
from parlour_bots.play.player import SeatPlayer
from parlour_bots.sdk import BotSpec
from parlour_protocol.messages import Plain

_GOLDEN = 0.6180339887


@attrs.frozen
class LeagueGame:
    """One game: its number in the contest, its deal, its line-up, and the bot in each seat."""

    number: int
    deal: int
    lineup: int
    seats: tuple[int, ...]


@attrs.frozen
class Schedule:
    """The games between ``bots`` bots with ``players`` seats each."""

    bots: int
    players: int
    lineups: tuple[tuple[int, ...], ...] = attrs.field(
        init=False, default=attrs.Factory(lambda self: tuple(lineups(self.bots, self.players)), takes_self=True)
    )

    @property
    def a_deal(self) -> int:
        """Return the number of games per deal."""
        return len(self.lineups) * self.players

    def deals(self, games: int) -> int:
        """Return the number of deals for at least this many games per line-up."""
        return -(-games // self.players)

    def games(self, first: int, deals: int) -> Iterator[LeagueGame]:
        """Yield the games from number ``first`` on, deal by deal."""
        for number in range(first, deals * self.a_deal):
            yield self.game(number)

    def game(self, number: int) -> LeagueGame:
        """Return the game with this number."""
        deal, rest = divmod(number, self.a_deal)
        lineup, rotation = divmod(rest, self.players)
        order = _order(deal, self.players)
        chosen = self.lineups[lineup]
        seats = tuple(chosen[order[(seat + rotation) % self.players]] for seat in range(self.players))
        return LeagueGame(number, deal, lineup, seats)


def lineups(bots: int, players: int) -> Iterator[tuple[int, ...]]:
    """Yield the line-ups, each with a bot per seat."""
    if bots >= players:
        yield from combinations(range(bots), players)
        return
    others = range(1, bots)
    every, some = divmod(players - 1, bots - 1)
    for more in combinations(others, some):
        yield (0, *sorted([*others] * every + [*more]))


def _order(deal: int, players: int) -> list[int]:
    """Return the order of the places in a deal: place 0, then the others in an order that changes per deal."""
    orders = factorial(players - 1)
    stride = next(step for step in range(max(1, round(_GOLDEN * orders)), 2 * orders + 1) if gcd(step, orders) == 1)
    rest, number, order = list(range(1, players)), deal * stride % orders, [0]
    for left in range(players - 1, 0, -1):
        which, number = divmod(number, factorial(left - 1))
        order.append(rest.pop(which))
    return order


FAULTS = 3
"""The number of faults that lose a game. A random move replaces each earlier faulty answer."""
ANSWERS = 20_000
"""Answers per round after which a game is stopped and its win shared: bots that only draw never end it."""

_DEAL_BITS = 32


@attrs.frozen
class LeagueOutcome:
    """The outcome of a game. All tuples are indexed by seat."""

    game: int
    deal: int
    seats: tuple[int, ...]
    """The bot in each seat."""
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    answers: int
    """The number of answers of all seats."""
    faults: tuple[dict[str, int], ...]
    """The number of faults by kind: ``late``, ``broken``, ``illegal``."""
    times: tuple[tuple[int, ...], ...]
    """The answer times, as ``Times.numbers``."""
    stopped: bool = False
    usage: tuple[dict[str, int], ...] = ()
    """The use of language models: see ``LanguageModel.usage``. Empty without one."""

    def share(self, seat: int) -> float:
        """Return the part of the win that the seat has."""
        return win_share(self.ranks, seat)

    def plain(self) -> Plain:
        """Return the outcome as plain data."""
        return attrs.asdict(self, filter=lambda field, value: field.name != "usage" or bool(value))


def match_seed(seed: int, deal: int) -> int:
    """Return the seed of the matches on a deal of a contest."""
    return (seed << _DEAL_BITS) + deal


def play(
    specs: Sequence[BotSpec],
    game: LeagueGame,
    seed: int,
    options: Plain,
    save: Callable[[list[str]], None] | None = None,
) -> PlayedGame[LeagueOutcome]:
    """Play one game of a contest. ``specs`` are indexed by bot.

    The cards depend on the seed and the deal only, ``turn.rng`` also on the seat, so that all bots in a seat get the
    same. ``save`` gets the lines of the match file, unless the game is stopped.
    """
    mistakes: list[str] = []

    def report(mistake: Mistake) -> None:
        if len(mistakes) < MISTAKES_SHOWN:
            mistakes.append(str(mistake))

    players = [
        SeatPlayer(specs[bot], f"{seed}/{game.deal}/{seat}", report, FAULTS) for seat, bot in enumerate(game.seats)
    ]
    rounds = 1 if options.get("scoring") == "single" else 10  # at most, or nearly so
    try:
        match: FinishedMatch | None = play_match(players, match_seed(seed, game.deal), options, ANSWERS * rounds, save)
    except MatchTooLong:
        match = None
    return PlayedGame(_outcome(game, match, players), tuple(mistakes))


def _outcome(game: LeagueGame, match: FinishedMatch | None, players: Sequence[SeatPlayer]) -> LeagueOutcome:
    seats = len(game.seats)
    return LeagueOutcome(
        game.number,
        game.deal,
        game.seats,
        match.ranks if match else (1,) * seats,
        match.scores if match else (0,) * seats,
        sum(len(player.acts) for player in players),
        tuple(dict(player.mistakes) for player in players),
        tuple(tuple(Times.of(player.thinking).numbers()) for player in players),
        match is None,
        tuple(dict(player.usage) for player in players) if any(player.usage for player in players) else (),
    )

"""The schedule of a contest: every deal is played from every seat, so that the luck of the cards cancels out.

A *line-up* is the set of bots in a game. With as many bots as seats there is one line-up. With more, every combination
of bots is a line-up, so that all pairs meet equally often. With fewer, the first bot plays alone against the others,
who share the remaining seats evenly: with four players, ``search painfirst`` is one ``search`` and three ``painfirst``.

Each line-up plays each deal once in every rotation of its seats. The order of the bots changes from deal to deal and
goes through all orders.
"""

from collections.abc import Iterator
from itertools import combinations
from math import factorial, gcd

import attrs

_GOLDEN = 0.6180339887


@attrs.frozen
class Game:
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

    def games(self, first: int, deals: int) -> Iterator[Game]:
        """Yield the games from number ``first`` on, deal by deal."""
        for number in range(first, deals * self.a_deal):
            yield self.game(number)

    def game(self, number: int) -> Game:
        """Return the game with this number."""
        deal, rest = divmod(number, self.a_deal)
        lineup, rotation = divmod(rest, self.players)
        order = _order(deal, self.players)
        chosen = self.lineups[lineup]
        seats = tuple(chosen[order[(seat + rotation) % self.players]] for seat in range(self.players))
        return Game(number, deal, lineup, seats)


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

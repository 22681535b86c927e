"""Formats: which pairings a contest has, round by round, and how its entrants rank.

A format plans the next round from the results of the one before: ``rounds`` is a generator that yields the pairings of
a round, receives their results in order, and returns at the end. Entrants are numbers; ``seeds`` lists them, the best
first.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Sequence
from contextlib import suppress
from itertools import chain, pairwise, zip_longest
from math import comb
from typing import TypeAlias

from parlour_server.contests.pairing import Pairing, PairingResult, Standing, pairs, rotated, round_robin, swiss_round

Rounds: TypeAlias = Generator[list[Pairing], list[PairingResult], None]
Slot: TypeAlias = int | None
"""An entrant in a bracket, None for no one."""
Tie: TypeAlias = tuple[Slot, Slot]
Ties: TypeAlias = Generator[list[Pairing], list[PairingResult], tuple[list[Slot], list[Slot]]]
"""The games of some ties; returns the winners and the losers."""
DECIDERS = 2
"""Games that are added to an undecided tie. After them the points decide, then the seeds."""


class Format(ABC):
    """The format of a contest. Its generator ``rounds`` runs once and updates its state."""

    ranks = False
    """Whether the format decides the places itself. Otherwise results rank the entrants, as far as they tell."""

    @property
    @abstractmethod
    def tables(self) -> int:
        """The number of pairings, byes included, as far as it is known: deciding games may be added."""

    @abstractmethod
    def rounds(self) -> Rounds:
        """Yield the pairings of each round; receive their results."""

    @abstractmethod
    def ranking(self) -> list[list[int]]:
        """Return the entrants, best first. Those in one list share a place."""

    def group(self, entrant: int) -> int | None:
        """Return the number of an entrant's group, from 1; None without groups."""
        return None


class ByResults(Format):
    """A format in which the results rank the entrants."""

    def __init__(self, seeds: Sequence[int], players: int) -> None:
        self._seeds, self._players = seeds, players
        self.standing = Standing(seeds)

    def ranking(self) -> list[list[int]]:
        """Return the entrants by their results."""
        return [[entrant] for entrant in self.standing.order()]

    def _count(self, pairings: list[Pairing], results: list[PairingResult]) -> None:
        for pairing, result in zip(pairings, results, strict=True):
            self.standing.add(pairing, result)


class RoundRobin(ByResults):
    """Every ``players`` of the entrants meet ``games`` times."""

    def __init__(self, seeds: Sequence[int], players: int, games: int) -> None:
        super().__init__(seeds, players)
        self._games = games

    @property
    def tables(self) -> int:
        """The number of pairings."""
        return comb(len(self._seeds), self._players) * self._games

    def rounds(self) -> Rounds:
        """Yield all pairings in one round."""
        found = round_robin(len(self._seeds), self._players, self._games)
        pairings = [tuple(self._seeds[number] for number in pairing) for pairing in found]
        self._count(pairings, (yield pairings))


class Swiss(ByResults):
    """In each round entrants who stand equally well meet."""

    def __init__(self, seeds: Sequence[int], players: int, rounds: int) -> None:
        super().__init__(seeds, players)
        self._rounds = rounds

    @property
    def tables(self) -> int:
        """The number of pairings."""
        return -(-len(self._seeds) // self._players) * self._rounds

    def rounds(self) -> Rounds:
        """Yield the pairings of each round."""
        met, byes = set[tuple[int, int]](), set[int]()
        for _ in range(self._rounds):
            pairings = swiss_round(self.standing.order(), met, byes, self._players)
            met |= {pair for pairing in pairings for pair in pairs(pairing)}
            byes |= {pairing[0] for pairing in pairings if len(pairing) == 1}
            self._count(pairings, (yield pairings))


class Elimination(Format):
    """A format in which lost ties of ``games`` games eliminate."""

    ranks = True

    def __init__(self, seeds: Sequence[int], games: int) -> None:
        self._seeds, self._games = seeds, games
        self._out: list[list[int]] = []
        """Those who are out, by round."""

    def ranking(self) -> list[list[int]]:
        """Return those who are left, then those who were out last."""
        gone = {*chain.from_iterable(self._out)}
        return [[seed for seed in self._seeds if seed not in gone], *filter(None, reversed(self._out))]

    def _ties(self, ties: list[Tie]) -> Ties:
        return (yield from _ties(ties, self._games, self._seeds))

    def _last(self, ties: list[Tie]) -> Generator[list[Pairing], list[PairingResult], list[Slot]]:
        """Play ties whose losers are out; return the winners."""
        won, lost = yield from self._ties(ties)
        self._out.append(_present(lost))
        return won


class SingleElimination(Elimination):
    """A lost tie eliminates. Seeds that meet late are far apart; the best have the byes."""

    @property
    def tables(self) -> int:
        """The number of pairings."""
        return (len(self._seeds) - 1) * self._games

    def rounds(self) -> Rounds:
        """Yield the games of the ties of each round."""
        left = bracket(self._seeds)
        while len(left) > 1:
            left = yield from self._last(_neighbours(left))


class DoubleElimination(Elimination):
    """Two lost ties eliminate: the losers of the upper bracket go on in the lower one."""

    @property
    def tables(self) -> int:
        """The number of pairings, without the second final."""
        return (2 * len(self._seeds) - 2) * self._games

    def rounds(self) -> Rounds:
        """Yield the games of the ties of each round, of the upper and the lower bracket in turn, then of the final."""
        upper, lower = yield from self._ties(_neighbours(bracket(self._seeds)))
        while len(upper) > 1:
            upper, fallen = yield from self._ties(_neighbours(upper))
            lower = yield from self._last(_neighbours(lower))
            lower = yield from self._last([*zip(lower, reversed(fallen), strict=True)])
        final = [(upper[0], lower[0])]
        won, lost = yield from self._ties(final)
        if won != upper:  # each of them has lost one tie
            won, lost = yield from self._ties(final)
        self._out.append(_present(lost))


class Divided(Format):
    """A format with a round robin in each of its groups."""

    _groups: list[RoundRobin]

    def group(self, entrant: int) -> int:
        """Return the number of an entrant's group or division."""
        return next(number for number, group in enumerate(self._groups, 1) if entrant in group.standing.records)


class Groups(Divided):
    """A round robin in each group, then play-offs of the best: single elimination."""

    ranks = True

    def __init__(self, seeds: Sequence[int], groups: int, advance: int, games: int) -> None:
        self._groups = [RoundRobin(group, 2, games) for group in _equal(seeds, groups)]
        self._advance, self._games = advance, games
        self._playoffs: SingleElimination | None = None

    @property
    def tables(self) -> int:
        """The number of pairings."""
        last = (len(self._groups) * self._advance - 1) * self._games
        return sum(group.tables for group in self._groups) + last

    def rounds(self) -> Rounds:
        """Yield the pairings of the groups, then the rounds of the play-offs."""
        yield from _side_by_side(self._groups)
        qualified = [entrant for place in self._places()[: self._advance] for entrant in place]
        self._playoffs = SingleElimination(qualified, self._games)
        yield from self._playoffs.rounds()

    def ranking(self) -> list[list[int]]:
        """Return those in the play-offs as they rank there, then the others by their places in the groups."""
        places = self._places()
        return [*self._playoffs.ranking(), *places[self._advance :]] if self._playoffs else places

    def _places(self) -> list[list[int]]:
        """Return the first of all groups, then the second, and so on; groups with a better first one come first.

        So seeded, those of one group do not meet in the first tie.
        """
        orders = [group.standing.order() for group in sorted(self._groups, key=_merit_of_the_best, reverse=True)]
        return [_present(place) for place in zip_longest(*orders)]


class League(Divided):
    """Divisions with a round robin in each season, after which the best of each change places with the last above."""

    ranks = True

    def __init__(
        self, seeds: Sequence[int], divisions: int, moving: int, players: int, games: int, seasons: int
    ) -> None:
        sizes = [len(group) for group in _equal(seeds, divisions)]
        left = iter(seeds)
        self._players, self._games, self._moving, self._seasons = players, games, moving, seasons
        self._groups = [self._division([next(left) for _ in range(size)]) for size in sizes]

    @property
    def tables(self) -> int:
        """The number of pairings."""
        return sum(division.tables for division in self._groups) * self._seasons

    def rounds(self) -> Rounds:
        """Yield the pairings of each season."""
        yield from _side_by_side(self._groups)
        for _ in range(self._seasons - 1):
            orders = [division.standing.order() for division in self._groups]
            for above, below in pairwise(orders):
                moving = self._moving
                above[-moving:], below[:moving] = below[:moving], above[-moving:]
            self._groups = [self._division(order) for order in orders]
            yield from _side_by_side(self._groups)

    def ranking(self) -> list[list[int]]:
        """Return the entrants by division, and in it by the results of this season."""
        return [[entrant] for division in self._groups for entrant in division.standing.order()]

    def _division(self, seeds: Sequence[int]) -> RoundRobin:
        return RoundRobin(seeds, self._players, self._games)


def bracket(seeds: Sequence[int]) -> list[Slot]:
    """Return the slots of a bracket, neighbours meeting first. The best seeds meet last, and have the byes: None.

    Each doubling puts beside every seed the one with which it adds up to the size, so that 1 meets 16, 2 meets 15 ….
    """
    slots = [0]
    while len(slots) < len(seeds):
        slots = [each for slot in slots for each in (slot, 2 * len(slots) - 1 - slot)]
    return [seeds[slot] if slot < len(seeds) else None for slot in slots]


def _ties(ties: list[Tie], games: int, seeds: Sequence[int]) -> Ties:
    """Play ties; return the winners and the losers. Without an opponent an entrant wins, and None loses."""
    played: list[Pairing] = [(one, other) for one, other in ties if one is not None and other is not None]
    standings = {tie: Standing(sorted(tie, key=seeds.index)) for tie in played}
    due = [(tie, rotated(tie, game)) for game in range(games) for tie in played]
    for decider in range(DECIDERS + 1):
        if due:
            results = yield [pairing for _, pairing in due]
            for (tie, pairing), result in zip(due, results, strict=True):
                standings[tie].add(pairing, result)
        level = [tie for tie in played if len({each.wins for each in standings[tie].records.values()}) == 1]
        due = [(tie, rotated(tie, decider)) for tie in level]
    won, lost = list[Slot](), list[Slot]()
    for one, other in ties:
        if one is None or other is None:
            won.append(other if one is None else one)
            lost.append(None)
        else:
            best, second = standings[one, other].order()
            won.append(best)
            lost.append(second)
    return won, lost


def _side_by_side(formats: Sequence[RoundRobin]) -> Rounds:
    """Play the only rounds of some round robins as one. Their pairings alternate, so that all go on evenly."""
    courses = [each.rounds() for each in formats]
    asked = [next(course) for course in courses]
    order = sorted((at / len(pairings), number) for number, pairings in enumerate(asked) for at in range(len(pairings)))
    left = [iter(pairings) for pairings in asked]
    results = yield [next(left[number]) for _, number in order]
    for number, course in enumerate(courses):
        own = [result for result, (_, other) in zip(results, order, strict=True) if other == number]
        with suppress(StopIteration):
            course.send(own)


def _equal(seeds: Sequence[int], groups: int) -> list[list[int]]:
    """Return groups of equal strength and size, as far as possible: there and back again through the seeds."""
    found: list[list[int]] = [[] for _ in range(groups)]
    for at, seed in enumerate(seeds):
        turn, place = divmod(at, groups)
        found[place if turn % 2 == 0 else groups - 1 - place].append(seed)
    return found


def _merit_of_the_best(group: RoundRobin) -> tuple[float, float]:
    return max(record.merit for record in group.standing.records.values())


def _neighbours(slots: Sequence[Slot]) -> list[Tie]:
    return [*zip(slots[::2], slots[1::2], strict=True)]


def _present(slots: Iterable[Slot]) -> list[int]:
    return [slot for slot in slots if slot is not None]

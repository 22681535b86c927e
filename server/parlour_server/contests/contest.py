"""A contest: its plan, its results and the pairings that come next. The fold of what was stored, no I/O.

A pairing is played in a room of its own, which knows contest and pairing number from its first record. A result is
stored in the commit that ends the room's match, under (contest, number): no fault loses one or counts one twice.

An entrant that delays a match, or never comes to it, *forfeits* it: the game counts and is not won. A match that was
aborted for another reason, by an admin or a fault of the server, is *void* and does not count.
"""

import json
from collections.abc import Collection, Iterator
from itertools import permutations

import attrs

from parlour_games.game import Plain
from parlour_games.plural import counted
from parlour_protocol.messages import Clock, ContestView, MeetingRow, StandingsRow
from parlour_server.contests.formats import (
    DoubleElimination,
    Format,
    Groups,
    League,
    RoundRobin,
    SingleElimination,
    Swiss,
)
from parlour_server.contests.pairing import BYE, MOST_PAIRINGS, Pairing, PairingResult, Record, Standing
from parlour_server.persistence import SaveContest, SavePairing

FORMATS = ("round-robin", "swiss", "single-elimination", "double-elimination", "groups", "league")
SEEDED = FORMATS[2:]
"""Formats in which it matters who is thought to be stronger."""
CLOCK: Clock = {"bank": 10_000, "add": 1_000}
"""The usual clock of a contest's rooms. Its bank cannot grow, so that a slow program delays nobody for long."""
MOST_ROUNDS = 1_000
MOST_BANK, MOST_ADD = 60_000, 10_000
MARKED_EACH, MARKS = 5_000, 8
"""For the estimate of the time left: milliseconds between two marks of progress, and how many are kept."""


class BadPlan(ValueError):
    """The plan of a contest is invalid. The text says what is wrong and what is allowed."""


@attrs.frozen
class Entrant:
    """An identity that takes part."""

    who: str
    name: str


@attrs.frozen(kw_only=True)
class Terms:
    """What is played, and how.

    ``games``: how often the same entrants meet. ``rounds``: of a Swiss contest, or the seasons of a league. ``groups``:
    how many there are, or divisions of a league. ``advance``: how many of each group reach the play-offs, or move to
    another division after a season.
    """

    game: str = "uno"
    options: Plain = attrs.field(factory=dict)
    format: str = "round-robin"
    players: int = 2
    games: int = 1
    rounds: int = 0
    groups: int = 0
    advance: int = 0
    clock: Clock = attrs.field(factory=lambda: CLOCK)


@attrs.frozen(kw_only=True)
class Plan(Terms):
    """A contest: what is played, and by whom. In seeded formats the strongest entrants come first."""

    name: str
    entrants: tuple[Entrant, ...]

    @property
    def room_clock(self) -> Clock:
        """Return the clock of a contest's room: its bank never holds more than at the beginning."""
        return {**self.clock, "cap": max(self.clock["bank"], self.clock["add"])}

    def check(self) -> None:
        """Raise BadPlan if the plan is invalid."""
        if self.format not in FORMATS:
            raise BadPlan(f"format must be one of {', '.join(FORMATS)}, not {self.format[:32]!a}")
        if len(self.entrants) < max(2, self.players):
            there = counted(len(self.entrants), "bot is", "bots are")
            raise BadPlan(f"{self.players} play in a match, but {there} available for {self.game}")
        if self.games < 1 or self.players < 2:
            raise BadPlan("games must be at least 1, and players at least 2")
        if not (1 <= self.clock["bank"] <= MOST_BANK and 0 <= self.clock["add"] <= MOST_ADD):
            raise BadPlan(f"clock: bank is 1 to {MOST_BANK} ms and add 0 to {MOST_ADD} ms")
        if self.format == "swiss" and not 1 <= self.rounds <= MOST_ROUNDS:
            raise BadPlan(f"a Swiss contest needs rounds, 1 to {MOST_ROUNDS}")
        if self.format in SEEDED:
            self._check_seeded()
        if self.new_format().tables > MOST_PAIRINGS:
            raise BadPlan(f"that is more than {MOST_PAIRINGS} tables; play a Swiss contest, or fewer games")

    def new_format(self) -> Format:
        """Return the format at its beginning."""
        seeds, players, games = range(len(self.entrants)), self.players, self.games
        match self.format:
            case "swiss":
                return Swiss(seeds, players, self.rounds)
            case "single-elimination":
                return SingleElimination(seeds, games)
            case "double-elimination":
                return DoubleElimination(seeds, games)
            case "groups":
                return Groups(seeds, self.groups, self.advance, games)
            case "league":
                return League(seeds, self.groups, self.advance, players, games, self.rounds)
            case _:
                return RoundRobin(seeds, players, games)

    def _check_seeded(self) -> None:
        if self.format != "league" and self.players != 2:
            raise BadPlan(f"two play in a match of format {self.format}, not {self.players}")
        if self.format in ("single-elimination", "double-elimination"):
            return
        most = len(self.entrants) // self.players
        if most < 2:
            needed = 2 * self.players
            raise BadPlan(
                f"{self.format} needs at least {needed} bots for two groups, not {len(self.entrants)}: raise bots"
            )
        if not 2 <= self.groups <= most:
            raise BadPlan(f"groups: {self.format} needs 2 to {most} of them with {len(self.entrants)} bots")
        smallest = len(self.entrants) // self.groups
        most = smallest // 2 if self.format == "league" else smallest
        if not 1 <= self.advance <= most:
            raise BadPlan(f"advance: 1 to {most} of each group, with {smallest} bots in the smallest")
        if self.format == "league" and not 1 <= self.rounds <= MOST_ROUNDS:
            raise BadPlan(f"a league needs rounds, its seasons: 1 to {MOST_ROUNDS}")


@attrs.define
class ContestState:
    """The progress of a contest at the node that runs it. It is not stored: a node that takes over begins with none.

    All times are the node's milliseconds.
    """

    marks: list[tuple[int, int]] = attrs.field(factory=list)
    """Recent times at which this node arranged it, and how many pairings were done then; the oldest first."""
    idle_since: int | None = None
    """Since when no match is under way, though the contest is not over."""
    away: dict[int, int] = attrs.field(factory=dict)
    """Since when each unavailable entrant has been away."""
    over: bool = False
    """Whether its end has been logged."""
    reported_at: int = 0
    """When its spectators last got a report,"""
    reported: int = 0
    """and how many pairings were done then."""

    def mark(self, now: int, done: int) -> None:
        """Note the progress, every few seconds."""
        if not self.marks or now - self.marks[-1][0] >= MARKED_EACH:
            self.marks = [*self.marks[1 - MARKS :], (now, done)]


class Contest:
    """A contest with its results so far."""

    def __init__(self, plan: Plan, *, stopped: bool = False) -> None:
        self.plan = plan
        self.stopped = stopped
        self.course = ContestState()
        self.dropped: set[int] = set()
        """The entrants that were dropped."""
        self.pairings: list[Pairing] = []
        """All pairings up to the present round, by number."""
        self.rooms: dict[int, str] = {}
        """The rooms of the pairings that are being played."""
        self.results: dict[int, PairingResult] = {}
        self._round = range(0)
        """The numbers of the pairings of the present round; none after the last."""
        self._begin()

    @property
    def over(self) -> bool:
        """Whether no pairing is left to play."""
        return self.stopped or len(self.results) == len(self.pairings)

    def rename(self, who: str, name: str) -> None:
        """Show an entrant under another name."""
        entrants = tuple(Entrant(who, name) if each.who == who else each for each in self.plan.entrants)
        self.plan = attrs.evolve(self.plan, entrants=entrants)

    def awaits(self, who: str) -> bool:
        """Whether ``who`` takes part and the contest is not over."""
        return not self.over and any(entrant.who == who for entrant in self.plan.entrants)

    def due(self) -> Iterator[tuple[int, Pairing]]:
        """Yield the pairings that may begin, in order."""
        if not self.stopped:
            taken = self.rooms.keys() | self.results.keys()
            yield from ((number, pairing) for number, pairing in enumerate(self.pairings) if number not in taken)

    def follow(self, change: SavePairing) -> None:
        """Follow what was, or is about to be, stored of a pairing."""
        if change.result is None:
            self.rooms[change.number] = change.room
            return
        self.rooms.pop(change.number, None)
        result = self.results[change.number] = PairingResult.read(change.result)
        self.dropped |= {self.pairings[change.number][seat] for seat in result.dropped}
        self._extend()

    def undo(self, change: SavePairing) -> None:
        """Take back a change that could not be stored."""
        if change.result is None:
            self.rooms.pop(change.number, None)
            return
        self.course.over = False
        lost = self.results.pop(change.number)
        self.dropped -= {self.pairings[change.number][seat] for seat in lost.dropped}
        if change.room:
            self.rooms[change.number] = change.room
        results, self.results = self.results, {}
        self._begin()
        for number, result in sorted(results.items()):
            if number < len(self.pairings):  # the others are of rounds that have not begun
                self.results[number] = result
                self._extend()

    def begun(self, number: int, room: str) -> SavePairing:
        """Return what is to be stored of a pairing that begins."""
        return SavePairing(self.plan.name, number, room, None)

    def ended(self, number: int, room: str, result: PairingResult) -> SavePairing:
        """Return what is to be stored of a pairing that has ended, or, without a room, is not played."""
        return SavePairing(self.plan.name, number, room, result.text())

    def forfeited(self, number: int, room: str, missing: Collection[int]) -> SavePairing:
        """Return what is to be stored of a pairing to which the entrants ``missing`` have not come.

        Of two entrants the present one wins. Of more than two none does.
        """
        pairing = self.pairings[number]
        forfeits = tuple(seat for seat, entrant in enumerate(pairing) if entrant in missing)
        dropped = tuple(seat for seat, entrant in enumerate(pairing) if entrant in self.dropped)
        if len(pairing) == 2 and len(forfeits) == 1:
            ranks = tuple(2 if seat in forfeits else 1 for seat in range(2))
            return self.ended(number, room, PairingResult(ranks, (0, 0), forfeits, dropped=dropped))
        return self.ended(number, room, PairingResult(forfeits=forfeits, dropped=dropped))

    def save(self) -> SaveContest:
        """Return what is to be stored of the contest itself."""
        return SaveContest(self.plan.name, json.dumps(attrs.asdict(self.plan)), self.stopped)

    def standings(self) -> list[StandingsRow]:
        """Return the rows, best first: as the format ranks the entrants, and those on one place by their results."""
        records = self._standing().records
        return [self._row(entrant, place, records[entrant]) for entrant, place in self._places()]

    def view(self, now: int) -> ContestView:
        """Return the public state of the contest."""
        plan, done, course = self.plan, len(self.results), self.course
        tables = len(self.pairings) if self.over else max(self._format.tables, len(self.pairings))
        found: ContestView = {
            "state": "stopped" if self.stopped else "finished" if self.over else "running",
            "game": plan.game,
            "format": plan.format,
            "tables": tables,
            "done": done,
            "playing": len(self.rooms),
            "void": sum(result.void for result in self.results.values()),
            "away": [] if self.over else [plan.entrants[entrant].name for entrant in sorted(course.away)],
        }
        since, then = course.marks[0] if course.marks else (now, done)
        if done > then and not self.over:
            found["left"] = (now - since) * (tables - done) // (done - then)
        return found

    def crossed(self) -> list[list[MeetingRow]]:
        """Return the results of each entrant against each opponent, in the order of the standings."""
        names = [each.name for each in self.plan.entrants]
        found: list[dict[int, MeetingRow]] = [{} for _ in names]
        for number, result in self.results.items():
            for (seat, one), (_, other) in permutations(enumerate(self.pairings[number]), 2):
                if result.counts(seat):
                    row = found[one].setdefault(other, {"name": names[other], "games": 0, "wins": 0})
                    row["games"] += 1
                    row["wins"] += result.won(seat)
        return [[*found[entrant].values()] for entrant, _ in self._places()]

    def entrant(self, name: str) -> int | None:
        """Return the entrant of this name, in any letter case."""
        found = (number for number, each in enumerate(self.plan.entrants) if each.name.lower() == name.lower())
        return next(found, None)

    def _places(self) -> list[tuple[int, int]]:
        """Return the entrants in the order of the standings, with their places from 1."""
        order = {entrant: at for at, entrant in enumerate(self._standing().order())}
        found: list[tuple[int, int]] = []
        for equals in self._format.ranking():
            place = len(found) + 1
            found += [(entrant, place) for entrant in sorted(equals, key=order.__getitem__)]
        return found

    def _row(self, entrant: int, place: int, record: Record) -> StandingsRow:
        row: StandingsRow = {
            "name": self.plan.entrants[entrant].name,
            "kind": "bot",
            "games": record.games,
            "wins": record.wins,
            "points": record.points,
            "forfeits": record.forfeits,
            "faults": record.faults,
        }
        if self._format.ranks:
            row["rank"] = place
        if (group := self._format.group(entrant)) is not None:
            row["group"] = group
        return row

    def _standing(self) -> Standing:
        """Return what all results come to."""
        standing = Standing(range(len(self.plan.entrants)))
        for number, result in self.results.items():
            standing.add(self.pairings[number], result)
        return standing

    # --- rounds ---

    def _begin(self) -> None:
        """Add the pairings of the first round."""
        self.pairings = []
        self._format = self.plan.new_format()
        self._rounds = self._format.rounds()
        self._add(next(self._rounds))
        self._extend()

    def _extend(self) -> None:
        """Add the pairings of the next round once the one before is complete."""
        while self._round and len(self.results) == len(self.pairings):
            results = [self.results[number] for number in self._round]
            try:
                self._add(self._rounds.send(results))
            except StopIteration:
                self._round = range(0)

    def _add(self, pairings: list[Pairing]) -> None:
        """Add the pairings of a round. Byes have a result from the start."""
        first = len(self.pairings)
        self.pairings += pairings
        self._round = range(first, len(self.pairings))
        self.results |= {number: BYE for number in self._round if len(self.pairings[number]) == 1}


def read(stored: SaveContest) -> Contest:
    """Return the contest that was stored, without its results."""
    found = json.loads(stored.plan)
    entrants = tuple(Entrant(**each) for each in found.pop("entrants"))
    return Contest(Plan(**found, entrants=entrants), stopped=stored.stopped)

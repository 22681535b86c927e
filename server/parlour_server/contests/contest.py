"""A contest: its plan, its results and the pairings that come next. The fold of what was stored, no I/O.

A pairing is played in a room of its own, which knows contest and pairing number from its first record. A result is
stored in the commit that ends the room's match, under (contest, number): no fault loses one or counts one twice.

An entrant that delays a match, or never comes to it, *forfeits* it: the game counts and is not won. A match that was
aborted for another reason, by an admin or a fault of the server, is *void* and does not count.
"""

import json
from collections.abc import Collection, Iterator
from itertools import permutations
from typing import TypeAlias

import attrs

from parlour_games.game import Plain
from parlour_games.plural import counted
from parlour_protocol.messages import Clock, ContestView, MeetingRow, StandingsRow
from parlour_server.contests.pairing import MOST_PAIRINGS, Pairing, pairs, round_robin, swiss_round
from parlour_server.persistence import SaveContest, SavePairing

FORMATS = ("round-robin", "swiss")
CLOCK: Clock = {"bank": 10_000, "add": 1_000}
"""The usual clock of a contest's rooms. Its bank cannot grow, so that a slow program delays nobody for long."""
MOST_BANK, MOST_ADD = 60_000, 10_000
MARKED_EACH, MARKS = 5_000, 8
"""For the estimate of the time left: milliseconds between two marks of progress, and how many are kept."""
Format: TypeAlias = str


class BadPlan(ValueError):
    """The plan of a contest is invalid. The text says what is wrong and what is allowed."""


@attrs.frozen
class Entrant:
    """An identity that takes part."""

    who: str
    name: str


@attrs.frozen(kw_only=True)
class Plan:
    """Who plays what. ``games``: how often the same entrants meet (round robin); ``rounds``: of a Swiss contest."""

    name: str
    game: str
    options: Plain
    entrants: tuple[Entrant, ...]
    format: Format = "round-robin"
    players: int = 2
    games: int = 1
    rounds: int = 0
    clock: Clock = attrs.field(factory=lambda: CLOCK)

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
        if self.format == "swiss" and not 1 <= self.rounds <= 1_000:
            raise BadPlan("a Swiss contest needs rounds, 1 to 1000")
        if self.games < 1 or self.players < 2:
            raise BadPlan("games must be at least 1 and players at least 2")
        if not (1 <= self.clock["bank"] <= MOST_BANK and 0 <= self.clock["add"] <= MOST_ADD):
            raise BadPlan(f"clock: bank is 1 to {MOST_BANK} ms and add 0 to {MOST_ADD} ms")
        if self.format == "round-robin" and _count(len(self.entrants), self.players) * self.games > MOST_PAIRINGS:
            raise BadPlan(f"that is more than {MOST_PAIRINGS} tables; play a Swiss contest, or fewer games")


def _count(entrants: int, players: int) -> int:
    """Return the number of combinations."""
    found = 1
    for chosen in range(min(players, entrants - players)):
        found = found * (entrants - chosen) // (chosen + 1)
    return found


@attrs.frozen
class Result:
    """The result of a pairing, by seat. Without ranks there is no winner.

    ``forfeits``: the seats that forfeited. ``faults``: how often the clock of each ran out. ``dropped``: the seats of
    entrants that were dropped from the contest.
    """

    ranks: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    forfeits: tuple[int, ...] = ()
    faults: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()

    @classmethod
    def read(cls, text: str) -> "Result":
        """Return the result that was stored."""
        return cls(**{name: tuple(seats) for name, seats in json.loads(text).items()})

    def text(self) -> str:
        """Return it as it is stored."""
        return json.dumps(attrs.asdict(self, filter=lambda field, value: bool(value) or field.name in _ALWAYS))

    def won(self, seat: int) -> bool:
        """Whether ``seat`` won: it is the only first; after forfeits, the only best of those that did not forfeit."""
        there = [rank for each, rank in enumerate(self.ranks) if each not in self.forfeits]
        if not there or seat in self.forfeits:
            return False
        best = min(there) if self.forfeits else 1
        return self.ranks[seat] == best and there.count(best) == 1

    def counts(self, seat: int) -> bool:
        """Whether this counts as a game of the entrant at ``seat``."""
        return bool(self.ranks) or seat in self.forfeits

    @property
    def void(self) -> bool:
        """Whether it counts for no entrant."""
        return not self.ranks and not self.forfeits


_ALWAYS = ("ranks", "scores")


@attrs.define
class Course:
    """The course of a contest at the node that holds it. It is not stored; a node that takes over starts another.

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
        self.course = Course()
        self.dropped: set[int] = set()
        """The entrants that were dropped."""
        self.pairings: list[Pairing] = []
        """All pairings up to the present round, by number."""
        self.rooms: dict[int, str] = {}
        """The rooms of the pairings that are being played."""
        self.results: dict[int, Result] = {}
        self._extend()

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
        result = self.results[change.number] = Result.read(change.result)
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
        if self.plan.format == "swiss":
            begun = self._round_size * (self._rounds_complete() + 1)
            del self.pairings[begun:]
            self.results = {number: result for number, result in self.results.items() if number < begun}

    def begun(self, number: int, room: str) -> SavePairing:
        """Return what is to be stored of a pairing that begins."""
        return SavePairing(self.plan.name, number, room, None)

    def ended(self, number: int, room: str, result: Result) -> SavePairing:
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
            return self.ended(number, room, Result(ranks, (0, 0), forfeits, dropped=dropped))
        return self.ended(number, room, Result(forfeits=forfeits, dropped=dropped))

    def save(self) -> SaveContest:
        """Return what is to be stored of the contest itself."""
        return SaveContest(self.plan.name, json.dumps(attrs.asdict(self.plan)), self.stopped)

    def standings(self) -> list[StandingsRow]:
        """Return the rows, best first: by the share of games won (a bye is a win), then by points a game."""
        rows = self._rows()
        return [rows[entrant] for entrant in self._order()]

    def view(self, now: int) -> ContestView:
        """Return the public state of the contest."""
        plan, done, course = self.plan, len(self.results), self.course
        tables = len(self.pairings) if plan.format == "round-robin" else self._round_size * plan.rounds
        found: ContestView = {
            "state": "stopped" if self.stopped else "finished" if self.over else "running",
            "game": plan.game,
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
        return [[*found[entrant].values()] for entrant in self._order()]

    def entrant(self, name: str) -> int | None:
        """Return the entrant of this name, in any letter case."""
        found = (number for number, each in enumerate(self.plan.entrants) if each.name.lower() == name.lower())
        return next(found, None)

    def _rows(self) -> list[StandingsRow]:
        rows: list[StandingsRow] = [
            {"name": each.name, "kind": "bot", "games": 0, "wins": 0, "points": 0, "forfeits": 0, "faults": 0}
            for each in self.plan.entrants
        ]
        for number, result in self.results.items():
            for seat, entrant in enumerate(self.pairings[number]):
                row = rows[entrant]
                row["games"] += result.counts(seat)
                row["wins"] += result.won(seat)
                row["points"] += result.scores[seat] if result.scores else 0
                row["forfeits"] += seat in result.forfeits
                row["faults"] += result.faults[seat] if result.faults else 0
        return rows

    def _order(self) -> list[int]:
        rows = self._rows()

        def merit(entrant: int) -> tuple[float, float, int]:
            row = rows[entrant]
            games = row["games"] or 1
            return -row["wins"] / games, -row["points"] / games, entrant

        return sorted(range(len(rows)), key=merit)

    # --- rounds ---

    @property
    def _round_size(self) -> int:
        return -(-len(self.plan.entrants) // self.plan.players)

    def _rounds_complete(self) -> int:
        done = 0
        while done in self.results:
            done += 1
        return done // self._round_size

    def _extend(self) -> None:
        """Add the pairings of the next round once the one before is complete. Byes have a result from the start."""
        plan = self.plan
        if plan.format == "round-robin":
            self.pairings = self.pairings or round_robin(len(plan.entrants), plan.players, plan.games)
            return
        while len(self.results) == len(self.pairings) < self._round_size * plan.rounds:
            met = {pair for pairing in self.pairings for pair in pairs(pairing)}
            byes = {pairing[0] for pairing in self.pairings if len(pairing) == 1}
            for pairing in swiss_round(self._order(), met, byes, plan.players):
                if len(pairing) == 1:
                    self.results[len(self.pairings)] = Result((1,), (0,))  # a bye
                self.pairings.append(pairing)


def read(stored: SaveContest) -> Contest:
    """Return the contest that was stored, without its results."""
    found = json.loads(stored.plan)
    entrants = tuple(Entrant(**each) for each in found.pop("entrants"))
    return Contest(Plan(**found, entrants=entrants), stopped=stored.stopped)

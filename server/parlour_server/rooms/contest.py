"""A contest: its plan, its results, and the tables that come next. The fold of what was stored, no I/O.

A table is played in a room of its own, which knows contest and table number from its first record. A result is stored
in the commit that ends the room's match, under (contest, number): whatever breaks, none is lost and none counts twice.
"""

import json
from collections.abc import Iterator
from typing import TypeAlias

import attrs

from parlour_games.game import Plain
from parlour_protocol.messages import StandingsRow
from parlour_server.rooms.effects import SaveContest, SavePairing
from parlour_server.rooms.pairing import MOST_TABLES, Table, pairs, round_robin, swiss_round

FORMATS = ("round-robin", "swiss")
Format: TypeAlias = str


class BadPlan(ValueError):
    """The contest cannot be held. The text says what is wrong and what is allowed."""


@attrs.frozen
class Entrant:
    """Somebody who takes part."""

    who: str
    name: str


@attrs.frozen(kw_only=True)
class Plan:
    """What is played by whom. ``games``: meetings of the same (round robin); ``rounds``: of a Swiss contest."""

    name: str
    game: str
    options: Plain
    entrants: tuple[Entrant, ...]
    format: Format = "round-robin"
    players: int = 2
    games: int = 1
    rounds: int = 0

    def check(self) -> None:
        """Raise BadPlan if it makes no sense."""
        if self.format not in FORMATS:
            raise BadPlan(f"format must be one of {', '.join(FORMATS)}, not {self.format[:32]!a}")
        if len(self.entrants) < max(2, self.players):
            raise BadPlan(f"{self.players} play at a table, but {len(self.entrants)} bots are on offer for {self.game}")
        if self.format == "swiss" and not 1 <= self.rounds <= 1_000:
            raise BadPlan("a Swiss contest needs rounds, 1 to 1000")
        if self.games < 1 or self.players < 2:
            raise BadPlan("games must be at least 1 and players at least 2")
        if self.format == "round-robin" and _count(len(self.entrants), self.players) * self.games > MOST_TABLES:
            raise BadPlan(f"that is more than {MOST_TABLES} tables; play a Swiss contest, or fewer games")


def _count(entrants: int, players: int) -> int:
    """Return the number of combinations."""
    found = 1
    for chosen in range(min(players, entrants - players)):
        found = found * (entrants - chosen) // (chosen + 1)
    return found


@attrs.frozen
class Result:
    """How a table ended. A table that was given up has no ranks, and nobody anything to show for it."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]


class Contest:
    """One contest as it stands."""

    def __init__(self, plan: Plan, *, stopped: bool = False) -> None:
        self.plan = plan
        self.stopped = stopped
        self.idle_since: int | None = None
        """Since when nothing goes on in it, though it is not over."""
        self.tables: list[Table] = []
        """All tables up to the present round, by number."""
        self.rooms: dict[int, str] = {}
        """The rooms of the tables that are being played."""
        self.results: dict[int, Result] = {}
        self._extend()

    @property
    def over(self) -> bool:
        """Whether nothing is left to be played."""
        return self.stopped or len(self.results) == len(self.tables)

    def rename(self, who: str, name: str) -> None:
        """Show ``who``, if it takes part, under another name."""
        entrants = tuple(Entrant(who, name) if each.who == who else each for each in self.plan.entrants)
        self.plan = attrs.evolve(self.plan, entrants=entrants)

    def awaits(self, who: str) -> bool:
        """Whether ``who`` takes part and may still be wanted."""
        return not self.over and any(entrant.who == who for entrant in self.plan.entrants)

    def due(self) -> Iterator[tuple[int, Table]]:
        """Yield the tables that may begin, in order."""
        if not self.stopped:
            taken = self.rooms.keys() | self.results.keys()
            yield from ((number, table) for number, table in enumerate(self.tables) if number not in taken)

    def follow(self, change: SavePairing) -> None:
        """Follow what was, or is about to be, stored of a table."""
        if change.result is None:
            self.rooms[change.number] = change.room
            return
        self.rooms.pop(change.number, None)
        found = json.loads(change.result)
        self.results[change.number] = Result(tuple(found["ranks"]), tuple(found["scores"]))
        self._extend()

    def undo(self, change: SavePairing) -> None:
        """What was about to be stored was not."""
        if change.result is None:
            self.rooms.pop(change.number, None)
            return
        del self.results[change.number]
        self.rooms[change.number] = change.room
        if self.plan.format == "swiss":
            begun = self._round_size * (self._rounds_complete() + 1)
            del self.tables[begun:]
            self.results = {number: result for number, result in self.results.items() if number < begun}

    def begun(self, number: int, room: str) -> SavePairing:
        """Return what is to be stored of a table that begins."""
        return SavePairing(self.plan.name, number, room, None)

    def ended(self, number: int, room: str, ranks: tuple[int, ...], scores: tuple[int, ...]) -> SavePairing:
        """Return what is to be stored of a table that has ended; no ranks if it was given up."""
        return SavePairing(self.plan.name, number, room, json.dumps({"ranks": ranks, "scores": scores}))

    def save(self) -> SaveContest:
        """Return what is to be stored of the contest itself."""
        return SaveContest(self.plan.name, json.dumps(attrs.asdict(self.plan)), self.stopped)

    def standings(self) -> list[StandingsRow]:
        """Return the rows, best first: by wins (a bye is one), then by points."""
        return [self._row(entrant) for entrant in self._order()]

    def _row(self, entrant: int) -> StandingsRow:
        played = [(table.index(entrant), self.results[n]) for n, table in self._played() if entrant in table]
        return {
            "name": self.plan.entrants[entrant].name,
            "kind": "bot",
            "games": len(played),
            "wins": sum(result.ranks[seat] == 1 for seat, result in played if result.ranks),
            "points": sum(result.scores[seat] for seat, result in played if result.ranks),
        }

    def _order(self) -> list[int]:
        rows = {entrant: self._row(entrant) for entrant in range(len(self.plan.entrants))}
        return sorted(rows, key=lambda entrant: (-rows[entrant]["wins"], -rows[entrant]["points"], entrant))

    def _played(self) -> Iterator[tuple[int, Table]]:
        return ((number, table) for number, table in enumerate(self.tables) if number in self.results)

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
        """Add the tables of the next round once the one before is complete; byes have their result at once."""
        plan = self.plan
        if plan.format == "round-robin":
            self.tables = self.tables or round_robin(len(plan.entrants), plan.players, plan.games)
            return
        while len(self.results) == len(self.tables) < self._round_size * plan.rounds:
            met = {pair for table in self.tables for pair in pairs(table)}
            byes = {table[0] for table in self.tables if len(table) == 1}
            for table in swiss_round(self._order(), met, byes, plan.players):
                if len(table) == 1:
                    self.results[len(self.tables)] = Result((1,), (0,))
                self.tables.append(table)


def read(stored: SaveContest) -> Contest:
    """Return the contest that was stored, without its tables' results."""
    found = json.loads(stored.plan)
    entrants = tuple(Entrant(**each) for each in found.pop("entrants"))
    return Contest(Plan(**found, entrants=entrants), stopped=stored.stopped)

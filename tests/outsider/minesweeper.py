"""Minesweeper as ``SPEC.md`` describes it: what a match file's records do, and what each seat sees."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from tests.outsider.fair import Deal
from tests.outsider.kind import Position
from tests.outsider.rules import Illegal

Map = dict[str, Any]
LEVELS = {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (30, 16, 99)}
DUEL = (16, 16, 51)


class Board:
    """What is open and marked, of one minefield. Each seat of a race has its own."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.mines: frozenset[int] = frozenset()
        self._numbers: list[int] = []
        self.units: dict[int, int] = {}
        """The 3BV: for each cell that counts, its opening or itself."""
        self.open: set[int] = set()
        self.flags: set[int] = set()
        self.blown: set[int] = set()
        self.found: dict[int, str] = {}

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.width * self.height

    def around(self, cell: int) -> list[int]:
        """Return the neighbours of a cell, ascending."""
        return [other for other in self.near(cell, 1) if other != cell]

    def near(self, cell: int, reach: int) -> list[int]:
        """Return the square around a cell, ascending."""
        x, y = cell % self.width, cell // self.width
        rows = range(max(0, y - reach), min(self.height, y + reach + 1))
        columns = range(max(0, x - reach), min(self.width, x + reach + 1))
        return [j * self.width + i for j in rows for i in columns]

    def place(self, mines: frozenset[int]) -> None:
        """Lay the mines."""
        self.mines = mines
        self._numbers = [sum(other in mines for other in self.around(cell)) for cell in range(self.size)]
        self.units = self._count_units()

    def number(self, cell: int) -> int:
        """Return how many mines are around a cell."""
        return self._numbers[cell]

    def uncover(self, cell: int) -> set[int]:
        """Open a cell that is no mine, and all around a 0; return what that opened."""
        new = set()
        waiting = [cell]
        while waiting:
            cell = waiting.pop()
            if cell in self.open or cell in self.flags or cell in self.found:
                continue
            self.open.add(cell)
            new.add(cell)
            if not self.number(cell):
                waiting += self.around(cell)
        return new

    def cleared(self) -> bool:
        """Whether all safe cells are open."""
        return bool(self.mines) and len(self.open) == self.size - len(self.mines)

    def _count_units(self) -> dict[int, int]:
        units: dict[int, int] = {}
        for zero in range(self.size):
            if zero in units or zero in self.mines or self.number(zero):
                continue
            waiting = [zero]
            while waiting:
                cell = waiting.pop()
                if cell not in units:
                    units[cell] = zero
                    waiting += [other for other in self.around(cell) if not self.number(other)]
        edges = set(chain.from_iterable(map(self.around, units)))
        return units | {cell: cell for cell in range(self.size) if cell not in {*units, *edges, *self.mines}}

    def rows(self, *, over: bool) -> list[str]:
        """Return the rows of a view."""
        cells = [self._char(cell, over) for cell in range(self.size)]
        return ["".join(cells[begin : begin + self.width]) for begin in range(0, self.size, self.width)]

    def _char(self, cell: int, over: bool) -> str:
        if cell in self.open:
            return str(self.number(cell))
        if cell in self.found:
            return self.found[cell]
        if cell in self.blown:
            return "*"
        if over and cell in self.flags and cell not in self.mines:
            return "X"
        if cell in self.flags or (over and cell in self.mines and self.cleared()):
            return "F"
        return "M" if over and cell in self.mines else "."


@dataclass
class Seat:
    """What one seat has done."""

    board: Board
    state: str = "in"
    opened: int = 0
    clicks: int = 0
    ms: int | None = None
    penalty: int = 0
    units: set[int] = field(default_factory=set)
    ended: int | None = None
    earned: bool = True
    found: int = 0
    place: int = 0
    """In a race, how many were no longer in when it cleared its board."""
    thrown: bool = False


class Minesweeper:
    """A match."""

    def __init__(self, begun: Map, deals: Iterator[Deal]) -> None:
        options, seats, begun_at = begun["options"], len(begun["players"]), begun["at"]
        self._ties_by_order = begun["rules"] == 1
        self.options = options
        self.mode = options["mode"]
        level = DUEL if self.mode == "duel" and options["level"] != "custom" else LEVELS.get(options["level"])
        custom: tuple[int, int, int] = options["width"], options["height"], options["mines"]
        self.width, self.height, self.mines = level or custom
        self.outcome: Map | None = None
        self.uncovered: list[str] = []
        shared = Board(self.width, self.height)
        race = self.mode == "race"
        self.seats = [Seat(Board(self.width, self.height) if race else shared) for _ in range(seats)]
        self.phase = "new"
        self.turn = 0
        self.lives = options["lives"]
        self._why = ""
        self._leavers: set[int] = set()
        self._deal = next(deals)
        self._began: int | None = None
        self._now = begun_at
        self._waiting: tuple[int, list[tuple[str, int]]] | None = None
        self._first = -1
        self._attempts = 0
        self._spared = 0
        self._begun_at = begun_at
        self._openings: list[list[list[Any]]] = [[] for _ in self.seats] if race else [[]]
        self._direct: list[int] = []
        """What the act that is applied now has opened itself."""
        self._review: Map | None = None
        if race:
            self._first = self._deal.below("start", self.width * self.height)
        if race or self.mode == "duel":
            self._place(max(0, self._first))

    # The board

    def _place(self, first: int) -> None:
        self._click = first
        if self.mode != "duel":
            self._first = first
        if self.options["no_guess"]:
            self.phase = "making"
        else:
            self._attempt(1)

    def _attempt(self, number: int) -> None:
        promise = self.options["first"]
        if self.mode == "duel":
            promise = "any"
        elif promise == "any" and (self.mode == "race" or self.options["no_guess"]):
            promise = "safe"
        board = self.seats[0].board
        reach = {"any": -1, "safe": 0, "opening": 1, "radius": self.width // 8}[promise]
        kept = set(board.near(self._click, reach)) if reach >= 0 else set()
        cells = [cell for cell in range(board.size) if cell not in kept]
        mines = frozenset(self._deal.draw(f"mines/{number}", cells, self.mines))
        for seat in self.seats:
            seat.board.place(mines)
            if self.mode == "race":
                seat.board.uncover(self._first)
        self.phase, self._began, self._attempts = "playing", self._now, number

    # Records

    def act(self, seat: int, act: Map, at: int) -> None:
        """Apply the answer of a seat."""
        self._now = at
        if self.phase not in ("new", "playing") or self.seats[seat].state != "in" or self._waiting:
            raise Illegal(f"seat {seat} is not asked")
        if act["do"] == "resign":
            self.leave(seat, "resigned")
        elif self.mode == "duel":
            self._duel(seat, act)
        else:
            self._moves(seat, list(self._parse(act)))

    def timeout(self, seat: int, at: int) -> None:
        """Do what is done for a seat whose time is up."""
        self._now = at
        if self.mode == "duel":
            if seat != self.turn:
                raise Illegal(f"seat {seat} is not asked")
            self.turn = 1 - seat
            return
        self._stop(seat, "frozen" if self.mode == "coop" else "out")
        self._settle()

    def timer(self, name: str) -> None:
        """Minesweeper waits for nothing."""
        raise Illegal(f"no {name} was set")

    def job(self, name: str, result: Map, at: int) -> None:
        """A computation is done."""
        if name == "board" and self.phase == "making":
            if result["attempt"] is None:
                raise NotImplementedError("no board was found")
            self._now = at
            self.uncovered.append("that the board needs no guess, and no earlier attempt does")
            self._attempt(result["attempt"])
            waiting, self._waiting = self._waiting, None
            if waiting:
                self._moves(*waiting)
        elif name == "review" and self.phase == "over" and self.outcome is None:
            self.uncovered.append("the odds of the openings")
            self._review = result
            self._end(result["seats"])
        else:
            raise Illegal(f"no {name} was asked for in {self.phase}")

    def leave(self, seat: int, why: str = "left") -> None:
        """A seat leaves the game."""
        if self.mode == "duel":
            self._win(1 - seat, why)
            return
        self._leavers.add(seat)
        self._stop(seat, "out")
        self._settle()

    # Acts

    def _parse(self, act: Map) -> Iterator[tuple[str, int]]:
        moves = act["moves"] if act["do"] == "seq" else [(act["do"], *cell) for cell in act["cells"]]
        if not moves or len(moves) > (64 if act["do"] == "seq" else 256):
            raise Illegal("an act names no cell, or too many")
        for verb, x, y in moves:
            if verb not in ("open", "flag", "unflag", "chord"):
                raise Illegal(f"there is no {verb}")
            yield verb, self._cell(x, y)

    def _cell(self, x: int, y: int) -> int:
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise Illegal(f"({x}, {y}) is off the board")
        return y * self.width + x

    def _moves(self, number: int, moves: Sequence[tuple[str, int]]) -> None:
        seat = self.seats[number]
        self._direct, opened = [], seat.opened
        for place, (verb, cell) in enumerate(moves):
            if self.phase == "new" and verb == "open" and cell not in seat.board.flags:
                self._place(cell)
                if self.phase == "making":
                    self._waiting = number, list(moves[place:])
                    return
            before = len(seat.board.blown)
            if self._move(seat, verb, cell):
                seat.clicks += 1
            if len(seat.board.blown) > before:
                self._mine(number, len(seat.board.blown) - before)
                break
            if seat.board.cleared():
                break
        seat.earned = seat.opened > opened
        if self._direct:
            self._openings[number if self.mode == "race" else 0].append([number, self._direct])
        self._settle()

    def _move(self, seat: Seat, verb: str, cell: int) -> bool:
        board = seat.board
        closed = cell not in board.open and cell not in board.blown
        match verb:
            case "flag" if closed and cell not in board.flags:
                board.flags.add(cell)
                return True
            case "unflag" if cell in board.flags:
                board.flags.remove(cell)
                return True
            case "open" if closed and cell not in board.flags:
                return self._open(seat, [cell])
            case "chord" if cell in board.open:
                around = board.around(cell)
                known = sum(other in board.flags or other in board.blown for other in around)
                rest = [other for other in around if other not in {*board.open, *board.flags, *board.blown}]
                return known == board.number(cell) and self._open(seat, rest)
        return False

    def _open(self, seat: Seat, cells: Iterable[int]) -> bool:
        changed = False
        units = seat.board.units
        for cell in cells:
            if cell in seat.board.mines and not self._spare(seat.board, cell):
                seat.board.blown.add(cell)
                self._direct.append(cell)
                return True
            new = seat.board.uncover(cell)
            if new:
                changed = True
                self._direct.append(cell)
            seat.opened += len(new)
            seat.units |= {units[other] for other in new if other in units}
        return changed

    def _spare(self, board: Board, cell: int) -> bool:
        """Whether a kind board spares this guess, which moves its mines."""
        if not self.options.get("kind"):
            return False
        closed = set(range(board.size)) - board.open - board.blown
        numbers = []
        for number in sorted(board.open):
            around = board.around(number)
            known = sum(other in board.blown for other in around)
            numbers.append((frozenset(closed.intersection(around)), board.number(number) - known))
        label = f"kind/{self._spared + 1}"
        position = Position(numbers, closed, self.mines - len(board.blown))
        mines = position.spared(cell, lambda limit: self._deal.large(label, limit))
        if mines is None:
            return False
        self._spared += 1
        board.place(frozenset(mines | board.blown))
        return True

    def _mine(self, number: int, mines: int) -> None:
        seat = self.seats[number]
        if self.mode == "coop":
            self.lives -= mines
        elif self.mode == "race" and self.options["penalty"]:
            seat.penalty += self.options["penalty"]
        else:
            self._stop(number, "out")

    def _stop(self, number: int, state: str) -> None:
        seat = self.seats[number]
        seat.state = state
        seat.ended = self._now - self._begun_at
        seat.ms = (0 if self._began is None else self._now - self._began) + seat.penalty

    def _settle(self) -> None:
        """End what is decided."""
        cleared = [number for number, seat in enumerate(self.seats) if seat.board.cleared()]
        if self.mode == "race":
            for number in cleared:
                if self.seats[number].state == "in":
                    self.seats[number].place = sum(seat.state != "in" for seat in self.seats)
                    self._stop(number, "done")
            if all(seat.state != "in" for seat in self.seats):
                self._finish("race")
        elif cleared:
            for number in cleared:
                if self.seats[number].state == "in":
                    self._stop(number, "done")
            self._finish("won")
        elif self.lives <= 0 or all(seat.state != "in" for seat in self.seats):
            for number, seat in enumerate(self.seats):
                if seat.state == "in":
                    self._stop(number, "out")
            self._finish("lost")

    # Duels

    def _duel(self, number: int, act: Map) -> None:
        if number != self.turn:
            raise Illegal(f"it is not the turn of seat {number}")
        seat, board = self.seats[number], self.seats[number].board
        seat.clicks += 1
        closed = set(range(board.size)) - board.open - board.found.keys()
        if act["do"] == "bomb":
            if self._bomb(number) != "ready":
                raise Illegal("no bomb")
            seat.thrown = True
            for cell in board.near(self._cell(*act["at"]), 2):
                self._look(number, cell)
            self.turn = 1 - number
        elif act["do"] == "open":
            cells = [self._cell(x, y) for x, y in act["cells"]]
            if not cells or not closed.issuperset(cells) or len(set(cells)) < len(cells):
                raise Illegal("only closed cells can be opened")
            for cell in cells:
                if self._has_majority(number):
                    break
                if not self._look(number, cell):
                    self.turn = 1 - number
                    break
        else:
            raise Illegal(f"no {act['do']} in a duel")
        if self._has_majority(number):
            self._win(number, "majority")

    def _has_majority(self, number: int) -> bool:
        return self.seats[number].found * 2 > self.mines

    def _win(self, number: int, why: str) -> None:
        self.seats[number].state, self.seats[1 - number].state = "done", "out"
        for seat in self.seats:
            seat.ended = self._now - self._begun_at
        self._finish(why)

    def _look(self, number: int, cell: int) -> bool:
        seat, board = self.seats[number], self.seats[number].board
        if cell in board.found:
            return True
        if cell in board.mines:
            board.found[cell] = "AB"[number]
            seat.found += 1
            return True
        seat.opened += len(board.uncover(cell))
        return False

    def _bomb(self, number: int) -> str:
        seat = self.seats[number]
        if seat.thrown:
            return "thrown"
        return "ready" if seat.found < self.seats[1 - number].found else "kept"

    # The end

    def _finish(self, why: str) -> None:
        self.phase, self._why = "over", why
        if self.mode == "duel" or not self.seats[0].board.mines:
            self._end(None)

    def _end(self, review: list[Map] | None) -> None:
        scores = [self._score(seat) for seat in self.seats]
        if self.mode == "duel":
            keys: list[Any] = [seat.state != "done" for seat in self.seats]
        elif self.mode == "race":
            keys = [self._place_in_race(seat) for seat in self.seats]
        else:
            keys = [number in self._leavers for number in range(len(self.seats))]
        ranks = [1 + sum(other < key for other in keys) for key in keys]
        if self._why == "lost":
            ranks = [2] * len(ranks)
        self.outcome = {"ranks": ranks, "scores": scores, "why": self._why}
        if self.seats[0].board.mines:
            self.outcome["stats"] = self._stats(review)

    def _score(self, seat: Seat) -> int:
        if self.mode == "duel":
            return seat.found
        return len(seat.board.open) if self.mode == "race" else seat.opened

    def _place_in_race(self, seat: Seat) -> tuple[object, ...]:
        if seat.state == "done":
            return (0, seat.ms, seat.place if self._ties_by_order else seat.clicks)
        return (1, -len(seat.board.open), seat.clicks)

    def _stats(self, review: list[Map] | None) -> Map:
        if self.mode == "duel":
            return {"seats": [{"found": seat.found, "opened": seat.opened} for seat in self.seats]}
        total = len(set(self.seats[0].board.units.values()))
        if self._spared:
            self._count_again()
        return {
            **({"spared": self._spared} if self.options.get("kind") else {}),
            "bbbv": total,
            "seats": [self._stat(seat, one) for seat, one in zip(self.seats, review or [], strict=True)],
        }

    def _count_again(self) -> None:
        """Count the 3BV that each seat has done on the last board, which is another than it was played on."""
        units, gone = self.seats[0].board.units, set[int]()
        for seat in self.seats:
            seat.units = set()
        for number, cells in self._openings[0]:
            done = {units[cell] for cell in cells if cell in units} - gone
            self.seats[number].units |= done
            gone |= done

    def _stat(self, seat: Seat, review: Map) -> Map:
        board = seat.board
        ms, own = seat.ms or 0, len(seat.units)
        flagged = len(board.mines) if board.cleared() else len(board.flags & board.mines)
        return {
            **review,
            "ms": ms,
            "clicks": seat.clicks,
            "opened": seat.opened,
            "bbbv": own,
            "rate": own * 1_000_000 // ms if ms else 0,
            "efficiency": own * 100 // seat.clicks if seat.clicks else 0,
            "flagged": flagged * 100 // len(board.mines),
            "open": len(board.open) * 100 // (board.size - len(board.mines)),
        }

    # What a seat sees

    def state(self) -> Map:
        """Return what the final state in a file is the hash of."""
        boards = [seat.board for seat in self.seats[: None if self.mode == "race" else 1]]
        waiting = None
        if self._waiting:
            number, moves = self._waiting
            steps = [[verb, cell % self.width, cell // self.width] for verb, cell in moves]
            waiting = {"seat": number, "steps": steps}
        return {
            "phase": "review" if self.phase == "over" and self.outcome is None else self.phase,
            "mines": sorted(boards[0].mines) or None,
            "first": self._first,
            "attempt": self._attempts,
            "waiting": waiting,
            "fields": ["".join(board.rows(over=False)) for board in boards],
            "players": [self._player_state(seat) for seat in self.seats],
            "openings": self._openings,
            "lives": self.lives,
            "turn": self.turn,
            "began": 0 if self._began is None else self._began - self._begun_at,
            "why": self._why or None,
            "reviewed": self._review,
            **({"spared": self._spared} if self.options.get("kind") else {}),
        }

    def _player_state(self, seat: Seat) -> Map:
        return {
            "status": seat.state,
            "opened": seat.opened,
            "clicks": seat.clicks,
            "penalty": seat.penalty,
            "ended": seat.ended,
            "place": seat.place,
            "earned": seat.earned,
            "found": seat.found,
            "bomb": not seat.thrown,
        }

    def asked(self, seat: int) -> bool:
        """Whether a seat has to decide something."""
        if self.phase == "making":
            return self._waiting is not None and self._waiting[0] != seat and self.seats[seat].state == "in"
        if self.phase == "over" or (self.mode == "duel" and seat != self.turn):
            return False
        return self.seats[seat].state == "in"

    def legal(self, seat: int) -> list[Map]:
        """Nothing is listed: the grid is the list."""
        return []

    def may(self, seat: int) -> list[Map]:
        """There are no optional decisions."""
        return []

    def view(self, number: int) -> Map:
        """Return the view of a seat."""
        over = self.phase == "over"
        view: Map = {
            "mode": self.mode,
            "phase": self.phase,
            "width": self.width,
            "height": self.height,
            "mines": self.mines,
            "safe": self.width * self.height - self.mines,
            "rows": self.seats[number].board.rows(over=over),
            "players": [self._player(other, own=other == number) for other in range(len(self.seats))],
        }
        if self.mode == "coop":
            view |= {"lives": self.lives, "open": len(self.seats[0].board.open)}
        if self.mode == "duel":
            view["turn"] = None if over else self.turn
        return view

    def _player(self, number: int, *, own: bool) -> Map:
        seat = self.seats[number]
        player: Map = {"state": seat.state, "open": seat.opened}
        if self.mode == "duel":
            return player | {"found": seat.found, "bomb": self._bomb(number)}
        if self.mode == "race":
            player["open"] = len(seat.board.open)
        if seat.ms is not None:
            player["ms"] = seat.ms
        if own or self.phase == "over":
            player["clicks"] = seat.clicks
        if self.options["penalty"]:
            player["penalty"] = seat.penalty
        return player

"""The rules of four in a row."""

from typing import ClassVar, TypeAlias

import attrs

from parlour_games.fair import Fair, Stream
from parlour_games.game import BadOptions, Decision, Done, Fired, Game, IllegalAction, Outcome, Plain
from parlour_games.layout import Shown
from parlour_games.options import Between, option

SIGNS = "XO"
"""The discs of seat 0 and seat 1 on the board."""
_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


@attrs.frozen(kw_only=True)
class BoardOptions:
    """The size of the board, and how many discs in a row win."""

    columns: int = option(7, Between(5, 10), "Columns of the board.")
    rows: int = option(6, Between(5, 10), "Rows of the board.")
    line: int = option(4, Between(3, 5), "Discs in a row that win.")


@attrs.frozen
class Drop:
    """Drop a disc into a column, numbered from 0 at the left."""

    do: ClassVar[str] = "drop"
    column: int


@attrs.frozen
class Resign:
    """Give up."""

    do: ClassVar[str] = "resign"


Action: TypeAlias = Drop | Resign


@attrs.frozen
class Started:
    """The match starts with the turn of ``seat``."""

    e: ClassVar[str] = "start"
    seat: int


@attrs.frozen
class Dropped:
    """A disc of ``seat`` fell into ``column`` and is in ``row``, numbered from 0 at the top, as on the board."""

    e: ClassVar[str] = "drop"
    seat: int
    column: int
    row: int


@attrs.frozen
class Ended:
    """The match is over. ``seat`` has won; None means that it is a draw."""

    e: ClassVar[str] = "end"
    seat: int | None
    why: str


Event: TypeAlias = Started | Dropped | Ended


@attrs.define
class State:
    """A match. ``columns`` holds the seats of the discs in each column, from the bottom up."""

    options: BoardOptions
    turn: int
    columns: list[list[int]]
    why: str | None = None
    """Why the match is over: ``line``, ``full``, ``resigned`` or ``left``; None while it is running."""
    winner: int | None = None
    won: list[list[int]] = attrs.field(factory=list)
    """The discs in a row that have won, as [row, column] on the board."""

    def disc(self, column: int, row: int) -> int | None:
        """Return the seat whose disc is at a place, counted from 0; None for an empty place and outside the board."""
        inside = 0 <= column < len(self.columns) and 0 <= row < len(self.columns[column])
        return self.columns[column][row] if inside else None

    def row_on_board(self, row: int) -> int:
        """Return the number of a row from the top, as the view counts them."""
        return self.options.rows - 1 - row

    def line_through(self, column: int, row: int) -> list[list[int]]:
        """Return the longest row of equal discs through a disc, as [row, column] on the board."""
        lines = [self._line(column, row, dx, dy) for dx, dy in _DIRECTIONS]
        return max(lines, key=len)

    def _line(self, column: int, row: int, dx: int, dy: int) -> list[list[int]]:
        seat, found = self.disc(column, row), [[self.row_on_board(row), column]]
        for sign in (1, -1):
            x, y = column + sign * dx, row + sign * dy
            while self.disc(x, y) == seat:
                found.append([self.row_on_board(y), x])
                x, y = x + sign * dx, y + sign * dy
        return sorted(found)


class FourInARow(Game[BoardOptions, State, Action, Event]):
    """Four in a row for two."""

    name = "fourinarow"
    rules_version = 1
    min_seats = max_seats = 2
    phrases = "parlour_fourinarow.phrases"
    layout: ClassVar = {"board": Shown("board", signs=SIGNS, columns=True)}
    page = "parlour_fourinarow.page"
    Options = BoardOptions
    Actions = (Drop, Resign)
    Events = (Started, Dropped, Ended)

    def start(self, options: BoardOptions, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        """Start a match; the deal decides who begins."""
        if seats != 2:
            raise BadOptions(f"four in a row is for 2 seats, not {seats}")
        turn = fair.deal(1).label("start").below(2)
        return State(options, turn, [[] for _ in range(options.columns)]), [Started(turn)]

    def decisions(self, state: State) -> list[Decision]:
        """Ask the seat on turn."""
        return [] if state.why else [Decision(state.turn, f"drop:{sum(map(len, state.columns))}", True)]

    def legal(self, state: State, seat: int, key: str) -> list[Action]:
        """Return a drop for each column that has room."""
        if Decision(seat, key, True) not in self.decisions(state):
            return []
        return [Drop(number) for number, discs in enumerate(state.columns) if len(discs) < state.options.rows]

    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        """Drop a disc or resign."""
        if Decision(seat, key, True) not in self.decisions(state):
            raise IllegalAction("it is not your turn", "turn")
        if isinstance(action, Resign):
            return _end(state, 1 - seat, "resigned")
        if action not in self.legal(state, seat, key):
            why = f"column {action.column} is full or not on the board: choose one of those in legal"
            raise IllegalAction(why, "column")
        discs = state.columns[action.column]
        discs.append(seat)
        state.turn = 1 - seat
        events: list[Event] = [Dropped(seat, action.column, state.row_on_board(len(discs) - 1))]
        line = state.line_through(action.column, len(discs) - 1)
        if len(line) >= state.options.line:
            state.won = line
            events += _end(state, seat, "line")
        elif all(len(discs) == state.options.rows for discs in state.columns):
            events += _end(state, None, "full")
        return events

    def default_action(self, state: State, seat: int, key: str) -> Action:
        """Return the drop nearest to the middle."""
        drops = [action for action in self.legal(state, seat, key) if isinstance(action, Drop)]
        return min(drops, key=lambda drop: abs(2 * drop.column + 1 - state.options.columns))

    def remove(self, state: State, seat: int) -> list[Event]:
        """End the match: the other seat wins."""
        return [] if state.why else _end(state, 1 - seat, "left")

    def pending(self, state: State) -> None:
        """Return None: the match waits for decisions only."""

    def settle(self, state: State, result: Fired | Done) -> list[Event]:
        """Raise ValueError: the match waits for nothing."""
        raise ValueError(f"four in a row does not wait for {result}")

    def outcome(self, state: State) -> Outcome | None:
        """Return the result: 2 points for a win, 1 for a draw."""
        if state.why is None:
            return None
        if state.winner is None:
            return Outcome((1, 1), (1, 1), state.why)
        return Outcome((1, 2), (2, 0), state.why) if state.winner == 0 else Outcome((2, 1), (0, 2), state.why)

    def view(self, state: State, viewer: int | None) -> Plain:
        """Return the board, top row first. All viewers see the same."""
        rows = reversed(range(state.options.rows))
        shown: Plain = {
            "turn": None if state.why else state.turn,
            "board": ["".join(map(_sign, [state.disc(x, y) for x in range(len(state.columns))])) for y in rows],
        }
        if state.won:
            shown["line"] = state.won
        return shown

    def announce(self, event: Event) -> Plain:
        """Return the whole event: nothing is hidden."""
        return {"e": event.e, **attrs.asdict(event)}

    def redact(self, event: Event, viewer: int | None) -> Plain:
        """Return the same for every viewer."""
        return self.announce(event)

    def resample(self, state: State, viewer: int | None, stream: Stream) -> State:
        """Return a copy: nothing is hidden."""
        return self.copy(state)

    def canonical(self, state: State) -> Plain:
        """Return the whole state."""
        return attrs.asdict(state)

    def copy(self, state: State) -> State:
        """Return an independent copy."""
        return attrs.evolve(state, columns=[discs[:] for discs in state.columns])


def _sign(seat: int | None) -> str:
    return "." if seat is None else SIGNS[seat]


def _end(state: State, winner: int | None, why: str) -> list[Event]:
    state.winner, state.why = winner, why
    return [Ended(winner, why)]

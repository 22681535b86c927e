"""Minesweeper as a ``Game``."""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from types import MappingProxyType

import attrs

from parlour_games.fair import Fair, Stream
from parlour_games.game import BadOptions, DailyMatch, Decision, Done, Fired, Game, IllegalAction, Job, Outcome, Plain
from parlour_games.minesweeper import duel, fair_boards, rules, view
from parlour_games.minesweeper.actions import ACTIONS, Action, Bomb, Chord, Flag, Open, Pass, Resign, Seq, Unflag
from parlour_games.minesweeper.board import Board, Dealt, GivenMines, Source, VisibleBoard, neighbours
from parlour_games.minesweeper.component import UNLIMITED
from parlour_games.minesweeper.events import EVENTS, Event, ReviewDone
from parlour_games.minesweeper.options import MAX_SEATS, SEATS, KindLimits, Shape
from parlour_games.minesweeper.options import Options as MinesweeperOptions
from parlour_games.minesweeper.results import ranks, review, scores, statistics
from parlour_games.minesweeper.state import IN, MAKING, OVER, REVIEW, Player, State
from parlour_games.plural import counted
from parlour_games.statistics import BestTime

DAILY_LEVELS = ("beginner", "intermediate", "expert")
_KEY = "play"
"""The key of all decisions: there is only one question."""
_BOARD, _REVIEW = "board", "review"


class Minesweeper(Game[MinesweeperOptions, State, Action, Event]):
    """Minesweeper in four modes: solo, race, coop and duel."""

    name = "minesweeper"
    rules_version = 3
    phrases = "parlour_games.minesweeper.phrases"
    min_seats = 1
    max_seats = MAX_SEATS
    dailies = MappingProxyType({level: DailyMatch({"mode": "solo", "level": level}) for level in DAILY_LEVELS})
    listed = False
    Options = MinesweeperOptions
    Actions = ACTIONS
    by_clock = (Pass,)
    Events = EVENTS
    _kind_limits = KindLimits()

    def under(self, version: int) -> "Minesweeper | None":
        """Return the rules as they were in ``version``; None if they are not known."""
        return {1: FirstMinesweeper(), 2: SecondMinesweeper(), self.rules_version: self}.get(version)

    def seats(self, options: MinesweeperOptions) -> tuple[int, int]:
        """Return the minimum and maximum number of seats of the mode."""
        return SEATS[options.mode]

    def verbs(self, options: MinesweeperOptions) -> list[str]:
        """Return the tags of the mode: duels have bombs and no marks."""
        other = {"flag", "unflag", "chord", "seq"} if options.mode == "duel" else {"bomb"}
        return [do for do in super().verbs(options) if do not in other]

    def reviewable(self, options: MinesweeperOptions) -> bool:
        """Return whether each player has a board of its own, which the first mine ends."""
        return options.mode in ("solo", "race") and not options.penalty and not options.kind

    def with_fixed_deal(self, options: MinesweeperOptions, deal: Stream) -> MinesweeperOptions:
        """Return ``options`` with a first cell in solo, where the board depends on it."""
        if options.mode != "solo" or options.first_cell >= 0:
            return options
        return attrs.evolve(options, first_cell=Dealt(deal).start(options.shape))

    def start(self, options: MinesweeperOptions, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        """Start a match. Races and duels have their board from the start. Raises BadOptions."""
        return self._start(options, seats, Dealt(fair.deal(1)))

    def start_on(
        self, options: MinesweeperOptions, seats: int, mines: Iterable[int], first: int = 0
    ) -> tuple[State, list[Event]]:
        """Start a match on a given layout, for arenas and tests. ``first`` is the first cell of a race.

        Raises BadOptions.
        """
        if options.no_guess or options.kind:
            name = "no_guess" if options.no_guess else "kind"
            raise BadOptions(f"{name} is not available for a given layout")
        return self._start(options, seats, GivenMines(tuple(mines), first))

    def note_time(self, state: State, ms: int) -> None:
        """Store the time, for results."""
        state.now = ms

    def elapsed(self, state: State, ms: int) -> int | None:
        """Return for how long the mines have been placed; None in a duel, which is not about time."""
        return None if state.board is None or state.mode == "duel" else max(0, ms - state.began)

    def decisions(self, state: State) -> list[Decision]:
        """Return the decision of the seat on turn in a duel, else those of seats that do not wait for a board."""
        if state.phase in (REVIEW, OVER):
            return []
        if state.mode == "duel":
            return [Decision(state.turn, _KEY, True)]
        if state.phase == MAKING and state.waiting is None:
            return []
        waits = state.waiting.seat if state.waiting else None
        seats = [seat for seat in state.still_in() if seat != waits]
        return [Decision(seat, _KEY, True, topped_up=state.players[seat].earned) for seat in seats]

    def legal(self, state: State, seat: int, key: str) -> list[Action]:
        """Return an empty list: ``indexed`` numbers the cells."""
        return []

    def indexed(self, state: State, seat: int, key: str, index: int) -> Action:
        """Return the action that opens cell ``index``, y · width + x."""
        shape = state.shape
        if not 0 <= index < shape.cells:
            why = f"there is no cell {index}: cells are 0 to {shape.cells - 1}, y · {shape.width} + x"
            raise IllegalAction(why, "no_cell", last=shape.cells - 1)
        return Open((state.at(index),))

    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        """Carry out ``action``. Raises IllegalAction and leaves the state unchanged."""
        if all((decision.seat, decision.key) != (seat, key) for decision in self.decisions(state)):
            raise IllegalAction("this seat has no open decision: wait for its turn", "closed")
        log: list[Event] = []
        if isinstance(action, Resign):
            self._leave(state, seat, "resigned", log)
        elif state.mode == "duel":
            duel.pass_on(state, seat, log) if isinstance(action, Pass) else duel.act(state, seat, action, log)
        elif isinstance(action, Pass):
            rules.leave(state, seat, "clock", log)
        elif isinstance(action, Bomb):
            raise IllegalAction("bombs are only for duels: open, flag, unflag, chord, seq or resign", "no_bombs")
        else:
            rules.act(state, seat, action, log)
        return log

    def default_action(self, state: State, seat: int, key: str) -> Action:
        """Return ``Pass``, whose effect depends on the mode."""
        return Pass()

    def remove(self, state: State, seat: int) -> list[Event]:
        """Remove a seat. Nothing happens if it is already out or done."""
        log: list[Event] = []
        if state.players[seat].status == IN and state.phase not in (REVIEW, OVER):
            self._leave(state, seat, "left", log)
        return log

    def pending(self, state: State) -> Job | None:
        """Return the job that looks for a board, or the one that reviews a decided match."""
        shape = state.shape
        if state.phase == MAKING:
            assert isinstance(state.source, Dealt), "a given layout needs no search"
            where = {"key": state.source.stream.key.hex(), "promise": state.options.promise, "first": state.first}
            return Job(_BOARD, {**_size(shape), **where})
        if state.phase == REVIEW:
            return Job(_REVIEW, _reviewed(state))
        return None

    def compute(self, name: str, args: Plain) -> Plain:
        """Run a job: find the first attempt that needs no guess, or review the openings."""
        shape = Shape(args["width"], args["height"], args["mines"])
        if name == _BOARD:
            source = Dealt(Stream(bytes.fromhex(args["key"])))
            return {"attempt": fair_boards.make(source, shape, args["promise"], args["first"])}
        if name == _REVIEW:
            board = Board(shape, args["layout"])
            return review(board, args["promise"], args["start"], args["openings"], args["ends"], args["seats"])
        return super().compute(name, args)

    def settle(self, state: State, result: Fired | Done) -> list[Event]:
        """Continue with the board, or end the match. Raises ValueError if the match does not wait for ``result``."""
        log: list[Event] = []
        waiting = self.pending(state)
        if waiting is None or not isinstance(result, Done) or result.name != waiting.name:
            raise ValueError(f"{result} is not what the match waits for: {waiting and waiting.name}")
        if result.name == _BOARD:
            rules.board_made(state, result.result["attempt"], log)
        else:
            state.reviewed, state.phase = result.result, OVER
            log.append(ReviewDone())
        return log

    def outcome(self, state: State) -> Outcome | None:
        """Return the result. ``why`` is won, lost, race, majority, resigned, left, or no_board, which is not rated."""
        if state.phase != OVER or state.why is None:
            return None
        rated = state.why != "no_board"
        return Outcome(self._ranks(state), scores(state), state.why, statistics(state), rated)

    def best_time(self, state: State) -> BestTime | None:
        """Return the level of a board cleared alone, with `` no_guess`` if it needed none, and its time.

        Kind boards do not count: they forgive what costs others the board.
        """
        options = state.options
        alone = state.mode == "solo" and state.phase == OVER and state.why == "won"
        if not alone or options.level == "custom" or options.first == "radius" or options.kind:
            return None
        return BestTime(options.level + " no_guess" * options.no_guess, state.time_of(0))

    def view(self, state: State, viewer: int | None) -> Plain:
        """Return what ``viewer`` may know."""
        return view.view(state, viewer)

    def redact(self, event: Event, viewer: int | None) -> Plain | None:
        """Return the event without what ``viewer`` may not see, None if all of it is secret."""
        return view.redact(event, viewer)

    def resample(self, state: State, viewer: int | None, stream: Stream) -> State:
        """Draw the mines again in the closed cells of which no number says anything, on the board of any seat.

        Mines that have not been drawn yet change, too.
        """
        twin, board = state.copy(), state.board
        if isinstance(twin.source, Dealt):
            twin.source = Dealt(stream)
        if board is None or state.phase in (REVIEW, OVER):
            return twin
        near = neighbours(board.shape.width, board.shape.height)
        closed = {
            cell for cell in range(board.shape.cells) if all(field.is_closed(cell) for field in state.visible_boards)
        }
        free = [cell for cell in sorted(closed) if closed.issuperset(near[cell])]
        mines = [mine for mine in board.mines if mine not in set(free)]
        twin.board = Board(board.shape, mines + stream.label("resample").draw(free, len(board.mines) - len(mines)))
        return twin

    def canonical(self, state: State) -> Plain:
        """Return the whole state as plain data."""
        return state.canonical()

    def copy(self, state: State) -> State:
        """Return an independent copy."""
        return state.copy()

    def wire(self, action: Action) -> Plain:
        """Return the action as plain data, tagged by ``do``."""
        match action:
            case Open() | Flag() | Unflag() | Chord():
                return {"do": action.do, "cells": [list(cell) for cell in action.cells]}
            case Seq():
                return {"do": action.do, "moves": [list(move) for move in action.moves]}
            case Bomb():
                return {"do": action.do, "at": list(action.at)}
            case Pass() | Resign():
                return {"do": action.do}

    def _start(self, options: MinesweeperOptions, seats: int, source: Source) -> tuple[State, list[Event]]:
        least, most = self.seats(options)
        if not least <= seats <= most:
            allowed = counted(most, "seat") if least == most else f"{least} to {most} seats"
            raise BadOptions(
                f"mode {options.mode} is for {allowed}, not {seats}",
                "seats",
                mode=options.mode,
                range=least != most,
                least=least,
                most=most,
                seats=seats,
            )
        shape, count = options.shape, seats if options.mode == "race" else 1
        visible_boards = [VisibleBoard(shape.width, shape.height) for _ in range(count)]
        state = State(
            options,
            source,
            [Player() for _ in range(seats)],
            visible_boards,
            lives=options.lives,
            kind_limits=self._kind_limits,
        )
        state.openings = [[] for _ in visible_boards]
        log: list[Event] = []
        if options.server_begins:
            rules.begin(state, log)
        elif options.mode == "duel":
            duel.start(state, log)
        return state, log

    def _leave(self, state: State, seat: int, why: str, log: list[Event]) -> None:
        (duel if state.mode == "duel" else rules).leave(state, seat, why, log)

    def _ranks(self, state: State) -> tuple[int, ...]:
        return ranks(state)


class SecondMinesweeper(Minesweeper):
    """The rules of version 2: no guess is forced where more than 64 cells depend on one another."""

    rules_version = 2
    _kind_limits = KindLimits(64, UNLIMITED)


class FirstMinesweeper(SecondMinesweeper):
    """The rules of version 1: also, of seats that clear a race in equal times the one recorded first comes first."""

    rules_version = 1

    def _ranks(self, state: State) -> tuple[int, ...]:
        return ranks(state, attrgetter("place"))


def _size(shape: Shape) -> Plain:
    return {"width": shape.width, "height": shape.height, "mines": shape.mines}


def _reviewed(state: State) -> Plain:
    assert state.board is not None, "only a match with a board is reviewed"
    openings: list[Sequence[object]] = [[[seat, list(cells)] for seat, cells in log] for log in state.openings]
    start = state.first if state.options.server_begins else None
    return {
        **_size(state.shape),
        "layout": state.board.mines,
        "promise": state.options.promise,
        "start": start,
        "openings": openings,
        "ends": [visible.shown.decode() for visible in state.visible_boards],
        "seats": len(state.players),
    }

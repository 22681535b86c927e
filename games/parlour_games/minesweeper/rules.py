"""The rules of solo, race and coop: the effects of actions, and when seats and matches end.

An action is either carried out completely or refused before anything has changed.
"""

import attrs

from parlour_games.game import IllegalAction
from parlour_games.minesweeper import fair_boards
from parlour_games.minesweeper.actions import MAX_MOVES, Cells, Chord, Seq, Step, steps
from parlour_games.minesweeper.board import Board, Dealt, VisibleBoard
from parlour_games.minesweeper.constraints import TooLarge
from parlour_games.minesweeper.events import Cleared, Ended, Event, Exploded, Flagged, Making, Opened, Out, Placed
from parlour_games.minesweeper.state import DONE, FROZEN, MAKING, OUT, OVER, PLAYING, REVIEW, State, Waiting


def act(state: State, seat: int, action: Cells | Seq, log: list[Event]) -> None:
    """Carry out the moves of ``seat``. Raises IllegalAction and leaves the state unchanged."""
    if state.phase == MAKING:
        raise IllegalAction("the server is still making the board: wait for it", "making")
    todo = steps(action)
    check_cells(state, [(x, y) for _, x, y in todo])
    if isinstance(action, Seq) and len(todo) > MAX_MOVES:
        raise IllegalAction(f"a seq has at most {MAX_MOVES} moves, not {len(todo)}", "seq", most=MAX_MOVES)
    if isinstance(action, Chord):
        _check_chords(state, state.visible_board_of(seat), action)
    state.players[seat].earned = False
    _go_on(state, seat, todo, log)


def check_cells(state: State, cells: list[tuple[int, int]]) -> None:
    """Raise IllegalAction for an empty list, and for cells off the board."""
    shape = state.shape
    if not cells:
        raise IllegalAction("name at least one cell, [x, y]", "cells")
    for x, y in cells:
        if not (0 <= x < shape.width and 0 <= y < shape.height):
            why = f"cell [{x}, {y}] is off the board: x is 0 to {shape.width - 1}, y is 0 to {shape.height - 1}"
            raise IllegalAction(why, "off_board", width=shape.width, height=shape.height)


def begin(state: State, log: list[Event]) -> None:
    """Open the first cell for every seat, now or when a board has been found: that of the options, or a random one."""
    given = state.options.first_cell
    state.first = state.source.start(state.shape) if given < 0 else given
    _begin(state, None, log)


def board_made(state: State, attempt: int | None, log: list[Event]) -> None:
    """Continue with the board of ``attempt``, or end the match if none was found."""
    waiting, state.waiting = state.waiting, None
    if attempt is None:
        end(state, "no_board", log)
        return
    _place(state, attempt, log)
    if waiting is not None:
        _go_on(state, waiting.seat, waiting.steps, log)


def leave(state: State, seat: int, why: str, log: list[Event]) -> None:
    """End the match for ``seat``. ``why`` is mine, clock, resigned or left."""
    player = state.players[seat]
    player.status = FROZEN if state.mode == "coop" and why == "clock" else OUT
    player.ended = state.now
    log.append(Out(seat, why))
    if not state.still_in():
        end(state, "race" if state.private else "lost", log)


def end(state: State, why: str, log: list[Event]) -> None:
    """End the match. If there were openings, they are reviewed first."""
    state.why = why
    state.phase = REVIEW if any(state.openings) else OVER
    for seat in state.still_in():
        state.players[seat].status = DONE if why == "won" else OUT
        state.players[seat].ended = state.now
    log.append(Ended(why))


# --- one act ---


@attrs.define
class _Done:
    """The effects of an action so far."""

    opened: list[int] = attrs.field(factory=list)
    came: int = 0
    flags: list[tuple[bool, list[int]]] = attrs.field(factory=list)
    """Marks set (true) and removed (false), in order."""
    mine: int | None = None


def _go_on(state: State, seat: int, todo: list[Step], log: list[Event]) -> None:
    """Do the moves in order until a mine is set off, the board is clear, or a board has to be found first."""
    player, visible, done = state.players[seat], state.visible_board_of(seat), _Done()
    for number, (verb, x, y) in enumerate(todo):
        cell = y * state.shape.width + x
        if verb == "open" and state.board is None and visible.shown[cell] == ord("."):
            state.first = cell
            _begin(state, Waiting(seat, todo[number:]), log)
            if state.board is None:
                break
        player.clicks += _step(state, visible, verb, cell, done)
        if done.mine is not None or _is_clear(state.board, visible):
            break
    _tell(state, seat, done, log)
    _count(state, seat, done)
    if done.mine is not None:
        _explode(state, seat, visible, done.mine, log)
    if _is_clear(state.board, visible) and state.why is None:
        _clear(state, seat, len(state.players) - len(state.still_in()), log)


def _step(state: State, visible: VisibleBoard, verb: str, cell: int, done: _Done) -> bool:
    """Do one move. Return whether it changed anything."""
    if verb in ("flag", "unflag"):
        on = verb == "flag"
        changed = visible.flag(cell, on)
        if changed and done.flags and done.flags[-1][0] == on:
            done.flags[-1][1].append(cell)
        elif changed:
            done.flags.append((on, [cell]))
        return changed
    if state.board is None:
        return False
    before = len(done.opened)
    for target in [cell] if verb == "open" else visible.chord_cells(cell):
        came = _open(state, state.board, visible, target)
        if came is None:
            done.mine = target
            return True
        if came:
            done.opened.append(target)
            done.came += came
    return len(done.opened) > before


def _open(state: State, board: Board, visible: VisibleBoard, cell: int) -> int | None:
    """Open a cell. Return the number of opened cells, None if it is a mine that goes off."""
    came = visible.open_cell(board, cell)
    if came is not None or not state.options.kind:
        return came
    assert isinstance(state.source, Dealt), "a given layout is not kind"
    words = state.source.stream.label(f"kind/{state.spared + 1}")
    try:
        other = fair_boards.spare(board, visible, cell, words, state.kind_limits)
    except TooLarge:
        state.unspared += 1
        return None
    if other is None:
        return None
    state.board = other
    state.spared += 1
    return visible.open_cell(other, cell)


def _is_clear(board: Board | None, visible: VisibleBoard) -> bool:
    return board is not None and visible.open == board.shape.safe


def _tell(state: State, seat: int, done: _Done, log: list[Event]) -> None:
    for on, cells in done.flags:
        log.append(Flagged(seat, tuple(map(state.at, cells)), on, state.private))
    if done.opened:
        log.append(Opened(seat, tuple(map(state.at, done.opened)), done.came, state.private))


def _count(state: State, seat: int, done: _Done) -> None:
    player = state.players[seat]
    player.opened += done.came
    player.earned = player.earned or done.came > 0
    cells = [*done.opened, *([done.mine] if done.mine is not None else [])]
    if cells:
        state.openings[state.board_index(seat)].append((seat, tuple(cells)))


def _explode(state: State, seat: int, visible: VisibleBoard, cell: int, log: list[Event]) -> None:
    visible.explode(cell)
    log.append(Exploded(seat, state.at(cell), state.private))
    if state.mode == "coop":
        state.lives -= 1
        if not state.lives:
            end(state, "lost", log)
    elif state.options.penalty:
        state.players[seat].penalty += state.options.penalty
    else:
        leave(state, seat, "mine", log)


def _clear(state: State, seat: int, place: int, log: list[Event]) -> None:
    """Record that ``seat`` has cleared its board when ``place`` seats were no longer in."""
    if not state.private:
        end(state, "won", log)
        return
    player = state.players[seat]
    player.status, player.ended, player.place = DONE, state.now, place
    log.append(Cleared(seat, state.time_of(seat)))
    if not state.still_in():
        end(state, "race", log)


def _check_chords(state: State, visible: VisibleBoard, action: Chord) -> None:
    for x, y in action.cells:
        if not visible.is_number(y * state.shape.width + x):
            why = f"a chord needs an open number: [{x}, {y}] is not one"
            raise IllegalAction(why, "chord", column=x + 1, row=y + 1)


# --- the board ---


def _begin(state: State, waiting: Waiting | None, log: list[Event]) -> None:
    """Place the mines for the first click, or start looking for a board that needs no guess."""
    if state.options.no_guess:
        state.phase, state.waiting = MAKING, waiting
        log.append(Making())
    else:
        _place(state, 1, log)


def _place(state: State, attempt: int, log: list[Event]) -> None:
    shape, begins = state.shape, state.options.server_begins
    state.attempt = attempt
    state.board = Board(shape, state.source.mines(shape, state.options.promise, state.first, attempt))
    state.phase, state.began = PLAYING, state.now
    came = [visible.open_cell(state.board, state.first) or 0 for visible in state.visible_boards] if begins else [0]
    log.append(Placed(state.at(state.first) if begins else None, came[0]))
    for seat in state.still_in() if begins and came[0] == shape.safe else ():
        _clear(state, seat, 0, log)

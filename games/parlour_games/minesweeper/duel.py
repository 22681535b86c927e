"""The rules of a duel: two seats take turns at finding mines. A find keeps the turn; the majority wins."""

from parlour_games.game import IllegalAction
from parlour_games.minesweeper.actions import Action, Bomb, Open
from parlour_games.minesweeper.board import IS_MINE, Board, around
from parlour_games.minesweeper.events import Bombed, Ended, Event, Found, NoMine, Out, Passed, Placed
from parlour_games.minesweeper.rules import check_cells
from parlour_games.minesweeper.state import DONE, OUT, OVER, PLAYING, State

BOMB_REACH = 2
"""The distance that a bomb reaches from its cell: 5×5 cells."""


def start(state: State, log: list[Event]) -> None:
    """Place the mines. The first click keeps no cell free."""
    state.board = Board(state.shape, state.source.mines(state.shape, state.options.promise, 0, 1))
    state.attempt, state.phase, state.began = 1, PLAYING, state.now
    log.append(Placed(None, 0))


def needed(state: State) -> int:
    """Return the number of mines that wins."""
    return state.shape.mines // 2 + 1


def may_bomb(state: State, seat: int) -> bool:
    """Whether ``seat`` still has its bomb and is behind."""
    return state.players[seat].bomb and state.players[seat].found < state.players[1 - seat].found


def act(state: State, seat: int, action: Action, log: list[Event]) -> None:
    """Carry out a turn of ``seat``. Raises IllegalAction and leaves the state unchanged."""
    if isinstance(action, Open):
        _look(state, seat, action, log)
    elif isinstance(action, Bomb):
        _bomb(state, seat, action, log)
    else:
        raise IllegalAction(
            "that is not possible in a duel: open a cell with a mine, throw your bomb, or resign", "duel"
        )


def pass_on(state: State, seat: int, log: list[Event]) -> None:
    """Pass the turn."""
    log.append(Passed(seat))
    state.turn = 1 - seat


def leave(state: State, seat: int, why: str, log: list[Event]) -> None:
    """Remove ``seat``. The other seat wins."""
    log.append(Out(seat, why))
    state.players[seat].status = OUT
    _end(state, 1 - seat, why, log)


def _look(state: State, seat: int, action: Open, log: list[Event]) -> None:
    """Open cells until one is not a mine."""
    check_cells(state, list(action.cells))
    cells = list(dict.fromkeys(y * state.shape.width + x for x, y in action.cells))
    visible, board = state.visible_boards[0], _board(state)
    for cell in cells:
        if not visible.is_closed(cell):
            x, y = state.at(cell)
            why = f"[{x}, {y}] is open already: look for a mine under a closed cell"
            raise IllegalAction(why, "open", column=x + 1, row=y + 1)
    player = state.players[seat]
    found: list[int] = []
    player.clicks += 1
    for cell in cells:
        if board.numbers[cell] != IS_MINE:
            _tell_found(state, seat, found, log)
            came = visible.open_cell(board, cell) or 0
            player.opened += came
            log.append(NoMine(seat, state.at(cell), came))
            state.turn = 1 - seat
            return
        found.append(cell)
        if _take(state, seat, cell):
            break
    _tell_found(state, seat, found, log)
    _decide(state, seat, log)


def _bomb(state: State, seat: int, action: Bomb, log: list[Event]) -> None:
    check_cells(state, [action.at])
    if not may_bomb(state, seat):
        own, other = state.players[seat].found, state.players[1 - seat].found
        why = f"you are not behind ({own} to {other})" if state.players[seat].bomb else "you have thrown it"
        thrown = not state.players[seat].bomb
        raise IllegalAction(f"you cannot throw your bomb: {why}", "bomb", thrown=thrown, own=own, other=other)
    x, y = action.at
    at = y * state.shape.width + x
    visible, board, player = state.visible_boards[0], _board(state), state.players[seat]
    player.bomb = False
    player.clicks += 1
    before, found = visible.open, 0
    for cell in around(state.shape.width, state.shape.height, at, BOMB_REACH):
        if board.numbers[cell] != IS_MINE:
            visible.open_cell(board, cell)
        elif visible.is_closed(cell):
            found += 1
            _take(state, seat, cell)
    player.opened += visible.open - before
    log.append(Bombed(seat, action.at, visible.open - before, found))
    state.turn = 1 - seat
    _decide(state, seat, log)


def _take(state: State, seat: int, cell: int) -> bool:
    """Score a mine for ``seat``. Return whether it now has the majority."""
    state.visible_boards[0].find(cell, seat)
    state.players[seat].found += 1
    return state.players[seat].found >= needed(state)


def _tell_found(state: State, seat: int, found: list[int], log: list[Event]) -> None:
    if found:
        log.append(Found(seat, tuple(map(state.at, found))))


def _decide(state: State, seat: int, log: list[Event]) -> None:
    if state.players[seat].found >= needed(state):
        _end(state, seat, "majority", log)


def _end(state: State, winner: int, why: str, log: list[Event]) -> None:
    state.why, state.phase = why, OVER
    for seat, player in enumerate(state.players):
        player.status = DONE if seat == winner else OUT
        player.ended = state.now
    log.append(Ended(why))


def _board(state: State) -> Board:
    assert state.board is not None, "a duel has its board from the start"
    return state.board

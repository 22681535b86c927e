"""Everything that leaves a state: the views of seats and spectators, and events as each viewer may see them.

Both are allow-lists. While the match lasts, no viewer sees mines that have not been set off or found. In a race the
boards are equal: a seat sees its own board, but only counts of its rivals, and spectators see only counts.
"""

from collections.abc import Callable
from typing import Any

from parlour_games.game import Plain
from parlour_games.minesweeper import events
from parlour_games.minesweeper.actions import At
from parlour_games.minesweeper.board import solved
from parlour_games.minesweeper.duel import may_bomb
from parlour_games.minesweeper.events import Event
from parlour_games.minesweeper.state import OVER, REVIEW, Player, State


def view(state: State, viewer: int | None) -> Plain:
    """Return the view. ``rows`` is the viewer's own board, None for spectators during a race."""
    shape = state.shape
    shown: Plain = {
        "mode": state.mode,
        "phase": "over" if state.phase == REVIEW else state.phase,
        "width": shape.width,
        "height": shape.height,
        "mines": shape.mines,
        "safe": shape.safe,
        "rows": _rows(state, viewer),
        "players": [_player(state, seat, player, viewer) for seat, player in enumerate(state.players)],
    }
    if state.mode == "coop":
        shown["lives"] = state.lives
        shown["open"] = state.visible_boards[0].open
    elif state.mode == "duel":
        shown["turn"] = None if state.phase == OVER else state.turn
    return shown


def _rows(state: State, viewer: int | None) -> list[str] | None:
    """Return the rows. Mines are revealed to all viewers at the same time, when the match is decided for all seats."""
    decided, board = state.phase in (REVIEW, OVER), state.board
    if state.mode == "race" and viewer is None:
        return solved(board).reveal(board, won=False).rows() if decided and board else None
    visible = state.visible_boards[state.board_index(viewer or 0)]
    if decided and board:
        visible = visible.reveal(board, won=visible.open == board.shape.safe)
    return visible.rows()


def _player(state: State, seat: int, player: Player, viewer: int | None) -> Plain:
    """Return what ``viewer`` may know of a seat. During the match only the seat itself sees its clicks."""
    race = state.mode == "race"
    shown: Plain = {"state": player.status, "open": state.visible_boards[seat].open if race else player.opened}
    if state.mode == "duel":
        shown["found"] = player.found
        shown["bomb"] = "ready" if may_bomb(state, seat) else "kept" if player.bomb else "thrown"
        return shown
    if player.ended is not None:
        shown["ms"] = state.time_of(seat)
    if seat == viewer or state.phase in (REVIEW, OVER):
        shown["clicks"] = player.clicks
    if state.options.penalty:
        shown["penalty"] = player.penalty
    return shown


def redact(event: Event, viewer: int | None) -> Plain | None:
    """Return the event as ``viewer`` may see it, None if it is secret from this viewer."""
    return _SHOWN[type(event)](event, viewer)


def _cells(at: tuple[At, ...]) -> list[list[int]]:
    return [list(cell) for cell in at]


def _placed(event: events.Placed, viewer: int | None) -> Plain:
    shown: Plain = {"e": "board"}
    if event.at is not None:
        shown["n"] = event.n
        if viewer is not None:
            shown["at"] = list(event.at)
    return shown


def _opened(event: events.Opened, viewer: int | None) -> Plain:
    shown: Plain = {"e": "open", "seat": event.seat, "n": event.n}
    if viewer == event.seat or not event.private:
        shown["at"] = _cells(event.at)
    return shown


def _flagged(event: events.Flagged, viewer: int | None) -> Plain | None:
    if event.private and viewer != event.seat:
        return None
    return {"e": "flag", "seat": event.seat, "at": _cells(event.at), "on": event.on}


def _exploded(event: events.Exploded, viewer: int | None) -> Plain:
    shown: Plain = {"e": "mine", "seat": event.seat}
    if viewer == event.seat or not event.private:
        shown["at"] = list(event.at)
    return shown


_SHOWN: dict[type, Callable[[Any, int | None], Plain | None]] = {
    events.Placed: _placed,
    events.Opened: _opened,
    events.Flagged: _flagged,
    events.Exploded: _exploded,
    events.Making: lambda event, _: {"e": "making"},
    events.Out: lambda event, _: {"e": "out", "seat": event.seat, "why": event.why},
    events.Cleared: lambda event, _: {"e": "done", "seat": event.seat, "ms": event.ms},
    events.Found: lambda event, _: {"e": "found", "seat": event.seat, "at": _cells(event.at)},
    events.NoMine: lambda event, _: {"e": "miss", "seat": event.seat, "at": list(event.at), "n": event.n},
    events.Bombed: lambda event, _: {
        "e": "bomb",
        "seat": event.seat,
        "at": list(event.at),
        "n": event.n,
        "found": event.found,
    },
    events.Passed: lambda event, _: {"e": "pass", "seat": event.seat},
    events.Ended: lambda event, _: {"e": "end", "why": event.why},
    events.ReviewDone: lambda event, _: {"e": "review"},
}

"""What a key or click means, and moves on their way to the server."""

import pytest
from tests.client.minesweeper_rooms import board, duel

from parlour_client.text.minesweeper.board import Board
from parlour_client.tui.games.minesweeper.moves import MOST, Move, PendingMoves, action, move
from parlour_games.minesweeper.actions import MAX_MOVES

STARTED = board("F1*", "22.", "...")


@pytest.mark.parametrize(
    ("here", "verb", "at", "meant"),
    [
        (board(), "open", (0, 0), ("open", 0, 0)),
        (board(), "open", (2, 0), ("chord", 2, 0)),
        (board(), "chord", (2, 0), ("chord", 2, 0)),
        (board(), "flag", (0, 0), ("flag", 0, 0)),
        (board(), "flag", (3, 0), ("unflag", 3, 0)),
        (STARTED, "chord", (1, 1), ("chord", 1, 1)),
        (duel(), "open", (0, 0), ("open", 0, 0)),
        (duel(), "bomb", (3, 2), ("bomb", 3, 2)),
    ],
)
def test_what_a_gesture_means(here: Board, verb: str, at: tuple[int, int], meant: object) -> None:
    assert move(here, 0, verb, at) == meant


@pytest.mark.parametrize(
    ("here", "verb", "at", "why"),
    [
        (board(), "open", (3, 0), "d1 is flagged: take the flag away first."),
        (board(), "open", (3, 1), "There is nothing left to open around d2."),
        (board(), "open", (0, 1), "a2 says 1, but 0 around it are flagged."),
        (board("1F", "F."), "chord", (0, 0), "a1 says 1, but 2 around it are flagged."),
        (board("2F", ".."), "open", (0, 0), "a1 says 2, but 1 around it is flagged."),
        (board(), "chord", (0, 0), "a1 is closed: a chord needs an open number."),
        (board(), "flag", (0, 1), "a2 is open: it needs no flag."),
        (STARTED, "open", (2, 0), "c1 is a mine that was set off."),
        (STARTED, "flag", (2, 0), "c1 is a mine that was set off."),
        (board(), "bomb", (0, 0), "Bombs are only for duels."),
        (duel(), "open", (2, 0), "c1 is open already: look for a mine under a closed cell."),
        (duel(), "flag", (0, 0), "A duel has no flags: open a cell if you think it has a mine."),
        (duel(), "chord", (2, 0), "A duel has no flags: open a cell if you think it has a mine."),
        (duel(bomb="kept"), "bomb", (0, 0), "Your bomb is for when you are behind."),
        (duel(bomb="thrown"), "bomb", (0, 0), "You have thrown your bomb."),
    ],
)
def test_what_a_gesture_cannot_mean(here: Board, verb: str, at: tuple[int, int], why: str) -> None:
    assert move(here, 0, verb, at) == why


def waiting(*moves: Move) -> PendingMoves:
    made = PendingMoves()
    for each in moves:
        made.add(each)
    return made


@pytest.mark.parametrize(
    ("moves", "act"),
    [
        ([("open", 3, 4)], {"do": "open", "cells": [[3, 4]]}),
        ([("flag", 0, 0), ("flag", 1, 0)], {"do": "flag", "cells": [[0, 0], [1, 0]]}),
        ([("flag", 0, 0), ("chord", 1, 1)], {"do": "seq", "moves": [["flag", 0, 0], ["chord", 1, 1]]}),
        ([("bomb", 2, 2)], {"do": "bomb", "at": [2, 2]}),
    ],
)
def test_moves_become_one_action(moves: list[Move], act: object) -> None:
    assert action(moves) == act


def test_one_act_is_under_way_and_the_rest_goes_together_with_the_next_question() -> None:
    moves, here = waiting(("open", 0, 0)), board()
    assert moves.next_act(1, here) == {"do": "open", "cells": [[0, 0]]}
    moves.add(("flag", 1, 0))
    moves.add(("open", 0, 1))
    assert moves.next_act(1, here) is None
    moves.question_opened(1)
    assert moves.next_act(1, here) is None, "the question is the same: the act has not arrived"
    moves.question_opened(2)
    assert moves.next_act(2, here) == {"do": "seq", "moves": [["flag", 1, 0], ["open", 0, 1]]}
    moves.question_opened(3)
    assert moves.next_act(3, here) is None, "nothing waits"
    assert not moves.all()


def test_more_moves_than_fit_one_act_go_in_two_and_who_clicks_too_far_ahead_is_not_heard() -> None:
    moves = waiting(*[("open", 0, n) for n in range(MAX_MOVES + 3)])
    first = moves.next_act(1, board()) or {}
    moves.question_opened(2)
    second = moves.next_act(2, board()) or {}
    assert (len(first["cells"]), len(second["cells"])) == (MAX_MOVES, 3)
    assert len(waiting(*[("open", 0, 0)] * (MOST + 10)).all()) == MOST


def test_flags_show_before_they_are_confirmed_and_not_after_a_refusal_nor_on_an_open_cell() -> None:
    moves, here = waiting(("flag", 0, 0), ("unflag", 3, 0), ("open", 1, 0), ("flag", 2, 0)), board()
    assert moves.applied_to(here).rows == ["F.1.", "1112", "0000"]
    assert moves.cells() == {(0, 0), (3, 0), (1, 0), (2, 0)}
    moves.clear()
    assert moves.applied_to(here).rows == here.rows
    assert not moves.cells()


def test_in_a_duel_cells_that_are_open_by_now_are_left_out_of_the_act_and_a_bomb_goes_alone() -> None:
    moves = waiting(("open", 0, 0), ("open", 2, 0))
    assert moves.next_act(4, duel()) == {"do": "open", "cells": [[0, 0]]}
    nothing = waiting(("open", 2, 0))
    assert nothing.next_act(4, duel()) is None
    assert not nothing.all()
    moves = waiting(("bomb", 1, 1), ("open", 0, 0))
    assert moves.next_act(1, duel()) == {"do": "bomb", "at": [1, 1]}
    assert moves.waiting == [("open", 0, 0)]

import pytest
from tests.client.tui.games.minesweeper.boards import board, duel

from parlour_client.text.minesweeper.board import Board
from parlour_client.tui.games.minesweeper.moves import move

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

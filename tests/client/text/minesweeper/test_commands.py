import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.minesweeper_rooms import room, view

from parlour_client.text.base import UnclearInput
from parlour_client.text.minesweeper.board import Board, board_of
from parlour_client.text.minesweeper.commands import choose
from parlour_games.minesweeper.actions import ACTIONS, MAX_MOVES
from parlour_protocol.messages import Plain
from parlour_protocol.wire import strict, tagged

#       a b c d e
ROWS = [
    ". . 1 0 0",  # 1
    ". F 2 0 0",  # 2
    ". . 2 1 1",  # 3
    ". . . . .",  # 4
    ". * 1 . .",  # 5
]


def board(mode: str = "solo", rows: list[str] = ROWS, **more: Any) -> Board:
    found = board_of(room(view(rows=[row.replace(" ", "") for row in rows], mode=mode, **more)))
    assert found
    return found


SOLO, DUEL = board(), board("duel", [". . 1 0 0", "A . 2 0 0", "B . 2 1 1"])


@pytest.mark.parametrize(
    ("here", "text", "action"),
    [
        (SOLO, "a1", {"do": "open", "cells": [[0, 0]]}),
        (SOLO, " A1 ", {"do": "open", "cells": [[0, 0]]}),
        (SOLO, "open a1", {"do": "open", "cells": [[0, 0]]}),
        (SOLO, "o a1, a2;a3", {"do": "open", "cells": [[0, 0], [0, 1], [0, 2]]}),
        (SOLO, "f a1 a2", {"do": "flag", "cells": [[0, 0], [0, 1]]}),
        (SOLO, "flag b2", {"do": "unflag", "cells": [[1, 1]]}),
        (SOLO, "f b2 a1", {"do": "seq", "moves": [["unflag", 1, 1], ["flag", 0, 0]]}),
        (SOLO, "f a1 a1", {"do": "seq", "moves": [["flag", 0, 0], ["unflag", 0, 0]]}),
        (SOLO, "c c1", {"do": "chord", "cells": [[2, 0]]}),
        (SOLO, "f b1 chord c2", {"do": "seq", "moves": [["flag", 1, 0], ["chord", 2, 1]]}),
        (SOLO, "a4 c c1", {"do": "seq", "moves": [["open", 0, 3], ["chord", 2, 0]]}),
        (SOLO, "a4 c b4", {"do": "seq", "moves": [["open", 0, 3], ["chord", 1, 3]]}),
        (SOLO, "f b2 o b2", {"do": "seq", "moves": [["unflag", 1, 1], ["open", 1, 1]]}),
        (SOLO, "d1 a1", {"do": "open", "cells": [[0, 0]]}),
        (SOLO, "c c5 ", {"do": "chord", "cells": [[2, 4]]}),
        (SOLO, "RESIGN", {"do": "resign"}),
        (DUEL, "a1", {"do": "open", "cells": [[0, 0]]}),
        (DUEL, "a1 b1", {"do": "open", "cells": [[0, 0], [1, 0]]}),
        (DUEL, "b c2", {"do": "bomb", "at": [2, 1]}),
        (DUEL, "resign", {"do": "resign"}),
    ],
)
def test_what_is_typed_is_an_action(here: Board, text: str, action: Plain) -> None:
    assert choose(here, text) == action


@pytest.mark.parametrize(
    ("here", "text", "told"),
    [
        (SOLO, "3 4", "'3' is not clear: a cell is a column's letter and a row's number, like d5."),
        (SOLO, "5d", "'5d' is not clear:"),
        (SOLO, "flga d5", "'flga' is not clear:"),
        (SOLO, "\x1b[2J" + "x" * 99, "'\\x1b[2jxxxxxxxxxxxxxxxx' is not clear:"),
        (SOLO, "f 1", "'1' is not clear:"),
        (SOLO, "z1", "z1 is off the board: columns are a to e, rows 1 to 5."),
        (SOLO, "a0", "a0 is off the board: columns are a to e, rows 1 to 5."),
        (SOLO, "a6", "a6 is off the board"),
        (SOLO, "f", "Flag which cell? Write it like f c3"),
        (SOLO, "f c a1", "Flag which cell?"),
        (SOLO, "a1 c", "Chord which cell? Write it like c c3"),
        (SOLO, ", ;", "Open which cell? Write it like c3"),
        (SOLO, "c1", "c1 is open already. c c1 opens around it, if its flags are in place."),
        (SOLO, "d1 c1", "d1 is open already."),
        (SOLO, "b2", "b2 is flagged: f b2 takes the flag away first."),
        (SOLO, "b5", "b5 is a mine that was set off."),
        (SOLO, "f b5", "b5 is a mine that was set off."),
        (SOLO, "f c1", "c1 is open: it needs no flag."),
        (SOLO, "c a1", "a1 is closed: c opens around an open number."),
        (SOLO, "c c2", "c2 says 2, but 1 around it is flagged."),
        (SOLO, "f a1 b1 c c1", "c1 says 1, but 2 around it are flagged."),
        (SOLO, "c d3", "d3 says 1, but 0 around it are flagged."),
        (SOLO, "c d1", "There is nothing left to open around d1."),
        (SOLO, "bomb a1", "Bombs are only for duels."),
        (SOLO, "pass", "To give up, type resign. You cannot pass."),
        (SOLO, "resign a1", "To give up, type resign"),
        (SOLO, "a1 " * 65, "That is 65 cells: name at most 64 at a time."),
        (DUEL, "f a1", "In a duel you look for mines: d5 opens, b d5 throws your bomb around it."),
        (DUEL, "a1 b b1", "In a duel you look for mines"),
        (DUEL, "b a1 b1", "Throw a bomb alone, at one cell: b d5"),
        (DUEL, "c1", "c1 is open already: look for a mine under a closed cell."),
        (DUEL, "a2", "a2 is open already: look for a mine under a closed cell."),
    ],
)
def test_what_is_typed_wrong_teaches(here: Board, text: str, told: str) -> None:
    with pytest.raises(UnclearInput, match=f"^{re.escape(told)}"):
        choose(here, text)


WORDS = st.sampled_from(["a1", "b2", "c1", "c2", "d4", "e9", "zz1", "f", "c", "o", "b", "resign", "pass", "?", "5"])
READERS = {do: strict(cls) for do, cls in tagged(ACTIONS, "do").items()}


@given(
    st.sampled_from([SOLO, board("coop"), DUEL, board(rows=["."], width=1, height=1)]),
    st.text(max_size=30) | st.lists(WORDS, max_size=70).map(" ".join),
)
def test_whatever_is_typed_is_an_action_of_the_game_or_unclear(here: Board, text: str) -> None:
    try:
        action = choose(here, text)
    except UnclearInput:
        return
    assert READERS[action["do"]]({name: value for name, value in action.items() if name != "do"})
    cells = [*action.get("cells", ()), *([action["at"]] if "at" in action else ())]
    cells += [move[1:] for move in action.get("moves", ())]
    assert len(cells) <= MAX_MOVES
    assert all(0 <= x < here.width and 0 <= y < here.height for x, y in cells)

"""Actions on the wire: exact fields, pairs and triples of integers, no conversions."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.minesweeper.tables import MINES

from parlour_games.minesweeper.actions import (
    ACTIONS,
    Action,
    Bomb,
    Chord,
    Flag,
    Open,
    Pass,
    Resign,
    Seq,
    Unflag,
    Verb,
    steps,
)
from parlour_protocol.errors import BadMessage
from parlour_protocol.wire import strict, tagged

BY_TAG = tagged(ACTIONS, "do")
cells = st.lists(st.tuples(st.integers(-(2**53) + 1, 2**53 - 1), st.integers(-5, 105)), max_size=70).map(tuple)
verbs = st.sampled_from(get_args(Verb))
moves = st.lists(st.tuples(verbs, st.integers(-5, 105), st.integers(-5, 105)), max_size=70).map(tuple)
any_action = st.one_of(
    st.builds(Open, cells),
    st.builds(Flag, cells),
    st.builds(Unflag, cells),
    st.builds(Chord, cells),
    st.builds(Seq, moves),
    st.builds(Bomb, st.tuples(st.integers(), st.integers()).filter(lambda at: max(map(abs, at)) < 2**53)),
    st.sampled_from([Pass(), Resign()]),
)


def read(plain: dict[str, Any]) -> Action:
    fields = {name: value for name, value in plain.items() if name != "do"}
    action: Action = strict(BY_TAG[plain["do"]])(fields)
    return action


@pytest.mark.parametrize(
    ("action", "plain"),
    [
        (Open(((1, 2), (3, 4))), {"do": "open", "cells": [[1, 2], [3, 4]]}),
        (Flag(((0, 0),)), {"do": "flag", "cells": [[0, 0]]}),
        (Unflag(((0, 0),)), {"do": "unflag", "cells": [[0, 0]]}),
        (Chord(((5, 0),)), {"do": "chord", "cells": [[5, 0]]}),
        (Seq((("open", 0, 1), ("chord", 2, 3))), {"do": "seq", "moves": [["open", 0, 1], ["chord", 2, 3]]}),
        (Bomb((0, 7)), {"do": "bomb", "at": [0, 7]}),
        (Pass(), {"do": "pass"}),
        (Resign(), {"do": "resign"}),
    ],
)
def test_wire_form(action: Action, plain: dict[str, Any]) -> None:
    assert MINES.wire(action) == plain
    assert read(plain) == action


@given(any_action)
def test_written_actions_are_read_back(action: Action) -> None:
    again = read(MINES.wire(action))
    assert again == action
    assert type(again) is type(action)
    assert hash(again) == hash(action)


@pytest.mark.parametrize(
    ("plain", "text"),
    [
        ({"do": "open"}, "cells is missing"),
        ({"do": "open", "cells": [[0, 0]], "at": [0, 0]}, "has no field 'at'"),
        ({"do": "open", "cells": [[0]]}, "must be a list of 2"),
        ({"do": "open", "cells": [[0, 0, 0]]}, "must be a list of 2"),
        ({"do": "open", "cells": ["00"]}, "must be a list of 2"),
        ({"do": "open", "cells": "00"}, "must be a list"),
        ({"do": "flag", "cells": [[0, True]]}, "must be an integer"),
        ({"do": "flag", "cells": [[0, 1.0]]}, "must be an integer"),
        ({"do": "chord", "cells": [[2**53, 0]]}, "must be an integer between"),
        ({"do": "seq", "moves": [["open", 0]]}, "must be a list of 3"),
        ({"do": "seq", "moves": [["bomb", 0, 0]]}, "must be one of open, flag, unflag, chord"),
        ({"do": "seq", "moves": [[0, "open", 0]]}, "must be one of open, flag, unflag, chord"),
        ({"do": "seq", "moves": [["open", False, 0]]}, "must be an integer"),
        ({"do": "bomb", "at": [[0, 0]]}, "must be a list of 2"),
        ({"do": "pass", "cells": []}, "has no field 'cells'"),
    ],
)
def test_inexact_actions_are_refused(plain: dict[str, Any], text: str) -> None:
    with pytest.raises(BadMessage, match=text):
        read(plain)


def test_steps_are_the_single_moves() -> None:
    assert steps(Flag(((1, 2), (3, 4)))) == [("flag", 1, 2), ("flag", 3, 4)]
    assert steps(Seq((("open", 0, 1), ("chord", 2, 3)))) == [("open", 0, 1), ("chord", 2, 3)]

"""Deals that are played once more."""

import json
from typing import Any

import pytest

from parlour_client.core.options import repeated

BEGUN = {"game": "minesweeper", "players": [{}], "secret": "5e", "context": "K7QD/1", "nonces": [""]}


@pytest.mark.parametrize(
    ("acts", "cell"),
    [
        ([{"do": "flag", "cells": [[8, 8]]}, {"do": "open", "cells": [[2, 1], [0, 0]]}], 11),
        ([{"do": "seq", "moves": [["flag", 0, 0], ["open", 3, 0], ["open", 5, 5]]}], 3),
        ([{"do": "resign"}], None),
    ],
)
def test_a_board_begins_with_the_cell_that_it_began_with(acts: list[Any], cell: int | None) -> None:
    begun = {**BEGUN, "options": {"mode": "solo", "level": "beginner"}}
    create = repeated([json.dumps(record) for record in (begun, *({"r": "act", "act": act} for act in acts))])
    assert create.options is not None
    assert create.options.get("first_cell") == cell
    assert create.deal == {"secret": "5e", "context": "K7QD/1", "nonces": [""]}


def test_a_board_that_was_open_at_the_start_is_the_same_once_more() -> None:
    begun = {**BEGUN, "options": {"mode": "solo", "level": "beginner", "first_cell": 40}}
    create = repeated(
        [json.dumps(record) for record in (begun, {"r": "act", "act": {"do": "open", "cells": [[2, 1]]}})]
    )
    assert create.options is not None
    assert create.options["first_cell"] == 40

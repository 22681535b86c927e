"""What ``Game`` implements for every game: indices into legal actions, and the wire form of actions."""

from typing import ClassVar

import attrs
import pytest
from tests.games.uno.tables import UNO, fair

from parlour_games.game import Game, IllegalAction
from parlour_games.uno.options import Options
from parlour_games.uno.plugin import Uno


@attrs.frozen
class Move:
    do: ClassVar[str] = "move"
    at: int
    name: str | None = None
    loud: bool = False


def test_an_index_selects_from_legal_and_one_out_of_range_is_refused() -> None:
    state, _ = UNO.start(Options(), 2, fair())
    [asked] = [decision for decision in UNO.decisions(state) if decision.must]
    legal = UNO.legal(state, asked.seat, asked.key)
    assert [UNO.indexed(state, asked.seat, asked.key, i) for i in range(len(legal))] == legal
    for index in (-1, len(legal), 1000):
        with pytest.raises(IllegalAction, match=f"no action {index}: legal has {len(legal)}, numbered from 0"):
            UNO.indexed(state, asked.seat, asked.key, index)


def test_the_wire_form_omits_absent_fields_but_not_zeros() -> None:
    game: Game[object, object, object, object] = Uno()  # type: ignore[assignment]
    assert game.wire(Move(0)) == {"do": "move", "at": 0}
    assert game.wire(Move(3, "a", True)) == {"do": "move", "at": 3, "name": "a", "loud": True}

"""The state: rings of seats, copies, the canonical form."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.uno.tables import UNO, table

from parlour_games.uno.cards import cards_in
from parlour_games.uno.state import State, rings


@given(seats=st.integers(2, 10), out=st.integers(0, 1023))
def test_rings_pass_over_seats_that_are_out(seats: int, out: int) -> None:
    remaining = [seat for seat in range(seats) if not out >> seat & 1]
    up, down = rings(seats, out)
    assert all(down[up[seat]] == seat for seat in remaining)
    assert remaining[1:] == [up[seat] for seat in remaining[:-1]]
    for ring in (up, down):
        assert all(ring[seat] in remaining for seat in range(seats) if remaining)
        if remaining:
            walk = [remaining[0]]
            while len(walk) < len(remaining):
                walk.append(ring[walk[-1]])
            assert sorted(walk) == remaining
            assert ring[walk[-1]] == walk[0]


def test_the_canonical_form_is_json_and_spells_cards_out() -> None:
    t = table("w r1", "y1 y2", top="r5", deck="b9")
    t.draw(0)
    plain = UNO.canonical(t.state)
    assert json.loads(json.dumps(plain)) == plain
    assert plain["hands"][1] == [26, 28]
    assert plain["drawn"] == [92]
    assert plain["phase"] == "drawn"
    assert plain["options"]["scoring"] == "race"
    t.keep(0)
    assert UNO.canonical(t.state)["drawn"] == [], "it is forgotten"


def test_the_canonical_form_names_the_hand_behind_a_wild_draw_four() -> None:
    t = table("w+4 r2 b3", "y1 y2", top="r5")
    hand = cards_in(t.state.hands[0])[:2]
    t.play(0, "w+4", "green")
    assert UNO.canonical(t.state)["evidence"] == hand


DERIVED = {"fair", "stream", "public", "asked", "ring", "active", "house", "before"}


@pytest.mark.parametrize("name", [name for name in State.__slots__ if name not in DERIVED])
def test_the_canonical_form_has_every_field_that_matters(name: str) -> None:
    state = table("r1", "y1", false_call_penalty=2, stack2=True).state
    state.pending, state.laid_by, state.stood = 2, 1, (0, 3)
    assert name in UNO.canonical(state)


def test_fields_that_only_house_rules_change_appear_only_under_them() -> None:
    """The states of matches older than these rules keep their hashes."""
    plain = UNO.canonical(table("r1", "y1").state)
    assert not plain.keys() & {"pending", "laid_by", "stood", "claims"}
    assert set(plain["options"]) == {
        *("scoring", "target", "breath", "pause"),
        *("call_penalty", "no_bluff", "strict_wild4", "first_card_number_only"),
    }
    told = UNO.canonical(table("r1", "y1", preset="chaos").state)["options"]
    assert told["jump_in"] is True
    assert told["false_call_penalty"] == 2
    assert "preset" not in told

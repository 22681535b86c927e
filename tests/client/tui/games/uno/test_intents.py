"""What is open to a person, and choices on their way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.messages import VIEW, joined, table

from parlour_client.core.room import JoinedRoom, Question
from parlour_client.tui.games.uno.intents import Intent, around, intents_of, others_in, together
from parlour_games.uno.cards import COLOURS
from parlour_protocol.messages import Offer, Plain

WILD = [{"do": "play", "card": 100, "colour": colour, "uno": True} for colour in COLOURS]
SILENT = [{"do": "play", "card": 100, "colour": colour} for colour in COLOURS]


def room(
    legal: list[Plain] | None = None, may: list[Offer] | None = None, seat: int | None = 0, **more: object
) -> JoinedRoom:
    made = JoinedRoom.of(joined(0, seat=seat, view={**VIEW, **more}, table=table("playing", options={})))
    made.question = None if legal is None else Question(7, legal, None)
    made.may = may or []
    return made


def test_the_variants_of_a_play_are_one_intent() -> None:
    moves = intents_of(room([{"do": "play", "card": 9}, *WILD, *SILENT, {"do": "draw"}]))
    assert list(moves.plays) == [9, 100]
    assert len(moves.plays[100].ways) == 8
    assert list(moves.answers) == ["draw"]
    assert moves.rid == 7


def test_what_is_left_open_is_asked_one_after_the_other() -> None:
    intent = intents_of(room([*WILD, *SILENT])).plays[100]
    assert intent.open == "colour"
    assert intent.values("colour") == list(COLOURS)
    chosen = intent.narrowed("colour", "green")
    assert chosen.open is None
    assert chosen.decided(True) == (7, {"do": "play", "card": 100, "colour": "green", "uno": True})
    assert chosen.decided(False) == (7, {"do": "play", "card": 100, "colour": "green"})
    with pytest.raises(ValueError, match="violet"):
        intent.narrowed("colour", "violet")


def test_a_call_is_left_out_where_there_is_none() -> None:
    assert Intent(((7, {"do": "draw"}),)).decided(True) == (7, {"do": "draw"})


@given(st.lists(st.sampled_from([*WILD, *SILENT, *({"do": "play", "card": 13, "swap": seat} for seat in range(1, 5))])))
def test_whatever_is_chosen_the_act_is_one_that_is_legal(legal: list[Plain]) -> None:
    for intent in intents_of(room(legal)).plays.values():
        while intent.open is not None:
            intent = intent.narrowed(intent.open, intent.values(intent.open)[-1])
        for calls in (True, False):
            assert intent.decided(calls)[1] in legal


def test_offers_keep_their_own_rids() -> None:
    may: list[Offer] = [
        {"rid": 3, "legal": [{"do": "uno"}]},
        {"rid": 4, "legal": [{"do": "catch", "seat": 1}]},
        {"rid": 6, "legal": [{"do": "jump", "card": 9}]},
    ]
    moves = intents_of(room(None, may))
    assert moves.rid is None
    assert "uno" in moves.offers
    assert "catch" in moves.offers
    assert "jump" in moves.offers
    assert moves.offers["uno"].rid == 3
    assert moves.offers["catch"].decided(False) == (4, {"do": "catch", "seat": 1})
    assert moves.offers["jump"].decided(False)[0] == 6


@pytest.mark.parametrize(("hand", "swaps"), [([13, 38, 100], [1, 2]), ([13, 38], [None])])
def test_sevens_laid_together_ask_whom_to_swap_with_unless_they_are_the_last(
    hand: list[int], swaps: list[int | None]
) -> None:
    here = room([{"do": "draw"}], hand=hand)
    here.table["options"]["seven_zero"] = True
    intent = together(here, [13, 38])
    assert intent
    assert intent.values("swap") == swaps


def test_without_a_question_no_cards_are_laid_together() -> None:
    assert together(room(None), [9, 34]) is None


def test_the_others_sit_in_order_from_the_seat_after_ours() -> None:
    assert around(room(seat=1, counts=[1, 2, 3, 4])) == [2, 3, 0]
    assert around(room(seat=None)) == [0, 1, 2]
    assert others_in(room(seat=1, counts=[1, 2, 3, 4], out=[3])) == [2, 0]

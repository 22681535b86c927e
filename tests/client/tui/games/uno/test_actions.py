"""What is open to a person, choices on their way, and the row of buttons for them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.messages import row
from tests.client.tui.games.uno.tables import NAMES, TRUECOLOUR, room

from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.uno.buttons import Button, Buttons, may_call, menu
from parlour_client.tui.games.uno.intents import Choosing, Intent, around, intents_of, others_in, together
from parlour_games.uno.cards import COLOURS
from parlour_protocol.messages import Plain

WILD = [{"do": "play", "card": 100, "colour": colour, "uno": True} for colour in COLOURS]
SILENT = [{"do": "play", "card": 100, "colour": colour} for colour in COLOURS]


def test_the_variants_of_a_play_are_one_intent() -> None:
    moves = intents_of(room([{"do": "play", "card": 9}, *WILD, *SILENT, {"do": "draw"}]))
    assert list(moves.plays) == [9, 100]
    assert len(moves.plays[100].ways) == 8
    assert list(moves.answers) == ["draw"]
    assert moves.rid == 7


def test_what_is_left_open_is_asked_one_after_the_other_and_a_call_is_left_out_where_there_is_none() -> None:
    intent = intents_of(room([*WILD, *SILENT])).plays[100]
    assert intent.open == "colour"
    assert intent.values("colour") == list(COLOURS)
    chosen = intent.narrowed("colour", "green")
    assert chosen.open is None
    assert chosen.decided(True) == (7, {"do": "play", "card": 100, "colour": "green", "uno": True})
    assert chosen.decided(False) == (7, {"do": "play", "card": 100, "colour": "green"})
    with pytest.raises(ValueError, match="violet"):
        intent.narrowed("colour", "violet")
    assert Intent(((7, {"do": "draw"}),)).decided(True) == (7, {"do": "draw"})


@given(st.lists(st.sampled_from([*WILD, *SILENT, *({"do": "play", "card": 13, "swap": seat} for seat in range(1, 5))])))
def test_whatever_is_chosen_the_act_is_one_that_is_legal(legal: list[Plain]) -> None:
    for intent in intents_of(room(legal)).plays.values():
        while intent.open is not None:
            intent = intent.narrowed(intent.open, intent.values(intent.open)[-1])
        for calls in (True, False):
            assert intent.decided(calls)[1] in legal


def test_offers_keep_their_own_rids() -> None:
    acts: list[Plain] = [{"do": "uno"}, {"do": "catch", "seat": 1}, {"do": "jump", "card": 9}]
    here = room()
    here.may = [{"rid": rid, "legal": [act]} for rid, act in enumerate(acts, 3)]
    moves = intents_of(here)
    assert moves.rid is None
    decided = {do: intent.decided(False) for do, intent in moves.offers.items()}
    assert decided == {act["do"]: (rid, act) for rid, act in enumerate(acts, 3)}


@pytest.mark.parametrize(("hand", "swaps"), [([13, 38, 100], [1, 2]), ([13, 38], [None])])
def test_sevens_laid_together_ask_for_a_swap_unless_they_are_the_last(hand: list[int], swaps: list[Any]) -> None:
    intent = together(room([{"do": "draw"}], options={"seven_zero": True}, hand=hand), [13, 38])
    assert intent
    assert intent.values("swap") == swaps
    assert together(room(), [9, 34]) is None, "nothing is asked"


def test_the_others_sit_in_order_from_the_seat_after_ours() -> None:
    assert around(room(seat=1, counts=[1, 2, 3, 4])) == [2, 3, 0]
    assert around(room(seat=None)) == [0, 1, 2]
    assert others_in(room(seat=1, counts=[1, 2, 3, 4], out=[3])) == [2, 0]


def offered(here: JoinedRoom, asking: Intent | None = None) -> list[str]:
    choosing = Choosing()
    if asking is not None:
        choosing.choose(asking)
    prompt, buttons = menu(TRUECOLOUR, here, intents_of(here), choosing, ())
    return [prompt, *(f"{button.key} {button.label}: {button.action}" for button in buttons)]


@pytest.mark.parametrize(("legal", "view", "buttons"), [
    (["pass"], {"phase": "drawn", "drawn": 9}, ["p keep it: answer('pass')"]),
    (["pass"], {"phase": "drawn", "drawn": None}, ["p pass: answer('pass')"]),
    (
        ["accept", "challenge"],
        {"phase": "challenge", "pending": 8},
        ["a accept 8 cards: answer('accept')", "x challenge (10 if wrong): answer('challenge')"],
    ),
])  # fmt: skip
def test_what_can_be_done_besides_a_play(legal: list[str], view: Plain, buttons: list[str]) -> None:
    assert offered(room([{"do": do} for do in legal], **view)) == ["", *buttons]


def test_nine_players_to_swap_with_have_keys() -> None:
    ways = tuple((7, {"do": "play", "card": 13, "swap": seat}) for seat in range(1, 10))
    people = [row(seat, name) for seat, name in enumerate(NAMES)]
    keys = [f"{seat} {NAMES[seat]} ▮5: narrow('swap', {seat})" for seat in range(1, 10)]
    shown = offered(room([], people=people, counts=[5] * 10), Intent(ways))
    assert shown == ["Swap hands with:", *keys, "esc back: back"]


@pytest.mark.parametrize(
    ("held", "marked", "may"), [(2, 0, True), (3, 0, False), (1, 0, False), (3, 2, True), (2, 1, True)]
)
def test_when_uno_can_be_called_with_the_next_card(held: int, marked: int, may: bool) -> None:
    assert may_call(range(held), range(marked)) is may


def test_labels_are_cut_only_as_far_as_it_takes() -> None:
    buttons = Buttons(TRUECOLOUR)
    buttons.set_buttons([Button("1", "constantinople", "play"), Button("2", "rome", "play")])
    assert buttons.paint(80, 1)[0].text.strip() == "1 constantinople  2 rome"
    assert buttons.paint(20, 1)[0].text.strip() == "1 constanti…  2 rome"


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=9), st.integers(60, 160))
def test_the_buttons_of_any_names_fit_into_a_row(labels: list[str], width: int) -> None:
    buttons = Buttons(TRUECOLOUR)
    buttons.set_buttons([Button(str(at), label, "play") for at, label in enumerate(labels)])
    [line] = buttons.paint(width, 1)
    assert line.cell_length <= width
    assert all(line.text.count(f"{at} ") for at in range(len(labels)))

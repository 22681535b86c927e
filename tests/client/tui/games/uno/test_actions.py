"""The row of what can be done, and the buttons it is made of."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.messages import VIEW, joined, row, table
from tests.client.tui.games.uno.tables import NAMES, TRUECOLOUR

from parlour_client.core.room import JoinedRoom, Question
from parlour_client.tui.games.uno.buttons import Button, Buttons, may_call, menu
from parlour_client.tui.games.uno.intents import Choosing, Intent, intents_of
from parlour_protocol.messages import Plain


def room(*legal: Plain, seats: int = 3, **view: Any) -> JoinedRoom:
    people = [row(seat, NAMES[seat]) for seat in range(seats)]
    here = JoinedRoom.of(joined(0, seat=0, view={**VIEW, **view}, table=table("playing", seats=people)))
    here.question = Question(7, list(legal), None)
    return here


def offered(
    here: JoinedRoom, asking: Intent | None = None, calls: bool = False, marked: tuple[int, ...] = ()
) -> list[str]:
    choosing = Choosing()
    choosing.calls = calls
    if asking is not None:
        choosing.choose(asking)
    prompt, buttons = menu(TRUECOLOUR, here, intents_of(here), choosing, marked)
    return [prompt, *(f"{button.key} {button.label}: {button.action}" for button in buttons)]


def test_a_drawn_card_may_be_kept_and_no_card_passed_over() -> None:
    assert offered(room({"do": "pass"}, phase="drawn", drawn=9)) == ["", "p keep it: answer('pass')"]
    assert offered(room({"do": "pass"}, phase="drawn", drawn=None)) == ["", "p pass: answer('pass')"]


def test_what_a_challenge_costs_is_said() -> None:
    asked = room({"do": "accept"}, {"do": "challenge"}, phase="challenge", pending=8)
    accept, challenge = offered(asked)[1:]
    assert accept == "a accept 8 cards: answer('accept')"
    assert challenge == "x challenge (10 if wrong): answer('challenge')"


def test_nine_players_to_swap_with_have_keys() -> None:
    ways = tuple((7, {"do": "play", "card": 13, "swap": seat}) for seat in range(1, 10))
    shown = offered(room(seats=10, counts=[5] * 10), Intent(ways))
    assert shown[0] == "Swap hands with:"
    assert shown[1] == "1 otto ▮5: narrow('swap', 1)"
    assert shown[9] == "9 max ▮5: narrow('swap', 9)"


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

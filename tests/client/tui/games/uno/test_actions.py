"""What is open to a person: choices on their way, the row of buttons, what the turn line and the latest lines say."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.messages import PLAYING, ROOM, joined, row, update, welcome
from tests.client.tui.games.uno.tables import NAMES, TRUECOLOUR, Sitting, Table, room
from tests.client.tui.scripted_app import at_table
from tests.client.tui.snapshots import lines
from textual.app import App
from textual.widget import Widget

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.tui.games.uno import words
from parlour_client.tui.games.uno.buttons import Button, Buttons, may_call, menu
from parlour_client.tui.games.uno.intents import Choosing, Intent, around, intents_of, others_in, together
from parlour_client.tui.games.uno.words import Ticker
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


PLAY: list[Plain] = [{"do": "play", "card": 9}, {"do": "draw"}]
NAME: list[Plain] = [{"do": "colour", "colour": "red"}]
TAKE: list[Plain] = [{"do": "accept"}]


@pytest.mark.parametrize(("legal", "view", "said"), [
    (PLAY, {}, "YOUR TURN: match ▲ red or 7"),
    (PLAY, {"top": 20}, "YOUR TURN: match ▲ red or ⊘"),
    (PLAY, {"top": 100, "colour": "blue"}, "YOUR TURN: match ◆ blue"),
    ([{"do": "draw"}], {}, "YOUR TURN: match ▲ red or 7 – draw one"),
    ([*PLAY[:1], {"do": "pass"}], {"phase": "drawn", "drawn": 9}, "You drew red 5: play it or keep it"),
    (PLAY[:1], {"phase": "drawn", "drawn": 9}, "You drew red 5: play it"),
    ([{"do": "pass"}], {"phase": "drawn", "drawn": 26}, "You drew yellow 1: it does not fit"),
    ([{"do": "pass"}], {"phase": "drawn", "drawn": None}, "No card was left: pass"),
    ([*TAKE, {"do": "challenge"}], {"phase": "challenge", "top": 104}, "+4 FOR YOU: accept 4 or challenge"),
    (
        [*TAKE, {"do": "challenge"}],
        {"phase": "challenge", "top": 104, "of": 2, "before": "green"},
        "+4 FOR YOU: accept 4 or challenge – did pia hold green?",
    ),
    (
        [{"do": "play", "card": 105, "colour": "red"}, *TAKE, {"do": "challenge"}],
        {"phase": "challenge", "top": 104, "pending": 8},
        "+8 FOR YOU: stack a +4, accept 8 or challenge",
    ),
    (TAKE, {"pending": 6, "top": 23}, "+6 FOR YOU: you draw 6"),
    ([{"do": "play", "card": 24}, *TAKE], {"pending": 2, "top": 23}, "+2 FOR YOU: stack a +2, or draw 2"),
    (NAME, {"phase": "colour", "colour": None}, "YOUR TURN: name the colour of the first card"),
    (None, {"turn": 1}, "otto's turn: match ▲ red or 7"),
    (None, {"turn": 1, "phase": "colour", "colour": None}, "otto's turn:"),
    (None, {"turn": None, "phase": "breath"}, "A moment for calls:"),
    (None, {"turn": None, "phase": "pause"}, "Round over:"),
    (None, {"turn": None, "phase": "over"}, "Match over:"),
    (None, {"turn": 0}, "Your turn is coming: match ▲ red or 7"),
])  # fmt: skip
def test_whose_turn_it_is_and_by_which_rule(legal: list[Plain] | None, view: Plain, said: str) -> None:
    here = room(legal, **view)
    moves = intents_of(here)
    assert f"{words.headline(here, moves)}: {words.rule(TRUECOLOUR, here, moves).plain}".strip() == said


@pytest.mark.parametrize(("legal", "view", "card", "said"), [
    (PLAY, {}, 26, "Yellow 1 does not fit: match ▲ red or 7."),
    (None, {"turn": 2}, 26, "It is pia's turn."),
    (None, {"turn": None}, 26, "It is not your turn."),
    ([{"do": "pass"}], {"phase": "drawn"}, 26, "After drawing, you can play only the card you drew."),
    (TAKE, {"pending": 4, "top": 23}, 26, "Yellow 1 is no answer here: you draw 4."),
    (PLAY, {}, 104, "You cannot play that wild draw four: other cards of yours fit."),
])  # fmt: skip
def test_why_a_card_cannot_be_played(legal: list[Plain] | None, view: Plain, card: int, said: str) -> None:
    here = room(legal, **view)
    assert words.why_not(TRUECOLOUR, here, intents_of(here), card) == said


def test_what_can_be_played_in_words() -> None:
    here = room([{"do": "play", "card": 9}, {"do": "play", "card": 10}])
    assert words.legal(here, intents_of(here)) == "You can play red 5."
    here = room([{"do": "draw"}])
    assert words.legal(here, intents_of(here)) == "No card can be played: draw."


ENDED: Plain = {"e": "round", "winner": 1, "points": [20, 0, 5], "scores": [20, 60, 40]}


def scored(ended: Plain | None, **options: Any) -> list[list[str]]:
    here = room(scores=[20, 60, 40], options=options)
    return [line.plain.split() for line in words.score_table(TRUECOLOUR, here, ended)]


def test_points_are_told_best_first_with_what_was_left_in_hand_to_who_saw_the_round() -> None:
    told = [["points", "in", "hand"], ["otto", "60", "–", "wins"], ["pia", "40", "5"], ["you", "20", "20"]]
    assert scored(ENDED) == told
    assert [line[0] for line in scored(ENDED, scoring="lowest")[1:]] == ["you", "pia", "otto"]
    assert scored(None) == [["points"], ["otto", "60"], ["pia", "40"], ["you", "20"]]
    before = room()
    before.view = None
    assert words.score_table(TRUECOLOUR, before, None) == []


def line(app: App[int], widget: Widget) -> str:
    return lines(app)[widget.region.y].strip()


async def test_what_the_others_did_is_told_newest_last_as_far_as_it_fits() -> None:
    table = Table(hands={0: ["r5", "g3"], 1: ["r1", "b1", "b2"], 2: ["r2", "b3", "b4"], 3: ["g9", "b5"]}, turn=1)
    async with Sitting(table).shown() as (app, pilot):
        table.act(1, do="play", card="r1")
        table.act(2, do="play", card="r2")
        table.act(3, do="draw")
        await app.news()
        assert line(app, app.game_widget.ticker) == "otto plays red 1.  pain-first plays red 2.  pia draws a card."
        await pilot.resize_terminal(60, 24)
        assert line(app, app.game_widget.ticker) == "pain-first plays red 2.  pia draws a card."


async def test_there_is_no_news_of_a_round_that_is_over_nor_beside_the_log() -> None:
    async with Sitting(Table(hands={0: ["r5"], 1: ["r1", "b1"]}, seats=2)).shown() as (app, pilot):
        await pilot.press("1")
        assert line(app, app.game_widget.ticker) == ""
        await pilot.resize_terminal(110, 30)
        assert not app.game_widget.ticker.display


async def test_after_missed_events_nothing_of_before_is_told_as_the_latest() -> None:
    async with at_table(welcome(), joined(**PLAYING)) as seen:
        await seen.hear(update(1, {"e": "pass", "seat": 1}))
        ticker = seen.app.screen.query_one(Ticker)
        assert line(seen.app, ticker) == "otto passes."
        events = [{"e": "pass", "seat": 2}]
        await seen.hear(welcome(ROOM), joined(9, epoch=2, why="resume", gap=True, events=events, **PLAYING))
        gap = say("tui.room.gap")
        assert line(seen.app, ticker) == gap
        assert [told.plain for told in seen.screen._event_log._lines][-2:] == [say("line.room.again"), gap]
        await seen.hear(update(10, {"e": "pass", "seat": 1}))
        assert line(seen.app, ticker) == f"{gap}  otto passes."

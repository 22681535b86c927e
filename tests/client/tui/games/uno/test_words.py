"""What the turn line says, the points after a round, and the line of the latest events."""

from typing import Any

import pytest
from tests.client.messages import PLAYING, ROOM, joined, update, welcome
from tests.client.tui.games.uno.tables import TRUECOLOUR, Sitting, Table, room
from tests.client.tui.scripted_app import at_table
from tests.client.tui.snapshots import lines
from textual.app import App
from textual.widget import Widget

from parlour_client.core.phrases import say
from parlour_client.tui.games.uno import words
from parlour_client.tui.games.uno.intents import intents_of
from parlour_client.tui.games.uno.words import Ticker
from parlour_protocol.messages import Plain

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

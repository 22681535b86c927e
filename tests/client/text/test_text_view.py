"""A match in sentences with numbered answers: for language models, screen readers and programs."""

import pytest
from tests.client import minesweeper_rooms
from tests.client.messages import VIEW, joined, table

from parlour_client.core.room import JoinedRoom, Question
from parlour_client.text.base import UnclearInput
from parlour_client.text.text_view import answer, legend, text_view
from parlour_client.text.uno.words import card_name
from parlour_protocol.messages import Plain

LEGAL: list[Plain] = [{"do": "play", "card": 9}, {"do": "play", "card": 100, "colour": "red"}, {"do": "draw"}]


def asked(legal: list[Plain], view: Plain = VIEW, game: str = "uno", **options: object) -> JoinedRoom:
    room = JoinedRoom.of(joined(0, seat=0, game=game, view=view, table=table("playing", options=options)))
    room.question = Question(7, legal, None)
    return room


def test_uno_is_sentences_and_a_list_numbered_as_in_legal() -> None:
    lines = text_view(asked(LEGAL), ["otto plays red 5."]).splitlines()
    assert "otto plays red 5." in lines[1]
    assert lines[-3:] == ["0: play red 5", "1: play wild, red", "2: draw"]


def test_equal_cards_share_a_line_and_keep_their_numbers() -> None:
    room = asked([{"do": "play", "card": 9}, {"do": "play", "card": 10}, {"do": "draw"}])
    assert text_view(room).splitlines()[-3:] == [
        "Answer with one of these numbers; equal cards share one:",
        "0: play red 5",
        "2: draw",
    ]
    assert answer(room, "1") == 1
    with pytest.raises(UnclearInput, match="0 to 2"):
        answer(room, "3")


def test_what_stays_the_same_is_said_once_and_only_to_remind() -> None:
    room = asked(LEGAL, seven_zero=True, false_call_penalty=2)
    full, brief = text_view(room), text_view(room, remind=False)
    rule = next(line for line in full.splitlines() if line.startswith("House rules"))
    assert text_view(room, [f"Round 1. {rule}"]).count(rule) == 1
    assert rule not in brief
    assert set(brief.splitlines()) < set(full.splitlines())
    assert brief.splitlines()[-3:] == ["0: play red 5", "1: play wild, red", "2: draw"]


@pytest.mark.parametrize("mode", ["solo", "duel"])
def test_only_what_applies_to_the_board_is_said(mode: str) -> None:
    room = minesweeper_rooms.asked(minesweeper_rooms.view(), options={"mode": mode})
    assert ("bomb" in text_view(room)) == (mode == "duel")
    assert "flags a cell" in text_view(room)
    assert "flags a cell" not in text_view(room, remind=False)


def test_nothing_is_listed_while_another_player_is_asked() -> None:
    room = asked(LEGAL)
    room.question = None
    assert "draw" not in text_view(room)


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (["..", "11"], "a2=1: a1 or b1 mined"),
        ([".F", "12"], "a2=1: no mine left, a1 clear"),
        ([".F", "12"], "b2=2: a1 mined"),
        (["...", "121"], "b2=2: 2 of a1, b1, c1 mined"),
        (["FF.", "111"], "b2=1: 2 flags beside it, too many"),
        (["..1", "..1", "..1"], "Closed, away from numbers: a1, a2, a3."),
    ],
)
def test_numbers_say_what_they_know_of_the_closed_cells(rows: list[str], line: str) -> None:
    assert line in text_view(minesweeper_rooms.asked(minesweeper_rooms.view(rows=rows))).splitlines()


@pytest.mark.parametrize(
    ("texts", "means"),
    [
        (["2"], 2),
        ([" 0 "], 0),
        ([' {"do": "draw"}', "draw"], LEGAL[2]),
        (["r5", "0: play red 5", " play red 5. "], LEGAL[0]),
        (["PLAY WILD, RED"], LEGAL[1]),
    ],
)
def test_an_answer_is_a_number_an_action_or_words(texts: list[str], means: object) -> None:
    assert [answer(asked(LEGAL), text) for text in texts] == [means] * len(texts)


def test_a_cell_is_an_answer_in_minesweeper() -> None:
    room = minesweeper_rooms.asked(minesweeper_rooms.view())
    assert answer(room, "a1") == {"do": "open", "cells": [[0, 0]]}


@pytest.mark.parametrize("text", ["3", "-1", "{", "castle", "", '{"do": 1.5}', '{"do": ' + "[" * 99 + "]" * 99 + "}"])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(UnclearInput):
        answer(asked(LEGAL), text)


def test_a_game_without_words_shows_its_view_and_lists_its_actions() -> None:
    legal: list[Plain] = [{"do": "drop", "column": 0}, {"do": "drop", "column": 1}]
    room = asked(legal, {"phase": "play", "turn": 0, "rows": ["..", "xo"], "scores": [1, 0]}, "four")
    shown = text_view(room).splitlines()
    assert "phase: play" in shown
    assert shown[-5:] == [
        "Row 1: empty.",
        "Row 2: a2 x, b2 o.",
        "Answer with one of these numbers:",
        "0: drop a",
        "1: drop b",
    ]
    assert answer(room, "1") == 1


@pytest.mark.parametrize(
    ("hand", "example"),
    [([9, 10, 34, 20], {"do": "play", "cards": [9, 10]}), ([9, 34, 20], {"do": "play", "cards": [9, 34], "uno": True})],
)
def test_several_cards_are_named_below_the_list_and_played_in_words(hand: list[int], example: Plain) -> None:
    legal: list[Plain] = [{"do": "play", "card": 9}, {"do": "play", "card": 20}, {"do": "draw"}]
    plain, room = (asked(legal, {**VIEW, "hand": hand}, multi_play=each) for each in (False, True))
    assert "together" not in text_view(plain)
    assert legend(plain) == {}
    line = text_view(room).splitlines()[-1]
    assert "together" in line
    assert answer(room, line.partition(": ")[2]) == example
    assert legend(room) == {str(card): card_name(card) for card in hand}


@pytest.mark.parametrize("text", ["play red 5 and yellow 5", "red 5, yellow 5", "r5 y5", "Play red 5, yellow 5."])
def test_several_cards_are_written_in_many_ways(text: str) -> None:
    room = asked(LEGAL, {**VIEW, "hand": [9, 34, 20, 100]})
    assert answer(room, text) == {"do": "play", "cards": [9, 34]}


def test_several_sevens_swap_hands_with_a_name() -> None:
    hand = {**VIEW, "hand": [13, 14, 20, 100]}
    room = asked([{"do": "play", "card": 13, "swap": 2}], hand, multi_play=True, seven_zero=True)
    line = text_view(room).splitlines()[-1].partition(": ")[2]
    assert answer(room, line) == {"do": "play", "cards": [13, 14], "swap": 2}


@pytest.mark.parametrize(
    ("options", "hand", "bluff"),
    [
        ({}, [9, 104], True),
        ({}, [34, 104], False),
        ({"strict_wild4": True}, [38, 104], True),  # a yellow 7 fits red 7
        ({"strict_wild4": True}, [34, 104], False),
    ],
)
def test_a_bluff_is_marked_for_its_holder(options: Plain, hand: list[int], bluff: bool) -> None:
    four: Plain = {"do": "play", "card": 104, "colour": "blue"}
    room = asked([four], {**VIEW, "hand": hand}, **options)
    line = text_view(room).splitlines()[-1]
    assert ("bluff" in line) is bluff
    assert answer(room, line) in (0, four)


@pytest.mark.parametrize(("pending", "costs"), [(None, (4, 6)), (8, (8, 10))])
def test_a_challenge_says_what_it_costs(pending: int | None, costs: tuple[int, int]) -> None:
    view = {**VIEW, "phase": "challenge"} | ({} if pending is None else {"pending": pending})
    room = asked([{"do": "accept"}, {"do": "challenge"}], view)
    assert f"draws {costs[0]}, else you draw {costs[1]}" in text_view(room)


@pytest.mark.parametrize(
    ("counts", "strict", "told"),
    [
        ([2, 5, 1], False, "if otto held green, otto draws 4, else you draw 6."),
        ([2, 5, 1], True, "if otto held another card that fit, otto draws 4, else you draw 6."),
        ([2, 0, 1], False, "it was the last card, so it was no bluff, and you draw 6."),
    ],
)
def test_a_challenge_names_the_player_and_the_colour_before(counts: list[int], strict: bool, told: str) -> None:
    view = {**VIEW, "phase": "challenge", "of": 1, "before": "green", "counts": counts}
    room = asked([{"do": "accept"}, {"do": "challenge"}], view, strict_wild4=strict)
    assert f"Accept: you draw 4. Challenge: {told}" in text_view(room)

"""What is asked after a card, penalties, several cards at once; calls, catches and jumps; the end of a round."""

from typing import Any

import pytest
from tests.client.tui.games.uno.tables import Sitting, Table
from tests.client.tui.snapshots import lines

from parlour_games.uno.cards import COLOURS, NAMES


async def test_a_wild_asks_for_a_colour_in_a_row_that_leaves_the_table_in_sight() -> None:
    async with Sitting(Table(hands={0: ["r5", "g3", "w"]})).shown() as (app, pilot):
        before = lines(app)
        await pilot.press("3")
        assert app.offered == "Name a colour:  r  ▲ RED   y  ■ YELLOW   g  ● GREEN   b  ◆ BLUE   esc back"
        row = app.game_widget.buttons.region.y
        assert lines(app)[:row] == before[:row]
        await pilot.press("escape")
        assert app.offered == "d draw", "the wild is taken back"
        await pilot.press("3")
        assert not app.acts
        await pilot.click(app.game_widget.buttons, (lines(app)[row].index("GREEN"), 0))
        assert COLOURS[app.table.state.colour] == "green"


async def test_the_colour_of_a_first_card_is_asked_at_once_and_there_is_no_way_back() -> None:
    async with Sitting(Table(hands={0: ["r5", "g3", "w"]}, top="w")).shown() as (app, pilot):
        assert app.said == "YOUR TURN  name the colour of the first card"
        assert "esc" not in app.offered
        await pilot.press("escape", "y")
        assert app.acts == [{"do": "colour", "colour": "yellow"}]
        assert app.said.startswith("YOUR TURN  match ■ yellow")


@pytest.mark.parametrize(("key", "counts", "said"), [("a", [6, 2], "otto's turn"), ("x", [2, 6], "YOUR TURN")])
async def test_a_wild_draw_four_is_accepted_or_challenged(key: str, counts: list[int], said: str) -> None:
    async with Sitting(Table(hands={0: ["r5", "g3"], 1: ["w+4", "r1", "b2"]}, turn=1, seats=2)).shown() as (app, pilot):
        app.others_act(1, do="play", card="w+4", colour="blue")
        assert app.said == "+4 FOR YOU  accept 4 or challenge – did otto hold red?"
        assert app.offered.startswith("a accept 4 cards  x challenge (6 if wrong)")
        await pilot.press(key)
        assert app.table.state.counts == counts
        assert app.said.startswith(said)


@pytest.mark.parametrize(("top", "strict", "bluff"), [("r7", False, True), ("b3", False, False), ("b3", True, True)])
async def test_a_bluff_is_marked_and_told_of_before_it_is_played(top: str, strict: bool, bluff: bool) -> None:
    async with Sitting(Table(hands={0: ["r5", "g3", "w+4"]}, top=top, strict_wild4=strict)).shown() as (app, pilot):
        assert ("bluff" in lines(app)[-2]) is bluff
        await pilot.press("H")
        assert ("(a bluff)" in app.said) is bluff
        await pilot.press("3")
        assert ("A bluff" in app.said) is bluff
        assert app.offered.startswith("Name a colour")


async def test_a_narrow_card_that_is_a_bluff_has_the_mark_of_a_playable_one() -> None:
    held = [f"{colour}{number}" for colour in "rgby" for number in (1, 2, 3, 4, 6, 7)]
    async with Sitting(Table(hands={0: [*held, "w+4"]}, top="r5")).shown((120, 40)) as (app, _):
        assert lines(app)[-2].rstrip().endswith("▴")


async def test_stacked_cards_are_stacked_on_or_drawn() -> None:
    hands = {0: ["r+2", "g3", "g4", "g5"], 1: ["b+2", "y+2", "b2", "b3"]}
    async with Sitting(Table(hands=hands, top="b7", turn=1, seats=2, stack2=True)).shown() as (app, pilot):
        app.others_act(1, do="play", card="b+2")
        assert app.said == "+2 FOR YOU  stack a +2, or draw 2"
        await pilot.press("1")
        app.table.act(1, do="play", card="y+2")
        await app.news()
        assert app.said == "+6 FOR YOU  you draw 6"
        assert any("+6 pending" in line for line in lines(app))
        await pilot.click(app.game_widget.piles, (app.game_widget.piles.deck.start + 2, 4))
        assert app.table.state.counts[0] == 9


async def test_a_seven_asks_whom_to_swap_with_and_a_digit_answers() -> None:
    table = Table(hands={0: ["r7", "g3", "g4"], 1: ["b1"] * 2, 2: ["b2", "b4"], 3: ["b6", "b8"]}, seven_zero=True)
    async with Sitting(table).shown() as (app, pilot):
        await pilot.press("1")
        assert app.offered == "Swap hands with:  1 otto ▮2  2 pain-first ▮2  3 pia ▮2  esc back"
        await pilot.press("2")
        assert app.acts == [{"do": "play", "card": table.state.pile[-1], "swap": 2}]
        assert [NAMES[card] for card in app.game_widget.hand.cards] == ["blue 2", "blue 4"]


async def test_several_of_one_number_are_marked_and_laid_together() -> None:
    async with Sitting(Table(hands={0: ["r5", "y5", "g5", "b1"]}, multi_play=True)).shown() as (app, pilot):
        hand = app.game_widget.hand
        for index in (0, 1):
            await pilot.click(hand, (hand.fan.span(index)[0] + 2, 3), shift=True)
        assert hand.marked == hand.cards[:2]
        await pilot.press("escape")
        assert (hand.marked, app.acts) == ([], [])
        await pilot.press("left", "m", "right", "right", "m")
        assert "lay 2 together" in app.offered
        await pilot.press("enter")
        assert [NAMES[card] for card in app.table.state.pile[-2:]] == ["red 5", "green 5"]


async def test_three_sevens_laid_together_swap_once_and_a_call_goes_with_two_that_leave_one() -> None:
    hands = {0: ["r7", "y7", "g7", "b1"], 1: ["b2", "b4"], 2: ["b6", "b8"]}
    table = Table(hands=hands, seats=3, multi_play=True, seven_zero=True)
    async with Sitting(table).shown() as (app, pilot):
        await pilot.press("m", "right", "m", "right", "m", "enter", "1")
        assert app.acts == [{"do": "play", "cards": table.state.pile[-3:], "swap": 1}]
    table = Table(hands={0: ["r5", "y5", "b1"]}, multi_play=True)
    async with Sitting(table).shown() as (app, pilot):
        await pilot.press("m", "right", "m", "u", "enter")
        assert app.acts == [{"do": "play", "cards": table.state.pile[-2:], "uno": True}]


async def test_a_choice_is_dropped_when_its_question_is_closed() -> None:
    async with Sitting(Table(hands={0: ["r5", "g3", "w"]}, clock={"bank": 1_000, "add": 0})).shown() as (app, pilot):
        await pilot.press("3")
        app.wait(3_000)
        assert "Name a colour" not in app.offered
        await pilot.press("b")
        assert not app.acts


async def test_uno_is_called_with_the_card_that_leaves_one_and_a_second_u_takes_the_call_back() -> None:
    async with Sitting(Table(hands={0: ["r5", "g3"]})).shown() as (app, pilot):
        for word in ("u UNO with the next card ✓", "u call UNO with the next card", "u UNO with the next card ✓"):
            await pilot.press("u")
            assert word in app.offered
        await pilot.press("1")
        assert app.acts == [{"do": "play", "card": app.table.state.pile[-1], "uno": True}]
        assert app.table.state.called == 1


async def test_a_forgotten_call_is_offered_and_u_makes_it() -> None:
    async with Sitting(Table(hands={0: ["r5", "g3"]})).shown() as (app, pilot):
        await pilot.press("1")
        assert (app.said, app.offered) == ("QUICK  call before you are caught", "u UNO!")
        assert app.game_widget.hints(app.table.room(0))[0] == ("uno.call", "UNO!")
        await pilot.press("u")
        assert app.table.state.called == 1
        assert app.offered == ""


async def test_the_call_can_be_chosen_ahead_of_the_turn() -> None:
    async with Sitting(Table(hands={0: ["r5", "g3"], 1: ["y1", "r2", "b1"]}, turn=1, seats=2)).shown() as (app, pilot):
        await pilot.press("u")
        app.others_act(1, do="play", card="r2")
        await pilot.press("1")
        assert app.table.state.called == 1


async def test_who_has_not_called_is_caught() -> None:
    async with Sitting(Table(hands={0: ["r5", "g3", "g4"], 1: ["r1", "b1"]}, turn=1)).shown() as (app, pilot):
        app.others_act(1, do="play", card="r1")
        assert (app.said, app.offered) == ("QUICK  one card, and no call yet", "c catch otto")
        await pilot.press("c", "c")
        assert app.acts == [{"do": "catch", "seat": 1}]
        app.wait(800)
        assert app.table.state.counts[1] == 3


async def test_a_catch_that_costs_cards_is_not_offered() -> None:
    hands = {0: ["r5", "g3", "g4"], 1: ["r1", "b1"], 2: ["b2"], 3: ["b3", "b4", "b5"]}
    async with Sitting(Table(hands=hands, turn=1, false_call_penalty=2)).shown() as (app, pilot):
        assert app.table.state.counts[2] == 1
        assert app.offered == ""  # pain-first came to its card without a play
        app.others_act(1, do="play", card="r1")
        assert app.offered == "c catch otto"
        app.table.hall.wait(800)
        app.others_act(2, do="draw")
        assert "catch" not in app.offered
        await pilot.press("c")
        assert app.acts == []


@pytest.mark.parametrize("how", ["j", "1", "click"])
async def test_a_person_jumps_in_with_the_same_card(how: str) -> None:
    hands = {0: ["r5", "g3", "g4"], 1: ["y1", "b1", "b2"], 2: ["r5", "b4", "b5"]}
    async with Sitting(Table(hands=hands, turn=2, jump_in=True)).shown() as (app, pilot):
        app.others_act(2, do="play", card="r5")
        assert (app.said, app.offered) == ("QUICK  you hold the same card", "j jump in with ▲ 5")
        if how == "click":
            await pilot.click(app.game_widget.hand, (app.game_widget.hand.fan.span(0)[0] + 2, 3))
        else:
            await pilot.press(how)
        assert [NAMES[card] for card in app.table.state.pile[-2:]] == ["red 5", "red 5"]
        assert app.acts[0]["do"] == "jump"  # type: ignore[index]


async def test_a_jump_with_a_seven_asks_whom_to_swap_with() -> None:
    hands = {0: ["r7", "g3", "g4"], 1: ["y1", "b1", "b2"], 2: ["r7", "b4", "b5"], 3: ["y2", "y3"]}
    async with Sitting(Table(hands=hands, turn=2, top="r1", jump_in=True, seven_zero=True)).shown() as (app, pilot):
        app.others_act(2, do="play", card="r7", swap=1)
        await pilot.press("j")
        assert app.offered.startswith("Swap hands with:  1 otto")
        await pilot.press("3")
        assert app.acts == [{"do": "jump", "card": app.table.state.pile[-1], "swap": 3}]
        assert [NAMES[card] for card in app.game_widget.hand.cards] == ["yellow 2", "yellow 3"]


@pytest.mark.parametrize(
    ("key", "rules", "said"),
    [
        ("u", {}, "You call UNO with the card that leaves you one."),
        ("c", {}, "There is no one to catch now."),
        ("j", {}, "There is nothing to jump in on now."),
        ("m", {}, "Cards are played one at a time at this table."),
        ("d", {"force_play": True}, "There is nothing to draw now."),
        ("H", {"hints": False}, "This table has no hints."),
    ],
)
async def test_a_key_says_why_there_is_nothing_for_it_to_do(key: str, rules: dict[str, Any], said: str) -> None:
    async with Sitting(Table(hands={0: ["r5", "y5", "b1"]}, **rules)).shown() as (app, pilot):
        await pilot.press(key)
        assert app.said.endswith(said)
        assert (app.acts, app.game_widget.hand.marked) == ([], [])


async def test_a_round_ends_and_its_points_are_told() -> None:
    async with Sitting(Table(hands={0: ["r5"], 1: ["r1", "b9", "w"]}, seats=2)).shown() as (app, pilot):
        await pilot.press("1")
        assert app.said == "Round over"
        told = [line.plain.split() for line in app.game_widget.standings(app.table.room(0))]
        assert told == [["points", "in", "hand"], ["you", "60", "–", "wins"], ["otto", "0", "60"]]
        app.wait(6_000)
        assert app.game_widget.standings(app.table.room(0))[0].plain.split() == ["points"]

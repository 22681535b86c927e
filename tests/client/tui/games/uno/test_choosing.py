"""What is asked after a card: the colour of a wild, the seat to swap with; and penalties, and several cards at once."""

import pytest
from tests.client.tui.games.uno.tables import Sitting, Table
from tests.client.tui.snapshots import lines

from parlour_games.uno.cards import COLOURS, NAMES

SIZE = (80, 24)


async def test_a_wild_asks_for_a_colour_in_a_row_that_leaves_the_table_in_sight() -> None:
    app = Sitting(Table(hands={0: ["r5", "g3", "w"]}))
    async with app.run_test(size=SIZE) as pilot:
        before = lines(app)
        await pilot.press("3")
        assert app.offered == "Name a colour:  r  ▲ RED   y  ■ YELLOW   g  ● GREEN   b  ◆ BLUE   esc back"
        row = app.game_widget.buttons.region.y
        assert lines(app)[:row] == before[:row]
        assert not app.acts
        await pilot.press("b")
        assert COLOURS[app.table.state.colour] == "blue"


async def test_escape_takes_the_wild_back_and_another_card_can_be_played() -> None:
    app = Sitting(Table(hands={0: ["r5", "g3", "w"]}))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3", "escape")
        assert app.offered == "d draw"
        await pilot.press("1")
        assert NAMES[app.table.state.pile[-1]] == "red 5"


async def test_a_colour_is_chosen_by_a_click() -> None:
    app = Sitting(Table(hands={0: ["r5", "g3", "w"]}))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3")
        await pilot.click(app.game_widget.buttons, (lines(app)[app.game_widget.buttons.region.y].index("GREEN"), 0))
        assert COLOURS[app.table.state.colour] == "green"


async def test_the_colour_of_a_first_card_is_asked_at_once_and_there_is_no_way_back() -> None:
    app = Sitting(Table(hands={0: ["r5", "g3", "w"]}, top="w"))
    async with app.run_test(size=SIZE) as pilot:
        assert app.said == "YOUR TURN  name the colour of the first card"
        assert "esc" not in app.offered
        await pilot.press("escape", "y")
        assert app.acts == [{"do": "colour", "colour": "yellow"}]
        assert app.said.startswith("YOUR TURN  match ■ yellow")


async def test_a_wild_draw_four_is_accepted() -> None:
    table = Table(hands={0: ["r5", "g3"], 1: ["w+4", "b1", "b2"]}, turn=1, seats=2)
    app = Sitting(table)
    async with app.run_test(size=SIZE) as pilot:
        table.act(1, do="play", card="w+4", colour="blue")
        app.hear()
        assert app.said == "+4 FOR YOU  accept 4 or challenge – did otto hold red?"
        assert app.offered.startswith("a accept 4 cards  x challenge (6 if wrong)")
        await pilot.press("a")
        assert table.state.counts[0] == 6


async def test_a_bluff_is_challenged() -> None:
    table = Table(hands={0: ["r5", "g3"], 1: ["w+4", "r1", "b2"]}, turn=1, seats=2)
    app = Sitting(table)
    async with app.run_test(size=SIZE) as pilot:
        table.act(1, do="play", card="w+4", colour="blue")
        app.hear()
        await pilot.press("x")
        assert table.state.counts == [2, 6]
        assert app.said.startswith("YOUR TURN")


@pytest.mark.parametrize(("top", "strict", "bluff"), [("r7", False, True), ("b3", False, False), ("b3", True, True)])
async def test_a_bluff_is_marked_and_told_of_before_it_is_played(top: str, strict: bool, bluff: bool) -> None:
    app = Sitting(Table(hands={0: ["r5", "g3", "w+4"]}, top=top, strict_wild4=strict))
    async with app.run_test(size=SIZE) as pilot:
        assert ("bluff" in lines(app)[-2]) is bluff
        await pilot.press("H")
        assert ("(a bluff)" in app.said) is bluff
        await pilot.press("3")
        assert ("A bluff" in app.said) is bluff
        assert app.offered.startswith("Name a colour")


async def test_a_narrow_card_that_is_a_bluff_has_the_mark_of_a_playable_one() -> None:
    held = [f"{colour}{number}" for colour in "rgby" for number in (1, 2, 3, 4, 6, 7)]
    app = Sitting(Table(hands={0: [*held, "w+4"]}, top="r5"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert "bluf" not in lines(app)[-2]
        assert lines(app)[-2].rstrip().endswith("▴")


async def test_stacked_cards_are_stacked_on_or_drawn() -> None:
    hands = {0: ["r+2", "g3", "g4", "g5"], 1: ["b+2", "y+2", "b2", "b3"]}
    table = Table(hands=hands, top="b7", turn=1, seats=2, stack2=True)
    app = Sitting(table)
    async with app.run_test(size=SIZE) as pilot:
        table.act(1, do="play", card="b+2")
        app.hear()
        assert app.said == "+2 FOR YOU  stack a +2, or draw 2"
        await pilot.press("1")
        table.act(1, do="play", card="y+2")
        app.hear()
        await pilot.pause()
        assert app.said == "+6 FOR YOU  you draw 6"
        assert any("+6 pending" in line for line in lines(app))
        await pilot.click(app.game_widget.piles, (app.game_widget.piles.deck.start + 2, 4))
        assert table.state.counts[0] == 9


async def test_a_seven_asks_whom_to_swap_with_and_a_digit_answers() -> None:
    table = Table(hands={0: ["r7", "g3", "g4"], 1: ["b1"] * 2, 2: ["b2", "b4"], 3: ["b6", "b8"]}, seven_zero=True)
    app = Sitting(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("1")
        assert app.offered == "Swap hands with:  1 otto ▮2  2 pain-first ▮2  3 pia ▮2  esc back"
        await pilot.press("2")
        assert app.acts == [{"do": "play", "card": table.state.pile[-1], "swap": 2}]
        assert [NAMES[card] for card in app.game_widget.hand.cards] == ["blue 2", "blue 4"]


async def test_a_seven_between_two_asks_nothing() -> None:
    table = Table(hands={0: ["r7", "g3", "g4"], 1: ["b1", "b2"]}, seats=2, seven_zero=True)
    app = Sitting(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("1")
        assert app.acts == [{"do": "play", "card": table.state.pile[-1], "swap": 1}]


async def test_several_of_one_number_are_marked_and_laid_together() -> None:
    table = Table(hands={0: ["r5", "y5", "g5", "b1"]}, multi_play=True)
    app = Sitting(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m", "right", "right", "m")
        assert "lay 2 together" in app.offered
        await pilot.press("enter")
        assert [NAMES[card] for card in table.state.pile[-2:]] == ["red 5", "green 5"]


async def test_cards_are_marked_by_shift_and_click_and_unmarked_by_escape() -> None:
    table = Table(hands={0: ["r5", "y5", "g5", "b1"]}, multi_play=True)
    app = Sitting(table)
    async with app.run_test(size=SIZE) as pilot:
        for index in (0, 1):
            await pilot.click(app.game_widget.hand, (app.game_widget.hand.fan.span(index)[0] + 2, 3), shift=True)
        assert app.game_widget.hand.marked == app.game_widget.hand.cards[:2]
        await pilot.press("escape")
        assert app.game_widget.hand.marked == []
        assert not app.acts


async def test_three_sevens_laid_together_swap_once_and_a_call_goes_with_two_that_leave_one() -> None:
    hands = {0: ["r7", "y7", "g7", "b1"], 1: ["b2", "b4"], 2: ["b6", "b8"]}
    table = Table(hands=hands, seats=3, multi_play=True, seven_zero=True)
    app = Sitting(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m", "right", "m", "right", "m", "enter")
        assert app.offered.startswith("Swap hands with:")
        await pilot.press("1")
        assert app.acts == [{"do": "play", "cards": table.state.pile[-3:], "swap": 1}]

    table = Table(hands={0: ["r5", "y5", "b1"]}, multi_play=True)
    app = Sitting(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m", "right", "m", "u", "enter")
        assert app.acts == [{"do": "play", "cards": table.state.pile[-2:], "uno": True}]


async def test_marking_is_refused_where_cards_are_laid_one_by_one() -> None:
    app = Sitting(Table(hands={0: ["r5", "y5", "b1"]}))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m")
        assert app.said.endswith("Cards are played one at a time at this table.")
        assert app.game_widget.hand.marked == []


async def test_where_playing_is_forced_drawing_is_not_offered() -> None:
    app = Sitting(Table(hands={0: ["r5", "y5", "b1"]}, force_play=True))
    async with app.run_test(size=SIZE) as pilot:
        assert app.offered == ""
        await pilot.press("d")
        assert not app.acts
        assert app.said.endswith("There is nothing to draw now.")


async def test_a_wild_draw_four_that_no_bluff_forbids_is_not_sent() -> None:
    app = Sitting(Table(hands={0: ["r5", "w+4", "b1"]}, no_bluff=True))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3")
        assert not app.acts
        assert "cannot play that wild draw four" in app.said


async def test_a_choice_is_dropped_when_its_question_is_closed() -> None:
    table = Table(hands={0: ["r5", "g3", "w"]}, clock={"bank": 1_000, "add": 0})
    app = Sitting(table)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3")
        table.hall.wait(3_000)
        app.hear()
        assert "Name a colour" not in app.offered
        await pilot.press("b")
        assert not app.acts

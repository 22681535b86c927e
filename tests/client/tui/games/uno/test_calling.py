"""Calling UNO, catching, jumping in: what is done out of turn, in a breath, and with a play."""

from typing import Any

import pytest
from tests.client.tui.games.uno.tables import Sitting, Table

from parlour_games.uno.cards import NAMES


async def test_uno_is_called_with_the_card_that_leaves_one_and_a_second_u_takes_the_call_back() -> None:
    table = Table(hands={0: ["r5", "g3"]})
    async with Sitting(table).shown() as (app, pilot):
        for word in ("u UNO with the next card ✓", "u call UNO with the next card", "u UNO with the next card ✓"):
            await pilot.press("u")
            assert word in app.offered
        await pilot.press("1")
        assert app.acts == [{"do": "play", "card": table.state.pile[-1], "uno": True}]
        assert table.state.called == 1


async def test_a_forgotten_call_is_offered_and_u_makes_it() -> None:
    table = Table(hands={0: ["r5", "g3"]})
    async with Sitting(table).shown() as (app, pilot):
        await pilot.press("1")
        assert app.said == "QUICK  call before you are caught"
        assert app.offered == "u UNO!"
        assert app.game_widget.hints(table.room(0))[0] == ("uno.call", "UNO!")
        await pilot.press("u")
        assert table.state.called == 1
        assert app.offered == ""


async def test_the_call_can_be_chosen_ahead_of_the_turn() -> None:
    table = Table(hands={0: ["r5", "g3"], 1: ["y1", "r2", "b1"]}, turn=1, seats=2)
    async with Sitting(table).shown() as (app, pilot):
        await pilot.press("u")
        table.act(1, do="play", card="r2")
        app.hear()
        await pilot.press("1")
        assert table.state.called == 1


async def test_who_has_not_called_is_caught() -> None:
    table = Table(hands={0: ["r5", "g3", "g4"], 1: ["r1", "b1"]}, turn=1)
    async with Sitting(table).shown() as (app, pilot):
        table.act(1, do="play", card="r1")
        app.hear()
        assert app.said == "QUICK  one card, and no call yet"
        assert app.offered == "c catch otto"
        await pilot.press("c", "c")
        assert app.acts == [{"do": "catch", "seat": 1}]
        table.hall.wait(800)
        app.hear()
        assert table.state.counts[1] == 3


async def test_a_catch_that_costs_cards_is_not_offered() -> None:
    hands = {0: ["r5", "g3", "g4"], 1: ["r1", "b1"], 2: ["b2"], 3: ["b3", "b4", "b5"]}
    table = Table(hands=hands, turn=1, false_call_penalty=2)
    async with Sitting(table).shown() as (app, pilot):
        assert table.state.counts[2] == 1
        assert app.offered == ""  # pain-first came to its card without a play
        table.act(1, do="play", card="r1")
        app.hear()
        assert app.offered == "c catch otto"
        table.hall.wait(800)
        table.act(2, do="draw")
        app.hear()
        assert "catch" not in app.offered
        await pilot.press("c")
        assert app.acts == []


@pytest.mark.parametrize("how", ["j", "1", "click"])
async def test_a_person_jumps_in_with_the_same_card(how: str) -> None:
    hands = {0: ["r5", "g3", "g4"], 1: ["y1", "b1", "b2"], 2: ["r5", "b4", "b5"]}
    table = Table(hands=hands, turn=2, jump_in=True)
    async with Sitting(table).shown() as (app, pilot):
        table.act(2, do="play", card="r5")
        app.hear()
        assert app.said == "QUICK  you hold the same card"
        assert app.offered == "j jump in with ▲ 5"
        if how == "click":
            await pilot.click(app.game_widget.hand, (app.game_widget.hand.fan.span(0)[0] + 2, 3))
        else:
            await pilot.press(how)
        assert [NAMES[card] for card in table.state.pile[-2:]] == ["red 5", "red 5"]
        assert app.acts[0]["do"] == "jump"  # type: ignore[index]


async def test_a_jump_with_a_seven_asks_whom_to_swap_with() -> None:
    hands = {0: ["r7", "g3", "g4"], 1: ["y1", "b1", "b2"], 2: ["r7", "b4", "b5"], 3: ["y2", "y3"]}
    table = Table(hands=hands, turn=2, top="r1", jump_in=True, seven_zero=True)
    async with Sitting(table).shown() as (app, pilot):
        table.act(2, do="play", card="r7", swap=1)
        app.hear()
        await pilot.press("j")
        assert app.offered.startswith("Swap hands with:  1 otto")
        await pilot.press("3")
        assert app.acts == [{"do": "jump", "card": table.state.pile[-1], "swap": 3}]
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
    table = Table(hands={0: ["r5"], 1: ["r1", "b9", "w"]}, seats=2)
    async with Sitting(table).shown() as (app, pilot):
        await pilot.press("1")
        assert app.said == "Round over"
        told = [line.plain.split() for line in app.game_widget.standings(table.room(0))]
        assert told == [["points", "in", "hand"], ["you", "60", "–", "wins"], ["otto", "0", "60"]]
        table.hall.wait(6_000)
        app.hear()
        assert app.game_widget.standings(table.room(0))[0].plain.split() == ["points"]


async def test_the_match_ends() -> None:
    async with Sitting(Table(hands={0: ["r5"]}, seats=2, scoring="single")).shown() as (app, pilot):
        await pilot.press("1")
        assert (app.said, app.offered) == ("Match over", "")
        await pilot.press("1", "d", "u", "enter")
        assert len(app.acts) == 1

"""What a person does on a turn, with keys and with the mouse, against a real server in process."""

from typing import ClassVar

import pytest
from tests.client.tui.games.uno.tables import Sitting, Table
from tests.client.tui.snapshots import lines, missing
from tests.support.waiting import until
from textual.binding import Binding, BindingType

from parlour_client.tui.widgets import canvas
from parlour_games.uno.cards import NAMES, cards_in
from parlour_protocol.messages import Chat

HAND = ["r5", "g3", "g7", "b+2", "w", "w+4"]
SIZE = (80, 24)


def seated(hand: list[str] = HAND, **more: object) -> Sitting:
    """Return maria at a table of four, holding ``hand`` at a red 7, on turn."""
    return Sitting(Table(hands={0: hand}, **more))  # type: ignore[arg-type]


def names(app: Sitting) -> list[str]:
    return [NAMES[card] for card in cards_in(app.table.state.hands[app.seat])]


def pointed(app: Sitting) -> str:
    """Return the name of the card under the cursor."""
    return NAMES[app.game_widget.hand.card or 0]


def place(app: Sitting, card: str) -> tuple[int, int]:
    """Return where on the hand ``card`` can be seen."""
    index = app.game_widget.hand.cards.index(app.table.held(app.seat, card))
    start, _ = app.game_widget.hand.fan.span(index)
    return start + 1, 3


async def test_a_person_plays_a_card_by_its_number_or_walks_to_it() -> None:
    async with seated().shown() as (app, pilot):
        await pilot.press("1")
        assert app.table.state.pile[-1] == 9  # the first red 5
        assert names(app) == ["green 3", "green 7", "blue draw two", "wild", "wild draw four"]
        assert app.said.startswith("otto's turn")
    async with seated().shown() as (app, pilot):
        await pilot.press("right", "l", "right", "h", "enter")
        assert app.acts == [{"do": "play", "card": app.table.state.pile[-1]}]
        assert NAMES[app.table.state.pile[-1]] == "green 7"


async def test_a_turn_begins_at_a_card_that_fits_rather_than_at_a_wild() -> None:
    table = Table(hands={0: ["w", "r5", "rs", "g3", "b2"]}, seats=2, deck=["y1"] * 2)
    async with Sitting(table).shown() as (app, pilot):
        assert pointed(app) == "red 5"
        await pilot.press(str(1 + app.game_widget.hand.cards.index(table.held(0, "rs"))))  # skips the only rival
        await pilot.pause()
        assert pointed(app) == "red 5"
        await pilot.press("left", "right")
        assert pointed(app) == "red 5"


async def test_tab_goes_to_the_cards_that_can_be_played_and_around() -> None:
    async with seated().shown() as (app, pilot):
        walked = []
        for key in (*["tab"] * 4, "shift+tab"):
            await pilot.press(key)
            walked.append(pointed(app))
        assert walked == ["green 7", "wild", "wild draw four", "red 5", "wild draw four"]


async def test_a_card_is_selected_by_the_mouse_over_it_and_played_by_a_click() -> None:
    async with seated().shown() as (app, pilot):
        await pilot.hover(app.game_widget.hand, place(app, "g7"))
        assert (pointed(app), app.acts) == ("green 7", [])
        await pilot.click(app.game_widget.hand, place(app, "g7"))
        assert NAMES[app.table.state.pile[-1]] == "green 7"


async def test_a_card_shakes_that_does_not_fit_or_is_refused_and_why_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "moves", lambda widget: True)
    monkeypatch.setattr("parlour_client.tui.games.uno.hand._FRAME", 3600.0)  # it lasts until the test has looked
    async with seated().shown() as (app, pilot):
        await pilot.press("2")
        await until(lambda: app.game_widget.hand.fan.nudge != 0)
        assert app.said == "YOUR TURN  Green 3 does not fit: match ▲ red or 7."
        assert not app.acts
    async with seated().shown() as (app, pilot):
        app.game_widget.post_message(app.game_widget.Chosen(app.game_widget.moves.rid or 0, {"do": "pass"}))
        await until(lambda: app.game_widget.hand.fan.nudge != 0)
        assert app.said == "YOUR TURN  pass is not possible now: play a card or draw one"
        await pilot.press("1")
        assert app.table.state.turn == 1, "it can be played after all"


async def test_a_press_shows_before_the_server_answers_and_is_taken_back_if_it_refuses() -> None:
    async with Sitting(Table(hands={0: HAND}), delay=True).shown() as (app, pilot):
        await pilot.press("1")
        assert len(app.game_widget.hand.cards) == 5, "the card has left the hand"
        app.game_widget.show_refusal(app.table.room(), "no")
        assert len(app.game_widget.hand.cards) == 6
        assert app.game_widget.hand.selected == 0
        await pilot.press("d")
        assert app.offered == "draw…"
        app.deliver()
        assert app.offered != "draw…"


async def test_where_there_is_only_one_answer_it_can_be_given_without_a_press() -> None:
    app = seated(deck=["y9"])
    app.game_widget.auto_pass = True
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d")
        assert [act["do"] for act in app.acts if isinstance(act, dict)] == ["draw", "pass"]
        assert app.table.state.turn == 1


@pytest.mark.usefixtures("_moving")
async def test_cards_travel_between_seats_and_piles_and_the_next_player_flashes() -> None:
    async with Sitting(Table(hands={0: HAND, 1: ["r9", "b1"]}), delay=True).shown() as (app, pilot):
        await pilot.press("1")
        flight = app.game_widget.flight
        assert flight.flying
        await pilot.pause()
        assert sum("│5     ▲│" in line for line in lines(app)) == 1, "in flight, and not yet on the pile"
        flight.land()
        await pilot.pause()
        assert sum("│5     ▲│" in line for line in lines(app)) == 1, "on the pile, before the server has answered"
        app.deliver()
        assert not flight.flying
        assert app.game_widget.opponents.flashing == 1
        app.others_act(1, do="play", card="r9")
        assert flight.flying, "from the opponent to the pile"
        assert "5" not in "".join(flight.render_line(y).text for y in range(3)), "the card of the flight before"
        assert "9" in "".join(flight.render_line(y).text for y in range(3)), "before there was time for a layout"


async def test_whatever_is_told_meanwhile_a_second_press_sends_nothing_until_the_way_is_free() -> None:
    async with Sitting(Table(hands={0: HAND}), delay=True).shown() as (app, pilot):
        await pilot.press("1", "1", "2", "enter", "d")
        app.table.peers[1].send(Chat(app.table.code, "hello"))
        app.hear()
        await pilot.press("1", "d")
        assert len(app.acts) == 1
        app.game_widget.show_pending(None)
        await pilot.press("3")
        assert len(app.acts) == 2


@pytest.mark.parametrize("key", ["k", "enter", "space", "d"])
async def test_a_drawn_card_that_does_not_fit_is_kept_by_the_next_best_key(key: str) -> None:
    async with seated(deck=["y9"]).shown() as (app, pilot):
        await pilot.press("d")
        assert app.said == "You drew yellow 9  it does not fit"
        assert app.offered == "p keep it"
        await pilot.press(key)
        assert app.acts == [{"do": "draw"}, {"do": "pass"}]
        assert "yellow 9" in names(app)


async def test_the_drawn_card_is_under_the_cursor_and_enter_plays_it() -> None:
    async with seated(deck=["r9"]).shown() as (app, pilot):
        await pilot.press("right", "right", "d")
        assert pointed(app) == "red 9"
        assert app.said == "You drew red 9  play it or keep it"
        await pilot.press("1")  # red 5 fits, but after drawing only the drawn card may be played
        assert app.said.endswith("After drawing, you can play only the card you drew.")
        await pilot.press("right", "enter")
        assert NAMES[app.table.state.pile[-1]] == "red 9"


@pytest.mark.parametrize("key", ["1", "enter", "d", "p", "a", "x", "u", "c", "j", "m", "H", "escape", "r"])
async def test_out_of_turn_nothing_is_sent(key: str) -> None:
    async with seated(turn=1).shown() as (app, pilot):
        await pilot.press(key)
        assert not app.acts
        assert app.said.startswith("otto's turn")


@pytest.mark.parametrize(
    ("keys", "card"),
    [(["right", "right"], "green 7"), ([], "green 3")],
    ids=["where it was put", "else at one that fits"],
)
async def test_where_the_cursor_is_when_the_turn_comes(keys: list[str], card: str) -> None:
    async with seated(["r9", "g3", "g7"], turn=1, seats=2, top="g1").shown() as (app, pilot):
        await pilot.press(*keys)
        for do in ("draw", "pass"):
            app.others_act(1, do=do)
        assert app.said.startswith("YOUR TURN")
        assert pointed(app) == card


async def test_a_watcher_sees_all_players_and_no_hand_and_can_do_nothing() -> None:
    table = Table(hands={0: HAND})
    table.watch()
    async with Sitting(table, seat=4).shown((100, 28)) as (app, pilot):
        assert missing(app, "maria", "otto", "pain-first", "pia") == []
        await pilot.pause()
        assert app.game_widget.hand.size.height == 0
        await pilot.press("1", "enter", "d", "u", "c")
        assert not app.acts


@pytest.mark.parametrize("size", [(60, 20), (120, 40), (20, 8)])
@pytest.mark.parametrize("seats", [2, 4, 10])
async def test_it_can_be_drawn_at_any_size(size: tuple[int, int], seats: int) -> None:
    async with Sitting(Table(hands={0: HAND}, seats=seats)).shown() as (app, pilot):
        await pilot.resize_terminal(*size)
        assert len(lines(app)) == size[1]
        await pilot.press("1")
        assert len(app.acts) == 1


async def test_talk_and_other_changes_at_the_table_leave_the_cursor_where_it_was_put() -> None:
    async with seated(deck=["r9"]).shown() as (app, pilot):
        await pilot.press("d", "left", "left")
        chosen = app.game_widget.hand.card
        app.table.peers[1].send(Chat(app.table.code, "hello"))
        app.hear()
        assert app.game_widget.hand.card == chosen != app.table.held(0, "r9")


async def test_a_letter_of_a_colour_is_left_to_the_screen_unless_a_colour_is_asked() -> None:
    class Screenful(Sitting):
        BINDINGS: ClassVar[list[BindingType]] = [Binding("r", "note")]
        noted = 0

        def action_note(self) -> None:
            self.noted += 1

    app = Screenful(Table(hands={0: HAND}))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("r")
        assert app.noted == 1
        await pilot.press("5", "r")
        assert app.noted == 1
        assert app.table.state.colour == 0


async def test_the_keys_that_make_sense_are_hinted() -> None:
    async with seated(deck=["y9"]).shown() as (app, pilot):
        hinted = []
        for key in ((), "d", "p"):
            await pilot.press(*key)
            hinted.append([hint for hint, _ in app.game_widget.hints(app.table.rooms["maria"])])
        assert hinted == [["uno.play", "uno.next", "uno.draw"], ["uno.pass"], []]

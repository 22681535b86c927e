"""Games that the client does not know: views by their shapes, actions with the cells they name, typed answers."""

from typing import Any

import pytest
from tests.client.messages import PEOPLE, joined, table

from parlour_client.core.phrases import phrases
from parlour_client.core.room import JoinedRoom, Question
from parlour_client.text import any_game, room_lines, shapes
from parlour_client.text.actions import CellAddress, Group, grouped, ways
from parlour_client.text.actions import action as label
from parlour_client.text.base import UnclearInput
from parlour_client.text.shapes import Cards, Fact, Grid, MarkedCells, Part, Seated, TextTable, in_sight, parts
from parlour_client.text.text_view import answer, numbered, text_view
from parlour_protocol.messages import Plain

BOARD = ["...", ".x.", "o.."]


def room(view: Plain, legal: list[Plain] | None = None) -> JoinedRoom:
    found = JoinedRoom.of(joined(0, seat=0, game="chess", view=view, table=table("playing", seats=PEOPLE[:2])))
    found.question = Question(3, legal or [], None)
    return found


@pytest.mark.parametrize(
    ("field", "value", "part"),
    [
        ("rows", ["ab", "c."], Grid("rows", (("a", "b"), ("c", "")))),
        ("area", [[1, None, ""], [0, 2, 3], [1, 1, 1]], Grid("area", (("1", "", ""), ("0", "2", "3"), ("1",) * 3))),
        ("scores", [3, 4], Seated("scores", ("3", "4"))),
        ("taken", [[3, 1], [4, 2]], Seated("taken", ("3, 1", "4, 2"))),
        ("spent", [[3, 1, 2], [4, 2, 9]], Seated("spent", ("3, 1, 2", "4, 2, 9"))),
        ("hands", [[3, 1, 2], [4, 2, 9]], Seated("hands", ("3, 1, 2", "4, 2, 9"))),
        ("hand", [[3, 1], [4, 2]], TextTable("hand", (), (("3, 1",), ("4, 2",)))),
        ("dice_left", [3, 4], Cards("dice left", (3, 4), ("3", "4"))),
        ("held", {"0": "ace", "1": None}, Seated("held", ("ace", "–"))),
        ("hand", [3, 4], Cards("hand", (3, 4), ("3", "4"))),
        ("hand", ["r5", "g10", "w"], Cards("hand", ("r5", "g10", "w"), ("r5", "g10", "w"))),
        ("line", [[0, 1], [0, 2]], MarkedCells(((0, 1), (0, 2)))),
        ("pot", {"small_blind": 5}, TextTable("pot", (), (("small blind", "5"),))),
        ("shown", {"dice": [[3, 1], [4]]}, TextTable("shown", (), (("dice", "3, 1; 4"),))),
        ("log", [{"by": 0, "bid": 7}], TextTable("log", ("by", "bid"), (("you", "7"),))),
        ("to_come", 7, Fact("to come", "7")),
        ("winner", 0, Fact("winner", "you")),
    ],
)
def test_a_value_is_shown_by_its_shape(field: str, value: Any, part: Part) -> None:
    assert parts(room({field: value, "turn": 0})) == [part]


@pytest.mark.parametrize(
    ("kind", "value", "part"),
    [
        ("hand", [3, 4], Cards("field", (3, 4), ("3", "4"))),
        ("cards", 7, Cards("field", (7,), ("7",))),
        ("cards", None, Cards("field", (), ())),
        ("pile", 7, Fact("field", "7")),
        ("score", [3, 4], Seated("field", ("3", "4"))),
        ("laid", [[3, 1], []], Seated("field", ("3, 1", "–"))),
        ("open", [[3, 1, 2], [4, 2, 9]], Seated("field", ("3, 1, 2", "4, 2, 9"))),
        ("badge", [0], Fact("field", "you")),
        ("board", ["ab"], Grid("field", (("a", "b"),))),
        ("score", "high", Fact("field", "high")),
        ("later", 7, Fact("field", "7")),
    ],
)
def test_a_layout_that_fits_shows_a_value(monkeypatch: pytest.MonkeyPatch, kind: str, value: Any, part: Part) -> None:
    monkeypatch.setattr(shapes, "_learnt", {})
    shapes.learn_layout("chess", {"field": {"kind": kind}})
    here = room({"field": value, "turn": 0})
    assert parts(here) == [part]
    assert (part in in_sight(here, set())) == (kind == "hand")


@pytest.mark.parametrize(
    ("phrase", "value", "part"),
    [
        ("The bid is {count} × {face}.", {"count": 3, "face": 5}, Fact("", "The bid is 3 × 5.")),
        ("the bid", {"count": 3, "face": 5}, TextTable("the bid", (), (("dice", "3"), ("face", "5")))),
        ("bids", [{"count": 3}], TextTable("bids", ("dice",), (("3",),))),
        ("{count, plural, none {no bid} other {# dice}}", None, Fact("", "no bid")),
        ("", {"count": 3}, None),
        ("the bid", {}, None),
    ],
)
def test_a_map_has_a_sentence_or_names_for_its_keys(phrase: str, value: Any, part: Part | None) -> None:
    phrases.learn("chess", {"chess.view.bid": phrase, "chess.view.bid.count": "dice"})
    assert parts(room({"bid": value})) == ([part] if part else [])


BIDS: list[Plain] = [{"do": "bid", "count": n, "face": f} for n in range(1, 21) for f in range(1, 7) if (n, f) > (1, 3)]
DOUBT: Plain = {"do": "doubt"}


def test_many_actions_of_a_kind_are_one_line_with_the_values_of_their_fields() -> None:
    here = room({"bid": 3}, [DOUBT, *BIDS])
    single, group = any_game.listed(here, ways(here))
    assert single == "1 doubt"
    assert "count 1, face 4–6; count 2–20, face 1–6" in group
    assert [line.split(":")[0] for line in numbered(here, [DOUBT, *BIDS])] == ["0", "bid"]


def test_fields_of_a_group_are_stepped_through_one_by_one() -> None:
    here = room({}, BIDS)
    [group] = grouped(ways(here))
    assert isinstance(group, Group)
    assert group.fields == ("count", "face")
    lowest = group.ways[0]
    assert lowest.action == {"do": "bid", "count": 1, "face": 4}
    assert group.step(lowest, 0, 1).action == {"do": "bid", "count": 2, "face": 4}
    assert [group.step(lowest, 1, by).action["face"] for by in (1, 2, 3, -1)] == [5, 6, 4, 6]
    back = group.step(group.step(group.step(lowest, 0, 1), 1, -1), 0, -1)
    assert (back.action["count"], back.action["face"]) == (1, 4), "3 is not possible beside 1"


@pytest.mark.parametrize(
    "legal",
    [
        [{"do": "put", "row": row, "column": column} for row in range(5) for column in range(5)],
        [{"do": "play", "card": f"card{number}"} for number in range(30)],
        BIDS[:20],
    ],
)
def test_a_list_stays_a_list_where_it_is_short_or_has_a_better_way(legal: list[Plain]) -> None:
    here = room({"board": ["....."] * 5}, legal)
    assert grouped(ways(here)) == ways(here)


COINS: list[Plain] = [{"do": "bid", "coins": n} for n in range(31)]
CARDS: list[Plain] = [{"do": "play", "card": "10H"}, {"do": "play", "card": "9S"}]
CELLS: list[Plain] = [{"do": "put", "row": 0, "column": column} for column in range(3)]
COLOURED: list[Plain] = [{"do": "pass"}, {"do": "play", "card": "red"}, {"do": "play", "card": "green"}]


@pytest.mark.parametrize(
    ("legal", "typed", "chosen"),
    [
        (
            [DOUBT, *BIDS],
            ["3 4", "bid 3 4", "Bid count 3 face 4", "3x4", "3 x 4"],
            {"do": "bid", "count": 3, "face": 4},
        ),
        (COINS, ["5", "bid 5", "Bid coins 5"], COINS[5]),
        ([DOUBT, *COINS], ["bid 7", "7"], COINS[7]),
        (CARDS, ["10"], CARDS[0]),
        (CELLS, ["2", "put b1", " B1 ", "b1"], CELLS[1]),
    ],
)
def test_choice_is_typed_by_number_words_values_or_cell(legal: list[Plain], typed: list[str], chosen: Plain) -> None:
    here = room({"board": BOARD}, legal)
    assert [any_game.choose(here, each) for each in typed] == [(3, chosen)] * len(typed)


@pytest.mark.parametrize(
    ("legal", "typed", "told"),
    [
        (BIDS, ["5"], "such as: bid"),
        (COINS, ["31"], "such as: bid"),
        ([DOUBT, *COINS], ["1"], "1 doubt bid coins 1"),  # a choice and a value
        (CARDS, ["0", "play 0", "play 1"], "1 play 10H 2 play 9S"),  # no part of another number
        (COLOURED, ["play"], "2 play red 3 play green"),  # they keep their numbers
        (CELLS, ["0", "4", "put", "z", "²", ""], "put"),
    ],
)
def test_what_is_unclear_is_refused_with_what_fits(legal: list[Plain], typed: list[str], told: str) -> None:
    for each in typed:
        with pytest.raises(UnclearInput, match=told):
            any_game.choose(room({"board": BOARD}, legal), each)


@pytest.mark.parametrize(
    ("legal", "typed"),
    [
        (COINS[:6], ['```json\n{"do": "bid", "coins": 5}\n```', "```\nbid 5\n```", "5"]),
        (COINS[26:], ["bid 30", "30"]),
        (COINS[30:], ["bid 30"]),
        ([DOUBT, *BIDS[-2:]], ["bid 20 6", "20 6", "2"]),
        (BIDS[-2:], ["bid 6"]),
    ],
)
def test_few_choices_are_answered_as_many_are(legal: list[Plain], typed: list[str]) -> None:
    phrases.learn("chess", {"chess.act.bid": "an offer"})
    for each in typed:
        found = answer(room({}, legal), each)
        assert (legal[found] if isinstance(found, int) else found) == legal[-1]


@pytest.mark.parametrize(("legal", "typed"), [(BIDS, "5"), (COINS, "31"), ([DOUBT, *COINS], "0"), (BIDS, "castle")])
def test_sentences_say_how_to_type_it_and_which_numbers_there_are(legal: list[Plain], typed: str) -> None:
    text = text_view(room({}, legal))
    assert ("numbers:" in text, "number," in text) == (False, DOUBT in legal)
    with pytest.raises(UnclearInput, match="such as: bid"):
        answer(room({}, legal), typed)


def test_example_of_many_choices_is_in_the_words_of_the_game() -> None:
    phrases.learn("auction", {"auction.act.bid": "{coins} bieten", "auction.act.bid.coins": "Betrag"})
    here = room({}, COINS)
    here.game = "auction"
    [line] = numbered(here, COINS)
    example = line.rpartition(": ")[2]
    assert "Betrag 0–30" in line
    assert "bid" not in line
    assert answer(here, example) in ([15, COINS[15]])


def test_what_a_decision_is_about_and_the_hand_stay_in_sight() -> None:
    here = room({"bid": {"count": 3, "seat": 1}, "dice": [1, 2], "face": 3, "scores": [1, 2], "log": [{"count": 1}]})
    shown = parts(here)
    assert in_sight(here, {"bid", "count", "face", "seat"}) == [shown[0], shown[2], shown[1]]
    assert in_sight(here, ()) == [shown[1]]


@pytest.mark.usefixtures("example_games")
def test_rules_and_options_are_in_the_words_of_the_game() -> None:
    assert len(any_game.how_to("goofspiel", {"ties": "carried"})) == 2
    assert any_game.how_to("chess", {}) == []
    phrases.learn("chess", {"chess.option.blitz": "Blitz game", "chess.option.odd": "{missing}"})
    assert any_game.in_short("chess", {"blitz": True, "odd": True, "slow": False}) == ["Blitz game", "odd"]


def test_a_text_in_a_place_a_list_or_a_case_has_the_words_of_the_game() -> None:
    listed = "{seat, player} shows {shapes, list, none {nothing} other {#}}{last, select, rock {, then #} other {}}"
    words = {"value.rock": "✊ rock", "act.show": "show {shape}", "event.shown": listed}
    phrases.learn("chess", {f"chess.{key}": each for key, each in words.items()})
    here = room({})
    said = [label(here, {"do": "show", "shape": shape}) for shape in ("rock", "well")]
    assert said == ["show ✊ rock", "show well"]
    event: Plain = {"e": "shown", "seat": 1, "shapes": ["rock", "well", 3], "last": "rock"}
    assert any_game.event(here, event) == "otto shows ✊ rock, well, 3, then ✊ rock"
    assert any_game.event(here, {**event, "shapes": [], "last": "well"}) == "otto shows nothing"


@pytest.mark.parametrize(
    ("bids", "said"),
    [
        ([3, "rock"], "Bids: you 3, otto ✊ rock"),
        ([[3, 4], []], "Bids: you 3, 4; otto –"),
        ({"1": 7}, "Bids: otto 7"),
        ([None, None], "No bids"),
    ],
)
def test_list_by_seat_has_the_players_in_a_phrase(bids: Any, said: str) -> None:
    words = {"event.opened": "{bids, seats, none {No bids} other {Bids: #}}", "value.rock": "✊ rock"}
    phrases.learn("chess", {f"chess.{key}": each for key, each in words.items()})
    assert any_game.event(room({}), {"e": "opened", "bids": bids}) == said


def test_a_waiting_room_names_the_game_and_its_options() -> None:
    words = {"name": "Sealed", "option.price": "Price", "option.price.first": "own bid", "option.odd.1": "{missing}"}
    phrases.learn("chess", {f"chess.{key}": each for key, each in words.items()})
    waiting = table("waiting", options={"price": "first", "odd": 1})
    here = JoinedRoom.of(joined(0, seat=0, game="chess", view=None, table=waiting))
    assert any_game.state(here) == ["Price: own bid.", "Odd: 1."]
    assert room_lines.present(here, "maria")[0].startswith("Room K7QD: Sealed,")


@pytest.mark.parametrize("deep", [[[[[[]]]]], {"a": {"b": [{"c": [1, {"d": "x" * 9999}]}]}}, ["", "x"], [], {}, [None]])
def test_any_value_can_be_shown(deep: Any) -> None:
    here = room({"board": deep, "other": deep}, [{"do": "it", "cell": deep}])
    assert all(
        isinstance(line, str) for line in (*any_game.board(here), *any_game.state(here), *any_game.question(here))
    )


@pytest.mark.parametrize(
    ("action", "places", "words"),
    [
        ({"do": "put", "row": 2, "column": 1}, [CellAddress(2, 1)], "put b3"),
        ({"do": "put", "x": 1, "y": 2}, [CellAddress(2, 1)], "put b3"),
        ({"do": "put", "cell": 7}, [CellAddress(2, 1)], "put b3"),
        ({"do": "put", "at": "b3"}, [CellAddress(2, 1)], "put b3"),
        ({"do": "drop", "column": 2}, [CellAddress(None, 2)], "drop c"),
        ({"do": "move", "from": [0, 0], "to": [1, 2]}, [CellAddress(0, 0), CellAddress(1, 2)], "move a1 c2"),
        ({"do": "put", "cell": 9}, [], "put cell 9"),
        ({"do": "raise", "by": 1, "all": True}, [], "raise otto all yes"),
    ],
)
def test_an_action_names_the_cells_of_the_board(action: Plain, places: list[CellAddress], words: str) -> None:
    here = room({"board": BOARD}, [action])
    assert [*ways(here)[0].places] == places
    assert label(here, action) == words


def test_an_event_without_words_is_shown_with_its_fields() -> None:
    here = room({})
    assert any_game.event(here, {"e": "big_bid", "seat": 1, "card": 4, "of": 0}) == "otto: big bid (card 4, of you)."
    assert any_game.event(here, {"e": "end"}) == "End."

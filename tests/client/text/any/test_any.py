"""Games that the client does not know: views by their shapes, actions with the cells they name, typed answers."""

from typing import Any

import pytest
from tests.client.messages import PEOPLE, joined, table

from parlour_client.core.phrases import phrases
from parlour_client.core.room import JoinedRoom, Question
from parlour_client.text.any import lines
from parlour_client.text.any.actions import Place, label, ways
from parlour_client.text.any.shapes import Board, Cards, Fact, Marks, Part, Seated, Table, parts
from parlour_client.text.base import UnclearInput
from parlour_protocol.messages import Plain

BOARD = ["...", ".x.", "o.."]


def room(view: Plain, legal: list[Plain] | None = None) -> JoinedRoom:
    found = JoinedRoom.of(joined(0, seat=0, game="chess", view=view, table=table("playing", seats=PEOPLE[:2])))
    found.question = Question(3, legal or [], None)
    return found


@pytest.mark.parametrize(
    ("field", "value", "part"),
    [
        ("rows", ["ab", "c."], Board("rows", (("a", "b"), ("c", "")))),
        ("area", [[1, None, ""], [0, 2, 3], [1, 1, 1]], Board("area", (("1", "", ""), ("0", "2", "3"), ("1",) * 3))),
        ("scores", [3, 4], Seated("scores", ("3", "4"))),
        ("taken", [[3, 1], [4, 2]], Seated("taken", ("3, 1", "4, 2"))),
        ("spent", [[3, 1, 2], [4, 2, 9]], Seated("spent", ("3, 1, 2", "4, 2, 9"))),
        ("hands", [[3, 1, 2], [4, 2, 9]], Seated("hands", ("3, 1, 2", "4, 2, 9"))),
        ("hand", [[3, 1], [4, 2]], Table("hand", (), (("3, 1",), ("4, 2",)))),
        ("dice_left", [3, 4], Cards("dice left", (3, 4), ("3", "4"))),
        ("held", {"0": "ace", "1": None}, Seated("held", ("ace", "–"))),
        ("hand", [3, 4], Cards("hand", (3, 4), ("3", "4"))),
        ("hand", ["r5", "g10", "w"], Cards("hand", ("r5", "g10", "w"), ("r5", "g10", "w"))),
        ("line", [[0, 1], [0, 2]], Marks(((0, 1), (0, 2)))),
        ("pot", {"small_blind": 5}, Table("pot", (), (("small blind", "5"),))),
        ("log", [{"by": 0, "bid": 7}], Table("log", ("by", "bid"), (("you", "7"),))),
        ("to_come", 7, Fact("to come", "7")),
        ("winner", 0, Fact("winner", "you")),
    ],
)
def test_a_value_is_shown_by_its_shape(field: str, value: Any, part: Part) -> None:
    assert parts(room({field: value, "turn": 0})) == [part]


@pytest.mark.usefixtures("example_games")
def test_rules_and_options_are_in_the_words_of_the_game() -> None:
    assert len(lines.how_to("goofspiel", {"ties": "carried"})) == 2
    assert lines.how_to("chess", {}) == []
    phrases.learn("chess", {"chess.option.blitz": "Blitz game", "chess.option.odd": "{missing}"})
    assert lines.in_short("chess", {"blitz": True, "odd": True, "slow": False}) == ["Blitz game", "odd"]


@pytest.mark.parametrize("deep", [[[[[[]]]]], {"a": {"b": [{"c": [1, {"d": "x" * 9999}]}]}}, ["", "x"], [], {}, [None]])
def test_any_value_can_be_shown(deep: Any) -> None:
    here = room({"board": deep, "other": deep}, [{"do": "it", "cell": deep}])
    assert all(isinstance(line, str) for line in (*lines.board(here), *lines.state(here), *lines.question(here)))


@pytest.mark.parametrize(
    ("action", "places", "words"),
    [
        ({"do": "put", "row": 2, "column": 1}, [Place(2, 1)], "put b3"),
        ({"do": "put", "x": 1, "y": 2}, [Place(2, 1)], "put b3"),
        ({"do": "put", "cell": 7}, [Place(2, 1)], "put b3"),
        ({"do": "put", "at": "b3"}, [Place(2, 1)], "put b3"),
        ({"do": "drop", "column": 2}, [Place(None, 2)], "drop c"),
        ({"do": "move", "from": [0, 0], "to": [1, 2]}, [Place(0, 0), Place(1, 2)], "move a1 c2"),
        ({"do": "put", "cell": 9}, [], "put cell 9"),
        ({"do": "raise", "by": 1, "all": True}, [], "raise otto all yes"),
    ],
)
def test_an_action_names_the_cells_of_the_board(action: Plain, places: list[Place], words: str) -> None:
    here = room({"board": BOARD}, [action])
    assert [*ways(here)[0].places] == places
    assert label(here, action) == words


@pytest.mark.parametrize("typed", ["2", "put b1", " B1 ", "b1"])
def test_an_action_is_typed_by_number_words_or_cell(typed: str) -> None:
    legal: list[Plain] = [{"do": "put", "row": 0, "column": column} for column in range(3)]
    assert lines.choose(room({"board": BOARD}, legal), typed) == (3, legal[1])


@pytest.mark.parametrize("typed", ["0", "4", "put", "z", "²", ""])
def test_unclear_words_choose_nothing(typed: str) -> None:
    legal: list[Plain] = [{"do": "put", "row": 0, "column": column} for column in range(3)]
    with pytest.raises(UnclearInput):
        lines.choose(room({"board": BOARD}, legal), typed)


def test_an_event_without_words_is_shown_with_its_fields() -> None:
    here = room({})
    assert lines.event(here, {"e": "big_bid", "seat": 1, "card": 4, "of": 0}) == "otto: big bid (card 4, of you)."
    assert lines.event(here, {"e": "end"}) == "End."

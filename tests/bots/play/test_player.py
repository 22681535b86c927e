from typing import Any

import pytest
from msgspec.structs import replace
from tests.bots.messages import PLAYS, ROOM, VIEW, illegal, joined, over, turn, update

from parlour_bots.errors import Mistake
from parlour_bots.play.player import SeatPlayer
from parlour_bots.sdk import BotSource, Choice, Turn, bot_spec
from parlour_protocol.messages import Act, Error, Plain
from parlour_protocol.messages import Turn as Asked

DRAW = PLAYS[-1]


class Table:
    """A player that sits in a room already, and the mistakes it made."""

    def __init__(self, playing: BotSource, *, call_uno: bool = True, seed: object = 0, most: int | None = None) -> None:
        self.told: list[Mistake] = []
        self.player = SeatPlayer(bot_spec(playing, "bot", "uno", call_uno), seed, self.told.append, most)
        self.joined = joined(seat=2)
        self.joined.table["options"] = {"target": 300}
        assert self.player.receive(self.joined) == []

    def __call__(self, message: Any) -> list[Any]:
        return [(act.rid, act.act) for act in self.player.receive(message)]


def answering(choice: Any) -> Table:
    return Table(lambda turn: choice)


class Noting:
    def __init__(self, choice: Choice = 0) -> None:
        self.choice = choice
        self.turns: list[Turn] = []

    def play(self, turn: Turn) -> Choice:
        self.turns.append(turn)
        return self.choice


def test_turn_tells_everything_the_bot_may_know() -> None:
    bot = Noting()
    table = Table(bot)
    table(update({"e": "deal"}))
    table(turn(1, PLAYS, {"e": "play"}))
    table(turn(2, [DRAW]))
    first, second = bot.turns
    assert (first.game, first.room, first.seat, first.rid, first.left) == ("uno", ROOM, 2, 1, None)
    assert (first.view, first.legal, first.options) == (VIEW, PLAYS, {"target": 300})
    assert first.events == [{"e": "deal"}, {"e": "play"}]
    assert (second.legal, second.events, second.options) == ([DRAW], [], {"target": 300})
    assert len(table.player.thinking) == 2
    assert min(table.player.thinking) > 0


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (0, 0),
        (4, 4),
        (DRAW, 4),
        ({"card": 2, "uno": True, "do": "play"}, 2),
        ({"do": "resign"}, {"do": "resign"}),
        ({"do": "draw", "colour": None, "uno": False}, 4),
        ({"do": "play", "cards": [1, 2]}, {"do": "play", "cards": [1, 2]}),
    ],
)
def test_answer_is_an_index_or_an_action(choice: Choice, sent: Any) -> None:
    table = answering(choice)
    assert table(turn(1)) == [(1, sent)]
    assert table.told == []


def test_reason_goes_with_the_act_and_is_cut_at_what_the_protocol_takes() -> None:
    table = answering((4, "x" * 3000))
    assert table.player.receive(turn(7)) == [Act(ROOM, 7, 4, "x" * 1024)]


@pytest.mark.parametrize(
    ("choice", "call_uno", "sent"),
    [(1, True, 0), ({"do": "play", "card": 2}, True, 2), (0, True, 0), (4, True, 4), (1, False, 1)],
)
def test_uno_is_called_for_the_bot_unless_it_wants_to_do_it_itself(choice: Choice, call_uno: bool, sent: int) -> None:
    assert Table(lambda turn: choice, call_uno=call_uno)(turn(1)) == [(1, sent)]


def test_what_the_bot_does_to_its_turn_stays_its_own_affair() -> None:
    def play(turn: Turn) -> Plain:
        last = turn.legal.pop()
        turn.view["hand"].clear()
        turn.legal[0]["card"] = 99
        turn.options["target"] = 1
        return last

    table, message = Table(play), turn(1)
    assert table(message) == [(1, 4)]
    assert (message.legal, message.view) == (PLAYS, {"hand": [1, 2]})
    assert table.joined.table["options"] == {"target": 300}


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (5, "there is no action 5: legal has 5, numbered from 0"),
        (-1, "there is no action -1"),
        (True, "an answer is an action or an index, not True"),
        (None, "not None"),
        ("draw", "not 'draw'"),
        ({"do": "play", "card": 99}, "{'do': 'play', 'card': 99} is not in turn.legal"),
        (1.0, "not 1.0"),
    ],
)
def test_answer_that_is_none_is_a_mistake_and_chance_plays(choice: Any, words: str) -> None:
    table = answering(choice)
    [(rid, act)] = table(turn(3))
    assert (rid, act in range(5)) == (3, True)
    assert words in table.told[0].what
    assert table.told[0].place.where.startswith(f"{__file__}:")
    assert table.player.mistakes.total() == 1


def test_exception_is_told_with_the_line_of_the_author() -> None:
    def play(turn: Turn) -> int:
        return int(turn.view["cards"][0])  # the culprit

    table = Table(play)
    table(turn(3))
    [mistake] = table.told
    assert mistake.what == "KeyError: 'cards'"
    assert "# the culprit" in mistake.place.text
    assert (mistake.turn.rid, mistake.turn.legal) == (3, PLAYS)


def test_refused_answer_is_told_and_chance_answers_once() -> None:
    table = answering({"do": "play", "cards": [1, 99]})
    assert table(turn(3)) == [(3, {"do": "play", "cards": [1, 99]})]
    [(rid, act)] = table(illegal(3))
    assert (rid, act in range(5)) == (3, True)
    assert "that card does not fit" in table.told[0].what
    assert "'cards': [1, 99]" in table.told[0].what
    assert table(illegal(3)) == []
    assert table.player.mistakes.total() == 1


def test_act_whose_note_is_too_much_is_sent_without_it() -> None:
    table = answering((4, "because"))
    table(turn(3))
    much = Error("too_much", "too many long acts", room=ROOM, rid=3, retry_after=1_000)
    assert table.player.receive(much) == [Act(ROOM, 3, 4)]
    assert table.told == []
    assert [act.rid for act in table.player.receive(much)] == [3]
    assert len(table.told) == 1
    assert table.player.receive(much) == []


def test_other_refusals_are_no_mistakes() -> None:
    table = answering(0)
    table(turn(3))
    assert table(Error("stale", "the clock was faster", room=ROOM, rid=3, why="clock")) == []
    assert table(illegal(2)) == []
    assert table.told == []


def test_decision_asked_again_gets_the_same_answer_without_asking_the_bot() -> None:
    bot = Noting(3)
    table = Table(bot)
    assert table(turn(3)) == table(turn(3))
    assert [asked.rid for asked in bot.turns] == [3]


def grid(*rows: str) -> Asked:
    return replace(turn(1, None), game="minesweeper", view={"rows": list(rows)})


@pytest.mark.parametrize(
    ("choice", "asked", "sent"),
    [
        (3, grid("1.", ".."), 3),
        (None, grid("1F", "0."), 3),
        (None, turn(1, None), {"do": "resign"}),
        ({"do": "open", "cells": [[0, 0]]}, turn(1, None), {"do": "open", "cells": [[0, 0]]}),
    ],
    ids=["a number is a cell", "chance opens a closed cell without a flag", "chance resigns", "an action"],
)
def test_decision_without_a_list(choice: Any, asked: Asked, sent: Any) -> None:
    assert answering(choice)(asked) == [(1, sent)]


CATCH = {"do": "catch", "seat": 1}
OFFER = update(may=[{"rid": 5, "legal": [CATCH]}])


class Catcher:
    def play(self, turn: Turn) -> int:
        return 4

    def may(self, turn: Turn) -> Choice | None:
        return 0 if turn.legal[0]["do"] == "catch" else None


def test_offers_are_for_bots_that_ask_for_them_and_answered_before_a_turn() -> None:
    offers = update(may=[{"rid": 5, "legal": [CATCH]}, {"rid": 6, "legal": [{"do": "uno"}]}])
    assert answering(0)(offers) == []
    assert Table(Catcher)(offers) == [(5, 0)]
    assert Table(Catcher)(turn(9, may=OFFER.may)) == [(5, 0), (9, 4)]


def test_offer_that_was_taken_is_not_asked_about_again_but_one_that_was_left_is() -> None:
    asked: list[int] = []

    class Hesitant(Catcher):
        def may(self, turn: Turn) -> Choice | None:
            asked.append(turn.rid)
            return None if len(asked) == 1 else 0

    table = Table(Hesitant)
    assert [table(OFFER) for _ in range(3)] == [[], [(5, 0)], []]
    assert asked == [5, 5]


def test_mistake_with_an_offer_leaves_it() -> None:
    class Wrong(Catcher):
        def may(self, turn: Turn) -> Choice | None:
            raise RuntimeError("oh")

    table = Table(Wrong)
    assert table(OFFER) == []
    assert table.told[0].what == "RuntimeError: oh"


def test_offer_refused_is_told_and_not_tried_again() -> None:
    table = Table(Catcher)
    table(OFFER)
    assert table(illegal(5)) == []
    assert table(OFFER) == []
    assert len(table.told) == 1


def test_after_too_many_mistakes_it_resigns_and_takes_no_offer() -> None:
    class Wrong(Catcher):
        def play(self, turn: Turn) -> int:
            raise RuntimeError("oh")

    table = Table(Wrong, most=1)
    [(_, by_chance)] = table(turn(1))
    assert by_chance in range(5)
    assert (table(OFFER), table(turn(2))) == ([], [(2, {"do": "resign"})])


def test_class_gets_an_instance_for_each_match_and_remembers_within_it() -> None:
    class Counting:
        def __init__(self) -> None:
            self.turns = 0

        def play(self, turn: Turn) -> int:
            self.turns += 1
            return [4, 2][self.turns - 1]

    table = Table(Counting)
    sent = [table(turn(1)), table(turn(2)), table(over(1, 2)), table(turn(3))]
    assert sent == [[(1, 4)], [(2, 2)], [], [(3, 4)]]


def test_constructor_that_fails_is_a_mistake_of_every_turn() -> None:
    class Broken:
        def __init__(self) -> None:
            raise ValueError("no weights")

        def play(self, turn: Turn) -> int:
            return 0

    table = Table(Broken)
    assert len(table(turn(1)) + table(turn(2))) == 2
    assert [mistake.what for mistake in table.told] == ["ValueError: no weights"] * 2


def test_end_of_a_match_is_kept_until_the_next_begins() -> None:
    table = answering(4)
    table(turn(1))
    table(over(2, 1))
    assert table.player.over is not None
    assert table.player.over.result["ranks"] == {"0": 2, "1": 1}
    assert len(table.player.acts) == 1
    table(turn(2))
    assert table.player.over is None
    assert [act.rid for act in table.player.acts] == [2]


def test_same_seed_gives_the_same_chances_and_each_match_others() -> None:
    def drawn(seed: str) -> list[str | None]:
        table = Table(lambda turn: (4, str(turn.rng.random())), seed=seed)
        messages = turn(1), turn(2), over(1, 2), turn(3)
        return [act.why for message in messages for act in table.player.receive(message)]

    assert drawn("a") == drawn("a") != drawn("b")
    assert len(set(drawn("a"))) == 3

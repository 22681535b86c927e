from typing import Any

import pytest
from tests.client.messages import PEOPLE, VIEW, joined, over, row, said, seats, table, turn, update

from parlour_client.core.room import JoinedRoom, Question
from parlour_protocol.messages import Error, Offer, Ok, Plain

CATCH: Offer = {"rid": 5, "legal": [{"do": "catch", "seat": 2}]}


def room(**more: Any) -> JoinedRoom:
    return JoinedRoom.of(joined(0, **more))


def test_a_turn_asks_and_its_ok_closes_the_question_before() -> None:
    here = room()
    here.apply(turn(1, 7, [{"do": "draw"}]))
    assert here.question == Question(7, [{"do": "draw"}], 14_000)
    here.apply(turn(2, 8, [{"do": "pass"}], ok={"rid": 7, "act": {"do": "draw"}}))
    assert here.question == Question(8, [{"do": "pass"}], 14_000)
    here.apply(update(3, ok={"rid": 8, "act": {"do": "pass"}}))
    assert here.question is None


@pytest.mark.parametrize(
    ("view", "is_open"), [({**VIEW, "counts": [3, 6, 1]}, True), ({**VIEW, "turn": 1}, False), ({"rows": []}, True)]
)
def test_what_others_do_leaves_the_question_open_until_somebody_else_is_asked(view: Plain, is_open: bool) -> None:
    here = room()
    here.apply(turn(1, 7))
    here.apply(update(2, view=view))
    assert (here.question is not None) is is_open


@pytest.mark.parametrize("answer", [Ok(room="K7QD", rid=7), Error("stale", "late", room="K7QD", rid=7)])
def test_an_answer_or_its_lateness_closes_the_question(answer: Ok | Error) -> None:
    here = room(may=[CATCH])
    here.apply(turn(1, 7, may=[CATCH]))
    here.apply(answer)
    assert here.question is None
    assert here.may == [CATCH]


def test_an_answered_offer_is_closed_alone() -> None:
    here = room()
    here.apply(turn(1, 7, may=[CATCH]))
    here.apply(Ok(room="K7QD", rid=5))
    assert here.may == []
    assert here.question is not None


def test_an_illegal_act_leaves_the_question_with_the_time_that_is_left() -> None:
    here = room()
    here.apply(turn(1, 7))
    here.apply(Error("illegal_action", "no", room="K7QD", rid=7, legal=[{"do": "draw"}, {"do": "x"}], left=3_000))
    assert here.question == Question(7, [{"do": "draw"}, {"do": "x"}], 3_000)


def test_a_match_is_under_way_until_it_is_over_and_again_when_the_next_begins() -> None:
    here = room(view=VIEW)
    assert not here.under_way
    here.apply(seats(1, table("playing")))
    assert here.under_way
    here.apply(over(2))
    assert not here.under_way
    here.apply(seats(3, table("finished")))
    assert here.over is not None
    here.apply(seats(4, table("playing")))
    assert here.under_way


def test_over_closes_everything_until_the_next_match() -> None:
    here = room()
    here.apply(turn(1, 7, may=[CATCH]))
    here.apply(over(2))
    assert (here.question, here.may, here.over) == (None, [], over(2))
    here.apply(update(3))
    assert here.over is None


def test_the_latest_talk_is_kept() -> None:
    here = room()
    for n in range(60):
        here.apply(said(n + 1, "otto", str(n)))
    assert len(here.chat) == 50
    assert here.chat[-1] == {"from": "otto", "text": "59"}


def test_while_a_standin_plays_for_us_nothing_is_asked_of_us() -> None:
    here = room()
    here.apply(turn(1, 7))
    here.apply(seats(2, table("playing", seats=[PEOPLE[0], {**PEOPLE[1], "by": "standin"}])))
    assert here.question is not None
    here.apply(seats(3, table("playing", seats=[{**PEOPLE[0], "by": "standin"}])))
    assert here.question is None


def test_other_rooms_are_ignored() -> None:
    here = room()
    here.apply(joined(9, room="OTHR"))
    here.apply(Ok(room="OTHR", rid=1))
    assert here == room()


def test_names() -> None:
    here = room(table=table(seats=[*PEOPLE, row(3, "Otter")]))
    assert [here.name(seat) for seat in (0, 3, 8)] == ["maria", "Otter", "seat 8"]
    assert [here.seat_of(name) for name in ("OTTO", "ma", "ott", "", "x")] == [1, 0, None, None, None]


def test_who_sits_down_after_the_end_of_a_match_has_no_part_in_it() -> None:
    here = room(seat=2, table=table("finished"), view=VIEW)
    here.apply(over(1))
    assert (here.late, here.view, here.over, here.events) == (True, None, None, [])
    here.apply(update(2))
    assert (here.late, here.view) == (False, VIEW)


@pytest.mark.parametrize("more", [{"why": "resume"}, {"seat": None}, {"table": table("playing")}])
def test_others_see_the_match_as_it_ended(more: dict[str, Any]) -> None:
    here = room(**{"table": table("finished"), "view": VIEW, **more})
    here.apply(over(1))
    assert (here.late, here.view) == (False, VIEW)
    assert here.over is not None


def test_a_player_who_left_keeps_the_name_until_the_next_match() -> None:
    here = room(table=table("playing"), view=VIEW)
    name = here.name(1)
    gone = [each for each in PEOPLE if each["seat"] != 1]
    here.apply(seats(1, table("playing", seats=gone)))
    assert here.name(1) == name
    back = room(table=table("playing", seats=gone), view=VIEW)
    back.resume(here)
    back.apply(over(2))
    back.apply(seats(3, table("finished", seats=[*gone, row(1, "new")])))
    assert back.name(1) == name, "the result is of those who have played"
    back.apply(seats(4, table("playing", seats=[*gone, row(1, "new")])))
    assert back.name(1) == "new"

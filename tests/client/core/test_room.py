from typing import Any

import pytest
from tests.client.messages import PEOPLE, VIEW, joined, over, row, said, seats, table, turn, update

from parlour_client.core.room import JoinedRoom, Question
from parlour_protocol.messages import Error, Offer, Ok, Plain, ServerMessage

PASS: Plain = {"do": "pass"}
CATCH: Offer = {"rid": 5, "legal": [{"do": "catch", "seat": 2}]}


def room(**more: Any) -> JoinedRoom:
    return JoinedRoom.of(joined(0, **more))


ASKED = turn(1, 7)
OPEN = Question(7, [{"do": "draw"}], 14_000)
ILLEGAL = Error("illegal_action", "no", room="K7QD", rid=7, legal=[{"do": "x"}], left=3_000)
QUESTIONS: dict[str, tuple[list[ServerMessage], Question | None]] = {
    "a turn": ([ASKED], OPEN),
    "the next turn with the ok of the last": ([ASKED, turn(2, 8, [PASS], ok={"rid": 7})], Question(8, [PASS], 14_000)),
    "an update with the ok": ([ASKED, update(2, ok={"rid": 7})], None),
    "the ok alone": ([ASKED, Ok(room="K7QD", rid=7)], None),
    "too late an answer": ([ASKED, Error("stale", "late", room="K7QD", rid=7)], None),
    "an illegal answer": ([ASKED, ILLEGAL], Question(7, [{"do": "x"}], 3_000)),
    "what others do": ([ASKED, update(2, view={**VIEW, "counts": [3, 6, 1]})], OPEN),
    "somebody else is asked": ([ASKED, update(2, view={**VIEW, "turn": 1})], None),
    "a view that tells no turn": ([ASKED, update(2, view={"rows": []})], OPEN),
    "a stand-in for another": ([ASKED, seats(2, table(seats=[PEOPLE[0], {**PEOPLE[1], "by": "standin"}]))], OPEN),
    "a stand-in for us": ([ASKED, seats(2, table(seats=[{**PEOPLE[0], "by": "standin"}]))], None),
}


@pytest.mark.parametrize(("messages", "question"), QUESTIONS.values(), ids=QUESTIONS)
def test_question_that_is_open(messages: list[ServerMessage], question: Question | None) -> None:
    here = room(may=[CATCH])
    for message in messages:
        here.apply(message)
    assert here.question == question


def test_an_answered_offer_is_closed_alone() -> None:
    here = room()
    here.apply(turn(1, 7, may=[CATCH]))
    here.apply(Ok(room="K7QD", rid=5))
    assert (here.may, here.question) == ([], OPEN)
    here.apply(turn(2, 8, may=[CATCH]))
    here.apply(Ok(room="K7QD", rid=8))
    assert (here.may, here.question) == ([CATCH], None)


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
    assert (len(here.chat), here.chat[-1]) == (50, {"from": "otto", "text": "59"})


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

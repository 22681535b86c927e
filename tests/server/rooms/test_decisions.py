"""Decisions and their rids, without a game.

SPEC.md#decision-numbers, #required-and-optional-decisions, #decision-lifetime, #repeated-and-late-acts.
"""

from hypothesis import given
from hypothesis import strategies as st
from tests.server.local_server import playing

from parlour_games.game import Decision
from parlour_server.rooms.decisions import Book, OpenDecision, Past


def must(seat: int, key: str) -> Decision:
    return Decision(seat, key, True)


def may(seat: int, key: str) -> Decision:
    return Decision(seat, key, False)


def opened(book: Book, *listed: Decision) -> list[tuple[int, int, str]]:
    """Let the game list these; return (seat, rid, key) of what opens."""
    return [(found.seat, found.rid, found.key) for found in book.refresh(listed, 0)[1]]


def test_each_seat_counts_its_own_rids_from_where_the_match_before_ended() -> None:
    book = Book([1, 8])
    assert opened(book, must(0, "turn"), may(1, "catch:0")) == [(0, 1, "turn"), (1, 8, "catch:0")]
    assert opened(book, must(0, "turn"), may(1, "catch:0"), may(1, "uno")) == [(1, 9, "uno")]
    assert book.next_rid == [2, 10]


def test_what_is_still_listed_stays_open_under_its_rid() -> None:
    book = Book([1, 1])
    opened(book, must(0, "turn"), must(1, "turn"))
    before = book.of(0)
    closed, new = book.refresh([must(1, "turn"), must(0, "turn")], 50)
    assert (closed, new) == ([], [])
    assert book.of(0) == before
    assert book.of(0)[0].opened == 0


def test_another_key_closes_the_question_as_overtaken_and_opens_another() -> None:
    book = Book([1])
    opened(book, must(0, "turn:1"))
    closed, new = book.refresh([must(0, "turn:2")], 7)
    assert [(found.rid, found.key) for found in closed] == [(1, "turn:1")]
    assert [(found.rid, found.opened) for found in new] == [(2, 7)]
    assert book.find(0, 1) == Past("overtaken")


def test_every_rid_ever_given_is_found_again_and_no_other() -> None:
    book = Book([3])
    opened(book, must(0, "turn"), may(0, "uno"))
    book.close(book.of(0)[0], Past("clock", {"do": "draw"}))
    assert book.find(0, 3) == Past("clock", {"do": "draw"})
    found = book.find(0, 4)
    assert isinstance(found, OpenDecision)
    assert found.key == "uno"
    assert [book.find(0, rid) for rid in (0, 2, 5, -3)] == [None] * 4
    assert book.find(1, 3) is None


def test_a_seat_has_one_obligation_and_any_number_of_offers() -> None:
    book = Book([1, 1])
    opened(book, must(0, "turn"), may(0, "catch:1"), may(0, "catch:2"), may(1, "uno"))
    obligation = book.obligation(0)
    assert obligation is not None
    assert obligation.key == "turn"
    assert [offer.key for offer in book.optional(0)] == ["catch:1", "catch:2"]
    assert book.obligation(1) is None
    assert [found.seat for found in book.obligations()] == [0]
    assert len(book.of(0)) == 3


def test_the_list_is_made_once_and_kept_with_its_decision() -> None:
    match = playing("fake").match
    decision = match.book.of(0)[0]
    first = decision.legal(match.game, match.state)
    match.state.hits[0] = 9
    assert decision.legal(match.game, match.state) is first
    assert decision.wire(match.game, match.state) is decision.wire(match.game, match.state)
    assert decision.wire(match.game, match.state)[0] == {"do": "take", "cell": 0}


LISTED = st.lists(
    st.builds(must, st.integers(0, 2), st.sampled_from("ab")), unique_by=lambda found: found.seat, max_size=3
)
OFFERED = st.lists(st.builds(may, st.integers(0, 2), st.sampled_from("xyz")), unique=True, max_size=4)


@given(st.lists(st.tuples(LISTED, OFFERED, st.integers(0, 5)), max_size=30))
def test_rids_are_dense_and_never_given_twice(steps: list[tuple[list[Decision], list[Decision], int]]) -> None:
    book, given_out = Book([1, 1, 1]), []
    for obligations, offers, answer in steps:
        given_out += [(seat, rid) for seat, rid, _ in opened(book, *obligations, *offers)]
        assert {(found.seat, found.key) for found in book.open.values()} == {
            (d.seat, d.key) for d in obligations + offers
        }
        now_open = list(book.open.values())
        if now_open:
            book.close(now_open[answer % len(now_open)], Past(None))
    for seat in range(3):
        assert [rid for owner, rid in given_out if owner == seat] == list(range(1, book.next_rid[seat]))
    assert len(book.past) + len(book.open) == len(given_out)


def test_a_long_act_is_remembered_in_little_memory() -> None:
    book = Book([1])
    act = {"do": "flag", "cells": [[x % 100, x // 100] for x in range(256)]}
    book.refresh([must(0, "move")], 0)
    book.close(book.of(0)[0], Past(None, act))
    assert book.find(0, 1) == Past(None, act)
    assert sum(map(len, book.past.values())) < 4 * 256

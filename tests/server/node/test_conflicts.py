"""What of a commit is void when other nodes stand against part of it, and what is tried again."""

from collections.abc import Sequence
from typing import Any

import pytest
from tests.server.store.writes import identity, line, match

from parlour_protocol import messages as m
from parlour_server.effects import Post
from parlour_server.node.commits import divide
from parlour_server.persistence import DropIdentity, SaveContest, SavePairing, SaveRoom, SaveSeat, SaveTicket
from parlour_server.store.base import Conflict, NotStored

PONG = Post((9,), m.Pong())
TABLE = SavePairing("cup", 0, "A", None)


def told(room: str) -> Post:
    return Post((1,), m.Ok(room=room))


def listed(*rooms: str) -> Post:
    rows: list[Any] = [{"room": room} for room in rooms]
    return Post((1,), m.Rooms(rows, [], None))


@pytest.mark.parametrize("error", [NotStored("the disk is full"), ValueError()])
def test_of_any_other_failure_nothing_is_left(error: Exception) -> None:
    batches: list[Sequence[Any]] = [[line(0, "A")], [PONG]]
    assert divide(batches, error) == (batches, [])


def test_conflict_about_nothing_that_is_there_leaves_nothing() -> None:
    batches: list[Sequence[Any]] = [[line(0, "A")], [PONG]]
    assert divide(batches, Conflict(rooms=["X"])) == (batches, [])


@pytest.mark.parametrize(
    "about",
    [line(0, "A"), SaveRoom("A", 1, True), SaveSeat("A", "x", True), match("d", room="A"), told("A"), listed("B", "A")],
)
def test_what_is_about_a_lost_room_is_void_and_the_rest_stays(about: Any) -> None:
    lost, rest = divide([[line(0, "B")], [line(1, "A")], [about, PONG], [PONG], [told("B")]], Conflict(rooms=["A"]))
    assert lost == [[line(1, "A")], [about, PONG]]
    assert rest == [[line(0, "B")], [PONG], [told("B")]]


@pytest.mark.parametrize(
    ("write", "conflict"),
    [
        (identity("anna"), Conflict(people=["id-anna"])),
        (DropIdentity("id-anna"), Conflict(people=["id-anna"])),
        (SaveContest("cup", "{}", False), Conflict(contests=["cup"])),
        (TABLE, Conflict(contests=["cup"])),
    ],
)
def test_what_is_about_a_person_or_a_contest_that_changed_is_void(write: Any, conflict: Conflict) -> None:
    assert divide([[write, PONG], [line(0, "B")]], conflict) == ([[write, PONG]], [[line(0, "B")]])


def test_what_was_told_before_the_first_void_batch_stays() -> None:
    assert divide([[told("A")], [line(1, "A")]], Conflict(rooms=["A"])) == ([[line(1, "A")]], [[told("A")]])


def test_void_spreads_to_all_that_a_void_batch_is_about() -> None:
    batches: list[Sequence[Any]] = [
        [line(1, "A"), identity("anna")],
        [identity("anna"), line(1, "B")],
        [line(2, "B")],
        [line(1, "C")],
    ]
    lost, rest = divide(batches, Conflict(rooms=["A"]))
    assert (lost, rest) == (batches[:3], batches[3:])


def test_ticket_goes_with_its_batch() -> None:
    ticket: Sequence[Any] = [SaveTicket("hash", "id-anna", "A", 30), told("A")]
    assert divide([ticket, [line(1, "A")], ticket], Conflict(rooms=["A"])) == ([[line(1, "A")], ticket], [ticket])

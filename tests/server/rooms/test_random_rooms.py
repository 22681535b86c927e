"""Invariants of random rooms: one answer a request, dense sequences, acts that are done exactly once."""

import json
from typing import Any

import pytest
from tests.server.rooms.random_room import Client, RandomRoom

from parlour_protocol import messages as m

STEPS = 300


@pytest.fixture(scope="module", params=[10, pytest.param(40, marks=pytest.mark.long)])
def rooms(request: pytest.FixtureRequest) -> list[RandomRoom]:
    """Some rooms; that every request had one answer was checked on the way."""
    return [lived(seed) for seed in range(9_000, 9_000 + request.param)]


def lived(seed: int) -> RandomRoom:
    random_room = RandomRoom(seed)
    try:
        for _ in range(STEPS):
            random_room.step()
    except BaseException as error:
        error.add_note(f"RandomRoom({seed})")
        raise
    return random_room


def check_sequence(who: Client) -> int:
    """Follow the room as a client does; return how many messages were in sequence."""
    seq: int | None = None
    seat, fresh, followed = None, False, 0
    for message in who.heard:
        found = getattr(message, "seq", None)
        if isinstance(message, m.Left | m.Welcome):
            seq = None
        elif isinstance(message, m.Joined):
            assert seq in (None, found) or message.seat != seat, "in the same view a repeated joined has the seq of now"
            seq, seat, fresh = found, message.seat, True
        elif found is not None:
            assert seq is not None, "nothing of a room comes before joined"
            repeated = fresh and isinstance(message, m.Turn | m.Over) and found == seq
            assert repeated or found == seq + 1
            seq, fresh, followed = found, False, followed + 1
    return followed


def test_every_view_is_dense_and_joined_fits_into_it(rooms: list[RandomRoom]) -> None:
    assert sum(check_sequence(who) for random_room in rooms for who in random_room.everyone) > 375 * len(rooms)


def acts(random_room: RandomRoom) -> dict[tuple[int, int], Any]:
    """Return what was recorded, by seat and rid. Every rid has one record."""
    found: dict[tuple[int, int], Any] = {}
    for line in map(json.loads, random_room.lines()):
        if line["r"] == "act":
            assert (line["seat"], line["rid"]) not in found
            found[line["seat"], line["rid"]] = line["act"]
    return found


def test_every_ok_matches_a_record_and_every_record_an_ok(rooms: list[RandomRoom]) -> None:
    confirmed = 0
    for random_room in rooms:
        recorded = acts(random_room)
        for asked, answer in random_room.answers:
            ok = getattr(answer, "ok", None) or {}
            act = answer.act if isinstance(answer, m.Ok) else ok.get("act")
            if isinstance(asked, m.Act) and act is not None:
                assert act in [done for (_, rid), done in recorded.items() if rid == asked.rid]
                confirmed += 1
    assert confirmed > 75 * len(rooms)


def test_the_rids_of_a_seat_only_grow_and_a_repeated_turn_keeps_its_rid(rooms: list[RandomRoom]) -> None:
    for random_room in rooms:
        for who in random_room.everyone:
            last: dict[int, int] = {}
            for message in who.heard:
                if isinstance(message, m.Turn):
                    assert message.rid >= last.get(message.seat, 0)
                    last[message.seat] = message.rid


def test_at_most_one_obligation_a_seat_and_no_offer_is_named_twice(rooms: list[RandomRoom]) -> None:
    offers = 0
    for random_room in rooms:
        for message in (message for who in random_room.everyone for message in who.heard):
            rids = [offer["rid"] for offer in getattr(message, "may", None) or []]
            assert len(set(rids)) == len(rids)
            assert getattr(message, "rid", None) not in rids or isinstance(message, m.Error)
            offers += len(rids)
    assert offers > len(rooms) // 2


def test_every_match_ends_with_its_secret_revealed_to_everybody_present(rooms: list[RandomRoom]) -> None:
    for random_room in rooms:
        digests = {
            message.digest for who in random_room.everyone for message in who.heard if isinstance(message, m.Over)
        }
        assert digests <= {saved.match.digest for saved in random_room.server.matches}

"""What a witness can and cannot say."""

import json
from typing import Any

import pytest

from parlour_client.core.fairness import Witness
from parlour_games.fair import commitment
from parlour_protocol.messages import BeaconRound, FairView, RoomState

FIRST, SECOND = bytes(32), b"\1" * 32
CONTEXTS = {FIRST: "K7QD/1", SECOND: "K7QD/2"}
DIGEST = "d1"


def shown(secret: bytes, **nonces: str) -> FairView:
    given = {seat.strip("s"): nonce for seat, nonce in nonces.items()}
    return {"commit": commitment(secret), "context": CONTEXTS.get(secret, "K7QD/3"), "nonces": given}


def witness(secret: bytes = FIRST, state: RoomState = "waiting", seat: int | None = 0, **nonces: str) -> Witness:
    """Return somebody who has just come into a room."""
    made = Witness()
    assert made.see(shown(secret, **nonces), state, seat, jumped=True) is None
    return made


def promised(secret: bytes = FIRST, seat: int = 0) -> Witness:
    """Return somebody in seat 0 whose nonce "n" was accepted."""
    made = witness(secret, seat=seat)
    made.nonce = "n"
    made.promise("n")
    return made


def test_a_match_in_full_view_is_kept() -> None:
    here = witness()
    assert here.takes_nonce
    here.nonce = "n"
    here.promise("n")
    assert here.see(shown(FIRST, s0="n"), "playing", 0) is None
    assert not here.takes_nonce
    assert here.reveal(FIRST.hex(), DIGEST, jumped=False) is None
    assert here.kept
    assert here.abandon() is None
    assert here.see(shown(SECOND), "finished", 0) is None
    assert here.takes_nonce


def test_another_secret_is_told_once() -> None:
    here = witness(state="playing")
    assert "does not match" in str(here.reveal(SECOND.hex(), DIGEST, jumped=False))
    assert here.kept is False
    assert "does not match" in str(here.reveal("not hex", DIGEST, jumped=False))
    assert here.see(shown(b"\2" * 32), "finished", 0) is None, "it is told once"


@pytest.mark.parametrize("before", ["waiting", "playing", "pause", "finished"])
@pytest.mark.parametrize("after", ["waiting", "playing", "pause", "finished"])
def test_a_commitment_changed_before_its_secret_was_shown_is_told(before: RoomState, after: RoomState) -> None:
    """Most of all between the nonces and the match: that is how a deal would be chosen."""
    here = witness(state=before)
    assert "changed before its secret" in str(here.see(shown(SECOND), after, 0))
    assert here.see(shown(SECOND), after, 0) is None


def test_a_commitment_changed_while_away_is_none_of_it() -> None:
    here = witness(state="playing")
    assert here.see(shown(SECOND), "playing", 0, jumped=True) is None


def test_a_match_bound_to_a_revealed_secret_is_told() -> None:
    """A rematch under the old C: everybody knows its S."""
    here = witness(state="playing")
    here.reveal(FIRST.hex(), DIGEST, jumped=False)
    assert here.see(shown(FIRST), "finished", 0) is None
    assert not here.takes_nonce
    assert "was revealed before" in str(here.see(shown(FIRST), "playing", 0))


def test_an_old_commitment_that_comes_back_is_told() -> None:
    here = witness(state="playing")
    here.reveal(FIRST.hex(), DIGEST, jumped=False)
    here.see(shown(SECOND), "playing", 0)
    here.reveal(SECOND.hex(), DIGEST, jumped=False)
    assert "was revealed before" in str(here.see(shown(FIRST), "pause", 0))


def test_a_match_that_ends_without_its_secret_is_told() -> None:
    assert "not revealed" in str(witness(state="playing").abandon())
    assert "not revealed" in str(witness(state="pause").abandon())
    assert witness(state="waiting").abandon() is None


def test_a_nonce_never_shown_is_told_at_the_latest_with_the_secret() -> None:
    here = promised(seat=2)
    assert "does not show it" in str(here.reveal(FIRST.hex(), DIGEST, jumped=False))


@pytest.mark.parametrize("nonces", [{}, {"s0": "m"}, {"s1": "n"}])
def test_a_nonce_that_was_accepted_must_be_frozen(nonces: dict[str, str]) -> None:
    here = promised()
    assert here.see(shown(FIRST, s0="n"), "waiting", 0) is None
    assert "does not show it" in str(here.see(shown(FIRST, **nonces), "playing", 0))


def test_a_nonce_that_came_when_the_match_had_begun_is_none_of_it() -> None:
    here = witness()
    here.nonce = "n"
    here.see(shown(FIRST), "playing", 0)
    here.promise("n")
    assert here.see(shown(FIRST), "playing", 0) is None
    assert here.reveal(FIRST.hex(), DIGEST, jumped=False) is None


def test_who_has_given_up_the_seat_has_no_nonce() -> None:
    here = promised()
    assert here.see(shown(FIRST), "waiting", None) is None
    assert here.see(shown(FIRST), "waiting", 1) is None


@pytest.mark.parametrize("after", [{"s0": "n"}, {"s0": "n", "s1": "p"}, {"s0": "n", "s1": "o", "s2": "q"}])
@pytest.mark.parametrize("jumped", [False, True])
def test_nonces_changed_in_the_middle_of_a_match_are_told(after: dict[str, str], jumped: bool) -> None:
    here = witness(state="playing", s0="n", s1="o")
    assert here.see(shown(FIRST, s1="o", s0="n"), "pause", 0) is None
    assert "nonces changed" in str(here.see(shown(FIRST, **after), "playing", 0, jumped=jumped))


def test_nonces_of_others_may_come_and_go_before_the_match() -> None:
    here = witness(s1="o")
    for nonces in ({}, {"s1": "p"}, {"s2": "q"}):
        assert here.see(shown(FIRST, **nonces), "waiting", 0) is None


def test_a_match_that_our_nonce_was_for_and_that_we_missed_is_told() -> None:
    here = promised()
    assert "missed the match" in str(here.see(shown(SECOND), "finished", 0, jumped=True))


def test_coming_back_after_the_end_compares_with_what_was_shown_before() -> None:
    was_there, newcomer = witness(state="playing"), Witness()
    for here, kept in ((was_there, True), (newcomer, None)):
        here.see(shown(SECOND), "finished", 0, jumped=True)
        assert here.reveal(FIRST.hex(), DIGEST, jumped=True) is None
        assert here.kept is kept
        assert here.takes_nonce


@pytest.mark.parametrize(("secret", "kept"), [(FIRST, True), (SECOND, False), (b"\2" * 32, False)])
def test_the_context_tells_which_of_the_commitments_shown_the_secret_has_to_fit(secret: bytes, kept: bool) -> None:
    here = witness(state="playing")
    here.see(shown(SECOND), "finished", 0, jumped=True)
    problem = here.reveal(secret.hex(), DIGEST, jumped=True, context=CONTEXTS[FIRST])
    assert (problem is None, here.kept) == (kept, kept)


def test_of_a_match_that_began_and_ended_while_we_were_away_nothing_is_said() -> None:
    here = witness()
    here.see(shown(SECOND), "finished", 0, jumped=True)
    assert here.reveal(bytes(32).hex(), DIGEST, jumped=True, context="K7QD/9") is None
    assert here.reveal((b"\2" * 32).hex(), DIGEST, jumped=True, context="K7QD/9") is None
    assert here.kept is None


def begun(secret: bytes = FIRST, nonces: Any = ("n", "", "o"), r: str = "begun", context: str = CONTEXTS[FIRST]) -> str:
    return json.dumps({"r": r, "commit": commitment(secret), "context": context, "nonces": nonces})


def test_a_game_file_has_the_nonces_that_the_table_had() -> None:
    """The last hole for a server that shows a nonce and deals without it."""
    here = witness(state="playing", s0="n", s2="o")
    here.reveal(FIRST.hex(), DIGEST, jumped=False)
    here.see(shown(SECOND, s0="p"), "playing", 0)
    assert here.compare(DIGEST, begun()) is None
    for other in (
        begun(SECOND),
        begun(context="K7QD/2"),
        begun(nonces=["", "", "o"]),
        begun(nonces=["n", "o"]),
        begun(nonces=[]),
    ):
        assert "than the table showed" in str(here.compare(DIGEST, other))


ROUND: BeaconRound = {"chain": "52" * 32, "round": 7}
DRAWN: BeaconRound = {**ROUND, "randomness": "ab" * 32}


def test_a_game_file_has_the_round_that_the_table_had() -> None:
    here = witness()
    here.see({**shown(FIRST, s0="n"), "beacon": DRAWN}, "playing", 0)
    here.reveal(FIRST.hex(), DIGEST, jumped=False)
    line = json.loads(begun(nonces=["n", "", DRAWN["randomness"]]))
    assert here.compare(DIGEST, json.dumps({**line, "beacon": ROUND})) is None
    for other in (
        {**line, "beacon": {**ROUND, "round": 8}},
        line,
        {**line, "beacon": ROUND, "nonces": ["n", "", "cd"]},
    ):
        assert "than the table showed" in str(here.compare(DIGEST, json.dumps(other)))


def test_a_table_may_show_more_than_its_game_file_begins_with() -> None:
    here = Witness()
    chosen: FairView = {**shown(FIRST), "deal": "chosen"}
    here.see(chosen, "playing", 0)
    here.reveal(FIRST.hex(), DIGEST, jumped=False)
    assert here.compare(DIGEST, begun(nonces=[])) is None
    assert "than the table showed" in str(here.compare(DIGEST, begun(SECOND, nonces=[])))


def test_the_context_belongs_to_the_commitment() -> None:
    """Who knows the nonces may not choose among the numbers that the match could have."""
    here = witness(s0="n")
    changed: FairView = {**shown(FIRST, s0="n"), "context": "K7QD/7"}
    assert "context changed" in str(here.see(changed, "playing", 0))
    assert here.see(changed, "playing", 0) is None
    assert here.see(shown(SECOND), "finished", 0, jumped=True) is None


def test_nothing_is_said_of_matches_that_we_have_not_seen_nor_of_what_is_no_first_line() -> None:
    here = witness(state="playing", s0="n", s2="o")
    here.reveal(FIRST.hex(), DIGEST, jumped=False)
    assert here.compare("d2", begun(SECOND)) is None
    for line in (begun(SECOND, r="act"), "", "[]", "7", '{"r": "begun"}', begun(nonces=None), "[" * 100_000):
        assert here.compare(DIGEST, line) is None

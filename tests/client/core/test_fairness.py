"""What a witness can and cannot say."""

import json
from collections.abc import Callable
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


def witness(state: RoomState = "waiting", **nonces: str) -> Witness:
    """Return somebody who has just come into a room."""
    made = Witness()
    assert made.see(shown(FIRST, **nonces), state, 0, jumped=True) is None
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
    here = witness("playing")
    assert "does not match" in str(here.reveal(SECOND.hex(), DIGEST, jumped=False))
    assert here.kept is False
    assert "does not match" in str(here.reveal("not hex", DIGEST, jumped=False))
    assert here.see(shown(b"\2" * 32), "finished", 0) is None, "it is told once"


@pytest.mark.parametrize("before", ["waiting", "playing", "pause", "finished"])
@pytest.mark.parametrize("after", ["waiting", "playing", "pause", "finished"])
def test_a_commitment_changed_before_its_secret_was_shown_is_told(before: RoomState, after: RoomState) -> None:
    """Most of all between the nonces and the match: that is how a deal would be chosen."""
    here = witness(before)
    assert "changed before its secret" in str(here.see(shown(SECOND), after, 0))
    assert here.see(shown(SECOND), after, 0) is None


Step = Callable[[Witness], str | None]


def see(state: RoomState, secret: bytes = FIRST, seat: int | None = 0, *, jumped: bool = False, **nonces: str) -> Step:
    return lambda here: here.see(shown(secret, **nonces), state, seat, jumped=jumped)


def come(state: RoomState = "waiting", seat: int = 0, **nonces: str) -> Step:
    return see(state, FIRST, seat, jumped=True, **nonces)


def reveal(secret: bytes = FIRST) -> Step:
    return lambda here: here.reveal(secret.hex(), DIGEST, jumped=False)


def choose(here: Witness) -> None:
    here.nonce = "n"


def accept(here: Witness) -> None:
    """Hear that the server has accepted our nonce."""
    here.promise("n")


PLAYED = [come("playing"), reveal()]
PROMISED = [come(), choose, accept]
PAUSED = [come("playing", s0="n", s1="o"), see("pause", s1="o", s0="n")]
STORIES: dict[str, tuple[list[Step], Step, str | None]] = {
    "a commitment changed while away": ([come("playing")], see("playing", SECOND, jumped=True), None),
    "a rematch under a secret that everybody knows": ([*PLAYED, see("finished")], see("playing"), "revealed before"),
    "an old commitment": ([*PLAYED, see("playing", SECOND), reveal(SECOND)], see("pause"), "revealed before"),
    "a match without its secret": ([come("playing")], Witness.abandon, "not revealed"),
    "a pause without its secret": ([come("pause")], Witness.abandon, "not revealed"),
    "a room closed before its match": ([come()], Witness.abandon, None),
    "a nonce never shown": ([come(seat=2), choose, accept], reveal(), "does not show it"),
    "a nonce not frozen": ([*PROMISED, see("waiting", s0="n")], see("playing"), "does not show it"),
    "a nonce replaced": ([*PROMISED, see("waiting", s0="n")], see("playing", s0="m"), "does not show it"),
    "a nonce of another seat": ([*PROMISED, see("waiting", s0="n")], see("playing", s1="n"), "does not show it"),
    "a nonce too late": ([come(), choose, see("playing"), accept, see("playing")], reveal(), None),
    "a nonce of a seat given up": ([*PROMISED, see("waiting", seat=None)], see("waiting", seat=1), None),
    "a nonce for a match missed": (PROMISED, see("finished", SECOND, jumped=True), "missed the match"),
    "a nonce removed in a match": (PAUSED, see("playing", s0="n"), "nonces changed"),
    "a nonce changed in a match": (PAUSED, see("playing", s0="n", s1="p"), "nonces changed"),
    "a nonce added in a match": (PAUSED, see("playing", s0="n", s1="o", s2="q"), "nonces changed"),
    "a nonce changed while away": (PAUSED, see("playing", s0="n", s1="p", jumped=True), "nonces changed"),
    "nonces of others": ([come(s1="o"), see("waiting"), see("waiting", s1="p")], see("waiting", s2="q"), None),
}
"""What is seen without a word, what follows, and what is told of that."""


@pytest.mark.parametrize(("before", "then", "told"), STORIES.values(), ids=STORIES)
def test_what_is_told_and_what_is_none_of_it(before: list[Step], then: Step, told: str | None) -> None:
    here = Witness()
    assert [each(here) for each in before] == [None] * len(before)
    found = then(here)
    assert found is None if told is None else told in str(found)


def test_coming_back_after_the_end_compares_with_what_was_shown_before() -> None:
    was_there, newcomer = witness("playing"), Witness()
    for here, kept in ((was_there, True), (newcomer, None)):
        here.see(shown(SECOND), "finished", 0, jumped=True)
        assert here.reveal(FIRST.hex(), DIGEST, jumped=True) is None
        assert here.kept is kept
        assert here.takes_nonce


@pytest.mark.parametrize(("secret", "kept"), [(FIRST, True), (SECOND, False), (b"\2" * 32, False)])
def test_the_context_tells_which_of_the_commitments_shown_the_secret_has_to_fit(secret: bytes, kept: bool) -> None:
    here = witness("playing")
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
    here = witness("playing", s0="n", s2="o")
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
    here = witness("playing", s0="n", s2="o")
    here.reveal(FIRST.hex(), DIGEST, jumped=False)
    assert here.compare("d2", begun(SECOND)) is None
    for line in (begun(SECOND, r="act"), "", "[]", "7", '{"r": "begun"}', begun(nonces=None), "[" * 100_000):
        assert here.compare(DIGEST, line) is None

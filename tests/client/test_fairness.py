"""What a witness can and cannot say."""

from parlour_client.fairness import Witness
from parlour_games.stream import commitment
from parlour_protocol.messages import FairView

FIRST, SECOND = bytes(32), b"\1" * 32


def shown(secret: bytes, **nonces: str) -> FairView:
    return {"commit": commitment(secret), "nonces": {seat.strip("s"): nonce for seat, nonce in nonces.items()}}


def test_a_match_in_full_view_is_kept() -> None:
    witness = Witness()
    assert witness.see(shown(FIRST), "waiting", 0, jumped=True) is None
    assert witness.takes_nonce
    witness.nonce = "n"
    witness.promise("n")
    assert witness.see(shown(FIRST, s0="n"), "playing", 0) is None
    assert not witness.takes_nonce
    assert witness.reveal(FIRST.hex(), jumped=False) is None
    assert witness.kept


def test_another_secret_is_told() -> None:
    witness = Witness()
    witness.see(shown(FIRST), "playing", 0, jumped=True)
    assert "does not fit" in str(witness.reveal(SECOND.hex(), jumped=False))
    assert witness.kept is False
    assert "does not fit" in str(witness.reveal("not hex", jumped=False))


def test_a_commitment_changed_in_the_middle_is_told() -> None:
    witness = Witness()
    witness.see(shown(FIRST), "playing", 0, jumped=True)
    assert "changed in the middle" in str(witness.see(shown(SECOND), "pause", 0))


def test_a_commitment_changed_between_matches_or_while_away_is_none_of_it() -> None:
    witness = Witness()
    witness.see(shown(FIRST), "playing", 0, jumped=True)
    assert witness.see(shown(SECOND), "finished", 0) is None
    away = Witness()
    away.see(shown(FIRST), "playing", 0, jumped=True)
    assert away.see(shown(SECOND), "playing", 0, jumped=True) is None


def test_a_nonce_never_shown_is_told_at_the_latest_with_the_secret() -> None:
    witness = Witness()
    witness.see(shown(FIRST), "waiting", 2, jumped=True)
    witness.nonce = "n"
    witness.promise("n")
    assert "does not show it" in str(witness.reveal(FIRST.hex(), jumped=False))


def test_a_spent_commitment_takes_no_nonce_until_the_next_is_shown() -> None:
    witness = Witness()
    witness.see(shown(FIRST), "playing", 0, jumped=True)
    witness.reveal(FIRST.hex(), jumped=False)
    witness.see(shown(FIRST), "finished", 0)
    assert not witness.takes_nonce
    witness.see(shown(SECOND), "finished", 0)
    assert witness.takes_nonce


def test_coming_back_after_the_end_compares_with_what_was_shown_before() -> None:
    was_there, newcomer = Witness(), Witness()
    was_there.see(shown(FIRST), "playing", 0, jumped=True)
    for witness, kept in ((was_there, True), (newcomer, None)):
        witness.see(shown(SECOND), "finished", 0, jumped=True)
        assert witness.reveal(FIRST.hex(), jumped=True) is None
        assert witness.kept is kept

"""Used room codes: exact for listed rooms, in bounded memory."""

import sys

from hypothesis import given
from hypothesis import strategies as st

from parlour_server.directory.room_creation import LETTERS, LISTED, UsedCodes

LISTED_CODES = st.text(LETTERS, min_size=LISTED, max_size=LISTED)


@given(st.lists(st.tuples(st.booleans(), st.sets(LISTED_CODES, max_size=4)), max_size=12), LISTED_CODES)
def test_it_knows_the_codes_of_listed_rooms_as_a_set_does(steps: list[tuple[bool, set[str]]], other: str) -> None:
    codes, known = UsedCodes(), set[str]()
    for given_away, some in steps:
        (codes.update if given_away else codes.difference_update)(some)
        known = known | some if given_away else known - some
    met = {code for _, some in steps for code in some}
    assert {code for code in {*met, other} if code in codes} == known


def test_the_first_and_the_last_of_all_codes() -> None:
    codes = UsedCodes()
    for letter in LETTERS[0], LETTERS[-1]:
        assert letter * LISTED not in codes
        codes.add(letter * LISTED)
        assert letter * LISTED in codes


def test_private_rooms_are_counted_only() -> None:
    codes = UsedCodes()
    codes.restore(["CCCC"], 3)
    codes.add("CCCCCCCC")
    codes.update(["DDDDDDDD"])
    assert (len(codes), "CCCCCCCC" in codes) == (4, False)
    codes.difference_update(["CCCC", *["DDDDDDDD"] * 4])
    assert len(codes) == 0


def test_what_is_no_code_of_a_listed_room_is_forgotten() -> None:
    codes = UsedCodes()
    for code in ("CCCCCCCC", "CCC", "cccc", "AAAA", ""):
        codes.add(code)
        codes.difference_update([code])
        assert code not in codes
    assert None not in codes
    assert "CCCC" not in codes


def test_memory_does_not_grow_with_the_rooms_there_have_been() -> None:
    codes = UsedCodes()
    size = sys.getsizeof(codes._bits)
    codes.update(f"{a}{b}{c}{d}" for a in LETTERS for b in LETTERS for c in LETTERS for d in LETTERS)
    codes.update(f"{a}{b}{c}CCCCC" for a in LETTERS for b in LETTERS for c in LETTERS)
    assert sys.getsizeof(codes._bits) == size < 25_000
    assert set(vars(codes)) == {"_bits", "_longer"}
    assert "7Q3D" in codes

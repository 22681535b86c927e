"""Room codes, which are in use (exactly for listed rooms, in bounded memory), and the checks of ``create``."""

import random
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.rooms.fake import FAKES

from parlour_games.minesweeper.plugin import Minesweeper
from parlour_games.uno.plugin import Uno
from parlour_protocol.errors import Denied
from parlour_protocol.messages import DEFAULT_CLOCK, Create
from parlour_server.directory.room_creation import LETTERS, LISTED, TRIES, UsedCodes, new_code, opened


def test_codes_have_no_vowels_and_no_letters_that_look_alike() -> None:
    assert len(set(LETTERS)) == len(LETTERS) == 21
    assert not set(LETTERS) & set("AEIOUY0O1IL5S8B2Z")


@pytest.mark.parametrize(("private", "length"), [(False, 4), (True, 8)])
def test_codes_of_private_rooms_are_longer_and_none_is_given_again(private: bool, length: int) -> None:
    code = new_code(private, set(), random.Random(1).randbytes)
    assert len(code) == length
    assert set(code) <= set(LETTERS)
    assert new_code(private, {code}, random.Random(1).randbytes) != code


class AllOf:
    """All codes of so many letters."""

    def __init__(self, *lengths: int) -> None:
        self.lengths = lengths

    def __contains__(self, code: object) -> bool:
        return isinstance(code, str) and len(code) in self.lengths


@pytest.mark.parametrize(("private", "taken", "length"), [(False, (4,), 5), (False, (4, 5), 6), (True, (8,), 9)])
def test_where_all_codes_are_taken_longer_ones_are_given(private: bool, taken: tuple[int, ...], length: int) -> None:
    assert len(new_code(private, AllOf(*taken), random.Random(1).randbytes)) == length


def test_longer_codes_are_given_only_after_64_collisions() -> None:
    asked: Counter[int] = Counter()

    class Noted(AllOf):
        def __contains__(self, code: object) -> bool:
            asked[len(str(code))] += 1
            return super().__contains__(code)

    new_code(False, Noted(4), random.Random(1).randbytes)
    assert asked == {4: TRIES, 5: 1}


def test_bytes_that_would_favour_some_letters_are_thrown_away() -> None:
    answers = [bytes([255] * 16), bytes([252, 253, 254, 255] * 4), bytes([251] * 13 + [0, 1, 20])]
    assert new_code(False, set(), lambda n: answers.pop(0)[:n]) == LETTERS[251 % 21] * 4
    assert answers == []


def test_every_letter_comes_as_often() -> None:
    entropy = random.Random(2)
    counts = Counter("".join(new_code(True, set(), entropy.randbytes) for _ in range(4_000)))
    mean = 8 * 4_000 / 21
    assert all(abs(count - mean) < 5 * mean**0.5 for count in counts.values())
    assert len(counts) == 21


LISTED_CODES = st.text(LETTERS, min_size=LISTED, max_size=LISTED)


@given(st.lists(st.tuples(st.booleans(), st.sets(LISTED_CODES, max_size=4)), max_size=12), LISTED_CODES)
def test_it_knows_the_codes_of_listed_rooms_as_a_set_does(steps: list[tuple[bool, set[str]]], other: str) -> None:
    codes, known = UsedCodes(), set[str]()
    for given_away, some in steps:
        (codes.update if given_away else codes.difference_update)(some)
        known = known | some if given_away else known - some
    met = {code for _, some in steps for code in some}
    assert {code for code in {*met, other} if code in codes} == known


def test_private_rooms_are_counted_only() -> None:
    codes = UsedCodes()
    codes.restore(["CCCC"], 3)
    codes.add("CCCCCCCC")
    codes.update(["DDDDDDDD"])
    assert (len(codes), "CCCCCCCC" in codes) == (4, False)
    codes.difference_update(["CCCC", *["DDDDDDDD"] * 4])
    assert len(codes) == 0


def test_what_is_no_code_of_a_listed_room_is_forgotten_and_the_first_and_last_of_all_are_known() -> None:
    codes = UsedCodes()
    for code in ("CCCCCCCC", "CCC", "cccc", "AAAA", ""):
        codes.add(code)
        codes.difference_update([code])
        assert code not in codes
    assert None not in codes
    for code in (LETTERS[0] * LISTED, LETTERS[-1] * LISTED):
        assert code not in codes
        codes.add(code)
        assert code in codes


def test_memory_does_not_grow_with_the_rooms_there_have_been() -> None:
    codes = UsedCodes()
    size = sys.getsizeof(codes._bits)
    codes.update(f"{a}{b}{c}{d}" for a in LETTERS for b in LETTERS for c in LETTERS for d in LETTERS)
    codes.update(f"{a}{b}{c}CCCCC" for a in LETTERS for b in LETTERS for c in LETTERS)
    assert sys.getsizeof(codes._bits) == size < 25_000
    assert set(vars(codes)) == {"_bits", "_longer"}
    assert "7Q3D" in codes


def make(game: str = "fake", **more: Any) -> Any:
    games = {**FAKES, "uno": Uno(), "minesweeper": Minesweeper()}
    return opened(Create(game, **more), games[game], "K7QD", bytes(32))


def test_what_is_not_said_is_the_default() -> None:
    record = make("uno")
    assert (record.seats, record.kinds, record.watch, record.hints, record.standin, record.start) == (
        4, "any", True, True, True, "host",
    )  # fmt: skip
    assert record.clock == DEFAULT_CLOCK == {"bank": 60_000, "add": 15_000}
    assert (record.at, record.private, record.kept, record.master) == (0, False, False, "00" * 32)
    assert opened(Create("fake"), FAKES["fake"], "K7QD", bytes(32), kept=True).kept
    assert [make(game, seats=seats).seats for game, seats in (("fake", 1), ("fake", 5), ("uno", 2), ("uno", 10))] == [
        1, 5, 2, 10,
    ]  # fmt: skip
    assert record.options["scoring"] == "race"


def test_all_options_are_recorded_those_at_their_defaults_too() -> None:
    assert make(options={"breath": 100}).options == {"breath": 100, "pause": 0}


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"seats": 0}, "1 to 5, not 0"), ({"seats": 6}, "seats: a fake room with these options has 1 to 5, not 6"),
        ({"seats": -1}, "1 to 5, not -1"), ({"options": {"pause": -1}}, "pause"),
        ({"options": {"pause": "1"}}, "pause"), ({"options": {"nothing": 1}}, "nothing"),
        ({"clock": {"bank": 0, "add": 0}}, "clock"),
        ({"clock": {"bank": -1, "add": 5}}, "clock"), ({"clock": {"bank": 1_209_600_001, "add": 5}}, "clock"),
        ({"clock": {"bank": 0, "add": 1_209_600_001}}, "clock"),
        ({"game": "minesweeper", "options": {"mode": "duel"}, "seats": 3}, "has 2, not 3"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused_and_named(more: dict[str, Any], words: str) -> None:
    with pytest.raises(Denied) as refusal:
        make(**more)
    assert refusal.value.code == "bad_options"
    assert words in refusal.value.msg


@pytest.mark.parametrize("clock", [None, {"bank": 0, "add": 1}, {"bank": 1_209_600_000, "add": 1_209_600_000}])
def test_a_clock_may_be_none_or_anything_within_its_limits(clock: Any) -> None:
    assert make(clock=clock).clock == clock

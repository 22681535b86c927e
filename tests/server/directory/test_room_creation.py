"""Room codes, and the checks of ``create``."""

import random
from collections import Counter
from typing import Any

import pytest
from tests.server.rooms.fake import FAKES

from parlour_games.minesweeper.plugin import Minesweeper
from parlour_games.uno.plugin import Uno
from parlour_protocol.errors import Denied
from parlour_protocol.messages import DEFAULT_CLOCK, Create
from parlour_server.directory.room_creation import LETTERS, TRIES, new_code, opened


def test_codes_have_no_vowels_and_no_letters_that_look_alike() -> None:
    assert len(set(LETTERS)) == len(LETTERS) == 21
    assert not set(LETTERS) & set("AEIOUY0O1IL5S8B2Z")


@pytest.mark.parametrize(("private", "length"), [(False, 4), (True, 8)])
def test_codes_of_private_rooms_are_longer(private: bool, length: int) -> None:
    code = new_code(private, set(), random.Random(1).randbytes)
    assert len(code) == length
    assert set(code) <= set(LETTERS)


def test_a_code_that_is_known_is_not_given_again() -> None:
    first = new_code(False, set(), random.Random(1).randbytes)
    assert new_code(False, {first}, random.Random(1).randbytes) != first


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
    assert record.options["scoring"] == "race"


@pytest.mark.parametrize(("game", "seats"), [("fake", 1), ("fake", 5), ("uno", 2), ("uno", 10)])
def test_as_many_sit_as_the_game_allows(game: str, seats: int) -> None:
    assert make(game, seats=seats).seats == seats


def test_a_room_of_the_servers_own_is_kept() -> None:
    assert opened(Create("fake"), FAKES["fake"], "K7QD", bytes(32), kept=True).kept


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

"""parlour-fair/1 against a second, simple implementation. ``test_vectors`` has the published vectors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games import plain_fair

from parlour_games.fair import SECRET_BYTES, Fair, Stream, Words, pack

SECRET = bytes(range(32))
NONCES = [bytes([1]) * 32, b"", bytes([3]) * 32]


class Fixed(Words):
    """Words from a list."""

    def __init__(self, words: list[int]) -> None:
        super().__init__(b"", "")
        self._words = words


@given(
    secret=st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES),
    context=st.text(max_size=12),
    nonces=st.lists(st.binary(max_size=32), max_size=10),
    deal=st.integers(1, 2**32 - 1),
    label=st.text(max_size=20),
    sizes=st.lists(st.integers(0, 400), max_size=4),
    bounds=st.lists(st.integers(1, 2**32 - 1), max_size=20),
)
def test_agrees_with_a_second_implementation(
    secret: bytes, context: str, nonces: list[bytes], deal: int, label: str, sizes: list[int], bounds: list[int]
) -> None:
    words = Fair(secret, context, nonces).deal(deal).label(label)
    plain = plain_fair.words(plain_fair.deal_key(secret, context, deal, nonces), label)
    for n in bounds:
        assert words.below(n) == plain_fair.below(plain, n)
    for size in sizes:
        mine, other = list(range(size)), list(range(size))
        words.shuffle(mine)
        assert mine == plain_fair.shuffled(plain, other)
    assert words.below(7) == plain_fair.below(plain, 7)


def test_a_label_begins_again_when_asked_for_again() -> None:
    stream = Fair(SECRET, "K7QD/1", []).deal(1)
    first, again = stream.label("deck"), stream.label("deck")
    assert [first.below(100) for _ in range(20)] == [again.below(100) for _ in range(20)]


@pytest.mark.parametrize(
    "other",
    [
        Fair(bytes(32), "K7QD/1", NONCES).deal(1).label("deck"),
        Fair(SECRET, "K7QD/2", NONCES).deal(1).label("deck"),
        Fair(SECRET, "K7QD/1", NONCES[:2]).deal(1).label("deck"),
        Fair(SECRET, "K7QD/1", NONCES[::-1]).deal(1).label("deck"),
        Fair(SECRET, "K7QD/1", NONCES).deal(2).label("deck"),
        Fair(SECRET, "K7QD/1", NONCES).deal(1).label("start"),
    ],
)
def test_every_field_matters(other: Words) -> None:
    own = Fair(SECRET, "K7QD/1", NONCES).deal(1).label("deck")
    assert [own.below(2**31) for _ in range(8)] != [other.below(2**31) for _ in range(8)]


@given(one=st.lists(st.binary(max_size=4), max_size=4), two=st.lists(st.binary(max_size=4), max_size=4))
def test_pack_is_injective(one: list[bytes], two: list[bytes]) -> None:
    assert (pack(*one) == pack(*two)) == (one == two)


def test_below_rejects_exactly_the_words_that_would_favour_some() -> None:
    limit = 2**32 - 2**32 % 100
    assert Fixed([limit, 2**32 - 1, limit - 1]).below(100) == (limit - 1) % 100
    assert Fixed([2**32 - 1]).below(2**31) == 2**31 - 1
    assert Fixed([2**31, 5]).below(2**31 + 1) == 2**31
    assert Fixed([2**31 + 1, 5]).below(2**31 + 1) == 5


def test_shuffle_rejects_as_below_does() -> None:
    words = [2**32 - 1, 7, 2**32 - 2, 1, 1, 3]
    items, plain = list(range(5)), list(range(5))
    Fixed(words.copy()).shuffle(items)
    assert items == plain_fair.shuffled(iter(words), plain)


def test_shuffle_of_nothing_and_of_one_takes_no_word() -> None:
    words, untouched = (Stream(b"k").label("deck") for _ in range(2))
    for items in ([], [4]):
        words.shuffle(items)
    assert words.below(1000) == untouched.below(1000)

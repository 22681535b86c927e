import pytest

from parlour_games.plural import counted, noun, share


@pytest.mark.parametrize(("number", "told"), [(0, "0 rooms"), (1, "1 room"), (2, "2 rooms"), (1_000, "1000 rooms")])
def test_a_number_of_things(number: int, told: str) -> None:
    assert counted(number, "room") == told


def test_words_with_a_plural_of_their_own() -> None:
    assert [counted(number, "match", "matches") for number in (1, 2)] == ["1 match", "2 matches"]
    assert [noun(number, "is", "are") for number in (0, 1, 2)] == ["are", "is", "are"]


def test_a_share_of_things() -> None:
    shares = [share(number, whole, "room") for number, whole in ((0, 1), (1, 1), (0, 3), (1, 3), (2, 3))]
    assert shares == ["0 of 1 room is", "1 of 1 room is", "0 of 3 rooms are", "1 of 3 rooms is", "2 of 3 rooms are"]

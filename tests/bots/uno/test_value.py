import pytest
from tests.games.uno.tables import pick

from parlour_bots.uno.playout import PlayoutPosition
from parlour_bots.uno.stakes import chances
from parlour_games.uno.cards import COLOUR, mask_of


def position(*hands: str, top: str = "r5", turn: int = 0) -> PlayoutPosition:
    taken: set[int] = set()
    masks = [mask_of(pick(faces, taken)) for faces in hands]
    [card] = pick(top, taken)
    rest = [other for other in range(108) if other not in taken]
    return PlayoutPosition(masks, rest, [card], COLOUR[card] or 0, turn)


@pytest.mark.parametrize(
    "hands",
    [["r1 r2", "b1 b2"], ["r1 r2", "b1 b2", "g1 g2", "w y1"], [f"{colour}{n}" for colour in "rygb" for n in (1, 2)]],
)
def test_chances_add_up_to_one(hands: list[str]) -> None:
    for turn in range(len(hands)):
        found = chances(position(*hands, turn=turn))
        assert sum(found) == pytest.approx(1)
        assert all(0 < chance < 1 for chance in found)


def test_who_lays_the_last_card_next_has_won() -> None:
    assert chances(position("r1", "r2"))[0] > 0.95
    assert chances(position("r1", "r2", "r3"))[0] > 0.95
    assert chances(position("r1", "r2", turn=1))[1] > 0.95


def test_fewer_cards_and_better_ones_are_better() -> None:
    even = chances(position("b1 b2 g3", "y1 g1 g2"))[0]
    assert chances(position("b1 b2", "y1 g1 g2"))[0] > even
    assert chances(position("b1 b2 w+4", "y1 g1 g2"))[0] > even
    assert chances(position("b1 b2 w", "y1 g1 g2"))[0] > even
    assert chances(position("b1 b2 g3", "y1 g1 g2 g4"))[0] > even
    assert chances(position("b1 b2 g3", "y1 w+4 g2"))[0] < even


def test_an_attack_held_against_a_last_card_is_worth_more() -> None:
    threat, none = position("r+2 b1 b3", "g4", "y1 y2"), position("g+2 b1 b3", "g4", "y1 y2")
    assert chances(threat)[1] < 0.8 * chances(none)[1]


def test_places_count_from_who_plays_next() -> None:
    one, two = position("r1", "b1 b2", "g1 g2"), position("g1 g2", "r1", "b1 b2", turn=1)
    assert chances(one) == pytest.approx(chances(two)[1:] + chances(two)[:1])

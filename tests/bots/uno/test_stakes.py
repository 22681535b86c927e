import pytest
from tests.games.uno.tables import pick

from parlour_bots.uno.playout import NOBODY, PlayoutPosition
from parlour_bots.uno.stakes import chances, stakes
from parlour_games.uno.cards import CARDS_BY_FACE, COLOUR, mask_of


def over(winner: int, *hands: str) -> PlayoutPosition:
    masks = [mask_of(CARDS_BY_FACE[face][0] for face in faces.split()) for faces in hands]
    position = PlayoutPosition(masks, [], [0], 0, 0)
    position.end(winner)
    return position


def test_a_single_round_is_won_or_lost() -> None:
    at_stake = stakes(1, [0, 0, 0], "single", 500)
    assert at_stake.of(over(1, "r1", "", "w")) == 1
    assert at_stake.of(over(0, "", "w", "w+4")) == 0
    assert at_stake.of(over(NOBODY, "r1", "b1", "g1")) == pytest.approx(1 / 3)
    assert at_stake.of(over(NOBODY, "r1", "b1", "g1"), [0.2, 0.5, 0.3]) == pytest.approx(0.5)


def test_in_a_race_points_count_for_who_wins_them() -> None:
    at_stake = stakes(0, [0, 0], "race", 500)
    assert at_stake.of(over(0, "", "w")) > at_stake.of(over(0, "", "r1")) > 0.5
    assert at_stake.of(over(1, "w", "")) < at_stake.of(over(1, "r1", "")) < 0.5


def test_at_the_end_of_a_race_points_do_not_matter() -> None:
    at_stake = stakes(0, [490, 200], "race", 500)
    assert at_stake.of(over(0, "", "w w+4")) == at_stake.of(over(0, "", "r1")) == 1
    behind = stakes(0, [200, 490], "race", 500)
    assert behind.of(over(1, "w", "")) == behind.of(over(1, "r1", "")) == 0
    assert 0 < behind.of(over(0, "", "r9")) < 0.5


@pytest.mark.parametrize("scoring", ["lowest", "elimination"])
def test_where_all_keep_their_points_only_the_own_hand_costs(scoring: str) -> None:
    at_stake = stakes(0, [100, 100, 100], scoring, 500)
    assert at_stake.of(over(1, "w", "", "r1")) < at_stake.of(over(1, "r1", "", "r1"))
    assert at_stake.of(over(1, "r1", "", "w")) > at_stake.of(over(1, "r1", "", "r1"))
    assert at_stake.by_winner[0] > max(at_stake.by_winner[1:])


@pytest.mark.parametrize("scoring", ["single", "race", "lowest", "elimination"])
@pytest.mark.parametrize("scores", [[0, 0], [499, 499], [480, 10, 200, 0], [0] * 10])
def test_to_win_is_best(scoring: str, scores: list[int]) -> None:
    for me in range(len(scores)):
        values = stakes(me, scores, scoring, 500).by_winner
        assert all(0 <= value <= 1 for value in values)
        if scoring != "lowest":
            assert max(values) == values[me]


def test_who_is_behind_does_not_want_the_match_to_end_and_who_is_out_cannot_win() -> None:
    values = stakes(2, [480, 10, 200, 0], "lowest", 500).by_winner
    assert max(values) == values[0]
    values = stakes(0, [490, 100], "elimination", 500).by_winner
    assert values[1] == 0 < values[0]


def test_a_point_more_is_told_per_hand() -> None:
    usual = stakes(0, [0, 0], "race", 500)
    assert usual.slopes is not None
    assert usual.slopes[0][1] > 0 > usual.slopes[1][0]
    assert usual.slopes[0][0] == usual.slopes[1][1] == 0


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


@pytest.mark.parametrize(
    "hands",
    [("b1 b2", "y1 g1 g2"), ("b1 b2 w+4", "y1 g1 g2"), ("b1 b2 w", "y1 g1 g2"), ("b1 b2 g3", "y1 g1 g2 g4")],
)
def test_fewer_cards_and_better_ones_are_better(hands: tuple[str, str]) -> None:
    even = chances(position("b1 b2 g3", "y1 g1 g2"))[0]
    assert chances(position(*hands))[0] > even > chances(position("b1 b2 g3", "y1 w+4 g2"))[0]


def test_an_attack_held_against_a_last_card_is_worth_more() -> None:
    threat, none = position("r+2 b1 b3", "g4", "y1 y2"), position("g+2 b1 b3", "g4", "y1 y2")
    assert chances(threat)[1] < 0.8 * chances(none)[1]


def test_places_count_from_who_plays_next() -> None:
    one, two = position("r1", "b1 b2", "g1 g2"), position("g1 g2", "r1", "b1 b2", turn=1)
    assert chances(one) == pytest.approx(chances(two)[1:] + chances(two)[:1])

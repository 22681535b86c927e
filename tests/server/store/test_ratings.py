"""Ratings move the right way, by how surprising a result is, and hold still when a result says nothing."""

import pytest

from parlour_server.store.results import Rating, updated


def test_ratings_rise_above_and_fall_below_1500_in_the_order_of_ranks_and_become_surer() -> None:
    rated = updated([Rating()] * 4, [3, 1, 4, 1])
    assert rated[1].mu == pytest.approx(rated[3].mu)
    assert rated[1].mu > rated[0].mu > rated[2].mu
    assert rated[1].shown > Rating().shown == 1500 > rated[2].shown
    assert all(each.sigma < Rating().sigma for each in rated)


def test_a_surprise_moves_more_than_what_was_expected() -> None:
    strong, weak = Rating(35, 3), Rating(20, 3)
    expected, surprise = updated([strong, weak], [1, 2])[0], updated([strong, weak], [2, 1])[0]
    assert strong.mu - surprise.mu > expected.mu - strong.mu > 0


@pytest.mark.parametrize("ranks", [[1], [1, 1], [2, 2, 2]])
def test_nothing_follows_from_a_match_without_winner_and_loser(ranks: list[int]) -> None:
    before = [Rating(25 + seat, 5) for seat in range(len(ranks))]
    assert updated(before, ranks) == before


def test_who_wins_three_times_out_of_four_ends_up_well_ahead() -> None:
    better, worse = Rating(), Rating()
    for game in range(200):
        better, worse = updated([better, worse], [1, 2] if game % 4 else [2, 1])
    assert better.shown > worse.shown + 100

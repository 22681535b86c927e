"""The four ways of scoring, ties and ranks."""

from typing import Any

import pytest
from tests.games.uno.tables import UNO, Table, table

from parlour_games.game import Outcome
from parlour_games.uno.events import MatchEnded, Out, RoundDealt
from parlour_games.uno.scoring import eliminated, hand_points, ranks, stuck_winner


def won(scores: list[int], *others: str, **options: Any) -> tuple[Table, list[str]]:
    """Let seat 0 win a round against ``others``. Return the table and the tags of the events after the play."""
    t = table("r1", *others, top="r5", scores=scores, **options)
    return t, [event.e for event in t.play(0, "r1")[1:]]


def stuck(*hands: str, scores: list[int], **options: Any) -> Table:
    """Play a round in which no seat can move; the last seat has all other cards."""
    t = table(*hands, top="r9", rest=len(hands) - 1, scores=scores, **options)
    for seat in range(len(hands)):
        t.draw(seat)
        t.keep(seat)
    return t


def test_points_by_hand_and_the_lightest_of_them() -> None:
    t = table("y1 w", "b9", "g9", "r2 rs")
    assert hand_points(t.state) == (51, 9, 9, 22)
    assert stuck_winner(t.state) is None
    t = table("y1 w", "b9", "g8", "r2 rs")
    assert stuck_winner(t.state) == 2


def test_the_lightest_is_sought_among_those_still_in() -> None:
    t = table("y1 w", "b9", "g8", "r2 rs")
    t.remove(2)
    assert stuck_winner(t.state) == 1


LOWEST = {"scoring": "lowest", "target": 100}


@pytest.mark.parametrize(
    ("scores", "others", "options", "result"),
    [
        ([490, 0, 450], "y9 g9", {}, Outcome((1, 3, 2), (508, 0, 450), "target")),
        ([482, 0, 450], "y9 g9", {}, Outcome((1, 3, 2), (500, 0, 450), "target")),
        ([481, 0, 450], "y9 g9", {}, None),
        ([490, 30, 450, 30], "y9 g9 b9", {}, Outcome((1, 3, 2, 3), (517, 30, 450, 30), "target")),
        ([40, 95, 70], "y9 w", LOWEST, Outcome((1, 2, 3), (40, 104, 120), "target")),
        ([80, 95, 70], "y9 g9", LOWEST, Outcome((2, 3, 1), (80, 104, 79), "target")),
        ([], "y9 g9", {"scoring": "single"}, Outcome((1, 2, 2), (18, 0, 0), "round")),
        ([], "y0 g0", {"scoring": "single"}, Outcome((1, 2, 2), (0, 0, 0), "round")),
    ],
)
def test_results_after_a_round_that_seat_0_wins(
    scores: list[int], others: str, options: dict[str, Any], result: Outcome | None
) -> None:
    t, happened = won(scores, *others.split(), **options)
    assert happened == ["round", "match"][: 2 if result else 1]
    assert UNO.outcome(t.state) == result


def test_lowest_tied_for_first_plays_one_more_round_among_all() -> None:
    t, happened = won([79, 95, 70], "y9", "g9", scoring="lowest", target=100)
    assert happened == ["round"]
    t.settle("pause")
    assert t.view()["counts"] == [7, 7, 7]
    assert t.view()["out"] == []


def test_elimination_is_won_by_the_last_one_in_and_ranks_by_round_then_by_total() -> None:
    end = table("r1", "", "g9", "b9", top="r5", scoring="elimination", target=100, scores=[10, 104, 98, 95])
    end.state.out, end.state.fell, end.state.round = 2, [0, 1, 0, 0], 2
    end.state.follow()
    events = end.play(0, "r1")
    assert [event for event in events if isinstance(event, Out)] == [Out(2, "points"), Out(3, "points")]
    assert events[-1] == MatchEnded((0,))
    assert end.result() == Outcome((1, 4, 3, 2), (10, 104, 107, 104), "target")


def test_elimination_of_all_seats_is_won_by_the_lowest_total_of_that_round() -> None:
    t = stuck("y1 y2", "b8 b9", "g1", scores=[98, 95, 99], scoring="elimination", target=100)
    assert t.result().ranks == (1, 2, 3)
    assert t.result().scores[:2] == (101, 112)


def test_elimination_of_all_seats_with_a_tie_is_played_off() -> None:
    t = stuck("y1 y2", "b4 b2", "g1", scores=[98, 95, 99], scoring="elimination", target=100)
    assert t.view()["out"] == [2]
    assert UNO.outcome(t.state) is None
    t.settle("pause")
    assert t.view()["counts"] == [7, 7, 0]
    assert eliminated(t.state) == []


def test_single_tied_in_a_stuck_round_plays_one_more() -> None:
    t = stuck("y1 y2", "b1 b2", "g1", scores=[], scoring="single")
    assert UNO.outcome(t.state) is None
    [deal, *_] = t.settle("pause")
    assert isinstance(deal, RoundDealt)


@pytest.mark.parametrize("scoring", ["race", "lowest", "elimination", "single"])
def test_seats_that_left_rank_behind_the_others_the_last_first(scoring: str) -> None:
    t = table("r1", "y1", "g1", "b1", top="r5", scoring=scoring, scores=[5, 90, 80, 3], target=100)
    t.remove(0)
    t.remove(3)
    t.remove(1)
    assert t.result().ranks == (4, 2, 1, 3)
    assert t.result().why == "last"


def test_the_eliminated_rank_before_the_leavers() -> None:
    t, _ = won([10, 95, 70, 0], "y9", "g9", "b9", scoring="elimination", target=100)
    t.remove(2)
    t.remove(3)
    assert t.result() == Outcome((1, 2, 4, 3), (10, 104, 79, 9), "last")
    assert ranks(t.state) == (1, 2, 4, 3)

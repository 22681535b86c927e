"""UNO as a ``Game``: seats, keys, timers, results."""

import pytest
from tests.games.uno.tables import UNO, fair, table

from parlour_games.game import BadOptions, Decision, Done, Fired, IllegalAction
from parlour_games.uno.actions import CallUno, Catch, Draw, Pass, Play
from parlour_games.uno.events import RoundDealt
from parlour_games.uno.options import Options


@pytest.mark.parametrize("seats", [2, 3, 10])
def test_a_match_starts_with_a_deal_and_one_question(seats: int) -> None:
    state, events = UNO.start(Options(first_card_number_only=True), seats, fair())
    assert [type(event) for event in events] == [RoundDealt]
    first = (state.dealer + 1) % seats
    assert UNO.decisions(state) == [Decision(first, "turn:1", True)]
    assert UNO.pending(state) is None
    assert UNO.outcome(state) is None


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_seats_out_of_range_are_refused(seats: int) -> None:
    with pytest.raises(BadOptions, match=f"UNO is for 2 to 10 seats, not {seats}"):
        UNO.start(Options(), seats, fair())


def test_the_required_and_optional_decisions_of_a_seat_are_neighbours_in_the_order_of_seats() -> None:
    t = table("r1 b2", "y1 y2", "g1 g2", top="r5", turn=0, breath=0)
    t.play(0, "r1")
    assert [(d.seat, d.key.split(":")[0], d.must) for d in UNO.decisions(t.state)] == [
        (0, "uno", False),
        (1, "turn", True),
        (1, "catch", False),
        (2, "catch", False),
    ]


@pytest.mark.parametrize(
    ("seat", "key"),
    [
        (0, "turn:1"),
        (1, "turn:2"),
        (1, "catch:0:9"),
        (0, "uno:9"),
        (0, "catch:0:1"),
        (1, "uno:1"),
        (1, ""),
        (9, "uno:1"),
    ],
)
def test_a_question_that_is_not_open_has_no_answers(seat: int, key: str) -> None:
    t = table("r1 b2", "y1 y2", top="r5")
    t.play(0, "r1")
    before = UNO.canonical(t.state)
    assert UNO.legal(t.state, seat, key) == []
    for action in (Draw(), Pass(), CallUno(), Catch(0), Play(0)):
        with pytest.raises(IllegalAction, match="not open"):
            UNO.apply(t.state, seat, key, action)
    with pytest.raises(IllegalAction, match="not open"):
        UNO.default_action(t.state, seat, key)
    assert UNO.canonical(t.state) == before


def test_only_the_timer_that_runs_can_fire() -> None:
    playing = table("r1 b2", "y1 y2", top="r5")
    breath = table("r1 b2", "y1 y2", top="r5")
    breath.play(0, "r1")
    paused = table("r1", "y1 y2", top="r5")
    paused.play(0, "r1")
    for t, wrong in (
        (playing, Fired("breath")),
        (playing, Fired("pause")),
        (breath, Fired("pause")),
        (paused, Fired("breath")),
        (breath, Done("breath", {})),
    ):
        before = UNO.canonical(t.state)
        with pytest.raises(ValueError, match="not what the match waits for"):
            UNO.settle(t.state, wrong)
        assert UNO.canonical(t.state) == before

"""UNO as a ``Game``: seats, keys, timers, results."""

import pytest
from tests.games.uno.tables import UNO, fair, match, table

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


def test_each_question_has_a_key_of_its_own() -> None:
    t = table("r1 r2 w+4", "y1 y2", top="r5", deck="b9")
    keys = [t.key(0)]
    t.draw(0)
    keys.append(t.key(0))
    t.keep(0)
    keys.append(t.key(1))
    t.draw(1)
    t.keep(1)
    t.play(0, "w+4", "red")
    keys.append(t.key(1))
    assert [key.split(":")[0] for key in keys] == ["turn", "drawn", "turn", "challenge"]
    numbers = [int(key.split(":")[1]) for key in keys]
    assert numbers == sorted(set(numbers))
    t, _ = match("r1 r2 r3 r4 r5 r6 r7 b1 b2 b3 b4 b5 b6 b7 w")
    assert t.key(1) == "colour:1"
    t.name(1, "red")
    assert t.key(1) == "turn:2"


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


def test_the_default_action_of_a_reaction_is_what_it_allows() -> None:
    t = table("r1 b2", "y1 y2", top="r5")
    t.play(0, "r1")
    assert UNO.default_action(t.state, 0, t.key(0, must=False)) == CallUno()
    assert UNO.default_action(t.state, 1, t.key(1, must=False)) == Catch(0)


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


def test_the_cached_view_is_dropped_after_every_kind_of_change() -> None:
    t = table("r1 b2", "y1 y2", "g1 g2", top="r5")
    shown = [UNO.view(t.state, None)]
    t.play(0, "r1")
    shown.append(UNO.view(t.state, None))
    t.settle()
    shown.append(UNO.view(t.state, None))
    t.remove(2)
    shown.append(UNO.view(t.state, None))
    assert [(view["phase"], view["turn"], view["out"]) for view in shown] == [
        ("play", 0, []),
        ("breath", None, []),
        ("play", 1, []),
        ("play", 1, [2]),
    ]

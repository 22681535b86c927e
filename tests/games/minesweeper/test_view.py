"""Views and redacted events, word for word, in every mode."""

import pytest
from tests.games.minesweeper.tables import CORNERS, MINES, Table, told

from parlour_games.game import Plain
from parlour_games.minesweeper import events as e
from parlour_games.minesweeper.view import redact


def test_the_view_of_a_game_alone() -> None:
    t = Table(CORNERS)
    t.flag(0, (0, 0))
    new = {
        "mode": "solo",
        "phase": "new",
        "width": 4,
        "height": 3,
        "mines": 2,
        "safe": 10,
        "rows": ["F...", "....", "...."],
        "players": [{"state": "in", "open": 0, "clicks": 1}],
    }
    assert t.view(0) == new
    assert t.view(None) == {**new, "players": [{"state": "in", "open": 0}]}
    t.at(500).open(0, (2, 0))
    assert t.view(0) == {
        **new,
        "phase": "playing",
        "rows": ["F100", ".111", "...."],
        "players": [{"state": "in", "open": 6, "clicks": 2}],
    }
    t.at(900).open(0, (3, 2))
    lost = {
        **new,
        "phase": "over",
        "rows": ["F100", ".111", "...*"],
        "players": [{"state": "out", "open": 6, "ms": 400, "clicks": 3}],
    }
    assert t.view(0) == t.view(None) == lost
    t.settle()
    assert t.view(0) == t.view(None) == lost


def test_the_view_of_a_race() -> None:
    t = Table(CORNERS, 3, (1, 1), mode="race")
    t.at(100).open(0, (2, 0))
    t.flag(0, (0, 0))
    t.at(200).open(1, (0, 0))
    size = {"width": 4, "height": 3, "mines": 2, "safe": 10}
    zero, one, two = {"state": "in", "open": 6}, {"state": "out", "open": 1, "ms": 200}, {"state": "in", "open": 1}
    shared = {"mode": "race", "phase": "playing", **size}
    assert t.view(0) == {**shared, "rows": ["F100", ".111", "...."], "players": [{**zero, "clicks": 2}, one, two]}
    assert t.view(1) == {**shared, "rows": ["*...", ".1..", "...."], "players": [zero, {**one, "clicks": 1}, two]}
    assert t.view(2) == {**shared, "rows": ["....", ".1..", "...."], "players": [zero, one, {**two, "clicks": 0}]}
    assert t.view(None) == {**shared, "rows": None, "players": [zero, one, two]}


def test_when_a_race_is_over_each_seat_sees_the_mines_on_its_own_board() -> None:
    t = Table(CORNERS, 3, (1, 1), mode="race")
    t.open(0, (2, 0), (0, 2))
    t.flag(1, (0, 0), (1, 0))
    assert t.view(0)["rows"] == [".100", "1111", "001."]
    t.open(1, (3, 2))
    assert t.view(1)["rows"] == ["FF..", ".1..", "...*"]
    t.resign(2)
    assert [t.rows(viewer) for viewer in (0, 1, 2, None)] == [
        "F100 1111 001F",
        "FX.. .1.. ...*",
        "M... .1.. ...M",
        "M100 1111 001M",
    ]
    assert [player["clicks"] for player in t.view(None)["players"]] == [2, 3, 0]


def test_the_view_of_coop() -> None:
    t = Table(CORNERS, 2, mode="coop", lives=3)
    t.open(1, (1, 0), (0, 0))
    view = t.view(None)
    assert (view["lives"], view["open"], view["rows"]) == (2, 1, ["*1..", "....", "...."])
    assert t.view(1) == {**view, "players": [{"state": "in", "open": 0}, {"state": "in", "open": 1, "clicks": 2}]}
    assert t.view(0) == {**view, "players": [{"state": "in", "open": 0, "clicks": 0}, {"state": "in", "open": 1}]}


def test_the_view_of_a_duel_is_the_same_for_all() -> None:
    t = Table("*.*.* ..... .....", 2, mode="duel")
    t.open(0, (0, 0), (1, 0))
    assert t.view(0) == t.view(1) == t.view(None)
    assert t.view(0) == {
        "mode": "duel",
        "phase": "playing",
        "width": 5,
        "height": 3,
        "mines": 3,
        "safe": 12,
        "rows": ["A2...", ".....", "....."],
        "players": [
            {"state": "in", "open": 1, "found": 1, "bomb": "kept"},
            {"state": "in", "open": 0, "found": 0, "bomb": "ready"},
        ],
        "turn": 1,
    }
    t.resign(1)
    assert (t.view(0)["turn"], t.view(0)["rows"][0]) == (None, "A2M.M")


@pytest.mark.parametrize("viewer", [None, 0, 1])
@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (e.Making(), {"e": "making"}),
        (e.Placed(None, 0), {"e": "board"}),
        (e.Cleared(1, 7), {"e": "done", "seat": 1, "ms": 7}),
        (e.Out(1, "left"), {"e": "out", "seat": 1, "why": "left"}),
        (e.Found(1, ((1, 2), (3, 4))), {"e": "found", "seat": 1, "at": [[1, 2], [3, 4]]}),
        (e.NoMine(1, (1, 2), 7), {"e": "miss", "seat": 1, "at": [1, 2], "n": 7}),
        (e.Bombed(1, (1, 2), 7, 3), {"e": "bomb", "seat": 1, "at": [1, 2], "n": 7, "found": 3}),
        (e.Passed(1), {"e": "pass", "seat": 1}),
        (e.Ended("won"), {"e": "end", "why": "won"}),
        (e.ReviewDone(), {"e": "review"}),
        (e.Opened(1, ((1, 2),), 7, False), {"e": "open", "seat": 1, "n": 7, "at": [[1, 2]]}),
        (e.Flagged(1, ((1, 2),), True, False), {"e": "flag", "seat": 1, "at": [[1, 2]], "on": True}),
        (e.Exploded(1, (1, 2), False), {"e": "mine", "seat": 1, "at": [1, 2]}),
    ],
)
def test_all_viewers_see_the_same_of_events_that_are_not_private(
    event: e.Event, shown: Plain, viewer: int | None
) -> None:
    assert redact(event, viewer) == shown


@pytest.mark.parametrize("viewer", [None, 1])
def test_rivals_and_spectators_of_a_race_get_numbers_only(viewer: int | None) -> None:
    t = Table(CORNERS, 3, (1, 1), mode="race")
    start: Plain = {"e": "board", "n": 1}
    assert told(t.begun, viewer) == [start if viewer is None else {**start, "at": [1, 1]}]
    assert told(t.open(0, (2, 0), (0, 1)), viewer) == [{"e": "open", "seat": 0, "n": 6}]
    assert told(t.flag(0, (0, 0)), viewer) == told(t.unflag(0, (0, 0)), viewer) == []
    assert told(t.open(0, (0, 0)), viewer) == [{"e": "mine", "seat": 0}, {"e": "out", "seat": 0, "why": "mine"}]


def test_a_racer_sees_everything_on_its_own_board() -> None:
    t = Table(CORNERS, 2, (1, 1), mode="race")
    events = t.seq(0, ("flag", 1, 0), ("unflag", 1, 0), ("open", 2, 0), ("open", 3, 2))
    assert told(events, 0) == [
        {"e": "flag", "seat": 0, "at": [[1, 0]], "on": True},
        {"e": "flag", "seat": 0, "at": [[1, 0]], "on": False},
        {"e": "open", "seat": 0, "at": [[2, 0]], "n": 5},
        {"e": "mine", "seat": 0, "at": [3, 2]},
        {"e": "out", "seat": 0, "why": "mine"},
    ]


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_on_a_shared_board_all_viewers_see_everything(viewer: int | None) -> None:
    t = Table(CORNERS, 2, mode="coop")
    assert told(t.seq(0, ("flag", 1, 0), ("open", 2, 0), ("open", 3, 2)), viewer) == [
        {"e": "board"},
        {"e": "flag", "seat": 0, "at": [[1, 0]], "on": True},
        {"e": "open", "seat": 0, "at": [[2, 0]], "n": 5},
        {"e": "mine", "seat": 0, "at": [3, 2]},
        {"e": "end", "why": "lost"},
    ]
    assert told(t.settle(), viewer) == [{"e": "review"}]


def test_views_are_independent_of_the_state() -> None:
    t = Table(CORNERS)
    t.open(0, (1, 0))
    before = MINES.canonical(t.state)
    view = t.view(0)
    view["rows"][0] = "????"
    view["players"].clear()
    assert MINES.canonical(t.state) == before
    assert t.rows() == ".1.. .... ...."

"""Admin requests about contests: begin, stop, resume, drop and check."""

from typing import Any

import pytest
from tests.server.contests.contest_bots import ADMIN, Bots, sweep
from tests.server.local_server import refused

from parlour_protocol import messages as m
from parlour_server.rooms.timers import GONE


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ({"game": "chess"}, "no_game", "there is no game 'chess' here"),
        ({"players": 9}, "bad_options", "9 play in a match, but 6 bots"),
        ({"players": 6}, "bad_options", "fake with these options has 1 to 5 seats, not 6"),
        ({"options": {"wings": 2}}, "bad_options", "wings"),
        ({"options": {"pause": -1}}, "bad_options", "pause"),
        ({"clock": {"bank": 0, "add": 5}}, "bad_options", "clock: bank is 1 to 60000 ms"),
        ({"clock": {"bank": 60_001, "add": 0}}, "bad_options", "clock: bank is 1 to 60000 ms"),
        ({"clock": {"bank": 1, "add": 10_001}}, "bad_options", "clock: bank is 1 to 60000 ms"),
        ({"colour": "red"}, "bad_message", "colour"),
    ],
)
def test_nonsense_is_refused_also_before_anybody_is_there(args: dict[str, Any], code: str, words: str) -> None:
    for error in (Bots(*"abcdef").refusal(**args), Bots().refusal(check=6, **args)):
        assert error.code == code
        assert words in error.msg


def test_a_check_begins_nothing() -> None:
    at = Bots()
    for args in ({"check": 30}, {"check": 1}, {"check": 30, "players": 3}):
        assert at.order(**args) == [m.Ok(re=1)]
    assert "that is more than" in at.refusal(check=10**9).msg
    assert not at.local.lobby.director.contests


def test_names_are_used_once_and_unknown_ones_are_refused() -> None:
    at = Bots("a", "b")
    at.order()
    at.win("a")
    assert at.refusal().code == at.refusal(check=2).code == "bad_options"
    assert refused(at.operator, m.Standings(contest="monday")).code == "no_contest"


def test_one_that_was_stopped_goes_on_where_it_was() -> None:
    at = Bots("a", "b", "c", limit=1)
    at.order()
    at.end(at.asked().name)
    at.order(stop=True)
    at.end(at.asked().name)
    assert at.rooms == []
    at.bots["c"].close()
    sweep(at, GONE + 1)
    assert at.order(resume=True) == [m.Ok(re=1)]
    assert (at.view()["state"], at.view()["done"]) == ("running", 2)
    at.offer(at.local.connect("c", "bot", token=at.bots["c"].token))
    sweep(at, GONE - 1)
    assert at.view()["away"] == [], "who was away meanwhile has the time to come back"
    at.end(at.asked().name)
    assert [(row["games"], row["forfeits"]) for row in at.rows()] == [(2, 0)] * 3
    assert at.view()["state"] == "finished"


def test_only_one_that_was_stopped_can_go_on_and_only_where_it_is_held() -> None:
    at = Bots("a", "b")
    order = m.Admin(ADMIN, "contest", name="friday", args={"resume": True})
    assert refused(at.operator, order).code == "no_contest"
    at.order()
    assert refused(at.operator, order).code == "bad_options"
    at.order(stop=True)
    assert "resume" in at.refusal().msg, "it is not begun again"
    at.local.lobby.peers.shared, at.local.lobby.peers.contests = True, frozenset()
    assert refused(at.operator, order).code == "not_here"
    assert at.view()["state"] == "stopped"

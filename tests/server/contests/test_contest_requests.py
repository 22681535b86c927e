"""Admin requests about contests: begin, stop, resume, drop and check."""

from typing import Any

import pytest
from tests.server.contests.contest_bots import ADMIN, Bots, sweep
from tests.server.local_server import refused

from parlour_protocol import messages as m
from parlour_server.rooms.timers import GONE


def test_a_stopped_contest_begins_no_pairing() -> None:
    at = Bots("a", "b", "c", limit=1)
    at.ask()
    assert isinstance(at.ask(stop=True)[0], m.Ok)
    at.end(at.asked().name)
    assert at.rooms == []
    assert at.local.lobby.director.contests["friday"].over


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ({"game": "chess"}, "no_game", "there is no game 'chess' here"),
        ({"players": 9}, "bad_options", "9 play in a match, but 3 bots"),
        ({"format": "swiss"}, "bad_options", "needs rounds"),
        ({"options": {"wings": 2}}, "bad_options", "wings"),
        ({"colour": "red"}, "bad_message", "colour"),
    ],
)
def test_nonsense_is_refused(args: dict[str, Any], code: str, words: str) -> None:
    at = Bots("a", "b", "c")
    error = at.refusal(**args)
    assert error.code == code
    assert words in error.msg
    assert at.local.lobby.director.contests == {}


def test_a_contest_with_more_players_than_the_game_seats_is_refused() -> None:
    at = Bots(*"abcdef")
    error = at.refusal(players=6)
    assert error.code == "bad_options"
    assert "fake with these options has 1 to 5 seats, not 6" in error.msg
    assert at.rooms == []


def test_names_are_used_once_and_unknown_ones_are_refused() -> None:
    at = Bots("a", "b")
    at.ask()
    error = at.refusal()
    assert "already" in error.msg
    assert refused(at.operator, m.Standings(contest="monday")).code == "no_contest"
    assert refused(at.operator, m.Admin("wrong", "contest", name="x")).code == "not_admin"


def test_one_that_was_stopped_goes_on_where_it_was() -> None:
    at = Bots("a", "b", "c", limit=1)
    at.ask()
    at.end(at.asked().name)
    at.ask(stop=True)
    at.end(at.asked().name)
    assert at.rooms == []
    at.bots["c"].close()
    sweep(at, GONE + 1)
    assert isinstance(at.ask(resume=True)[0], m.Ok)
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
    at.ask()
    error = refused(at.operator, order)
    assert (error.code, "is not stopped" in error.msg) == ("bad_options", True)
    at.ask(stop=True)
    at.local.lobby.peers.shared, at.local.lobby.peers.contests = True, frozenset()
    error = refused(at.operator, order)
    assert (error.code, "another node" in error.msg) == ("not_here", True)
    assert at.view()["state"] == "stopped"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"check": 30}, None),
        ({"check": 1}, None),
        ({"check": 30, "players": 3}, None),
        ({"check": 30, "players": 40}, "40 play in a match, but 30 bots are available"),
        ({"check": 200, "games": 20}, "that is more than"),
        ({"check": 10**9}, "that is more than"),
        ({"check": 30, "options": {"pause": -1}}, "pause"),
        ({"check": 30, "game": "chess"}, "there is no game 'chess'"),
        ({"check": 30, "clock": {"bank": 0, "add": 0}}, "clock"),
    ],
)
def test_what_would_be_refused_can_be_known_before_anybody_is_there(args: dict[str, Any], told: str | None) -> None:
    at = Bots()
    [answer] = at.ask(**args)
    assert isinstance(answer, m.Ok) if told is None else isinstance(answer, m.Error) and told in answer.msg
    assert not at.local.lobby.director.contests


def test_a_name_that_cannot_be_or_has_been_is_refused_by_a_check() -> None:
    at = Bots("a", "b")
    at.ask()
    error = at.refusal(check=2)
    assert "choose another name" in error.msg
    order = m.Admin(ADMIN, "contest", name="my contest", args={"check": 2})
    assert refused(at.operator, order).code == "bad_name"


def test_a_stopped_one_is_not_begun_again_but_can_go_on() -> None:
    at = Bots("a", "b")
    at.ask()
    at.ask(stop=True)
    error = at.refusal()
    assert "choose another name" in error.msg
    assert "resume" in error.msg

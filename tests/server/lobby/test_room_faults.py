"""An unexpected error in a room: the request is answered, others go on, and the room continues as it was stored."""

from typing import Any

import pytest
from tests.server.local_server import new_server, one, open_room, received, refused, request

from parlour_protocol import messages as m
from parlour_server import effects, persistence
from parlour_server.effects import Effect, place
from parlour_server.local import Local
from parlour_server.rooms.playing import Playing
from parlour_server.rooms.room import Room
from parlour_server.rooms.seating import Seating


class Faulty(Local):
    """A server without sockets that keeps what a request wanted, with the faults of its rooms."""

    def __init__(self) -> None:
        super().__init__(1, installed=new_server().lobby.games)
        self.wanted: list[Effect] = []

    def carry_out(self, wanted: list[Effect]) -> None:
        self.wanted = wanted
        super().carry_out(wanted)


def fail(*_: Any, **__: Any) -> None:
    raise ZeroDivisionError("the next card is a red 7")


def test_a_fault_in_a_room_costs_that_room_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    local = Faulty()
    at = open_room(local=local)
    at[0].send(m.Create("fake"))
    other, outsider = one(at[0], m.Joined).room, local.connect("zoe")
    monkeypatch.setattr(Room, "chat", fail)
    at[1].send(m.Chat(at.code, "hello", id=3))
    faults = [(each.room, each.error) for each in local.wanted if isinstance(each, effects.LogFault)]
    assert faults == [(at.code, "ZeroDivisionError")]
    assert "red 7" not in repr(local.wanted)
    assert not any(isinstance(effect, persistence.Append) for effect in local.wanted)
    [answer] = [message for message in at[1].inbox if isinstance(message, m.Error | m.Ok)]
    assert isinstance(answer, m.Error)
    assert (answer.code, answer.re) == ("internal", 3)
    for peer in at:
        assert received(peer)[-1] == m.Bye("internal", "the server failed; reconnect", 1_000)
    assert [peer.closed for peer in (*at, outsider)] == [1011, 1011, None]
    assert at.code in local.lobby.rooms.dormant
    assert set(local.lobby.rooms.loaded) == {other}


def test_a_room_is_loaded_for_those_who_name_it_or_sit_there_and_for_nonsense_nothing() -> None:
    at = open_room()
    at.server.lobby.rooms.discard(at.code)
    missing = at.server.lobby.missing
    for data in ({"t": "join", "room": at.code.lower()}, {"t": "hello", "token": at[1].token}):
        assert missing(99, data) == [at.code]
    nonsense: list[m.Plain] = [{"room": 7}, {"room": None}, {"token": 1}, {"token": "x" * 99}, {}]
    assert [missing(99, data) for data in nonsense] == [[]] * len(nonsense)


def test_closing_a_room_that_fails_is_answered_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    at = open_room(local=Faulty())
    at.server.lobby.admin.token = "operator"
    admin = at.server.connect("root")
    monkeypatch.setattr(Playing, "close", fail)
    answer = refused(admin, m.Admin("operator", "close", room=at.code, id=7))
    assert (answer.code, answer.re, answer.room) == ("internal", 7, at.code)
    assert at.code in at.server.lobby.rooms.dormant
    assert [peer.closed for peer in at] == [1011, 1011]


def test_a_join_that_fails_is_answered_and_may_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    at = open_room(local=Faulty(), seats=3)
    zoe = at.server.connect("zoe", "human")
    with monkeypatch.context() as patch:
        patch.setattr(Seating, "sit", fail)
        answer = refused(zoe, m.Join(at.code, id="in"))
    assert (answer.code, answer.re, answer.retry_after) == ("internal", "in", 1_000)
    assert zoe.closed is None
    at.load_again()
    assert request(zoe, m.Join(at.code, id="again"), m.Joined).re == "again"


def test_the_place_of_an_error_is_its_innermost_line() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        fail()
    assert place(caught.value) == f"test_room_faults.py:{fail.__code__.co_firstlineno + 1}"
    assert place(ValueError("secret")) == "", "it was never raised"

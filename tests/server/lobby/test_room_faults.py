"""An unexpected error in a room: the request is answered, and the room continues as it was stored."""

from typing import Any

import pytest
from tests.server.local_server import new_server, one, open_room

from parlour_protocol import messages as m
from parlour_server import effects
from parlour_server.effects import Effect
from parlour_server.local import Local, Peer
from parlour_server.rooms.playing import Playing
from parlour_server.rooms.room import Room
from parlour_server.rooms.seating import Seating

ADMIN = "admin-" + "s" * 32


class Faulty(Local):
    """A server without sockets that keeps the faults of its rooms."""

    def __init__(self) -> None:
        super().__init__(1, installed=new_server().lobby.games)
        self.lobby.admin.token = ADMIN
        self.faults: list[effects.LogFault] = []

    def carry_out(self, wanted: list[Effect]) -> None:
        self.faults += [effect for effect in wanted if isinstance(effect, effects.LogFault)]
        super().carry_out(wanted)


def fail(*_: Any, **__: Any) -> None:
    raise ZeroDivisionError


def errors(peer: Peer) -> list[m.ServerMessage]:
    return [message for message in peer.inbox if isinstance(message, m.Error | m.Ok)]


def test_closing_a_room_that_fails_is_answered_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    local = Faulty()
    at = open_room(local=local)
    admin = local.connect("root")
    monkeypatch.setattr(Playing, "close", fail)
    admin.send(m.Admin(ADMIN, "close", room=at.code, id=7))
    [answer] = errors(admin)
    assert isinstance(answer, m.Error)
    assert (answer.code, answer.re, answer.room) == ("internal", 7, at.code)
    assert [(fault.room, fault.error) for fault in local.faults] == [(at.code, "ZeroDivisionError")]
    assert at.code in local.lobby.rooms.dormant
    assert [peer.closed for peer in at] == [1011, 1011]


def test_a_join_that_fails_is_answered_and_may_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    local = Faulty()
    at = open_room(local=local, seats=3)
    zoe = local.connect("zoe", "human")
    with monkeypatch.context() as patch:
        patch.setattr(Seating, "sit", fail)
        zoe.send(m.Join(at.code, id="in"))
    [answer] = errors(zoe)
    assert isinstance(answer, m.Error)
    assert (answer.code, answer.re, answer.retry_after) == ("internal", "in", 1_000)
    assert zoe.closed is None
    at.load_again()
    zoe.inbox.clear()
    zoe.send(m.Join(at.code, id="again"))
    assert one(zoe, m.Joined).re == "again"


def test_a_client_inside_is_answered_before_it_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    at = open_room(local=Faulty())
    monkeypatch.setattr(Room, "chat", fail)
    at[0].send(m.Chat(at.code, "hello", id=3))
    error, bye = at[0].inbox
    assert isinstance(error, m.Error)
    assert isinstance(bye, m.Bye)
    assert (error.code, error.re, bye.code, at[0].closed) == ("internal", 3, "internal", 1011)

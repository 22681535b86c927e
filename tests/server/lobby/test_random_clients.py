"""Random clients of one server: each message gets one answer, a refused one changes nothing, and secrets stay so."""

import random
from collections import Counter
from typing import Any

import pytest
from tests.server.lobby.random_clients import RandomClients

from parlour_protocol import messages as m
from parlour_protocol.errors import Denied
from parlour_server.directory.sessions import ClientSession
from parlour_server.lobby.server_requests import ServerRequests

STEPS = 5_000
MANY = 150
NONSENSE = (0.05, 0.2, 0.5, 0.9)
"""The share of broken frames in each crowd."""


def lived(seed: str, steps: int, nonsense: float = 0.2) -> Counter[str]:
    random_clients = RandomClients(random.Random(seed), nonsense)
    for number in range(steps):
        try:
            random_clients.step()
        except BaseException as error:
            error.add_note(f"random_clients {seed!r}, step {number}")
            raise
    return random_clients.told


def test_crowds(seed: int) -> None:
    told: Counter[str] = Counter()
    for nonsense in NONSENSE:
        told += lived(f"{seed}/{nonsense}", STEPS, nonsense)
    usual = {"welcome", "joined", "ok", "rooms", "pong", "seats", "not_here", "bad_message", "update", "turn"}
    refused = {"bad_frame", "illegal_action", "unknown_type", "hello_first"}
    assert usual | refused <= set(told), told


@pytest.mark.torture
@pytest.mark.parametrize("batch", range(MANY))
def test_many_crowds(batch: int, seed: int) -> None:
    assert lived(f"{seed}/many/{batch}", 2 * STEPS, NONSENSE[batch % len(NONSENSE)])


def _twice(self: Any, session: ClientSession, message: m.Ping, now: int) -> None:
    for _ in range(2):
        self._outbox.post(session.conn, m.Pong(re=message.id))


def _never(self: Any, session: ClientSession, message: m.Ping, now: int) -> None:
    pass


def _leaking(self: Any, session: ClientSession, message: m.Ping, now: int) -> None:
    self._outbox.post(session.conn, m.Pong(re=message.id))
    for loaded in self._rooms.loaded.values():
        if loaded.room.match is not None:
            self._outbox.post(session.conn, m.Rooms([], [], after=loaded.room.match.begun.secret))


def _changing(self: Any, session: ClientSession, message: m.Ping, now: int) -> None:
    for loaded in self._rooms.loaded.values():
        loaded.room.state.host = "nobody"
    raise Denied("no_room", "nothing was changed")


@pytest.mark.parametrize("broken", [_twice, _never, _leaking, _changing])
def test_a_crowd_notices_what_it_should(broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ServerRequests, "ping", broken)
    with pytest.raises(AssertionError):
        lived("noticed", STEPS)

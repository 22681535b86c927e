"""Random clients of one server: each message gets one answer, and no client sees another's secrets."""

import random
from collections import Counter
from typing import Any

import pytest
from tests.server.lobby.random_clients import RandomClients

from parlour_protocol import messages as m
from parlour_server.directory.sessions import ClientSession
from parlour_server.lobby.server_requests import ServerRequests

STEPS, BATCHES = 1_500, 4
MANY = 150


def lived(seed: str, steps: int) -> Counter[str]:
    rng = random.Random(seed)
    random_clients = RandomClients(rng, rng.choice((0.05, 0.2, 0.5)))
    for number in range(steps):
        try:
            random_clients.step()
        except BaseException as error:
            error.add_note(f"random_clients {seed!r}, step {number}")
            raise
    return random_clients.told


def test_crowds(seed: int) -> None:
    told: Counter[str] = Counter()
    for batch in range(BATCHES):
        told += lived(f"{seed}/{batch}", STEPS)
    usual = {"welcome", "joined", "ok", "rooms", "pong", "seats", "not_here", "bad_message", "update", "turn"}
    assert usual <= set(told), told


@pytest.mark.torture
@pytest.mark.parametrize("batch", range(MANY))
def test_many_crowds(batch: int, seed: int) -> None:
    assert lived(f"{seed}/many/{batch}", 4 * STEPS)


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


@pytest.mark.parametrize("broken", [_twice, _never, _leaking])
def test_a_crowd_notices_what_it_should(broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ServerRequests, "ping", broken)
    with pytest.raises(AssertionError):
        lived("noticed", STEPS)

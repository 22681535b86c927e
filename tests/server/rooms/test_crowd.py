"""Crowds at one lobby: whatever they say, each word has one answer, and nobody hears what is not for them."""

import random
from collections import Counter
from typing import Any

import pytest
from tests.server.rooms.crowd import Crowd

from parlour_protocol import messages as m
from parlour_server.directory.sessions import Session
from parlour_server.lobby import dispatch
from parlour_server.lobby.lobby import Lobby

STEPS, BATCHES = 1_500, 4
MANY = 150


def lived(seed: str, steps: int) -> Counter[str]:
    rng = random.Random(seed)
    crowd = Crowd(rng, rng.choice((0.05, 0.2, 0.5)))
    for number in range(steps):
        try:
            crowd.step()
        except BaseException as error:
            error.add_note(f"crowd {seed!r}, step {number}")
            raise
    return crowd.told


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


def _twice(lobby: Lobby, session: Session, message: m.Ping, now: int) -> None:
    for _ in range(2):
        lobby.post(session.conn, m.Pong(message.id))


def _never(lobby: Lobby, session: Session, message: m.Ping, now: int) -> None:
    pass


def _gossiping(lobby: Lobby, session: Session, message: m.Ping, now: int) -> None:
    lobby.post(session.conn, m.Pong(message.id))
    for live in lobby.rooms.values():
        if live.room.match is not None:
            lobby.post(session.conn, m.Rooms([], [], after=live.room.match.begun.secret))


@pytest.mark.parametrize("broken", [_twice, _never, _gossiping])
def test_a_crowd_notices_what_it_should(broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(dispatch._SERVE, m.Ping, broken)
    with pytest.raises(AssertionError):
        lived("noticed", STEPS)

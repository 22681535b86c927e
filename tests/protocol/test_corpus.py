"""The decoders answer broken frames of real conversations with a refusal or plain data, in little memory."""

import random
import tracemalloc
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.client.conversations import tapes
from tests.protocol.frames import CLIENT_FRAMES, SERVER_FRAMES
from tests.server.rooms.fuzzing import broken, encoded, junk
from tests.support.spoiling import spoilt

from parlour_protocol.codec import CODECS, FROM_CLIENT, FROM_SERVER, MAX_CLIENT_FRAME, Bounds, Codec, Frame
from parlour_protocol.errors import CODES, Refusal
from parlour_protocol.messages import Act, Plain, Request, Sent
from parlour_protocol.wire import client_message, plain, server_message

ACTIONS: tuple[Any, ...] = (
    0,
    7,
    {"do": "play", "card": 12, "colour": "red", "uno": True},
    {"do": "open", "cells": [[1, 2]]},
)
both = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)


@cache
def corpus() -> list[Plain]:
    told = [data for game in ("uno", "minesweeper") for tape in tapes(game) for data in tape[::7]]
    said = [plain(Act("K7QD", rid, act, why="because", id=rid)) for rid, act in enumerate(ACTIONS)]
    return told + said * 50


def read(codec: Codec, frame: Frame, bounds: Bounds) -> bool:
    """Read a frame as both sides do; return whether it is a message. Otherwise only refusals are allowed."""
    try:
        data = codec.decode(frame, bounds)
        for other in CODECS.values():
            assert other.decode(other.encode(data), bounds) == data, "both encodings carry the same"
        found = client_message(data) if bounds is FROM_CLIENT else server_message(data)
    except Refusal as refusal:
        return _complain(refusal)
    assert found is None or isinstance(found, Request | Sent)
    return found is not None


def _complain(refusal: Refusal) -> bool:
    assert refusal.code in CODES
    assert len(refusal.msg) < 500
    return False


def attack(codec: Codec, rng: random.Random, times: int) -> int:
    """Read broken frames; return how many of them are messages nevertheless."""
    found = 0
    for number in range(times):
        good = rng.choice(corpus())
        frame = codec.encode(spoilt(rng, good, 3) if number % 2 else good)
        found += read(codec, broken(rng, frame) if number % 3 else frame, rng.choice((FROM_CLIENT, FROM_SERVER)))
    return found


@both
@pytest.mark.parametrize("times", [4_000, pytest.param(300_000, marks=pytest.mark.torture)])
def test_broken_frames_of_real_conversations(codec: Codec, times: int, seed: int) -> None:
    assert times / 20 < attack(codec, random.Random(f"{seed}/{times}"), times) < times


@both
@given(frame=CLIENT_FRAMES | SERVER_FRAMES, seed=st.integers(0, 2**32))
def test_any_message_broken_anywhere(codec: Codec, frame: Plain, seed: int) -> None:
    rng = random.Random(seed)
    for bounds in (FROM_CLIENT, FROM_SERVER):
        read(codec, broken(rng, codec.encode(frame)), bounds)


@both
@given(st.binary(max_size=400))
def test_any_bytes(codec: Codec, noise: bytes) -> None:
    read(codec, noise if codec.binary else noise.decode("utf-8", "replace"), FROM_CLIENT)


@both
def test_no_frame_of_a_client_takes_much_memory(codec: Codec, seed: int) -> None:
    rng = random.Random(seed)
    pieces = [encoded(codec, junk(rng)) for _ in range(40)]
    tracemalloc.start()
    try:
        for _ in range(60):
            frame = rng.choice(pieces) * (MAX_CLIENT_FRAME // 4)
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            read(codec, frame[:MAX_CLIENT_FRAME], FROM_CLIENT)
            assert tracemalloc.get_traced_memory()[1] - before < 8 << 20, "bytes"
    finally:
        tracemalloc.stop()

"""Hundreds of malformed frames through real sockets: each is answered, and nobody else notices."""

import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.transport.gateways import Host, hosting
from tests.support.sockets import Map, Socket, open_socket

from parlour_protocol.codec import CODECS, JSON, MAX_CLIENT_FRAME, MSGPACK, Codec, Frame
from parlour_protocol.errors import CODES, Refusal
from parlour_protocol.wire import client_message
from parlour_server.directory.sessions import STRIKES

FRAMES = 800
VALID: list[Map] = [
    {
        "t": "hello",
        "name": "anna",
        "kind": "human",
        "rooms": [{"room": "K7QD", "epoch": 1, "seq": 3}],
        "can": ["nonce"],
    },
    {"t": "create", "game": "uno", "options": {"target": 200}, "seats": 4, "clock": {"bank": 1, "add": 2}},
    {"t": "join", "room": "K7QD", "as": "spectator", "id": 7},
    {"t": "act", "room": "K7QD", "rid": 3, "act": {"do": "play", "card": 12}, "why": "it fits", "id": "a"},
    {"t": "ready", "room": "K7QD", "ready": True, "nonce": "00" * 32},
    {"t": "chat", "room": "K7QD", "text": "good evening", "id": 8},
    {"t": "offer", "games": ["uno"], "max": 3},
    {"t": "manage", "room": "K7QD", "do": "kick", "name": "bert"},
    {"t": "file", "digest": "00" * 32, "after": 10},
    {"t": "admin", "token": "x", "do": "ban", "name": "bert", "args": {"a": 1}},
]
VALUES: list[Any] = [None, True, -1, 2**52, "", "x" * 300, "\x1b[2J", "\u202e", [], [1], {}, {"a": {"b": []}}]
OUT_OF_BOUNDS: list[Any] = [
    2**53,
    10**30,
    [0] * 257,
    {str(n): n for n in range(65)},
    [[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]],
]


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    async with hosting(tmp_path / "parlour.db") as host:
        yield host


def spoilt(rng: random.Random, codec: Codec) -> Iterator[Frame]:
    """Yield frames that are not what the protocol wants, for ever."""
    while True:
        frame = rng.choice((_field, _field, _bounds, _bytes, _bytes, _noise, _kind))(rng, codec)
        if 0 < len(frame) <= MAX_CLIENT_FRAME // 4 and _refused(codec, frame):
            yield frame


def _refused(codec: Codec, frame: Frame) -> bool:
    try:
        client_message(codec.decode(frame))
    except Refusal:
        return True
    return False


def _field(rng: random.Random, codec: Codec) -> Frame:
    """Leave a field out, or let it hold something else."""
    data = dict(rng.choice(VALID))
    name = rng.choice(list(data))
    del data[name]
    if rng.random() < 0.7:
        data[name] = rng.choice(VALUES)
    return codec.encode(data)


def _bounds(rng: random.Random, codec: Codec) -> Frame:
    data = dict(rng.choice(VALID))
    data[rng.choice([*data, "new"])] = rng.choice(OUT_OF_BOUNDS if codec.name == JSON else OUT_OF_BOUNDS[2:])
    return codec.encode(data)


def _bytes(rng: random.Random, codec: Codec) -> Frame:
    """Cut a frame, or change some of it."""
    frame = codec.encode(rng.choice(VALID))
    if rng.random() < 0.3:
        return frame[: rng.randrange(len(frame))]
    changed: Any = list(frame)
    for _ in range(rng.randint(1, 6)):
        changed[rng.randrange(len(frame))] = rng.randrange(256) if codec.binary else chr(rng.randrange(1, 0x300))
    return bytes(changed) if codec.binary else "".join(changed)


def _noise(rng: random.Random, codec: Codec) -> Frame:
    noise = rng.randbytes(rng.randint(1, 200))
    texts = ("[]", "1", "null", '"t"', "{}{}", '{"t":1.5}', '{"t":NaN}', '{"t":"ping","t":"ping"}', "[" * 2_000)
    return noise if codec.binary else rng.choice((*texts, noise.decode("latin-1"), json.dumps(noise.hex())))


def _kind(rng: random.Random, codec: Codec) -> Frame:
    """The right map in the other encoding's kind of frame."""
    return CODECS[MSGPACK if codec.name == JSON else JSON].encode(rng.choice(VALID))


@pytest.mark.parametrize("subprotocol", [JSON, MSGPACK])
async def test_every_malformed_frame_is_refused_with_a_hint(host: Host, subprotocol: str, seed: int) -> None:
    frames, codes = spoilt(random.Random(seed), CODECS[subprotocol]), Counter[str]()
    async with open_socket(host.url, subprotocol) as bystander:
        await bystander.hello("bystander")
        room = (await bystander.ask("create", "joined", game="uno"))["room"]
        while codes.total() < FRAMES:
            async with open_socket(host.url, subprotocol) as client:
                if codes.total() % 3:
                    await client.hello(f"guest{codes.total()}")
                codes += await _until_struck_out(client, frames)
            if codes.total() % 4 == 0:  # more often it would be too fast
                assert await bystander.ask("ping", "pong", id=codes.total()) == {"t": "pong", "re": codes.total()}
        assert [row["room"] for row in (await bystander.ask("list", "rooms"))["rooms"]] == [room]
    assert set(codes) == {"bad_frame", "bad_message", "unknown_type"}
    await host.until(0)


async def _until_struck_out(client: Socket, frames: Iterator[Frame]) -> Counter[str]:
    codes, strikes = Counter[str](), 0
    while strikes < STRIKES:
        frame = next(frames)
        await client.ws.send(frame)
        error = await client.receive()
        assert error["t"] == "error", (frame, error)
        assert error["hint"] == CODES[error["code"]]
        codes[error["code"]] += 1
        if error["code"] != "unknown_type":
            strikes += 1
            assert error["strikes"] == [strikes, STRIKES], frame
    assert (await client.receive())["code"] == "strikes"
    assert await client.closed() == 4008
    return codes

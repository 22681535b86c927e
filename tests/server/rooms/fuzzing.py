"""Broken frames: mutations of valid ones, random data, random bytes."""

import json
import random
from typing import Any

import msgpack

from parlour_protocol.codec import CODECS, JSON, Codec, Frame

DEEP: Any = []
for _ in range(20):
    DEEP = [DEEP]

WORDS = ("", "anna", "uno", "fake", "K7QD", "player", "kick", "x" * 65, "x" * 300, "\x00", "ß", "\u202e", "0")
NUMBERS = (0, 1, -1, 2, 7, 64, 65, 255, 2**31, 2**53 - 1, 1 - 2**53)
UNFIT = (
    DEEP,
    [0] * 300,
    dict.fromkeys(map(str, range(70))),
    b"bytes",
    {1: 2},
    1.5,
    "\ud800",
    2**53,
    -(2**53),
    2**64 - 1,
)
"""What no frame may hold."""
TYPES = (
    "hello", "list", "create", "join", "leave", "ready", "start", "act", "chat", "offer", "invite", "manage",
    "standings", "file", "admin", "ping", "turn", "Ping", "",
)  # fmt: skip
FIELDS = (
    "t", "id", "room", "rid", "act", "name", "kind", "token", "key", "rooms", "can", "game", "after", "options",
    "seats", "private", "kinds", "watch", "clock", "standin", "start", "as", "ready", "nonce", "why", "text", "games",
    "max", "bot", "seat", "do", "contest", "digest", "args", "x",
)  # fmt: skip


def junk(rng: random.Random, depth: int = 2) -> Any:
    """Return any plain data, and some that is not."""
    kind = rng.randrange(20)
    if kind == 0:
        return rng.choice(UNFIT)
    if kind < 8:
        return rng.choice(WORDS)
    if kind < 14:
        return rng.choice(NUMBERS)
    if kind < 17 or not depth:
        return rng.choice((None, True, False))
    if kind == 17:
        return [junk(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {rng.choice(FIELDS): junk(rng, depth - 1) for _ in range(rng.randrange(4))}


def mutated(rng: random.Random, good: dict[str, Any]) -> dict[str, Any]:
    """Return ``good`` with something wrong, mostly."""
    bad = dict(good)
    for _ in range(rng.randint(1, 2)):
        field = rng.choice([*bad, rng.choice(FIELDS)])
        what = rng.randrange(6)
        if what == 0:
            bad.pop(field, None)
        elif what == 1 and isinstance(bad.get(field), dict):
            bad[field] = mutated(rng, bad[field])
        elif what == 2:
            bad["t"] = rng.choice(TYPES)
        elif what == 3 and type(bad.get(field)) is int:
            bad[field] += rng.choice((-1, 1, 100))
        else:
            bad[field] = junk(rng)
    return bad


def encoded(codec: Codec, data: Any) -> Frame:
    """Return ``data`` as a frame; what the encoding cannot carry is left out."""
    if codec.name == JSON:
        return json.dumps(data, default=str)
    return msgpack.packb(data, default=str, unicode_errors="surrogatepass")  # type: ignore[no-any-return]


def broken(rng: random.Random, frame: Frame) -> Frame:
    """Return the frame with some of its bytes changed, lost, doubled or added; still one that a socket can carry."""
    raw = bytearray(frame.encode() if isinstance(frame, str) else frame)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(raw) + 1)
        what = rng.randrange(4)
        if what == 0:
            del raw[at : at + rng.randint(1, 8)]
        elif what == 1:
            raw[at:at] = rng.randbytes(rng.randint(1, 4))
        elif what == 2:
            raw[at:at] = raw[: rng.randrange(20)]
        elif at < len(raw):
            raw[at] ^= 1 << rng.randrange(8)
    return raw.decode("utf-8", "replace") if isinstance(frame, str) else bytes(raw)


def bad_frame(rng: random.Random, codec: Codec, good: dict[str, Any]) -> Frame:
    """Return a frame made from a good message, or from nothing."""
    kind = rng.randrange(40)
    if kind == 0:
        noise = rng.randbytes(rng.randrange(60))
        return noise if codec.binary else noise.decode("utf-8", "replace")
    if kind == 1:
        other = next(each for each in CODECS.values() if each is not codec)
        return encoded(other, good)
    if kind < 6:
        return broken(rng, encoded(codec, good))
    if kind < 8:
        return encoded(codec, junk(rng))
    if kind < 11:
        return encoded(
            codec, {"t": rng.choice(TYPES), **{rng.choice(FIELDS): junk(rng) for _ in range(rng.randrange(6))}}
        )
    return encoded(codec, mutated(rng, good))

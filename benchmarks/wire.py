"""The cost of decoding and encoding one message, in both encodings."""

import timeit
from collections.abc import Callable
from time import thread_time

from benchmarks.results import Result, Row, Target, show
from parlour_protocol.codec import CODECS, MSGPACK
from parlour_protocol.messages import Act, Update
from parlour_protocol.wire import client_message, plain

LOOPS = 20_000
TIMES = 5


def measure() -> list[Result]:
    """Return the CPU per message in microseconds, the best of TIMES runs."""
    act = plain(Act("K7QD", 41, {"do": "play", "card": 17, "uno": True}, id=9))
    view = {"phase": "play", "counts": [7, 7, 7, 7], "hand": [3, 9, 14, 40, 77, 100, 104], "scores": [0, 0, 0, 0]}
    update = Update("K7QD", 90, view, [{"e": "play", "seat": 2, "card": 17}], [], {"1": 61000})
    rows: list[Row] = []
    read: dict[str, float] = {}
    for name, codec in CODECS.items():
        frame, out = codec.encode(act), plain(update)
        read[name] = _time(_reader(codec.decode, frame))
        rows.append((f"{name}: decode and validate a move", read[name], "µs"))
        rows.append((f"{name}: encode an update", _time(_writer(codec.encode, out)), "µs"))
    return [*rows, Target("strict decoding and validation of a move, msgpack", read[MSGPACK], "µs", 6, 3)]


def _reader(decode: Callable[..., dict[str, object]], frame: str | bytes) -> Callable[[], object]:
    return lambda: client_message(decode(frame))


def _writer(encode: Callable[..., object], out: dict[str, object]) -> Callable[[], object]:
    return lambda: encode(out)


def _time(call: Callable[[], object]) -> float:
    return min(timeit.repeat(call, timer=thread_time, number=LOOPS, repeat=TIMES)) / LOOPS * 1e6


if __name__ == "__main__":
    show(measure())

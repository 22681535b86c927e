"""Both encodings carry the same plain data, and decoding raises nothing but BadFrame."""

import json
import tracemalloc
from typing import Any

import msgpack
import pytest
from hypothesis import given
from tests.protocol.frames import CLIENT_FRAMES, PLAIN, SERVER_FRAMES

from parlour_protocol import codec as codecs
from parlour_protocol.codec import CODECS, FROM_CLIENT, FROM_SERVER, JSON, MAX_DEPTH, MSGPACK, Codec, Frame
from parlour_protocol.errors import BadFrame
from parlour_protocol.messages import Plain

TEXT, BINARY = CODECS[JSON], CODECS[MSGPACK]
both = pytest.mark.parametrize("codec", [TEXT, BINARY], ids=lambda codec: codec.name)


def deep(levels: int) -> Plain:
    """Return a map in which ``levels`` lists and maps nest, including itself."""
    inner: Any = []
    for _ in range(levels - 2):
        inner = [inner]
    return {"a": inner}


def refuses(codec: Codec, frame: Frame) -> str:
    with pytest.raises(BadFrame) as caught:
        codec.decode(frame)
    assert caught.value.code == "bad_frame"
    assert len(caught.value.msg) <= 200
    return caught.value.msg


@both
@given(frame=PLAIN | CLIENT_FRAMES | SERVER_FRAMES)
def test_round_trip(codec: Codec, frame: Plain) -> None:
    assert codec.decode(codec.encode(frame), FROM_SERVER) == frame


@given(frame=PLAIN | CLIENT_FRAMES | SERVER_FRAMES)
def test_frames_are_those_of_the_encodings_own_libraries(frame: Plain) -> None:
    assert TEXT.encode(frame) == json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
    assert BINARY.encode(frame) == msgpack.packb(frame)


def test_frames_of_the_other_kind() -> None:
    for binary in (b'{"t":"ping"}', b"", b"\x81\xa1t\xa4ping"):
        assert refuses(TEXT, binary) == "parlour.v1.json uses text frames"
    for text in ('{"t":"ping"}', ""):
        assert refuses(BINARY, text) == "parlour.v1.msgpack uses binary frames"


@both
@pytest.mark.parametrize("value", [[], [{}], "t", 5, None, True], ids=repr)
def test_a_frame_is_one_map(codec: Codec, value: Any) -> None:
    assert refuses(codec, codec.encode(value)) == "a frame must be a map"


@both
def test_integers_that_everybody_keeps_exact(codec: Codec) -> None:
    frame = {"a": [2**53 - 1, 1 - 2**53]}
    assert codec.decode(codec.encode(frame)) == frame
    for number in (2**53, -(2**53), 2**63, 2**64 - 1, -(2**63)):
        assert "2^53" in refuses(codec, codec.encode({"t": "ping", "options": {"deep": [number]}}))


@both
def test_depth(codec: Codec) -> None:
    deepest = deep(MAX_DEPTH)
    assert codec.decode(codec.encode(deepest)) == deepest
    assert "nest" in refuses(codec, codec.encode(deep(MAX_DEPTH + 1)))


@both
def test_entries(codec: Codec) -> None:
    full: Plain = {str(n): [0] * FROM_CLIENT.array for n in range(FROM_CLIENT.map)}
    assert codec.decode(codec.encode(full)) == full
    refuses(codec, codec.encode({"a": [0] * (FROM_CLIENT.array + 1)}))
    refuses(codec, codec.encode({"a": {str(n): 0 for n in range(FROM_CLIENT.map + 1)}}))
    assert codec.decode(codec.encode({"a": [0] * 65_536}), FROM_SERVER) == {"a": [0] * 65_536}


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        ('{"t":"ping","t":"hello"}', "twice"),
        ('{"a":{"b":1,"b":1}}', "twice"),
        ('{"a":1.0}', "integers, not 1.0"),
        ('{"a":[1e3]}', "integers, not 1e3"),
        ('{"a":-0.5}', "integers, not -0.5"),
        ('{"a":NaN}', "integers, not NaN"),
        ('{"a":Infinity}', "integers, not Infinity"),
        ('{"a":-Infinity}', "integers, not -Infinity"),
        ('{"a":' + "9" * 16_000 + "}", "bounds"),
        ('{"a":' + "9" * 4_000 + "}", "2^53"),
        ('{"a":"\\ud800"}', "surrogates"),
        ('{"a":["\\udfff\\ud800"]}', "surrogates"),
        ('{"\\ud800":1}', "surrogates"),
        ('{"a":"\ud800"}', "surrogates"),
        ('{"a":' + "[" * 8_000 + "]" * 8_000 + "}", "deep"),
        ('{"a":' * 3_000 + "1" + "}" * 3_000, "deep"),
        ("{} {}", "character 3"),
        ('{"a":1}x', "character 7"),
        ('{"a":"\n"}', "character 6"),
        ("{'a':1}", "character 1"),
        ('{1:"a"}', "character 1"),
        ('{"a":True}', "character 5"),
        ("\ufeff{}", "character 0"),
        ("", "character 0"),
    ],
    ids=range(24),
)
def test_text_that_is_refused(frame: str, told: str) -> None:
    assert told in refuses(TEXT, frame)


@pytest.mark.parametrize(
    "value",
    [
        1.5,
        float("nan"),
        b"",
        b"x",
        msgpack.ExtType(5, b""),
        msgpack.ExtType(5, b"x"),
        msgpack.Timestamp(1),
        msgpack.Timestamp(1, 1),
        {1: 2},
        {b"": 1},
        {b"x": 1},
        {None: 1},
        {True: 1},
        {(1,): 1},
    ],
    ids=repr,
)
def test_binary_values_that_json_could_not_carry(value: Any) -> None:
    refuses(BINARY, msgpack.packb({"a": value}))
    refuses(BINARY, msgpack.packb({"a": [[value]]}))


BROKEN = [
    *("", "c1", "81", "81a161", "8080", "81a1610100", "81a1ff01", "82a16101a16102", "82a16101d9016102", "819001"),
    *("818001", "81a161dc0101", "81a161ddffffffff", "81a161dfffffffff", "dfffffffff", "81a161dbffffffff"),
    *("81a161c6ffffffff", "81a161c9ffffffff05", "81a161d7ff" + "ff" * 8, "81a161" + "91" * 16_000, "81a161" * 5_000),
]


@pytest.mark.parametrize("frame", BROKEN, ids=lambda frame: frame[:24])
def test_binary_that_is_refused(frame: str) -> None:
    refuses(BINARY, bytes.fromhex(frame))


@pytest.mark.parametrize("level", ["dc0100", "dd00000100", "dc3e80", "9f", "de0040a0", "de1f40a0", "81a0"])
def test_nested_bombs_stay_small(level: str) -> None:
    frame = b"\x81\xa1a" + bytes.fromhex(level) * ((codecs.MAX_CLIENT_FRAME - 3) * 2 // len(level))
    tracemalloc.start()
    try:
        refuses(BINARY, frame)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_json_written_by_others_reads_the_same() -> None:
    frame = {"t": "create", "game": "uno", "options": {"a": [None, True, {"b": "é"}]}, "clock": None}
    assert TEXT.decode(json.dumps(frame, indent=2)) == frame
    assert TEXT.decode('{"a":"\\ud83d\\ude00"}') == {"a": "😀"}


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        ([], JSON),
        ([JSON, MSGPACK], JSON),
        ([MSGPACK, JSON], MSGPACK),
        (["parlour.v2.json", "chat", MSGPACK], MSGPACK),
    ],
)
def test_the_clients_order_of_subprotocols_decides(asked: list[str], chosen: str) -> None:
    assert codecs.choose(asked) == chosen


@pytest.mark.parametrize("asked", [["parlour.v2.json"], ["", "PARLOUR.V1.JSON"]])
def test_unknown_subprotocols_are_refused_with_those_that_are_known(asked: list[str]) -> None:
    with pytest.raises(codecs.UnknownSubprotocol, match=".*".join(codecs.SUBPROTOCOLS)):
        codecs.choose(asked)


def test_every_subprotocol_has_a_codec_of_its_name() -> None:
    assert {name: codec.name for name, codec in CODECS.items()} == {name: name for name in codecs.SUBPROTOCOLS}

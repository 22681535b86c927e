"""Choosing a subprotocol."""

import pytest

from parlour_protocol.codec import CODECS, JSON, MSGPACK, SUBPROTOCOLS, UnknownSubprotocol, choose


def test_who_asks_for_nothing_speaks_json() -> None:
    assert choose([]) == JSON == "parlour.v1.json"


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        ([JSON], JSON),
        ([MSGPACK], MSGPACK),
        ([JSON, MSGPACK], JSON),
        ([MSGPACK, JSON], MSGPACK),
        (["parlour.v2.json", "chat", MSGPACK], MSGPACK),
    ],
)
def test_the_clients_order_decides(asked: list[str], chosen: str) -> None:
    assert choose(asked) == chosen


@pytest.mark.parametrize("asked", [["parlour.v2.json"], ["", "PARLOUR.V1.JSON"]])
def test_only_unknown_ones(asked: list[str]) -> None:
    with pytest.raises(UnknownSubprotocol) as caught:
        choose(asked)
    assert all(name in str(caught.value) for name in SUBPROTOCOLS)


def test_every_subprotocol_has_a_codec_of_its_name() -> None:
    assert set(CODECS) == set(SUBPROTOCOLS)
    assert all(codec.name == name for name, codec in CODECS.items())

"""The message classes: tags, names, limits, and round trips of frames."""

from typing import Any

import pytest
from hypothesis import given
from tests.protocol.frames import CLIENT_CLASSES, READ, SERVER_CLASSES

from parlour_protocol import messages
from parlour_protocol.converter import fields
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Create, Join, Plain, Said
from parlour_protocol.wire import client_message, plain


def leaves(cls: type) -> list[type]:
    """Return the classes below ``cls`` that have none below them."""
    below: list[type] = cls.__subclasses__()
    return [leaf for each in below for leaf in leaves(each)] or [cls]


@pytest.mark.parametrize("base", [messages.Request, messages.Sent])
def test_tags_are_unique_on_each_side(base: Any) -> None:
    assert len(messages.messages(base)) == len(leaves(base)) > 20


@pytest.mark.parametrize("cls", [*CLIENT_CLASSES, *SERVER_CLASSES], ids=lambda cls: cls.__name__)
def test_messages_are_frozen_and_documented(cls: type) -> None:
    assert cls.__doc__
    blank: Any = cls(**dict.fromkeys(field.name for field in fields(cls)))
    with pytest.raises(AttributeError):
        setattr(blank, fields(cls)[0].name, None)


@given(READ)
def test_a_frame_survives_the_way_in_and_out(case: tuple[Any, Plain]) -> None:
    read, frame = case
    message = read(frame)
    absent = {field.wire: field.default for field in fields(type(message)) if not field.required}
    assert plain(message) == {key: value for key, value in frame.items() if key not in absent or value != absent[key]}
    assert read(plain(message)) == message


def test_names_that_python_reserves() -> None:
    assert plain(Join("K7QD", as_="spectator")) == {"t": "join", "room": "K7QD", "as": "spectator"}
    said = Said("K7QD", 3, {"name": "ann", "kind": "human", "seat": None}, "hi")
    assert plain(said)["from"] == {"name": "ann", "kind": "human", "seat": None}
    assert client_message({"t": "join", "room": "K7QD", "as_": "spectator"}) == Join("K7QD")


def test_an_absent_clock_is_the_default_and_null_is_none() -> None:
    create: Plain = {"t": "create", "game": "uno"}
    assert client_message(create) == Create("uno", clock={"bank": 60_000, "add": 15_000})
    assert client_message({**create, "clock": None}) == Create("uno", clock=None)


def test_required_fields_are_there_even_when_null() -> None:
    frame = plain(messages.Turn("K7QD", 1, "uno", 0, {}, [], [], {}, rid=1, left=None))
    assert frame["left"] is None
    assert "legal" not in frame


@pytest.mark.parametrize(
    ("frame", "field", "fits"),
    [
        ({"t": "chat", "room": "K7QD"}, "text", "é" * 200),
        ({"t": "offer", "max": 1}, "games", ["x"] * 16),
        ({"t": "ping"}, "id", "x" * 64),
        ({"t": "ready", "room": "K7QD"}, "nonce", "0f" * 32),
    ],
)
def test_lengths(frame: Plain, field: str, fits: str | list[str]) -> None:
    assert getattr(client_message({**frame, field: fits}), field) == fits
    with pytest.raises(BadMessage, match=rf"^{frame['t']}\.{field} .*must "):
        client_message({**frame, field: fits + fits[:1]})  # type: ignore[operator]


@pytest.mark.parametrize("nonce", ["0F" * 32, "0g" * 32, "0f" * 31, "0f" * 32 + "\n", ""])
def test_a_nonce_is_thirty_two_bytes_in_lowercase_hex(nonce: str) -> None:
    with pytest.raises(BadMessage, match=r"^ready\.nonce must be 64 digits of 0-9 and a-f$"):
        client_message({"t": "ready", "room": "K7QD", "nonce": nonce})

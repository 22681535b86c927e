"""Messages on the wire: what is accepted, what is refused, what a refusal names, and that all survive the way."""

import contextlib
import re
from typing import Any, ClassVar

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocol.frames import CLIENT_CLASSES, CLIENT_FRAMES, PLAIN, READ, SERVER_CLASSES

from parlour_protocol import messages
from parlour_protocol.converter import fields
from parlour_protocol.errors import BadMessage, Refusal
from parlour_protocol.messages import Act, Create, Hello, Join, Ok, Ping, Plain, Said
from parlour_protocol.wire import client_message, id_of, plain, server_message, strict

ACT: Plain = {"t": "act", "room": "K7QD", "rid": 12, "act": 3}
HELLO: Plain = {"t": "hello", "name": "ann", "kind": "human"}


@attrs.frozen
class Play:
    do: ClassVar[str] = "play"
    card: int
    colour: str | None = None
    uno: bool = False


@attrs.frozen
class Limited:
    """Options whose validator writes its own message."""

    target: int = attrs.field(default=500)

    @target.validator
    def _check(self, field: Any, value: int) -> None:
        if value < 1:
            raise ValueError("target must be 1 or more")


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        ({"t": "act"}, "act.room is missing; act.rid is missing; act.act is missing"),
        ({**ACT, "rid": "12"}, "act.rid must be an integer"),
        ({**ACT, "rid": 2**53}, "act.rid must be an integer between -2^53 and 2^53"),
        ({**ACT, "act": "3"}, "act.act must be an integer (an index into legal) or a map (an action)"),
        ({**ACT, "room": b"K7QD"}, "act.room must be a string"),
        ({**ACT, "id": True}, "act.id must be a string or an integer"),
        ({**ACT, "id": "x" * 65}, "act.id must be at most 64 characters"),
        ({**ACT, "why": "x" * 1025}, "act.why must be at most 1024 characters"),
        ({**HELLO, "kind": "robot"}, "hello.kind must be one of human, bot"),
        ({**HELLO, "can": "xy"}, "hello.can must be a list"),
        ({**HELLO, "can": ["x", 1]}, "hello.can[1] must be a string"),
        ({**HELLO, "rooms": [{"room": "K7QD", "epoch": 1}]}, "hello.rooms[0].seq is missing"),
        ({**HELLO, "rooms": [[]]}, "hello.rooms[0] must be a map"),
        ({"t": "join", "room": "K7QD", "as": "host"}, "join.as must be one of player, spectator"),
        ({"t": "create", "game": "uno", "private": 1}, "create.private must be true or false"),
        ({"t": "create", "game": "uno", "options": []}, "create.options must be a map"),
        ({"t": "create", "game": "uno", "clock": {"bank": 1}}, "create.clock.add is missing"),
        ({**HELLO, "can": ["x"] * 33}, "hello.can must be at most 32 entries"),
        ({"t": "offer", "games": [], "max": 65}, "offer.max must be from 0 to 64"),
        ({"t": "create", "game": "uno", "pace": 60001}, "create.pace must be from 0 to 60000"),
        ({"t": 5}, "t must be the type of the message, a string"),
        ({}, "t must be the type of the message, a string"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refusals_name_the_field_first(frame: Plain, told: str) -> None:
    with pytest.raises(BadMessage, match=f"^{re.escape(told)}$"):
        client_message(frame)


def test_a_refusal_names_three_faults_and_counts_the_rest() -> None:
    with pytest.raises(BadMessage, match=r"hello\.can\[2\] must be a string; and 197 more$"):
        client_message({**HELLO, "can": list(range(200))})


def test_a_refusal_is_short_and_without_control_characters_whatever_it_quotes() -> None:
    update = {"t": "update", "room": "K7QD", "seq": 1, "view": {}, "events": [], "may": [], "clocks": {"x" * 600: "?"}}
    with pytest.raises(BadMessage, match="clocks") as refusal:
        server_message(update)
    assert len(refusal.value.msg) < 200
    with pytest.raises(BadMessage, match="why") as refusal:
        server_message({"t": "left", "room": "K7QD", "why": "\x1b[2J" + "x" * 600})
    assert refusal.value.msg.isprintable()
    assert len(refusal.value.msg) < 200


def test_unknown_types_are_refused_without_a_strike() -> None:
    with pytest.raises(Refusal) as caught:
        client_message({"t": "fly\u202e" * 20})
    assert caught.value.code == "unknown_type"
    assert not caught.value.strikes
    assert caught.value.msg.isascii()
    assert len(caught.value.msg) < 200


@pytest.mark.parametrize(
    ("frame", "field"),
    [
        ({"t": "welcome", "name": "anna", "server": "x", "limits": {}, "can": [], "rooms": []}, "token"),
        ({"t": "redirect", "room": "K7QD", "url": "ws://localhost:7777"}, "ticket"),
    ],
)
def test_secrets_that_are_to_be_sent_back_are_no_longer_than_clients_may_send(frame: Plain, field: str) -> None:
    assert getattr(server_message({**frame, field: "x" * 128}), field) == "x" * 128
    with pytest.raises(BadMessage, match=field):
        server_message({**frame, field: "x" * 129})


def test_unknown_types_from_the_server_are_none() -> None:
    assert server_message({"t": "fly", "room": 5}) is None
    with pytest.raises(BadMessage):
        server_message({"t": None})


@given(READ, PLAIN)
def test_unknown_fields_are_ignored(case: tuple[Any, Plain], more: Plain) -> None:
    read, frame = case
    assert read({**{f"new_{name}": value for name, value in more.items()}, **frame}) == read(frame)


def test_unknown_fields_of_a_nested_map_are_ignored() -> None:
    seen = {"room": "K7QD", "epoch": 1, "seq": 2}
    message = client_message({**HELLO, "rooms": [{**seen, "new": [1]}]})
    assert isinstance(message, Hello)
    assert message.rooms == [seen]


@given(CLIENT_FRAMES, st.data())
def test_a_wrong_value_anywhere_is_a_refusal_and_never_another_error(frame: Plain, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(frame)))
    wrong = data.draw(st.sampled_from([b"", 1.5, float("nan"), {1}, object(), ("a",), [object()], {1: 2}, {b"": b""}]))
    with contextlib.suppress(Refusal):
        client_message({**frame, name: wrong})


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ({"card": 5, "cards": [5]}, "play has no field 'cards'; it has card, colour, uno"),
        ({"card": 5, "\u202e": 1, "x" * 99: 2}, f"play has no field '{'x' * 32}', '\\u202e'; it has card, colour, uno"),
        ({"card": "5", "uno": 1}, "play.card must be an integer; play.uno must be true or false"),
        ({}, "play.card is missing"),
        ([5], "play must be a map"),
    ],
)
def test_an_action_is_exact(action: Any, told: str) -> None:
    with pytest.raises(BadMessage, match=f"^{re.escape(told)}$"):
        strict(Play)(action)


def test_a_class_speaks_for_its_own_limits() -> None:
    with pytest.raises(BadMessage, match=r"^limited: target must be 1 or more$"):
        strict(Limited)({"target": 0})


def test_the_id_of_a_message_that_is_malformed_elsewhere() -> None:
    assert id_of({**ACT, "rid": "x", "id": 7}) == 7
    assert id_of({"id": "seven"}) == "seven"
    no_ids: list[Any] = [True, None, 1.5, "x" * 65, 2**53, []]
    assert [id_of({"id": wrong}) for wrong in no_ids] == [None] * 6
    assert id_of({}) is None


def test_outward_the_tag_comes_first_and_defaults_stay_away() -> None:
    assert list(plain(Act("K7QD", 1, 0, why="because"))) == ["t", "room", "rid", "act", "why"]
    assert plain(Ping()) == {"t": "ping"}
    assert plain(Ok(rid=0, seat=0)) == {"t": "ok", "rid": 0, "seat": 0}


def leaves(cls: type) -> list[type]:
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

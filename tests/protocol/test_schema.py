from importlib.resources import files
from typing import Any, ClassVar

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.protocol.frames import CLIENT_FRAMES, SERVER_FRAMES
from tests.protocol.make_transcript import record_match
from tests.support.examples import examples

from parlour_games.options import Between, OneOf
from parlour_games.registry import games
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Plain
from parlour_protocol.schema import schema, text
from parlour_protocol.wire import client_message, server_message, strict

WHOLE = schema()
AGAIN = "regenerate it: python -m parlour_protocol.schema > protocol/parlour_protocol/schema.json"


@attrs.frozen
class Place:
    """Put ``stone`` on a cell.

    More about it.
    """

    do: ClassVar[str] = "place"
    at: tuple[int, int]
    more: tuple[tuple[str, int], ...] = ()
    stone: str = attrs.field(default="", validator=attrs.validators.max_len(5))


@attrs.frozen
class Placed:
    e: ClassVar[str] = "placed"
    secret: frozenset[int]


@attrs.frozen
class Options:
    size: int = attrs.field(default=19, validator=Between(2, 29))
    komi: int = attrs.field(default=0, validator=attrs.validators.ge(0))
    start: str = attrs.field(default="black", validator=OneOf(("black", "white")))


class Go:
    name: ClassVar[str] = "go"
    Options: ClassVar[type] = Options
    Actions: ClassVar[tuple[type, ...]] = (Place,)
    Events: ClassVar[tuple[type, ...]] = (Placed,)


def validator(definition: str, whole: Plain = WHOLE) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": whole["$defs"]})


VALIDATORS = {name: validator(name) for name in WHOLE["$defs"]}


def reads(definition: str, frame: Plain) -> bool:
    side, tag = definition.split(".")
    try:
        message = client_message(frame) if side == "client" else server_message(frame)
    except BadMessage:
        return False
    return message is not None and message.t == tag


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema([Go()]))


def test_the_file_that_ships_is_current() -> None:
    shipped = files("parlour_protocol").joinpath("schema.json").read_text(encoding="utf-8")
    assert shipped == text(), AGAIN


@given(CLIENT_FRAMES, SERVER_FRAMES)
def test_what_may_be_sent_validates(asked: Plain, told: Plain) -> None:
    Draft202012Validator(WHOLE).validate(asked)
    VALIDATORS["client"].validate(asked)
    VALIDATORS["server"].validate(told)


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[str, Plain]:
    """Draw a frame with one change, and the definition it was made from."""
    side = draw(st.sampled_from(["client", "server"]))
    frame = draw(CLIENT_FRAMES if side == "client" else SERVER_FRAMES)
    definition = f"{side}.{frame['t']}"
    frame = dict(frame)
    name = draw(st.sampled_from(sorted(VALIDATORS[definition].schema["$defs"][definition]["properties"])))
    wrong: list[Any] = [None, True, -1, 65, 2**53, "", "x" * 65, "x" * 2_000, [], [None], ["x"] * 40, {}, {"room": 1}]
    if draw(st.booleans()):
        frame[name] = draw(st.sampled_from(wrong))
    else:
        frame.pop(name, None)
    return definition, frame


@examples(200)
@given(spoilt())
def test_the_schema_and_the_decoders_agree(case: tuple[str, Plain]) -> None:
    definition, frame = case
    if type(frame.get("t")) is str and frame["t"] == definition.split(".")[1]:
        assert VALIDATORS[definition].is_valid(frame) is reads(definition, frame)
    else:
        assert not VALIDATORS[definition].is_valid(frame)


GO = schema([Go()])


@pytest.mark.parametrize(
    ("action", "fits"),
    [
        ({"at": [1, 2]}, True),
        ({"at": [1, 2], "stone": "black", "more": [["x", 1]]}, True),
        ({"at": [1, 2], "stone": None}, False),
        ({"at": [1, 2, 3]}, False),
        ({"at": [1]}, False),
        ({"at": [1, 2], "more": [[1, "x"]]}, False),
        ({"at": [1, 2], "stone": "yellow"}, False),
        ({"at": [1, 2], "colour": "red"}, False),
        ({}, False),
    ],
)
def test_a_games_actions(action: Plain, fits: bool) -> None:
    assert validator("go.action", GO).is_valid({"do": "place", **action}) is fits
    if fits:
        strict(Place)(action)
    else:
        with pytest.raises(BadMessage):
            strict(Place)(action)


def test_a_games_options_and_events() -> None:
    options, integer = GO["$defs"]["go.options"], {"$ref": "#/$defs/integer"}
    assert options["properties"]["size"] == {**integer, "minimum": 2, "maximum": 29, "default": 19}
    assert options["properties"]["start"]["enum"] == ["black", "white"]
    assert options["properties"]["komi"] == {**integer, "default": 0}
    assert options["additionalProperties"] is False
    assert GO["$defs"]["go.action.place"]["description"] == "Put ``stone`` on a cell."
    assert validator("go.event", GO).is_valid({"e": "placed", "x": 1})
    assert not validator("go.event", GO).is_valid({"e": "other"})


def test_what_the_server_says_in_a_match_validates() -> None:
    whole = schema(games().values())
    client, server, action, event, options = (
        validator(name, whole) for name in ("client", "server", "uno.action", "uno.event", "uno.options")
    )
    frames = record_match(1).frames()
    for _, side, frame in frames:
        (client if side == "←" else server).validate(frame)
        for each in [*frame.get("legal", ()), *filter(None, [frame.get("ok", {}).get("act")])]:
            action.validate(each)
        for each in frame.get("events", ()):
            event.validate(each)
        if "table" in frame:
            options.validate(frame["table"]["options"])
    assert {"act", "turn", "update", "over", "seats", "joined", "error"} <= {frame["t"] for _, _, frame in frames}


def test_a_type_without_a_counterpart_on_the_wire_is_an_error() -> None:
    class Bad(Go):
        Actions: ClassVar[tuple[type, ...]] = (Placed,)

    with pytest.raises((TypeError, AttributeError)):
        schema([Bad()])

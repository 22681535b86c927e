"""SPEC.md agrees with the code: messages, codes, limits, anchors of rules."""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from tests.protocol import make_tables, spec, typed_turns
from websockets.asyncio.connection import Connection

import parlour_bots.typed
from parlour_protocol import errors, messages, names
from parlour_protocol.codec import FROM_CLIENT, FROM_SERVER, MAX_CLIENT_FRAME, MAX_DEPTH, MAX_SERVER_FRAME, SUBPROTOCOLS
from parlour_protocol.converter import fields as declared
from parlour_protocol.errors import CODES, BadMessage
from parlour_protocol.messages import ID_LIMIT, Plain, answer_of
from parlour_protocol.wire import CLIENT_MESSAGES, SERVER_MESSAGES, client_message
from parlour_server.directory import room_creation, sessions
from parlour_server.directory.guests import GUEST_KEPT
from parlour_server.directory.sessions import SILENT
from parlour_server.lobby import lobby
from parlour_server.rooms import audience, clock, readiness, timers
from parlour_server.settings import ServerSettings

MESSAGES = [("client", cls) for cls in CLIENT_MESSAGES.values()] + [("server", cls) for cls in SERVER_MESSAGES.values()]
PARTS = [each for each in vars(messages).values() if hasattr(each, "__required_keys__")]
SERVER = Path(lobby.__file__).parents[1]


def test_tables_are_those_of_the_code() -> None:
    assert make_tables.updated(spec.text()) == spec.text(), "write them again: python -m tests.protocol.make_tables"


@pytest.mark.parametrize(
    ("written", "of_it", "not_of_it"),
    [
        ("int", [0, -3], [True, "0", None, 1.5]),
        ("str or null", ["", None], [0]),
        ("[int]", [[], [1, 2]], [[1, "2"], 1, [None]]),
        ("[x,y]", [[1, 2]], [[1], [1, 2, 3], [1, "2"], 1, []]),
        ("[[x,y]] ≤ 256", [[], [[1, 2]]], [[1, 2], [[1]], [[1, "2"]]]),
        ("[[verb,x,y]] ≤ 64", [[["open", 1, 2]]], [[[1, 1, 2]], [["open", 1]]]),
        ("[map]", [[{}]], [{}, [1]]),
    ],
)
def test_values_of_a_type_are_told_from_others(written: str, of_it: list[Any], not_of_it: list[Any]) -> None:
    assert all(spec.fits(value, written) for value in of_it)
    assert not any(spec.fits(value, written) for value in not_of_it)


def test_types_of_turns_are_those_of_the_specification() -> None:
    written = Path(parlour_bots.typed.__file__).read_text(encoding="utf-8")
    assert written == typed_turns.module(), "write them again: see tests/protocol/typed_turns.py"


def test_no_message_and_no_value_too_many() -> None:
    for side, known in (("client", CLIENT_MESSAGES), ("server", SERVER_MESSAGES)):
        assert sorted(spec.titles(spec.SIDES[side])) == sorted(known)
    assert sorted(spec.titles("Value types")) == sorted(cls.__name__ for cls in PARTS)
    assert sorted(row[0] for row in spec.table("Client messages")) == sorted(CLIENT_MESSAGES)


def test_every_cell_says_something() -> None:
    rows = [row for side, cls in MESSAGES for row in spec.fields(side, cls.t)]
    rows += [row for cls in PARTS for row in spec.table(f"Value types/{cls.__name__}")]
    assert len(rows) > 150
    assert [row for row in rows if len(row) != 3 or not row[2]] == []


@pytest.mark.parametrize("cls", CLIENT_MESSAGES.values(), ids=lambda cls: cls.__name__)
def test_every_default(cls: Any) -> None:
    meanings = {name: meaning for name, _, meaning in spec.fields("client", cls.t)}
    for field in declared(cls):
        if not field.required and field.default is not None:
            told = field.default
            written = told if isinstance(told, str) else json.dumps(told, separators=(",", ":"))
            assert f"default {written}" in meanings[field.wire + "?"]


LEAST: dict[str, Plain] = {
    "hello": {"name": "ann", "kind": "bot"},
    "create": {"game": "uno"},
    "act": {"room": "K7QD", "rid": 1, "act": 0},
    "chat": {"room": "K7QD", "text": "hi"},
    "offer": {"games": [], "max": 0},
    "manage": {"room": "K7QD", "do": "kick", "name": "bob"},
    "describe": {"game": "uno"},
    "file": {"digest": "00"},
    "review": {"digest": "00", "seat": 0},
    "continue": {"digest": "00", "act": 1},
    "admin": {"token": "00", "do": "drain"},
    "delete": {"key": "00"},
}
"""The required fields of messages that need more than a room."""


@pytest.mark.parametrize("cls", CLIENT_MESSAGES.values(), ids=lambda cls: cls.__name__)
def test_null_is_refused_where_a_default_is_told_and_else_taken_for_absent(cls: Any) -> None:
    least = {"t": cls.t, **LEAST.get(cls.t, {"room": "K7QD"})}
    assert client_message(least)
    for name, _, meaning in spec.fields("client", cls.t):
        if not name.endswith("?"):
            continue
        try:
            refused = client_message({**least, name[:-1]: None}) is None
        except BadMessage:
            refused = True
        assert refused is ("default " in meaning and name != "clock?"), name


def test_what_a_bot_needs_to_read_is_short() -> None:
    messages = {
        "client": ("hello", "create", "join", "act"),
        "server": ("welcome", "joined", "update", "turn", "over", "error"),
    }
    sections = [f"{spec.SIDES[side]}/{tag}" for side, tags in messages.items() for tag in tags]
    words = [word for part in ("Quick start", "Connection", "Rules", *sections) for word in spec.section(part).split()]
    assert len(words) < 4_800


def test_every_answer_is_that_of_the_class() -> None:
    for tag, _, written in spec.table("Client messages"):
        answer = answer_of(CLIENT_MESSAGES[tag])
        named = set(re.findall(r"[a-z]+", written))
        assert {each.t for each in get_args(answer) or (answer,)} <= named, tag


def test_every_code_is_used_or_said_with_bye() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in SERVER.rglob("*.py"))
    raised_here = {"bad_frame", "bad_message", "illegal_action"}
    assert {code for code in CODES if f'"{code}"' not in sources} <= raised_here | {"unknown_type"}


def closings() -> set[tuple[str, str]]:
    """Return the (close code, bye code) of every place where the server hangs up."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in SERVER.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    numbers = vars(errors)
    found = set()
    for node in nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("close", "hang_up"):
            words = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            close = [str(numbers[arg.id]) for arg in node.args if isinstance(arg, ast.Name) and arg.id in numbers]
            found |= {(close[0], str(words[0]))} if close and words else set()
    return found


def test_every_way_to_close_a_socket() -> None:
    written = {(close, bye) for close, bye, *_ in spec.table("Connection/Close codes") if bye}
    assert written == closings()


REFERENCES = re.compile(r"SPEC\.md\)?((?:,?\s*#[a-z][a-z-]+)+)")


def referring() -> Iterator[tuple[Path, str]]:
    """Yield the files that may refer to an anchor of SPEC.md, with their text."""
    for folder in ("protocol", "games", "server", "client", "bots", "tests", "docs"):
        for path in (SERVER.parents[1] / folder).rglob("*"):
            if path.suffix in (".py", ".js", ".mjs", ".md") and "node_modules" not in path.parts:
                yield path, path.read_text(encoding="utf-8")


def test_every_rule_has_an_anchor_of_its_own() -> None:
    anchors = spec.anchors()
    rules = re.findall(r"^#### (.*)$", spec.section("Rules"), re.MULTILINE)
    assert len(rules) > 25
    assert [rule for rule in rules if anchors[rule.lower().replace(" ", "-").replace(",", "")] != 1] == []


def test_every_reference_to_an_anchor_of_this_document_is_to_one_that_it_has() -> None:
    anchors = spec.anchors()
    named = [(path, name) for path, text in referring() for found in REFERENCES.findall(text)
             for name in re.findall(r"[a-z-]+", found)]  # fmt: skip
    assert len(named) > 30
    assert [(path, name) for path, name in named if anchors[name] != 1] == []


def test_limits_and_subprotocols() -> None:
    _, costs = spec.tables("Limits")
    assert dict(costs)["anything with a wrong room code"] == f"{1 + sessions.WRONG_CODE} in all"
    assert {row[0] for row in spec.table("Connection/Frames")} == set(SUBPROTOCOLS)


@pytest.mark.parametrize(
    ("where", "words", "number"),
    [
        ("Limits", "{} MiB", MAX_SERVER_FRAME >> 20),
        ("Limits", "{} entries", FROM_SERVER.array),
        ("Connection", "at most {} deep", MAX_DEPTH),
        ("Connection", "at most {} characters", ID_LIMIT),
        ("Rules/Time", "{} ms after your clock reaches zero", clock.LAG),
        ("Rules/Time", "at least {} s", clock.RESTORED // 1000),
        ("Rules/Time", "or {} s without a socket", audience.HELD // 1000),
        ("Rules/Room stream", "missed at most {} messages", 256),
        ("Rules/Fair use", "one is forgiven every {} s", sessions.FORGIVEN_EACH // 1000),
        ("Rules/Fair use", "the {}th closes", sessions.STRIKES),
        ("Rules/Matches and rooms", "no one has been connected for {} minutes", timers.EMPTY // 60_000),
        ("Rules/Matches and rooms", "nothing has happened for {} (", timers.IDLE // 60_000),
        ("Rules/Matches and rooms", "for {} hours in a human's match", timers.IDLE_UNTIMED // 3_600_000),
        ("Fairness", "up to {} s after C", readiness.NONCE_WAIT // 1000),
        ("Client messages/hello", "1–{} of", names.LONGEST),
        ("Client messages/hello", "works for {} minutes more", GUEST_KEPT // 60_000),
        ("Client messages/hello", "then for {} minutes", audience.KEPT // 60_000),
        ("Connection/Frames", "is at most {} bytes long", MAX_CLIENT_FRAME),
        ("Connection/Frames", "at most {} items", FROM_CLIENT.array),
        ("Connection/Frames", "at most {} entries", FROM_CLIENT.map),
        ("Client messages/file", "removed {} days after", ServerSettings().keep_days),
        ("Connection/Close codes", "no `hello` within {} s", SILENT // 1000),
        ("Client messages/create", "Default {},", room_creation.USUAL_SEATS),
        ("Value types/Clock", "0–{} |", room_creation.MAX_BANK),
        ("Value types/Clock", "0–{};", room_creation.MAX_ADD),
        ("Server messages/joined", "at most {} |", audience.CHAT_KEPT),
    ],
)
def test_numbers_in_the_text(where: str, words: str, number: int) -> None:
    assert words.format(number) in re.sub(r"\s+", " ", spec.section(where))


def test_pings() -> None:
    """The server leaves pings to the library, so the library sets their numbers."""
    library = inspect.signature(Connection.__init__).parameters
    every, patience = library["ping_interval"].default, library["ping_timeout"].default
    told = re.sub(r"\s+", " ", spec.section("Connection/Keepalive"))
    assert f"ping every {every:.0f} s. If no pong has come {patience:.0f} s later" in told

"""Records: lines read back as they were written, and the hash chain of a match file."""

import json
from hashlib import sha256
from typing import Any, Literal, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_protocol import messages as m
from parlour_protocol.errors import BadMessage
from parlour_server.rooms import records as r

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
WHOLE = st.integers(-(2**53) + 1, 2**53 - 1)
PLAIN = st.dictionaries(
    TEXT, st.recursive(st.none() | st.booleans() | WHOLE | TEXT, lambda x: st.lists(x, max_size=3)), max_size=3
)
CLOCK = st.fixed_dictionaries({"bank": WHOLE, "add": WHOLE})
ROUND = st.fixed_dictionaries({"chain": TEXT, "round": WHOLE}, optional={"randomness": TEXT})
DEAL = st.fixed_dictionaries(
    {"secret": TEXT, "context": TEXT, "nonces": st.lists(TEXT, max_size=3)}, optional={"beacon": ROUND}
)

BY_TYPE: dict[Any, st.SearchStrategy[Any]] = {
    int: WHOLE,
    str: TEXT,
    bool: st.booleans(),
    bool | None: st.none() | st.booleans(),
    r.Round | None: st.none() | st.builds(r.Round, TEXT, WHOLE),
    list[int]: st.lists(WHOLE, max_size=3),
    list[str]: st.lists(TEXT, max_size=3),
    list[r.StartingSeat]: st.lists(
        st.builds(r.StartingSeat, TEXT, TEXT, st.sampled_from(["human", "bot"]), st.booleans()), max_size=3
    ),
    m.Plain: PLAIN,
    m.Kind: st.sampled_from(["human", "bot"]),
    m.Kinds: st.sampled_from(["any", "humans", "bots"]),
    m.Starts: st.sampled_from(["host", "full"]),
    m.Clock | None: st.none() | CLOCK,
    m.Plain | None: st.none() | PLAIN,
    str | None: st.none() | TEXT,
    int | None: st.none() | WHOLE,
    m.Deal | None: st.none() | DEAL,
    Literal["chosen", "daily"] | None: st.sampled_from([None, "chosen", "daily"]),
    m.Unrated | None: st.sampled_from([None, *get_args(m.Unrated)]),
}


def any_of(cls: type) -> st.SearchStrategy[Any]:
    return st.builds(cls, **{name: BY_TYPE[hint] for name, hint in get_type_hints(cls).items() if name != "r"})


ANY = st.one_of([any_of(cls) for cls in get_args(r.Record)])


@given(ANY, st.integers(0, 10**6))
def test_every_record_reads_back_from_its_line(record: r.Record, n: int) -> None:
    text = r.line(record, n)
    assert r.parse(text) == record
    assert json.loads(text)["n"] == n


@given(ANY)
def test_a_line_is_canonical_json_without_absent_fields(record: r.Record) -> None:
    text = r.line(record, 3)
    fields = json.loads(text)
    assert text == json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert "\n" not in text
    assert None not in fields.values()
    assert fields["r"] == record.r


@pytest.mark.parametrize(
    "text",
    [
        '{"at":1,"n":0,"r":"closed"}',
        '{"at":"1","n":0,"r":"closed","why":"expired"}',
        '{"at":1,"n":0,"r":"closed","why":"expired","more":1}',
        '{"at":1,"kind":"cat","n":0,"name":"anna","r":"taken","seat":0,"who":"a"}',
        '{"act":{},"action":{},"at":1,"n":0,"r":"act","rid":1,"seat":0}',
    ],
)
def test_a_line_that_is_not_exactly_a_record_is_refused(text: str) -> None:
    with pytest.raises(BadMessage):
        r.parse(text)


def test_the_chain_hashes_each_line_behind_the_hash_before() -> None:
    first = sha256(b'{"a":1}').digest()
    assert r.link(b"", '{"a":1}') == first
    assert r.link(first, '{"b":2}') == sha256(first + b'{"b":2}').digest()


def begun() -> r.Begun:
    return r.Begun(0, 1, "uno", 1, 1, "K7QD/1", "00" * 32, "c" * 64, ["", ""], {}, [], [1, 1], [0, 0])


def test_a_game_file_is_the_lines_with_their_hashes() -> None:
    lines = [r.line(begun(), 4), r.line(r.Acted(5, 0, 1, {"do": "draw"}), 5), r.line(r.Closed(6, "expired"), 6)]
    chain = b""
    for text, written in zip(lines, r.game_file(lines), strict=True):
        chain = r.link(chain, text)
        fields = json.loads(written)
        assert fields.pop("h") == chain.hex()
        assert fields == json.loads(text)

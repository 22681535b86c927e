"""The published vectors are up to date, and agree with an implementation that shares no code with ours."""

import json
from math import comb
from typing import Any

import pytest
from tests.games import plain_fair, vectors

PUBLISHED: dict[str, list[dict[str, Any]]] = json.loads(vectors.FILE.read_text(encoding="utf-8"))
BY_HAND = 200_000
"""The maximum number of placements of mines to try."""


def key(vector: dict[str, Any], deal: int = 1) -> bytes:
    nonces = [bytes.fromhex(nonce) for nonce in vector["nonces"]]
    number = vector.get("deal", deal)
    found: bytes = plain_fair.deal_key(bytes.fromhex(vector["secret"]), vector["context"], number, nonces)
    return found


def size(vector: dict[str, Any]) -> tuple[int, int, int]:
    return vector["width"], vector["height"], vector["mines"]


def names(vector: dict[str, Any]) -> str:
    return "-".join(str(vector[name]) for name in ("context", "deal", "label", "promise", "first") if name in vector)


def test_the_file_is_up_to_date() -> None:
    assert vectors.FILE.read_text(encoding="utf-8") == vectors.made(), "write it anew: python -m tests.games.vectors"


@pytest.mark.parametrize("vector", PUBLISHED["streams"], ids=names)
def test_streams(vector: dict[str, Any]) -> None:
    assert vector["commitment"] == plain_fair.commitment(bytes.fromhex(vector["secret"]))
    assert vector["key"] == key(vector).hex()
    words = plain_fair.words(key(vector), vector["label"])
    assert vector["words"] == [next(words) for _ in vector["words"]]
    for n, drawn in vector["below"]:
        assert drawn == plain_fair.below(plain_fair.words(key(vector), vector["label"]), n)
    words, items = plain_fair.words(key(vector), vector["label"]), list(range(len(vector["shuffled"])))
    assert vector["shuffled"] == plain_fair.shuffled(words, items)


@pytest.mark.parametrize("vector", PUBLISHED["uno"], ids=names)
def test_deals(vector: dict[str, Any]) -> None:
    dealt = plain_fair.deal(key(vector), vector["seats"], vector["first_card"] == vectors.FACES["numbers"])
    assert dealt == (vector["hands"], vector["first"], vector["pile"])
    if "start" in vector:
        assert vector["start"] == plain_fair.below(plain_fair.words(key(vector), "start"), vector["seats"])


@pytest.mark.parametrize("vector", [*PUBLISHED["boards"], *PUBLISHED["no_guess"]], ids=names)
def test_boards(vector: dict[str, Any]) -> None:
    if vector["attempt"] is not None:
        layout = plain_fair.mines(key(vector), size(vector), vector["promise"], vector["first"], vector["attempt"])
        assert vector["layout"] == layout


def small(vector: dict[str, Any]) -> bool:
    return comb(vector["width"] * vector["height"], vector["mines"]) * (vector["attempt"] or 500) <= BY_HAND


@pytest.mark.parametrize("vector", [vector for vector in PUBLISHED["no_guess"] if small(vector)], ids=names)
def test_attempt_is_the_first_that_needs_no_guess(vector: dict[str, Any]) -> None:
    tried = []
    for attempt in range(1, (vector["attempt"] or 500) + 1):
        layout = plain_fair.mines(key(vector), size(vector), vector["promise"], vector["first"], attempt)
        tried.append(plain_fair.needs_no_guess(layout, size(vector), vector["first"]))
    assert not any(tried[:-1])
    assert tried[-1] is (vector["attempt"] is not None)


def test_vectors_include_rare_cases() -> None:
    assert {deal["reshuffles"] for deal in PUBLISHED["uno"]} == {0, 1, 2, 3}
    assert {board["promise"] for board in PUBLISHED["boards"]} == {"any", "safe", "opening", "radius"}
    assert {board["attempt"] for board in PUBLISHED["no_guess"]} > {None, 1}
    rejected = [
        vector["label"]
        for vector in PUBLISHED["streams"]
        for n, drawn in vector["below"]
        if vector["words"][0] >= 2**32 - 2**32 % n
    ]
    assert rejected, "a word that is thrown away"
    assert len({vector["attempt"] for vector in PUBLISHED["no_guess"] if small(vector)}) > 2

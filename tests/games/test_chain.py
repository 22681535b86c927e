"""The public chain: what follows is accepted, and nothing else."""

from hashlib import sha256
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_games import chain
from parlour_games.chain import BrokenChain, CheckedChain, Link

MATCHES = st.lists(st.integers(0, 5), min_size=1, max_size=20)


def hashed(*fields: bytes) -> str:
    return sha256(b"".join(len(field).to_bytes(4, "big") + field for field in fields)).hexdigest()


def made(numbers: list[int]) -> list[Link]:
    """Return a chain in which each match begins the first time that its number comes, and is over the second time."""
    links: list[Link] = []
    met: dict[int, int] = {}
    for number in numbers:
        met[number] = met.get(number, 0) + 1
        if met[number] <= 2:
            over = chain.over("ab" * 32) if met[number] == 2 else None
            match = chain.match_id("cd" * 32, f"K7QD/{number}", [])
            links.append(chain.link(links[-1] if links else None, 1_000 + len(links), match, over))
    return links


def checked(links: list[Link]) -> CheckedChain:
    found = CheckedChain()
    for link in links:
        found.add(link)
    return found


def test_hashes_are_those_of_the_specification() -> None:
    match = chain.match_id("cd" * 32, "K7QD/1", ["ef" * 32, ""])
    assert match == hashed(
        b"parlour-chain/1", b"match", bytes.fromhex("cd" * 32), b"K7QD/1", bytes.fromhex("ef" * 32), b""
    )
    over = chain.over("ab" * 32)
    assert over == hashed(b"parlour-chain/1", b"over", bytes.fromhex("ab" * 32))
    first = chain.link(None, 7, match, None)
    second = chain.link(first, 8, match, over)
    fields = (b"parlour-chain/1", b"link", bytes.fromhex(first.hash), b"\0" * 7 + b"\2", b"\0" * 7 + b"\x08")
    assert second.hash == hashed(*fields, bytes.fromhex(match), bytes.fromhex(over))


@given(MATCHES)
def test_chain_tells_which_matches_are_under_way(numbers: list[int]) -> None:
    found = checked(made(numbers))
    assert len(found.begun) == len(set(numbers))
    assert len(found.under_way) == sum(numbers.count(number) == 1 for number in set(numbers))


@given(MATCHES, st.data())
def test_no_link_can_be_changed_dropped_or_moved(numbers: list[int], data: st.DataObject) -> None:
    links = made(numbers)
    at = data.draw(st.integers(0, len(links) - 1))
    link = links[at]
    other = "f" * 64
    match data.draw(st.sampled_from(["n", "at", "match", "over", "hash", "drop", "twice"])):
        case "n":
            links[at] = attrs.evolve(link, n=link.n + 1)
        case "at":
            links[at] = attrs.evolve(link, at=link.at - 1)
        case "match":
            links[at] = attrs.evolve(link, match=other)
        case "over":
            links[at] = attrs.evolve(link, over=None if link.over else other)
        case "hash":
            links[at] = attrs.evolve(link, hash=other)
        case "drop" if at < len(links) - 1:
            del links[at]
        case _:
            links.insert(at, link)
    with pytest.raises(BrokenChain):
        checked(links)


def test_match_begins_once() -> None:
    first = chain.link(None, 7, "ab" * 32, None)
    with pytest.raises(BrokenChain) as raised:
        checked([first, chain.link(first, 8, "ab" * 32, None)])
    assert (raised.value.n, raised.value.why) == (2, "match")


@pytest.mark.parametrize("change", [{"match": "xyz"}, {"at": -1}, {"over": "q" * 64}])
def test_fields_of_another_form_are_refused(change: dict[str, Any]) -> None:
    first = chain.link(None, 7, "ab" * 32, None)
    with pytest.raises(BrokenChain):
        checked([attrs.evolve(first, **change)])

"""One connection: its token bucket and its strikes (SPEC.md#rate-limits-and-strikes)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour_protocol.errors import NotNow
from parlour_protocol.messages import Hello, Plain
from parlour_server.directory.sessions import ACTS, BURST, FORGIVEN_EACH, RATE, STRIKES, ClientSession, weight


def session(now: int = 1_000_000) -> ClientSession:
    return ClientSession(1, now)


def broke(found: ClientSession, now: int) -> int:
    """Spend all tokens; return how many there were."""
    spent = 0
    while True:
        try:
            found.pay(1, now)
        except NotNow:
            return spent
        spent += 1


def test_a_connection_has_a_burst_of_eighty_and_forty_more_a_second() -> None:
    found = session()
    assert (RATE, BURST) == (40, 80)
    assert broke(found, 1_000_000) == 80
    assert broke(found, 1_000_500) == 20
    found.fine(75, 1_060_500)
    found.fine(9, 1_060_500)
    assert broke(found, 1_060_500) == 0
    assert broke(found, 1_120_500) == 80


def test_a_request_beyond_the_rate_is_refused_with_a_delay_and_costs_nothing() -> None:
    found = session()
    broke(found, 1_000_000)
    with pytest.raises(NotNow) as refusal:
        found.pay(10, 1_000_000)
    retry_after = refusal.value.extra["retry_after"]
    assert (refusal.value.code, retry_after) == ("rate_limited", 251)
    with pytest.raises(NotNow):
        found.pay(10, 1_000_000 + 249)
    found.pay(10, 1_000_000 + retry_after)
    for _ in range(ACTS):
        with pytest.raises(NotNow):
            found.pay(10, 1_000_000 + retry_after)
    assert found.rest() > 0, "it is read more slowly"


@given(st.lists(st.tuples(st.integers(0, 5_000), st.integers(1, 10)), max_size=50))
def test_spending_never_exceeds_the_burst_and_the_rate(messages: list[tuple[int, int]]) -> None:
    found, now, spent = session(0), 0, 0
    for wait, tokens in messages:
        now += wait
        try:
            found.pay(tokens, now)
        except NotNow as refusal:
            now += refusal.extra["retry_after"]
            found.pay(tokens, now)
        spent += tokens
        assert spent <= BURST + now * RATE / 1000 + 1e-6


def test_strikes_are_counted_and_one_is_forgiven_every_ten_seconds() -> None:
    found = session()
    times = [1_000_000] * 3 + [1_009_999, 1_010_000, 1_029_999, 1_030_000, 9_000_000, 9_009_999]
    assert [found.strike(now) for now in times] == [[strikes, 20] for strikes in (1, 2, 3, 4, 4, 4, 4, 1, 2)]
    assert (STRIKES, FORGIVEN_EACH) == (20, 10_000)


def test_more_than_200_acts_a_second_are_read_more_slowly() -> None:
    found = session()
    for _ in range(ACTS):
        found.acted(1_000_000)
    assert found.rest() == 0
    for _ in range(50):
        found.acted(1_000_000)
    assert found.rest() == 250
    found.acted(1_000_250)
    assert found.rest() <= 5
    found.acted(1_002_000)
    assert found.rest() == 0


@pytest.mark.parametrize(
    ("act", "acts"),
    [
        ({"act": 3}, 1),
        ({"act": {"do": "open", "cells": [[1, 2]]}, "why": "x" * 200}, 1),
        ({"act": 3, "why": "x" * 1_024}, 5),
        ({"act": {"do": "flag", "cells": [[0, 0]] * 256}}, 9),
        ({"act": {"do": "flag", "cells": [[0, 0]] * 256}, "why": "x" * 1_024}, 13),
        ({"act": None, "why": 7}, 1),
    ],
)
def test_a_long_act_counts_as_several(act: Plain, acts: int) -> None:
    assert weight(act) == acts
    found = session()
    found.acted(0, ACTS + acts)
    assert found.rest() == acts * 1_000 // ACTS


def test_hello_says_whether_the_client_sends_nonces() -> None:
    found = session()
    found.greeted("a", Hello("anna", "human"))
    assert (found.who, found.nonces) == ("a", False)
    found.greeted("a", Hello("anna", "human", can=["redirect", "nonce"]))
    assert found.nonces

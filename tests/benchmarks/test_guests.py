"""What a message costs at the limits."""

import pytest
from benchmarks.guests import SHARE, Cost


def test_a_cost_is_a_share_of_a_core_for_a_guest_and_for_an_address() -> None:
    cost = Cost("ping", 0.001, 40, per_address=10)
    assert cost.guest == pytest.approx(4)
    assert cost.address == pytest.approx(40)


def test_a_budget_limits_the_rate() -> None:
    cost = Cost("standings", 0.02, 40)
    assert cost.paid(by_address=False).guest == pytest.approx(SHARE * 100)
    assert cost.paid(by_address=True).address == pytest.approx(SHARE * 100)
    assert Cost("cheap", 0.0001, 40).paid(by_address=True).rate == 40

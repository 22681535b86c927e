"""What one hostile address can do: the attacks, and when they stay within what is promised."""

import pytest
from benchmarks.hostile import ATTACKS, Row, p99

from parlour_protocol import messages as m

QUESTIONS = (m.File, m.Standings, m.Profile, m.Review, m.Continue, m.Chain, m.Missed, m.Presets, m.Daily)


def test_every_question_is_an_attack() -> None:
    assert {kind.t for kind in QUESTIONS} <= ATTACKS.keys()


@pytest.mark.parametrize(
    ("cpu", "beside", "p99", "holds"), [(50, 9, 30, True), (51, 9, 30, False), (50, 9, 31, False), (50, 11, 33, True)]
)
def test_an_attack_may_cost_half_a_core_and_little_time(cpu: float, beside: float, p99: float, holds: bool) -> None:
    """What the attack costs people on another server is the machine's, and does not count."""
    assert Row("list", cpu, 10, beside, p99, 50, 60, 50).holds is holds


def test_p99_is_in_milliseconds() -> None:
    assert p99([n / 1000 for n in range(100)]) == 99

"""How many random examples a run tries: a sixth, all with ``PARLOUR_EXAMPLES=all``."""

import os
from typing import Any

import pytest
from hypothesis import settings

USUAL = 100
"""Examples of a test that names no number."""
_PART = 1 if os.environ.get("PARLOUR_EXAMPLES") == "all" else 6


def examples(number: int, steps: int = 50) -> settings:
    """Return settings with the part of ``number`` examples that this run tries, each of up to ``steps`` steps."""
    # deadlines would fail on a busy machine
    return settings(max_examples=number // _PART, stateful_step_count=steps, deadline=None)


def seeds(number: int) -> list[Any]:
    """Return seeds for ``parametrize``, of which all but the first quarter are marked ``long``."""
    few = -(-number // 4)
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(few, number))]

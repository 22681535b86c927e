"""How many examples Hypothesis tries: all with ``PARLOUR_TESTS=all``, as in CI, and fewer in ``make test``."""

import os

from hypothesis import settings

USUAL = 100
"""Examples of a test that names no number."""
_PARTS = {"all": 1, "quick": 5}
_PART = _PARTS.get(os.environ.get("PARLOUR_TESTS", ""), 2)


def examples(number: int, steps: int = 50) -> settings:
    """Return settings with the part of ``number`` examples that this run tries, each of up to ``steps`` steps."""
    # deadlines would fail on a busy machine
    return settings(max_examples=number // _PART, stateful_step_count=steps, deadline=None)

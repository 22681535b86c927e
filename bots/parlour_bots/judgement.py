"""The judgement of a decision: what was done beside what the strongest house bot of the game would have done."""

import attrs

from parlour_protocol.messages import Plain

CLEARLY = 2.0
"""Standard errors from which a cost counts as a mistake."""


@attrs.frozen
class Judgement:
    """A decision beside the best one. ``chance``: of winning the match after ``best``; None without an alternative."""

    n: int
    """The number of the act in the match, from 1."""
    round: int
    """1 in a game without rounds."""
    action: Plain
    best: Plain
    chance: float | None
    cost: float
    error: float
    """The standard error of ``cost``."""

    @property
    def mistake(self) -> bool:
        """Whether the cost is clearly above 0."""
        return self.cost > CLEARLY * self.error

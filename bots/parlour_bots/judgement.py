"""The judgement of a decision, compared with what the strongest house bot of the game would do."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

import attrs

from parlour_bots.sdk import Action, Turn
from parlour_protocol.messages import Plain

CLEARLY = 2.0
"""Standard errors from which a cost counts as a mistake."""


@attrs.frozen
class Judgement:
    """A decision and the best one. ``chance``: of winning the match after ``best``; None without an alternative."""

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


@attrs.define
class Reviewer(ABC):
    """A bot that judges the decisions of a seat, in order, in place of making them.

    ``acts``: by request id, the number of an act and what was done; decisions that are not in it are not judged.
    ``judged`` is called after each.
    """

    acts: Mapping[int, tuple[int, Action]]
    worlds: int
    judged: Callable[[], None] = lambda: None
    judgements: list[Judgement] = attrs.field(factory=list, init=False)

    def play(self, turn: Turn) -> Action:
        """Judge the decision, and return the best answer."""
        best = self.best(turn)
        if turn.rid in self.acts:
            number, action = self.acts[turn.rid]
            self.judgements.append(self.judge(turn, number, action, best))
            self.judged()
        return best

    @abstractmethod
    def best(self, turn: Turn) -> Action:
        """Return the answer of the strongest house bot."""

    @abstractmethod
    def judge(self, turn: Turn, number: int, action: Action, best: Action) -> Judgement:
        """Return the judgement of ``action``, act ``number`` of the match, compared with ``best``."""

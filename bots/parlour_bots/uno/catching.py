"""Catch players who forget to call UNO, now and then."""

import attrs

from parlour_bots.sdk import Action, Bot, BotSpec, Choice, Turn

SHARE = 0.5
"""The share of chances that a bot notices."""


@attrs.define
class Catching:
    """Plays like ``bot``, and catches a forgotten UNO in ``share`` of all cases."""

    bot: Bot
    share: float = SHARE
    _noticed: dict[int, bool] = attrs.field(factory=dict, init=False)
    """By request id, since a declined decision may be asked about again."""

    def play(self, turn: Turn) -> Choice:
        """Return the answer of ``bot``."""
        return self.bot.play(turn)

    def may(self, turn: Turn) -> Action | None:
        """Return a catch of the exposed seat, or None. Where a false catch costs cards, ``legal`` lists others, too."""
        exposed = turn.view.get("exposed")
        catches = [action for action in turn.legal if action["do"] == "catch" and action["seat"] == exposed]
        if not catches:
            return None
        if turn.rid not in self._noticed:
            self._noticed[turn.rid] = turn.rng.random() < self.share
        return catches[0] if self._noticed[turn.rid] else None


def catching(spec: BotSpec) -> BotSpec:
    """Return ``spec`` with catches, unless its bot decides about them."""

    def make() -> Bot:
        bot = spec.make()
        return bot if hasattr(bot, "may") else Catching(bot)

    return attrs.evolve(spec, make=make)

"""A bot at a seat: messages of the room in, acts of the bot out. Does no I/O."""

import operator
from collections import Counter
from collections.abc import Callable, Mapping
from time import perf_counter_ns
from typing import Any

import attrs
from msgspec import structs

from parlour_bots.boards import untouched
from parlour_bots.errors import BadChoice, Mistake, definition, place
from parlour_bots.play.limits import NotConfined
from parlour_bots.sdk import Action, Bot, BotSpec, Choice, Turn, seeded
from parlour_protocol.messages import Act, Error, Joined, Over, Plain, ServerMessage, Update
from parlour_protocol.messages import Turn as Asked

WHY_LIMIT = 1024
RESIGN: Action = {"do": "resign"}
"""The action that every game accepts."""


@attrs.define
class SeatPlayer:
    """Plays one seat with a bot, match after match.

    ``receive`` takes the messages of the room in order, starting with ``joined``, and returns the acts that answer
    them. If the bot raises or its answer is refused, the mistake is reported and a random legal action is played.
    """

    spec: BotSpec
    seed: object
    """The seed of ``turn.rng``, together with the number of the match."""
    report: Callable[[Mistake], None]
    """Called with each mistake as it happens."""
    most: int | None = None
    """The number of mistakes with which it resigns; None: it never does."""
    mistakes: Counter[str] = attrs.field(factory=Counter, init=False)
    """By kind."""
    over: Over | None = attrs.field(default=None, init=False)
    """The result of the last match; None before and during a match."""
    acts: list[Act] = attrs.field(factory=list, init=False)
    """The acts sent in this match."""
    thinking: list[int] = attrs.field(factory=list, init=False)
    """Nanoseconds per answer in this match."""
    usage: Mapping[str, int] = attrs.field(factory=dict, init=False)
    """The use that the bot counts in this match, such as tokens."""
    _game: str = attrs.field(default="", init=False)
    _seat: int = attrs.field(default=-1, init=False)
    _matches: int = attrs.field(default=0, init=False)
    _bot: Bot | None = attrs.field(default=None, init=False)
    _rng: Any = attrs.field(default=None, init=False)
    _options: Plain = attrs.field(factory=dict, init=False)
    _events: list[Plain] = attrs.field(factory=list, init=False)
    _answered: dict[int, "_Answered"] = attrs.field(factory=dict, init=False)
    """The bot's answers in this match, by request id."""

    def receive(self, message: ServerMessage) -> list[Act]:
        """Handle a message of the room and return the acts to send. Raises NotConfined."""
        acts: list[Act] = []
        if isinstance(message, Joined):
            self._game, self._seat = message.game, -1 if message.seat is None else message.seat
            self._options = message.table["options"]
        if isinstance(message, Joined | Update | Asked):
            acts = self._played(message)
        elif isinstance(message, Error):
            acts = self._refused(message)
        elif isinstance(message, Over):
            self.over, self._bot, self._rng = message, None, None
        self.acts += acts
        return acts

    def ask(self, turn: Turn) -> Act | None:
        """Return the bot's answer to a turn from elsewhere; None if it made a mistake."""
        return self._ask(turn, "play")

    def _played(self, message: Joined | Update | Asked) -> list[Act]:
        self._events += message.events
        acts = [self._may(self._turn(message, reaction["rid"], reaction["legal"])) for reaction in message.may]
        if isinstance(message, Asked):
            acts.append(self._must(self._turn(message, message.rid, message.legal or [], message.left)))
            self._events = []
        return [act for act in acts if act]

    def _turn(self, message: Joined | Update | Asked, rid: int, legal: list[Action], left: int | None = None) -> Turn:
        if self._rng is None:
            self._begin()
        view = message.view or {}
        return Turn(
            self._game, message.room, self._seat, rid, view, legal, left, self._events, self._rng, options=self._options
        )

    def _begin(self) -> None:
        self._matches += 1
        self._rng = seeded(self.seed, self._matches)
        self.over, self.acts, self.thinking, self._answered = None, [], [], {}

    @property
    def _resigned(self) -> bool:
        return self.most is not None and self.mistakes.total() >= self.most

    def _must(self, turn: Turn) -> Act:
        if self._resigned:
            return Act(turn.room, turn.rid, RESIGN)
        if turn.rid in self._answered:
            return self._answered[turn.rid].act  # asked again after a lost connection
        return self._ask(turn, "play") or self._by_chance(turn)

    def _may(self, turn: Turn) -> Act | None:
        return None if self._resigned or turn.rid in self._answered else self._ask(turn, "may")

    def _ask(self, turn: Turn, method: str) -> Act | None:
        """Return the bot's answer; None if it declined or made a mistake."""
        culprit: Callable[..., Any] = self.spec.make
        begun = perf_counter_ns()
        try:
            self._bot = self._bot or self.spec.make()
            self.usage = getattr(self._bot, "usage", {})
            culprit = getattr(self._bot, method, _no_answer)
            choice = culprit(turn.copy())
            if choice is None and method == "may":
                return None
            act = self._act(turn, choice)
        except NotConfined:
            raise
        except Exception as error:
            what = f"illegal answer: {error}" if isinstance(error, BadChoice) else f"{type(error).__name__}: {error}"
            self._mistaken(Mistake(what, place(culprit, error), turn, error))
            return None
        self.thinking.append(perf_counter_ns() - begun)
        self._answered[turn.rid] = _Answered(turn, act, must=method == "play")
        return act

    def _act(self, turn: Turn, choice: Choice) -> Act:
        answer, why = choice if isinstance(choice, tuple) and len(choice) == 2 else (choice, None)
        reason = None if why is None else str(why)[:WHY_LIMIT]
        if not isinstance(answer, dict) and not turn.legal:
            return Act(turn.room, turn.rid, _number(answer), reason)
        action = _listed(turn, answer) if isinstance(answer, dict) else _pick(turn.legal, answer)
        if self.spec.call_uno:
            action = _calling(action, turn.legal)
        short = turn.legal.index(action) if action in turn.legal else action
        return Act(turn.room, turn.rid, short, reason)

    def _by_chance(self, turn: Turn) -> Act:
        choices = list(range(len(turn.legal))) or untouched(turn.view)
        return Act(turn.room, turn.rid, self._rng.choice(choices) if choices else RESIGN)

    def _refused(self, error: Error) -> list[Act]:
        answered = self._answered.get(error.rid or 0)
        if error.code not in ("illegal_action", "too_much") or answered is None or self._bot is None:
            return []
        if error.code == "too_much" and answered.act.why:  # its notes have become too long: go on without
            self._answered[answered.turn.rid] = attrs.evolve(answered, act=structs.replace(answered.act, why=None))
            return [self._answered[answered.turn.rid].act]
        what = f"illegal answer: {answered.act.act!r}: {error.msg}"
        self._mistaken(Mistake(what, definition(self._bot.play), answered.turn))
        if not answered.must:
            return []
        del self._answered[answered.turn.rid]
        return [self._by_chance(answered.turn)]

    def _mistaken(self, mistake: Mistake) -> None:
        self.mistakes[mistake.kind] += 1
        self.report(mistake)


@attrs.frozen
class _Answered:
    turn: Turn
    act: Act
    must: bool


def _no_answer(_: Turn) -> None:
    """Decline; used for a bot without a method ``may``."""


def _listed(turn: Turn, action: Action) -> Action:
    """Return ``action`` as it is in ``legal``. Composite actions are never listed; the server checks them."""
    plain = {name: value for name, value in action.items() if value is not None and value is not False}
    composite = any(isinstance(value, list | tuple) for value in plain.values())
    if turn.legal and plain not in turn.legal and plain != RESIGN and not composite:
        raise BadChoice(f"{action!r} is not in turn.legal")
    return plain


def _pick(legal: list[Action], answer: Any) -> Action:
    """Return the action with the index ``answer``: any integer type, but not True or -1."""
    if not 0 <= (number := _number(answer)) < len(legal):
        raise BadChoice(f"there is no action {number}: legal has {len(legal)}, numbered from 0")
    return legal[number]


def _number(answer: Any) -> int:
    """Return an answer that is a number: an index, or a cell in a game that lists no actions."""
    if isinstance(answer, bool) or not hasattr(answer, "__index__"):
        raise BadChoice(f"an answer is an action or an index, not {answer!r}")
    return operator.index(answer)


def _calling(action: Action, legal: list[Action]) -> Action:
    """Return ``action`` with a call of UNO if that is legal."""
    twin = {**action, "uno": True}
    return twin if action.get("do") in ("play", "jump") and twin in legal else action

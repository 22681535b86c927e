"""Bots that are not ours play in processes of their own: one that hangs, crashes or prints harms only itself."""

import re
import sys
from collections.abc import Callable
from itertools import count
from typing import Any

import attrs

from parlour_bots.arena.engine.bot_host import LOAD
from parlour_bots.errors import BadChoice, Broken, Late, Place
from parlour_bots.loading.loader import PROGRAM, NoBot, find, installed
from parlour_bots.loading.parameters import parameter_names
from parlour_bots.play.program import Program
from parlour_bots.sdk import Action, BotSpec, Choice, Turn
from parlour_protocol.messages import Plain

LOADING = 10_000
"""Milliseconds in which a bot has to be found and made."""
_OURS = "parlour_bots."


@attrs.define(eq=False)
class BotProcess:
    """Keeps the process of one bot in Python, from match to match. It is begun anew after the bot has failed it."""

    what: str
    game: str
    description: Plain = attrs.field(init=False, factory=dict)
    _program: Program | None = attrs.field(init=False, default=None)
    _begun: int = attrs.field(init=False, default=0)
    _numbers: Any = attrs.field(init=False, factory=count)
    _matches: Any = attrs.field(init=False, factory=count)

    def bot_spec(self) -> BotSpec:
        """Return the bot, ready to be seated. Raises NoBot."""
        try:
            self.begin()
        except (Late, Broken) as error:
            raise NoBot(f"{self.what} cannot be loaded: {error}") from None
        told = self.description
        if "missing" in told:
            raise NoBot(told["missing"])
        return BotSpec(
            told["name"], lambda: Isolated(self, next(self._matches)), told["game"], told["call_uno"], external=True
        )

    def close(self) -> None:
        """End the process, if it has been begun."""
        if self._program is not None:
            self._program.kill()
            self._program = None

    def begin(self) -> int:
        """Have the process, and return how many there have been. Raises Late, Broken."""
        if self._program is None:
            self._begun += 1
            self.ask({"ask": LOAD}, LOADING)
        return self._begun

    def ask(self, question: Plain, budget: int) -> Plain:
        """Return what the bot says within ``budget`` milliseconds. Raises Late, Broken, BadChoice."""
        if self._program is None:
            command = [sys.executable, "-m", "parlour_bots.arena.engine.bot_host", self.what, self.game]
            self._program = Program(command, self.what, {"parlour": 1}, start=0)
        try:
            said, _ = self._program.ask({"rid": next(self._numbers), **question}, budget)  # type: ignore[misc]
        except (Late, Broken, BadChoice):
            self.close()
            raise
        answer: Plain = said  # type: ignore[assignment]
        if question["ask"] == LOAD:
            self.description = answer
        return answer


@attrs.define(eq=False)
class Isolated:
    """A bot that plays one match in another process."""

    _process: BotProcess
    _match: int
    place: Place = attrs.field(init=False)
    """Where its last mistake was."""
    _known_to: int = attrs.field(init=False, default=0)
    """Which process has been given the chances of this match."""

    def __attrs_post_init__(self) -> None:
        self.place = Place(self._process.what, "")

    def play(self, turn: Turn) -> Choice:
        """Return what the bot answers. Raises Late, Broken, BadChoice."""
        return self._asked("play", turn)  # type: ignore[return-value]

    def may(self, turn: Turn) -> Choice | None:
        """Return what the bot does of what it may do, None if it wants nothing of it. Raises as ``play`` does."""
        return self._asked("may", turn) if self._process.description.get("may") else None

    def _asked(self, method: str, turn: Turn) -> Choice | None:
        self.place = Place(self._process.what, "")
        question = {"ask": method, "match": self._match, "turn": turn.plain()}
        if (process := self._process.begin()) != self._known_to:
            question["chance"] = turn.rng.getstate()
            self._known_to = process
        said = self._process.ask(question, turn.budget or LOADING)
        if "failed" in said:
            self.place = Place(said["where"], said["text"])
            raise Broken(said["failed"])
        if "odd" in said:
            raise BadChoice(f"an answer is an action or an index, not {said['odd']}")
        answer: Action | int | None = said["answer"]
        return answer if said["why"] is None or answer is None else (answer, said["why"])


@attrs.frozen
class ArenaBot:
    """A bot of a contest: how to seat it, and which parameters it takes."""

    spec: BotSpec
    takes: tuple[str, ...] = ()
    ours: bool = False
    close: Callable[[], None] = lambda: None
    """Ends what belongs to it."""


def arena_bot(what: str, game: str) -> ArenaBot:
    """Return the bot that ``what`` names, isolated if it is none of ours. Raises NoBot."""
    if what.startswith(PROGRAM):
        return ArenaBot(find(what, game))
    if bundled(what, game):
        spec = find(what, game)
        return ArenaBot(spec, tuple(parameter_names(spec)), ours=True)
    process = BotProcess(what, game)
    spec = process.bot_spec()
    return ArenaBot(spec, tuple(process.description["takes"]), close=process.close)


def bundled(what: str, game: str) -> bool:
    """Return whether a bot comes with us, and may play in the process that asks it. A name of no bot counts as ours."""
    name, entries = what.partition("(")[0], installed()
    entry = entries.get(name) or entries.get(f"{game}.{name}")
    return entry.value.startswith(_OURS) if entry else name.startswith(_OURS) or not re.search(r"\.py(:|$)|:", name)

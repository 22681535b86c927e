"""Isolate third-party bots in processes of their own: a bot that hangs, crashes or prints harms only itself."""

from collections.abc import Callable
from itertools import count
from typing import Any

import attrs

from parlour_bots.arena.bot_host import LOAD
from parlour_bots.errors import BadChoice, Broken, Late, SourceLine
from parlour_bots.loading import (
    FILE,
    LANGUAGE_MODEL,
    MODULE,
    BadParameters,
    NoBot,
    find,
    installed,
    is_outside,
    parameter_names,
    split,
)
from parlour_bots.play.limits import Limits
from parlour_bots.play.program import Program
from parlour_bots.play.runner import BotRunner
from parlour_bots.sdk import Action, BotSpec, Choice, Turn
from parlour_protocol.installation import module_command
from parlour_protocol.messages import Plain

LOADING = 10_000
"""Milliseconds for loading a bot."""
_OWN = "parlour_bots."


@attrs.define(eq=False)
class BotProcess:
    """The process of one Python bot, which plays match after match. It restarts after a failure."""

    what: str
    game: str
    limits: Limits | None = None
    description: Plain = attrs.field(init=False, factory=dict)
    _program: Program | None = attrs.field(init=False, default=None)
    _starts: int = attrs.field(init=False, default=0)
    _numbers: Any = attrs.field(init=False, factory=count)
    _matches: Any = attrs.field(init=False, factory=count)

    def load(self) -> BotSpec:
        """Start the process and return the bot's spec. Raises NoBot, NotConfined."""
        try:
            self.start()
        except (Late, Broken) as error:
            raise NoBot(f"{self.what} cannot be loaded: {error}") from None
        if "missing" in self.description:
            raise NoBot(self.description["missing"])
        declared = {key: self.description[key] for key in ("name", "game", "call_uno", "assumed")}
        return BotSpec(make=lambda: Isolated(self, next(self._matches)), external=True, **declared)

    def close(self) -> None:
        """Stop the process if it is running."""
        if self._program is not None:
            self._program.kill()
            self._program = None

    def start(self) -> int:
        """Start the process unless it is running, and return its number. Raises Late, Broken."""
        if self._program is None:
            self._starts += 1
            self.ask({"ask": LOAD}, LOADING)
        return self._starts

    def ask(self, question: Plain, budget: int) -> Plain:
        """Return the answer within ``budget`` milliseconds. Raises Late, Broken, BadChoice."""
        if self._program is None:
            command = module_command("parlour_bots.arena.bot_host", self.what, self.game)
            self._program = Program(command, self.what, {"parlour": 1}, start=0, limits=self.limits)
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
    """A bot that plays one match in its own process."""

    _process: BotProcess
    _match: int
    place: SourceLine = attrs.field(init=False)
    """The location of its last mistake."""
    _known_to: int = attrs.field(init=False, default=0)
    """The number of the process that has the random state of this match."""

    def __attrs_post_init__(self) -> None:
        self.place = SourceLine(self._process.what, "")

    def play(self, turn: Turn) -> Choice:
        """Return the bot's answer. Raises Late, Broken, BadChoice."""
        return self._asked("play", turn)  # type: ignore[return-value]

    def may(self, turn: Turn) -> Choice | None:
        """Return the bot's answer to an optional decision, None if it declines. Raises like ``play``."""
        return self._asked("may", turn) if self._process.description.get("may") else None

    def _asked(self, method: str, turn: Turn) -> Choice | None:
        self.place = SourceLine(self._process.what, "")
        question = {"ask": method, "match": self._match, "turn": turn.plain()}
        if (process := self._process.start()) != self._known_to:
            question["chance"] = turn.rng.getstate()
            self._known_to = process
        said = self._process.ask(question, turn.budget or LOADING)
        if "failed" in said:
            self.place = SourceLine(said["where"], said["text"])
            raise Broken(said["failed"], [SourceLine(where, text) for where, text in said["calls"]])
        if "odd" in said:
            raise BadChoice(f"an answer is an action or an index, not {said['odd']}")
        answer: Action | int | None = said["answer"]
        return answer if said["why"] is None or answer is None else (answer, said["why"])


@attrs.frozen
class ArenaBot:
    """A bot of the arena: its spec, its parameters, and whether it is bundled."""

    spec: BotSpec
    takes: tuple[str, ...] = ()
    bundled: bool = False
    close: Callable[[], None] = lambda: None
    """Stops its process."""

    def limited(self, runner: BotRunner) -> "ArenaBot":
        """Return the bot with the time limit of ``runner``, unless it is bundled."""
        return self if self.bundled else attrs.evolve(self, spec=runner.limit(self.spec))


def arena_bot(what: str, game: str, limits: Limits | None = None) -> ArenaBot:
    """Return the bot named by ``what``. Unless it is bundled, it is isolated, and has ``limits`` if any are given.

    Raises NoBot, NotConfined.
    """
    if is_outside(what):
        is_model = what.startswith(LANGUAGE_MODEL)  # which has a time limit of its own
        return ArenaBot(find(what, game, limits), bundled=is_model)
    if is_bundled(what, game):
        spec = find(what, game)
        return ArenaBot(spec, tuple(parameter_names(spec)), bundled=True)
    if limits and (file := FILE.fullmatch(split(what)[0])):
        limits = limits.with_own(file["path"])
    process = BotProcess(what, game, limits)
    spec = process.load()
    return ArenaBot(spec, tuple(process.description["takes"]), close=process.close)


def is_bundled(what: str, game: str) -> bool:
    """Return whether a bot is bundled and may play in this process. Unknown names count as bundled."""
    try:
        name, _ = split(what)
    except BadParameters:
        return True
    if FILE.fullmatch(name):
        return False
    entries = installed()
    entry = entries.get(name) or entries.get(f"{game}.{name}")
    return (entry.value if entry else name).startswith(_OWN) or not (entry or MODULE.fullmatch(name))

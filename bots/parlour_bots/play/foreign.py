"""Play with programs in any language, which read turns from stdin and write answers to stdout.

The first line is a greeting, each further line is a turn. All are JSON objects::

    {"parlour":1,"game":"uno","name":"hello","seed":2841950217}
    {"game":"uno","room":"K7QD","seat":1,"rid":7,"view":{…},"legal":[…],"left":null,"events":[…],"budget":1000}

For each turn the program writes one line: the index of an action in ``legal``, or the action itself; in a game that
does not list actions, the number of a cell or an action. ``{"rid":7,"act":…,"why":…}`` names the turn as well, and may
give a reason. Other output belongs on stderr; lines that are not JSON are skipped.

Each match has its own process, which should exit when its input ends. If a program exits or misses its time limit, it
is killed with its process group and restarted for the next turn. A late answer is therefore never mistaken for an
answer to the next turn. A program whose answers name their turns keeps running instead.
"""

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import attrs

from parlour_bots.errors import BadChoice, Broken, Late, SourceLine
from parlour_bots.play.limits import Limits
from parlour_bots.play.program import START, Program
from parlour_bots.sdk import Answer, BotSpec, Choice, Turn
from parlour_client.core.room import JoinedRoom, Question
from parlour_client.text.base import UnclearInput, event_lines
from parlour_client.text.text_view import answer, text_view
from parlour_protocol.messages import Plain

_TABLE: Any = {"state": "playing", "seats": [], "hints": True}


def text_of(turn: Turn) -> str:
    """Return the turn in words: what has happened, what is on the table, and the numbered answers."""
    room = _room(turn)
    return text_view(room, event_lines(room))


def answer_to(turn: Turn, text: str) -> Answer:
    """Return the answer that ``text`` gives: a number of the list, words, or an action as JSON. Raises BadChoice."""
    try:
        choice = answer(_room(turn), text)
    except UnclearInput as unclear:
        raise BadChoice(str(unclear)) from None
    if isinstance(choice, dict) and turn.legal and _given(choice) not in turn.legal:
        raise BadChoice(f"{text[:80]!r} is not possible now: choose a number from 0 to {len(turn.legal) - 1}")
    return choice


def _given(action: Plain) -> Plain:
    return {name: value for name, value in action.items() if value is not None and value is not False}


def _room(turn: Turn) -> JoinedRoom:
    """Return the table of a turn as a client sees it; players are known by their seats."""
    table: Any = {**_TABLE, "options": turn.options}
    room = JoinedRoom(turn.room, turn.game, turn.seat, table, turn.view, turn.events, [], {}, [])
    return attrs.evolve(room, question=Question(turn.rid, turn.legal, turn.left))


VERSION = 1
"""The version of this protocol."""
BUDGET = 10_000
"""Milliseconds per answer without a clock or a shorter limit."""
FAILURES = 3
"""Failed turns in a row after which a program is no longer asked in this match."""
_SEED_BITS = 32
Failure: TypeAlias = Late | Broken | BadChoice


@attrs.define(eq=False)
class Foreign:
    """A bot that is a program, for one match. It starts with the first turn and stops with this object."""

    command: Sequence[str]
    name: str
    start: int = START
    text: bool = False
    """Whether its turns have a ``text``."""
    limits: Limits | None = None
    _program: Program | None = attrs.field(default=None, init=False)
    _wrote: str = attrs.field(default="", init=False)
    _answered: bool = attrs.field(default=False, init=False)
    _failures: int = attrs.field(default=0, init=False)
    _last: Failure = attrs.field(factory=Broken, init=False)

    @property
    def place(self) -> SourceLine:
        """The location of its mistakes: the command and its last answer."""
        return SourceLine(f"exec:{shlex.join(self.command)}", self._wrote)

    def play(self, turn: Turn) -> Choice:
        """Return the program's answer. Raises Late, Broken, BadChoice, NotConfined."""
        if self._given_up:
            raise type(self._last)(f"given up for this match: {self._last}")
        turn = attrs.evolve(turn, budget=BUDGET if turn.budget is None else turn.budget)
        try:
            self._program = self._program or self._started(turn)
            question = {**turn.plain(), "text": text_of(turn)} if self.text else turn.plain()
            choice = self._program.ask(question, turn.budget or 0)
            choice = self._read(turn, choice)
        except (Late, Broken, BadChoice) as error:
            self._failed(error)
            raise
        self._answered, self._failures, self._wrote = True, 0, self._program.wrote
        return choice

    @property
    def _given_up(self) -> bool:
        """Whether the program never answered, or failed too often in a row."""
        return self._failures >= (FAILURES if self._answered else 1)

    def _read(self, turn: Turn, choice: Choice) -> Choice:
        """Return the choice; words of a program that reads text as an action. Raises BadChoice."""
        said, why = choice if isinstance(choice, tuple) and len(choice) == 2 else (choice, None)
        return (answer_to(turn, said), why or "") if self.text and isinstance(said, str) else choice

    def _started(self, turn: Turn) -> Program:
        greeting = {"parlour": VERSION, "game": turn.game, "name": self.name, "seed": turn.rng.getrandbits(_SEED_BITS)}
        return Program(self.command, self.name, greeting, self.start, self.limits)

    def _failed(self, error: Failure) -> None:
        self._failures += 1
        self._last = error
        if self._program is None:
            return
        self._wrote = self._program.wrote
        if self._given_up or isinstance(error, Broken) or not self._program.names_turns:
            self._program.kill()
            self._program = None


def split(command: str) -> list[str]:
    """Split a command into words as a shell does. Raises ValueError for an unclosed quote."""
    return shlex.split(command, posix=os.name != "nt")


def bot_spec(
    command: Sequence[str],
    game: str,
    name: str | None = None,
    *,
    text: bool = False,
    limits: Limits | None = None,
) -> BotSpec:
    """Return the bot that runs ``command``. Raises LookupError if there is no such program.

    ``text``: whether its turns have a ``text``, and its answers may be words. With ``limits``, the files that
    ``command`` names are its own.
    """
    if not command:
        raise LookupError("name the program to run")
    program = shutil.which(command[0])
    if program is None:
        beside = Path(command[0]).exists()
        raise LookupError(f"{command[0]} " + ("is not executable" if beside else "was not found"))
    called = name or _name(command)
    if limits:
        limits = limits.with_own(program, *filter(os.path.exists, command[1:]))
    return BotSpec(called, lambda: Foreign(tuple(command), called, text=text, limits=limits), game, external=True)


def _name(command: Sequence[str]) -> str:
    """Return a bot's name: the stem of the script, else of the program."""
    files = [word for word in command[1:] if os.path.isfile(word)]
    return Path((files or command)[0]).stem

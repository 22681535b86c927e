"""Bots in any language: programs that read turns from standard input and write answers to standard output.

The first line that a program is given is a greeting, each further one a turn; both are JSON objects::

    {"parlour":1,"game":"uno","name":"hello","seed":2841950217}
    {"game":"uno","room":"K7QD","seat":1,"rid":7,"view":{…},"legal":[…],"left":null,"events":[…],"budget":1000}

For each turn it writes one line: the index of an action in ``legal``, or an action; in a game that lists none the
number of a cell, or an action. ``{"rid":7,"act":…,"why":…}`` says the same, names the turn, and may give a reason.
What else it has to say belongs on standard error; lines that are no JSON are passed over.

Each match has a process of its own, which ends when its input does. What a program fails is one turn: if it ends, or
does not answer in time, it is killed with its process group, and the next turn begins it anew. So an answer that
comes too late is never taken for one to the next turn. A program whose answers name their turn may run on.
"""

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import attrs

from parlour_bots.errors import BadChoice, Broken, Late, Place
from parlour_bots.play.program import START, Program
from parlour_bots.sdk import Choice, Entrant, Turn

VERSION = 1
"""Of what passes between us and a program."""
BUDGET = 10_000
"""Milliseconds for an answer where neither a clock nor a contest says less."""
FAILURES = 3
"""Turns in a row that a program may fail before it is given up for the match."""
_SEED_BITS = 32
Failure: TypeAlias = Late | Broken | BadChoice


@attrs.define(eq=False)
class Foreign:
    """A program as a bot, for one match. It is begun with the first turn, and ends with this object."""

    command: Sequence[str]
    name: str
    start: int = START
    _program: Program | None = attrs.field(default=None, init=False)
    _wrote: str = attrs.field(default="", init=False)
    _answered: bool = attrs.field(default=False, init=False)
    _failures: int = attrs.field(default=0, init=False)
    _last: Failure = attrs.field(factory=Broken, init=False)

    @property
    def place(self) -> Place:
        """Where its mistakes are: the program, and what it wrote last."""
        return Place(f"exec:{shlex.join(self.command)}", self._wrote)

    def play(self, turn: Turn) -> Choice:
        """Return what the program answers. Raises Late, Broken, BadChoice."""
        if self._given_up:
            raise type(self._last)(f"given up for this match: {self._last}")
        turn = attrs.evolve(turn, budget=BUDGET if turn.budget is None else turn.budget)
        try:
            self._program = self._program or self._begun(turn)
            choice = self._program.ask(turn.plain(), turn.budget or 0)
        except (Late, Broken, BadChoice) as error:
            self._failed(error)
            raise
        self._answered, self._failures, self._wrote = True, 0, self._program.wrote
        return choice

    @property
    def _given_up(self) -> bool:
        """Whether it never answered, or has failed too often: every further wait would be in vain."""
        return self._failures >= (FAILURES if self._answered else 1)

    def _begun(self, turn: Turn) -> Program:
        greeting = {"parlour": VERSION, "game": turn.game, "name": self.name, "seed": turn.rng.getrandbits(_SEED_BITS)}
        return Program(self.command, self.name, greeting, self.start)

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
    """Return the words of a command, as a shell would. Raises ValueError for an open quote."""
    return shlex.split(command, posix=os.name != "nt")


def entrant(command: Sequence[str], game: str, name: str | None = None) -> Entrant:
    """Return the bot that is the program ``command``. Raises LookupError if there is no such program."""
    if not command:
        raise LookupError("name the program to run")
    if shutil.which(command[0]) is None:
        beside = Path(command[0]).exists()
        raise LookupError(f"{command[0]} " + ("is not executable" if beside else "is no program that can be found"))
    called = name or _name(command)
    return Entrant(called, lambda: Foreign(tuple(command), called), game, apart=True)


def _name(command: Sequence[str]) -> str:
    """Return what to call a bot: like the file that is run, else like the program that runs."""
    files = [word for word in command[1:] if Path(word).is_file()]
    return Path((files or command)[0]).stem

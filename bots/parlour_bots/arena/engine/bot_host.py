"""``python -m parlour_bots.arena.engine.bot_host BOT GAME``: the process in which the arena runs a Python bot.

It reads a JSON object a line from standard input and answers each with one on standard output. The bot has neither:
what it reads is empty, what it prints goes to standard error. One process plays match after match.
"""

import json
import operator
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random  # noqa: TID251  its state comes with each match
from typing import IO, Any

import attrs

from parlour_bots.errors import Place, place
from parlour_bots.loading.loader import NoBot, find
from parlour_bots.loading.parameters import parameter_names
from parlour_bots.sdk import Bot, BotSpec, Turn
from parlour_protocol.messages import Plain

LOAD = "load"
"""What is asked first: the bot is found, made once, and described."""
SEATS = 10
"""How many seats of one game a bot can have."""


@attrs.define
class _Seat:
    """A bot in one match."""

    rng: Random
    bot: Bot | None = None


@attrs.define
class Host:
    """A bot that is asked by plain data, in several matches at a time."""

    what: str
    game: str
    _spec: BotSpec | None = attrs.field(init=False, default=None)
    _seats: dict[int, _Seat] = attrs.field(init=False, factory=dict)

    def answer(self, question: Plain) -> Plain:
        """Return the answer: what the bot said, or what went wrong and where."""
        if question["ask"] == LOAD:
            return self._load()
        if chance := question.get("chance"):
            self._sit(question["match"], chance)
        seat = self._seats[question["match"]]
        return self._asked(seat, question["ask"], Turn(**question["turn"], rng=seat.rng))

    def _sit(self, match: int, chance: list[Any]) -> None:
        while len(self._seats) >= SEATS:
            del self._seats[min(self._seats)]  # that match is over
        version, internal, following = chance
        rng = Random()
        rng.setstate((version, tuple(internal), following))
        self._seats[match] = _Seat(rng)

    def _load(self) -> Plain:
        try:
            self._spec = spec = find(self.what, self.game)
            may = hasattr(spec.make(), "may")
        except NoBot as error:
            return {"missing": str(error)}
        except Exception as error:
            return {"missing": f"{self.what}: {place(spec.make, error).where}: {type(error).__name__}: {error}"}
        told = {"name": spec.name, "game": spec.game, "call_uno": spec.call_uno, "takes": parameter_names(spec)}
        return {**told, "may": may}

    def _asked(self, seat: _Seat, method: str, turn: Turn) -> Plain:
        assert self._spec is not None, "it was loaded first"
        culprit: Callable[..., Any] = self._spec.make
        try:
            seat.bot = seat.bot or self._spec.make()
            culprit = getattr(seat.bot, method)
            return _said(culprit(turn))
        except BaseException as error:  # it is to outlive whatever its bot does, sys.exit too
            where = place(culprit, error) if isinstance(error, Exception) else Place(self.what, "")
            return {"failed": f"{type(error).__name__}: {error}", "where": where.where, "text": where.text}


def _said(choice: Any) -> Plain:
    """Return a choice as JSON has it: answer, and why if it is told."""
    answer, why = choice if isinstance(choice, tuple) and len(choice) == 2 else (choice, None)
    if hasattr(answer, "__index__") and not isinstance(answer, bool):
        answer = operator.index(answer)
    try:
        return json.loads(json.dumps({"answer": answer, "why": None if why is None else str(why)}, allow_nan=False))  # type: ignore[no-any-return]
    except (TypeError, ValueError, RecursionError):
        return {"odd": repr(answer)[:200]}


def _own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Return standard input and output, and give the bot others."""
    ours = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return ours


def _questions(pipe: IO[bytes]) -> Iterator[Plain]:
    for line in pipe:
        yield json.loads(line)


def main(what: str, game: str) -> None:
    """Answer until standard input ends."""
    questions, answers = _own_pipes()
    sys.argv = [what]
    host = Host(what, game)
    with suppress(BrokenPipeError):
        for question in _questions(questions):
            if "rid" in question:  # the first line is a greeting
                told = {"rid": question["rid"], "act": host.answer(question)}
                answers.write(json.dumps(told, separators=(",", ":")).encode() + b"\n")
    os._exit(0)  # whatever threads the bot has begun


if __name__ == "__main__":
    main(*sys.argv[1:])

"""``python -m parlour_bots.arena.bot_host BOT GAME``: the process that runs a Python bot of the arena.

It reads questions from stdin and writes answers to stdout, one JSON object per line. The bot has neither: its stdin is
empty, and its stdout goes to stderr. One process plays match after match.
"""

import json
import operator
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from random import Random  # noqa: TID251  each match brings its state
from typing import IO, Any

import attrs

from parlour_bots.errors import SourceLine, author_calls, place
from parlour_bots.loading import NoBot, find, parameter_names
from parlour_bots.sdk import Bot, BotSpec, Turn
from parlour_protocol.messages import Plain

LOAD = "load"
"""The first question: load the bot, make it once, and describe it."""
CALLS = 20
"""The most calls of the author that are reported, the innermost."""
SEATS = 10
"""The most seats that a bot can have in one game."""


@attrs.define
class _Seat:
    """A bot in one match."""

    rng: Random
    bot: Bot | None = None


@attrs.define
class BotHost:
    """A bot that answers questions in plain data, in several matches at a time."""

    what: str
    game: str
    _spec: BotSpec | None = attrs.field(init=False, default=None)
    _seats: dict[int, _Seat] = attrs.field(init=False, factory=dict)

    def answer(self, question: Plain) -> Plain:
        """Return the bot's answer, or the error and its location."""
        if question["ask"] == LOAD:
            return self._load()
        if chance := question.get("chance"):
            self._sit(question["match"], chance)
        seat = self._seats[question["match"]]
        return self._asked(seat, question["ask"], Turn(**question["turn"], rng=seat.rng))

    def _sit(self, match: int, chance: list[Any]) -> None:
        while len(self._seats) >= SEATS:
            del self._seats[min(self._seats)]  # its match is over
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
        declared = {key: getattr(spec, key) for key in ("name", "game", "call_uno", "assumed")}
        return {**declared, "takes": parameter_names(spec), "may": may}

    def _asked(self, seat: _Seat, method: str, turn: Turn) -> Plain:
        assert self._spec is not None, "the bot is loaded first"
        culprit: Callable[..., Any] = self._spec.make
        try:
            seat.bot = seat.bot or self._spec.make()
            culprit = getattr(seat.bot, method)
            return _encoded(culprit(turn))
        except BaseException as error:  # the host survives anything its bot raises, even SystemExit
            where = place(culprit, error) if isinstance(error, Exception) else SourceLine(self.what, "")
            calls = [attrs.astuple(call) for call in author_calls(error)[-CALLS:]]
            failed = f"{type(error).__name__}: {error}"
            return {"failed": failed, "where": where.where, "text": where.text, "calls": calls}


def _encoded(choice: Any) -> Plain:
    """Return a choice as JSON data: the answer and its reason."""
    answer, why = choice if isinstance(choice, tuple) and len(choice) == 2 else (choice, None)
    if hasattr(answer, "__index__") and not isinstance(answer, bool):
        answer = operator.index(answer)
    try:
        return json.loads(json.dumps({"answer": answer, "why": None if why is None else str(why)}, allow_nan=False))  # type: ignore[no-any-return]
    except (TypeError, ValueError, RecursionError):
        return {"odd": repr(answer)[:200]}


def _own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Take over stdin and stdout, and give the bot an empty stdin and stderr as its stdout."""
    ours = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return ours


def main(what: str, game: str) -> None:
    """Answer until stdin ends."""
    questions, answers = _own_pipes()
    sys.argv = [what]
    host = BotHost(what, game)
    with suppress(BrokenPipeError):
        for question in map(json.loads, questions):
            if "rid" in question:  # the first line is a greeting
                answer = {"rid": question["rid"], "act": host.answer(question)}
                answers.write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")
    os._exit(0)  # without waiting for the bot's threads


if __name__ == "__main__":
    main(*sys.argv[1:])

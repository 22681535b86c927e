"""A match in sentences with a numbered list of answers, for language models, screen readers and programs.

It holds what our seat sees and nothing else, and needs no drawing. ``answer`` reads what is written in reply.
"""

import re
from collections.abc import Iterable
from typing import Protocol, cast

from parlour_client.core.phrases import say
from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import UnclearInput, brought, lines_for, told
from parlour_protocol.codec import CODECS, JSON
from parlour_protocol.errors import BadFrame
from parlour_protocol.messages import Plain


class Sentences(Protocol):
    """A game in sentences, in the entry-point group ``parlour.sentences``.

    A function ``choices(room, legal)`` may return the lines of a list of actions in place of one for each,
    ``unlisted(room)`` lines about answers that the list leaves out, ``legend(room)`` the names of what such answers
    give by number, and ``rules(room)`` the special rules of a match, which stay the same.
    """

    def writing(self) -> list[str]:
        """Return how to write an answer, for a game that lists no actions."""

    def situation(self, room: JoinedRoom) -> list[str]:
        """Return all that our seat sees, without a drawing."""

    def action(self, room: JoinedRoom, action: Plain) -> str:
        """Return an action in words, as in the list and after "played for you: "."""


_NUMBER = re.compile(r"[0-9]{1,6}")
_NUMBERED = re.compile(r"^[0-9]{1,6}: +")
_FENCED = re.compile(r"```\w*\n(.*)\n```", re.DOTALL)
"""Code in Markdown, as language models like to write JSON."""


def text_view(room: JoinedRoom, happened: Iterable[str] = (), *, remind: bool = True) -> str:
    """Return what has ``happened``, what is on the table, and the answers to the open question.

    ``remind``: also what is the same each time: the players, special rules, and how to answer.
    """
    words = sentences_for(room.game)
    events = " ".join(filter(None, happened))
    parts = [_seats(room)] if remind else []
    parts += [say("line.view.happened", events=events)] if events else []
    if remind:
        parts += [line for line in told(words, "rules", room) or () if line not in events]
    parts += words.situation(room)
    if room.question is not None and room.under_way:
        choices = numbered(room, room.question.legal)
        parts += ([_how_to_answer(choices)] if choices else words.writing()) if remind else []
        parts += choices
        parts += told(words, "unlisted", room) or ()
    return "\n".join(parts)


def numbered(room: JoinedRoom, legal: Iterable[Plain]) -> list[str]:
    """Return the actions with their indices and in words, a line for each unless the game has another way."""
    words = sentences_for(room.game)
    choices: list[str] | None = told(words, "choices", room, legal)
    if choices is not None:
        return choices
    return [f"{number}: {words.action(room, action)}" for number, action in enumerate(legal)]


def _how_to_answer(choices: list[str]) -> str:
    """Return the line above the choices: not all of them need to have a number."""
    numbers = [int(line.split(":")[0]) for line in choices if _NUMBERED.match(line)]
    if len(numbers) < len(choices):
        return say("line.view.choose", numbers="some" if numbers else "none")
    return say("line.view.choose", numbers="all" if numbers[-1] < len(numbers) else "shared")


def legend(room: JoinedRoom) -> dict[str, str]:
    """Return the names of what unlisted answers to the open question give by number; empty if there are none."""
    names: dict[str, str] = told(sentences_for(room.game), "legend", room) or {}
    return names


def sentences_for(game: str) -> Sentences:
    """Return the sentences of ``game``, or those for any game if it has none."""
    return cast(Sentences, brought("parlour.sentences", game))


def answer(room: JoinedRoom, text: str) -> int | Plain:
    """Return the answer that ``text`` gives to the open question: an index in its list, or an action.

    ``text`` is a number of the list, a line of it with or without the number, an action as JSON, or words as in the
    line mode. Raises UnclearInput.
    """
    words, question = _FENCED.sub(r"\1", text.strip()).strip(), room.question
    if question is None:
        raise UnclearInput(say("line.idle"))
    if question.legal and _NUMBER.fullmatch(words):
        return _by_number(room, question.legal, int(words))
    if words.startswith("{"):
        return _action(words)
    words = _NUMBERED.sub("", words)
    said = sentences_for(room.game).action
    printed = (action for action in question.legal if _plain(said(room, action)) == _plain(words))
    if (found := next(printed, None)) is not None:
        return found
    try:
        return lines_for(room.game).choose(room, words.rstrip("."))[1]
    except UnclearInput:
        if not question.legal:
            raise
        numbers = say("line.view.unclear", word=repr(text[:40]), last=len(question.legal) - 1)
        raise _unclear(room, question.legal, text, 0, numbers) from None


def _by_number(room: JoinedRoom, legal: list[Plain], number: int) -> int:
    """Return the index of the action that a number names. Raises UnclearInput."""
    found: list[int] | None = told(sentences_for(room.game), "by_number", room, legal, number)
    named = [number][: number < len(legal)] if found is None else found
    if len(named) == 1:
        return named[0]
    raise _unclear(room, legal, str(number), len(named), say("line.view.number", n=number, last=len(legal) - 1))


def _unclear(room: JoinedRoom, legal: list[Plain], word: str, fitting: int, numbers: str) -> UnclearInput:
    """Return what to write instead of ``word``: in the words ``numbers`` if every action has a number."""
    lines = numbered(room, legal)
    if all(map(_NUMBERED.match, lines)):
        return UnclearInput(numbers)
    return UnclearInput(" ".join([say("line.any.unclear", word=word[:40], n=fitting), *lines]))


def _plain(words: str) -> str:
    """Return words without the differences that do not matter."""
    return " ".join(words.lower().rstrip(".").split())


def _action(text: str) -> Plain:
    try:
        return CODECS[JSON].decode(text)
    except BadFrame as error:
        raise UnclearInput(say("line.view.json", error=str(error))) from None


def _seats(room: JoinedRoom) -> str:
    people = ", ".join(f"{row['name']} ({row['seat']})" for row in room.table["seats"] if row["seat"] != room.seat)
    return say("line.view.seat", seat=room.seat, others=people or None)

"""Games as lines of text: options, events, questions and boards, and typed answers as actions.

A game may have a module of functions, as described by ``Lines``, in the entry-point group ``parlour.lines``. Names are
not sanitized here; the console sanitizes each line that it prints.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import entry_points
from textwrap import wrap
from typing import Any, Protocol, TypeAlias, cast

from parlour_client.core.phrases import Format, phrases, say
from parlour_client.core.room import JoinedRoom
from parlour_games.options import Option
from parlour_games.registry import entries, games
from parlour_protocol.messages import Offer, Over, Plain

ANY = "any"
"""The entry for games without one of their own."""


class UnclearInput(Exception):
    """The typed words answer no open decision. The text says what would."""


class UnfinishedInput(UnclearInput):
    """The typed words begin an answer, which the next ones complete. The text says what is missing."""


Course: TypeAlias = Sequence[tuple[float, int]]
"""How far we had come after how many milliseconds; empty if the beginning was not seen."""


class Lines(Protocol):
    """A game as lines of text.

    It may have more functions, which the functions of the same names below call: ``out(room)``, ``progress(room)`` and
    ``in_characters(room, over, course)``.
    """

    def manual(self) -> list[str]:
        """Return how to answer, in a few lines."""

    def in_short(self, game: str, options: Plain) -> Iterable[str]:
        """Return the rules that ``options`` of ``game`` result in, a few words each."""

    def how_to(self, game: str, options: Plain) -> Iterable[str]:
        """Return how ``game`` is played with ``options``, in sentences."""

    def event(self, room: JoinedRoom, event: Plain) -> str | None:
        """Return a line about ``event``, None if it is not worth one."""

    def state(self, room: JoinedRoom) -> list[str]:
        """Return lines about the state of the match and the score; before a match, about the options."""

    def board(self, room: JoinedRoom) -> list[str]:
        """Return the board as lines, shown before questions and at the end. Empty for a game without one."""

    def question(self, room: JoinedRoom) -> list[str]:
        """Return the prompt of the open question with its numbered choices."""

    def hint(self, room: JoinedRoom) -> list[str]:
        """Return lines that help with the open question, or why there are none."""

    def offer(self, room: JoinedRoom, offer: Offer) -> str | None:
        """Return a line about an optional decision that has just been opened."""

    def choose(self, room: JoinedRoom, text: str) -> tuple[int, Plain]:
        """Return the rid and the action for ``text``. Raises UnclearInput."""

    def hand(self, room: JoinedRoom) -> str:
        """Return a line with our hand, or with our progress in a game without one."""

    def review(self, room: JoinedRoom, over: Over) -> list[str]:
        """Return lines about a finished match, shown below the standings."""


def lines_for(game: str) -> Lines:
    """Return the lines of ``game``, or those for any game if it has none."""
    return cast(Lines, brought("parlour.lines", game))


def told(words: object, function: str, room: JoinedRoom, *more: object) -> Any:
    """Return what an optional function of a game's module returns, None if the module lacks it."""
    found = getattr(words, function, None)
    return None if found is None else found(room, *more)


def is_out(room: JoinedRoom) -> bool:
    """Return whether our seat has nothing to decide any more in a match that may go on: ``out`` of the game's lines."""
    return room.seat is not None and room.view is not None and bool(told(lines_for(room.game), "out", room))


def progress(room: JoinedRoom) -> int | None:
    """Return how far we have come in a match, 0 before it begins, if the game's lines say so."""
    if room.seat is None or room.view is None:
        return None
    reached: int | None = told(lines_for(room.game), "progress", room)
    return reached


def in_characters(room: JoinedRoom, over: Over, course: Course) -> list[str]:
    """Return at most three short lines about a match that reveal nothing of its deal, if the game has them."""
    lines: list[str] = told(lines_for(room.game), "in_characters", room, over, course) or []
    return lines


def known(game: str) -> bool:
    """Return whether an installed package has lines for ``game``."""
    return bool(entry_points(group="parlour.lines", name=game))


@cache
def brought(group: str, game: str) -> Any:
    """Return what an installed package has for ``game`` in an entry-point group, or what is there for any game.

    It is loaded when it is used first. What cannot be loaded is left out: ``parlour doctor`` names it.
    """
    found, _ = entries(group)
    try:
        return found.get(game, found[ANY]).load()
    except (Exception, SystemExit):  # code of others may raise anything
        return found[ANY].load()


def add_words(game: str) -> None:
    """Add the phrases of ``game`` if it is installed here."""
    found = games().get(game)
    if found is not None and found.phrases:
        phrases.add(found.phrases)


def player_of(room: JoinedRoom) -> Format:
    """Return the format of a seat: its player's name, "you" if it is ours."""

    def player(seat: Any) -> tuple[str, ...]:
        return (say("you"), "you") if seat == room.seat else (room.name(seat),)

    return player


def event_lines(room: JoinedRoom) -> list[str]:
    """Return lines about the events of the last message."""
    lines: list[str] = []
    for event in room.events:
        if event.get("e") in ("timeout", "addtime"):
            lines.append(say(f"event.{event['e']}", event, {"player": player_of(room)}))
        elif event.get("e") == "control":
            lines.append(say("line.view.control", event))
        elif line := lines_for(room.game).event(room, event):
            lines.append(line)
    return lines


_INDENT, _WIDTH = "      ", 80


def written(option: Option) -> list[str]:
    """Return the choices of an option as people type them."""
    return [str(value).lower() if isinstance(value, bool) else value for value in option.choices]


def option_lines(game: str, options: Iterable[Option]) -> Iterator[str]:
    """Yield the name of a game, and for each option its values and what it means."""
    add_words(game)
    yield _worded(f"{game}.name", game)
    for option in options:
        yield f"  {option.name} = {_values(option)}"
        means = _worded(f"{game}.option.{option.name}.means", option.help)
        yield from wrap(means, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)


def _values(option: Option) -> str:
    """Return the values that an option takes, the default first in brackets."""
    default = str(option.default).lower()
    if option.choices:
        return " | ".join(f"[{each}]" if each == default else each for each in written(option))
    if option.low is not None:
        return f"{option.low}…{option.high} {option.unit}".rstrip() + f" [{default}]"
    return f"[{default}]"


def _worded(key: str, otherwise: str) -> str:
    return say(key) if key in phrases and not phrases.has_places(key) else otherwise

"""Games as lines of text: events, questions and boards, and typed answers as actions.

Each game has a module of functions, as described by ``Lines``. Names are not sanitized here; the console sanitizes each
line that it prints.
"""

from importlib import import_module
from types import ModuleType
from typing import Any, Protocol, cast

from parlour_client.core.errors import WrongProtocol
from parlour_client.core.phrases import Format, say
from parlour_client.core.room import JoinedRoom
from parlour_protocol.messages import Offer, Over, Plain

GAMES = ("uno", "minesweeper")


class UnclearInput(Exception):
    """The typed words answer no open decision. The text says what would."""


class Lines(Protocol):
    """A game as lines of text."""

    HELP: list[str]
    """How to answer, in a few lines."""

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

    def action(self, action: Plain) -> str:
        """Return an action in words, as after "played for you: "."""

    def choose(self, room: JoinedRoom, text: str) -> tuple[int, Plain]:
        """Return the rid and the action for ``text``. Raises UnclearInput."""

    def hand(self, room: JoinedRoom) -> str:
        """Return a line with our hand, or with our progress in a game without one."""

    def review(self, room: JoinedRoom, over: Over) -> list[str]:
        """Return lines about a finished match, shown below the standings."""


def lines_for(game: str) -> Lines:
    """Return the lines of ``game``. Raises WrongProtocol for a game that this client cannot show."""
    return cast(Lines, presenter(game, "parlour_client.text.{}.lines"))


def presenter(game: str, pattern: str) -> ModuleType:
    """Return the module for ``game`` in a family of modules, loaded when a room of the game is entered.

    ``pattern``: the dotted name with {} for the game. Raises WrongProtocol for a game that this client cannot show.
    """
    if game not in GAMES:
        raise WrongProtocol(f"this client cannot show {game!a}, only {', '.join(GAMES)}; a newer one may")
    return import_module(pattern.format(game))


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
        elif line := lines_for(room.game).event(room, event):
            lines.append(line)
    return lines

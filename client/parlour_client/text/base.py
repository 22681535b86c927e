"""What the line mode needs to know of a game: its events and questions in words, and words as actions.

A game's lines are a module of functions, found by the game's name; ``Lines`` says which. Nothing here
cleans text: names are as they came, and the console neutralises every line it prints.
"""

from importlib import import_module
from types import ModuleType
from typing import Protocol, cast

from parlour_client.core.errors import WrongProtocol
from parlour_client.core.room import JoinedRoom
from parlour_protocol.messages import Offer, Over, Plain

GAMES = ("uno", "minesweeper")


class UnclearInput(Exception):
    """The words are no answer to what is open. The text says what would be."""


class Lines(Protocol):
    """The words of one game."""

    HELP: list[str]
    """How to answer, a few lines."""

    def event(self, room: JoinedRoom, event: Plain) -> str | None:
        """Return the line that tells ``event``, None if it needs no telling."""

    def state(self, room: JoinedRoom) -> list[str]:
        """Return the lines that tell how things stand, the score included; before a match, what will be played."""

    def board(self, room: JoinedRoom) -> list[str]:
        """Return the board as lines, to be shown before a question and at the end; none in a game without one."""

    def question(self, room: JoinedRoom) -> list[str]:
        """Return the prompt of the open question with its numbered choices."""

    def offer(self, room: JoinedRoom, offer: Offer) -> str | None:
        """Return the line that tells of an offer that has just been opened."""

    def action(self, action: Plain) -> str:
        """Return an action in words, as after "played for you: "."""

    def choose(self, room: JoinedRoom, text: str) -> tuple[int, Plain]:
        """Return the rid and action that ``text`` answers an open decision with. Raises Unclear."""

    def hand(self, room: JoinedRoom) -> str:
        """Return the line that tells what we hold, or how we stand in a game without a hand."""

    def review(self, room: JoinedRoom, over: Over) -> list[str]:
        """Return what is told of a match that is over besides the standings."""


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


def event_lines(room: JoinedRoom) -> list[str]:
    """Return the lines that tell what the last message told of the game."""
    lines: list[str] = []
    for event in room.events:
        if event.get("e") == "timeout":
            whose = "Your" if event["seat"] == room.seat else f"{room.name(event['seat'])}'s"
            lines.append(f"{whose} time is up.")
        elif event.get("e") == "addtime":
            whom = "You have" if event["seat"] == room.seat else f"{room.name(event['seat'])} has"
            lines.append(f"{whom} {event['ms'] // 1000} s more.")
        elif line := lines_for(room.game).event(room, event):
            lines.append(line)
    return lines

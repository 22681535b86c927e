"""A contest: every bot on every board. What has been played is kept when it is cut short."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TextIO

import attrs

from parlour_bots.arena.boards import Board
from parlour_bots.arena.progress import Progress
from parlour_bots.arena.runs import Played, played, tasks
from parlour_bots.arena.summary import Result
from parlour_bots.mistakes import MISTAKES_TOLD


@attrs.define
class Contest:
    """The bots, by the names that ``find`` takes and those they are told by, and the boards."""

    bots: Sequence[str]
    names: Sequence[str]
    boards: Sequence[Board]
    seed: int
    jobs: int = 1
    results: list[list[Result]] = attrs.field(init=False)
    """For each bot its results so far, in the order of the boards."""
    interrupted: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.results = [[] for _ in self.bots]

    def run(self, progress: Progress, write: Callable[[str, Result], None]) -> None:
        """Play all games; ``write`` is told each result as it comes. Ctrl-C ends it early. Raises BotFault."""
        games = tasks(len(self.bots), self.boards, self.seed)
        told = 0
        try:
            with closing(played(self.bots, games, self.jobs)) as endings:
                for game, ending in zip(games, endings, strict=True):
                    told = _complain(progress, ending, self.names[game.bot], told)
                    write(self.names[game.bot], ending.result)
                    self.results[game.bot].append(ending.result)
                    progress.step(self.names[game.bot], ending.result.won)
        except KeyboardInterrupt:
            self.interrupted = True

    def complete(self) -> list[list[Result]]:
        """Return the results of each bot on those boards that all have played."""
        boards = min(map(len, self.results))
        return [each[:boards] for each in self.results]


def writer(out: TextIO | None, bots: int) -> Callable[[str, Result], None]:
    """Return what writes each result as a line, at once, and who it was if there are several bots."""

    def write(name: str, result: Result) -> None:
        if out is not None:
            who = {"bot": name} if bots > 1 else {}
            out.write(json.dumps(result.line() | who) + "\n")
            out.flush()

    return write


def _complain(progress: Progress, ending: Played, name: str, told: int) -> int:
    """Tell the mistakes of a game, the first few of all in full. Returns how many have been told by now."""
    result = ending.result
    for text in ending.mistakes:
        told += 1
        if told <= MISTAKES_TOLD:
            progress.tell(text)
        elif told == MISTAKES_TOLD + 1:
            progress.tell("Further mistakes are only counted.")
    if result.stuck:
        progress.tell(f"{name} was stopped on board {result.id}: its last answers opened nothing. The board is lost.")
    return told

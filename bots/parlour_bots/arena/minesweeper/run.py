"""Run a Minesweeper contest, and report it. Ctrl-C keeps the results so far."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TextIO

import attrs

from parlour_bots.arena.isolation import ArenaBot, arena_bot
from parlour_bots.arena.losses import LostGame, file_of, keep
from parlour_bots.arena.measures import models
from parlour_bots.arena.minesweeper.game import ArenaBoard, play
from parlour_bots.arena.minesweeper.summary import BoardResult, Difference, Summary, difference, summary
from parlour_bots.arena.pool import Harness, PlayedGame, played
from parlour_bots.errors import MISTAKES_SHOWN, Mistake
from parlour_bots.loading import find
from parlour_bots.play.limits import Limits
from parlour_bots.sdk import BotSpec
from parlour_bots.tools.progress import ContestProgress
from parlour_bots.tools.reports import Report
from parlour_client.core.errors import writing
from parlour_games.plural import counted
from parlour_protocol.messages import Plain

GAME = "minesweeper"


@attrs.frozen
class Task:
    """One game: the bot, the board and its number, and the seed of ``turn.rng``."""

    bot: int
    board: ArenaBoard
    number: int
    seed: str


def harness(
    bots: Sequence[str], *, valued: bool = False, limits: Limits | None = None, kept: Path | None = None
) -> Harness[Task, BoardResult]:
    """Return how these bots, arguments of ``find``, play their boards.

    ``kept``: the folder for match files of games that the first bot loses.
    """
    return Harness(partial(_bots, bots, limits), partial(_play, valued=valued, kept=kept))


def _bots(bots: Sequence[str], limits: Limits | None) -> list[ArenaBot]:
    return [loaded(bot, limits) for bot in bots]


def _play(specs: Sequence[BotSpec], task: Task, *, valued: bool, kept: Path | None) -> PlayedGame[BoardResult]:
    mistakes: list[str] = []

    def report(mistake: Mistake) -> None:
        if len(mistakes) < MISTAKES_SHOWN:
            mistakes.append(str(mistake))

    lost = partial(keep, kept, task.number) if kept and not task.bot else None
    result = play(specs[task.bot], task.board, task.seed, report, valued=valued, lost=lost)
    return PlayedGame(result, tuple(mistakes))


def loaded(bot: str, limits: Limits | None) -> ArenaBot:
    """Return a bot that plays in this process, or with ``limits`` in one of its own. Raises NoBot, NotConfined."""
    return arena_bot(bot, GAME, limits) if limits else ArenaBot(find(bot, GAME))


def tasks(bots: int, boards: Sequence[ArenaBoard], seed: int) -> list[Task]:
    """Return the games board by board, each with all bots in turn and the same seed."""
    return [Task(bot, board, number, f"{seed}/{number}") for number, board in enumerate(boards) for bot in range(bots)]


@attrs.define
class BoardContest:
    """The bots, as arguments of ``find`` and by their names in the report, and the boards."""

    bots: Sequence[str]
    names: Sequence[str]
    boards: Sequence[ArenaBoard]
    seed: int
    jobs: int = 1
    valued: bool = False
    """Whether games are scored by the value of their endgame, too."""
    limits: Limits | None = None
    """The limits of third-party bots, if they are confined."""
    kept: Path | None = None
    """The folder for match files of games that the first bot loses."""
    results: list[list[BoardResult]] = attrs.field(init=False)
    """The results of each bot so far, in the order of the boards."""
    interrupted: bool = attrs.field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.results = [[] for _ in self.bots]

    def run(self, progress: ContestProgress, write: Callable[[str, BoardResult], None]) -> None:
        """Play all games, passing each result to ``write``; stop at Ctrl-C. Raises BotFault."""
        games = tasks(len(self.bots), self.boards, self.seed)
        try:
            playing = harness(self.bots, valued=self.valued, limits=self.limits, kept=self.kept)
            with closing(played(playing, games, min(self.jobs, len(games)))) as endings:
                for game, ending in zip(games, endings, strict=True):
                    _write_problems(progress, ending, self.names[game.bot])
                    write(self.names[game.bot], ending.outcome)
                    self.results[game.bot].append(ending.outcome)
                    progress.step([(self.names[game.bot], ending.outcome.won)])
        except KeyboardInterrupt:
            self.interrupted = True

    @property
    def lost(self) -> list[LostGame]:
        """The games that the first bot has lost, if they are kept."""
        lost = [number for number, result in enumerate(self.results[0]) if not result.won]
        return [LostGame(number, file_of(self.kept, number), 0) for number in lost] if self.kept else []

    def complete(self) -> list[list[BoardResult]]:
        """Return the results of each bot on the boards that all bots have played."""
        boards = min(map(len, self.results))
        return [each[:boards] for each in self.results]


def writer(out: TextIO | None, bots: int) -> Callable[[str, BoardResult], None]:
    """Return a function that writes each result as a line, with the bot's name if there are several."""

    def write(name: str, result: BoardResult) -> None:
        if out is not None:
            who = {"bot": name} if bots > 1 else {}
            with writing(Path(out.name)):
                out.write(json.dumps(result.line() | who) + "\n")
                out.flush()

    return write


def _write_problems(progress: ContestProgress, ending: PlayedGame[BoardResult], name: str) -> None:
    progress.write_mistakes(ending.mistakes)
    if ending.outcome.stuck:
        progress.write(f"{name} lost board {ending.outcome.id}: its last answers opened no cells.")


def of_contest(contest: BoardContest, game: str, again: str = "") -> Report:
    """Return the report of the boards played so far. ``again`` says how to repeat them."""
    results = contest.complete()
    played = len(results[0])
    data: Plain = {"game": game, "seed": contest.seed, "boards": len(contest.boards)}
    cut = f"interrupted after {played} of {counted(len(contest.boards), 'board')}" if contest.interrupted else ""
    if not played:
        return Report(cut, {**data, "games": 0, "interrupted": True})
    summaries = [summary(name, each) for name, each in zip(contest.names, results, strict=True)]
    differences = [difference(results[0], each) for each in results[1:]]
    lines = [_line(each) for each in summaries]
    lines += [_compared(contest.names[0], each.bot, how) for each, how in zip(summaries[1:], differences, strict=True)]
    used = [(one.bot, one.usage, one.decision) for one in summaries if one.usage]
    lines += ["", models(used)] if used else []
    others = [{**one.plain(), "difference": how.plain()} for one, how in zip(summaries[1:], differences, strict=True)]
    data |= {**summaries[0].plain(), "others": others, "interrupted": contest.interrupted}
    return Report("\n".join(filter(None, [cut, *lines, again])), data)


def _line(one: Summary) -> str:
    text = (
        f"{one.bot} won {one.wins} of {one.games}: {one.rate:.1%} (95 % interval {one.low:.1%} to {one.high:.1%}), "
        f"{one.guesses:.1f} guesses per game\n  ms per game: median {one.typical:.1f}, p95 {one.p95:.1f}, "
        f"most {one.longest:.1f}; slowest move {one.longest_move:.1f}"
    )
    if one.value:
        mean, low, high = (f"{share:.1%}" for share in attrs.astuple(one.value))
        text += f"\n  by the value of the endgame: {mean} (95 % interval {low} to {high})"
    if one.mistakes:
        text += f"\n  {counted(one.mistakes, 'mistake')}, replaced by random moves"
    if one.stuck:
        text += f"\n  {counted(one.stuck, 'board')} lost because its answers no longer opened cells"
    return text


def _compared(first: str, bot: str, how: Difference) -> str:
    """Return the lead of the first bot over another, ``how`` being the difference of the other from the first."""
    lead = _lead(how.rate, how.low, how.high)
    text = (
        f"{first} against {bot}: {lead}, on {counted(how.games, 'board')}; "
        f"only {first} won {how.lost}, only {bot} {how.gained}; z = {0 - how.z:.2f}"
    )
    if how.value:
        text += f"\n  by the value of the endgame: {_lead(*attrs.astuple(how.value))}"
    return text


def _lead(rate: float, low: float, high: float) -> str:
    lead, least, most = (f"{100 * (0 - share):+.2f}" for share in (rate, high, low))
    return f"{lead} percentage points (95 % interval {least} to {most})"

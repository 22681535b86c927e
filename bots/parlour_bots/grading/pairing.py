"""Play a submission against a staff bot: every deal from both seats, kept in a file and played only once."""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import attrs

from parlour_bots.arena.engine.isolation import ArenaBot, BotProcess, arena_bot
from parlour_bots.arena.engine.pool import Harness, Played
from parlour_bots.arena.league import run
from parlour_bots.arena.league.game import Game, Outcome, Schedule, play
from parlour_bots.grading.inputs import CourseSettings, StaffBot, Submission
from parlour_bots.loading.loader import find
from parlour_bots.play.limits import Limits
from parlour_bots.play.runner import BotRunner
from parlour_bots.profiles import profile
from parlour_bots.sdk import BotSpec
from parlour_protocol.messages import Plain

_FORMAT = 1
_SCHEDULE = Schedule(2, 2)
_SHORT = 16


@attrs.frozen
class Pairing:
    """A submission and a staff bot, and what their games depend on."""

    submission: Submission
    staff: StaffBot
    settings: CourseSettings
    staff_digest: str | None
    """The digest of the staff bot's file, if it is one."""
    seed: int
    """The secret seed of the games."""

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.settings.deals * _SCHEDULE.a_deal

    def head(self) -> Plain:
        """Return everything that the results depend on. Points, thresholds and names do not change them."""
        settings = attrs.asdict(self.settings, filter=lambda field, value: field.name != "staff" and value != ())
        return {
            "arena": _FORMAT, "parlour": version("parlour"), **settings,
            "submission": self.submission.digest, "staff": self.staff.bot, "files": self.staff_digest,
            "deals": sha256(str(self.seed).encode()).hexdigest()[:_SHORT],
        }  # fmt: skip

    def file(self, results: Path) -> Path:
        """Return the file of the pairing's games."""
        key = sha256(json.dumps(self.head(), sort_keys=True).encode()).hexdigest()[:_SHORT]
        return results / "games" / f"{self.submission.name}-{key}.jsonl"

    def log(self, results: Path) -> Path:
        """Return the file of the faults in the games, one report for each of the first few of a game."""
        return self.file(results).with_suffix(".log")

    def replay(self, results: Path, *, lost: bool) -> Path:
        """Return the game file of the first game, or of the first one that the submission lost."""
        return self.file(results).with_suffix(".lost.game" if lost else ".first.game")

    def kept(self, results: Path) -> int:
        """Return the number of games in the file."""
        file = self.file(results)
        return max(0, file.read_bytes().count(b"\n") - 1) if file.exists() else 0


@attrs.frozen
class Desk:
    """The folder of the results, and the limits of all submissions."""

    results: Path
    limits: Limits


def outcomes(pairing: Pairing, desk: Desk, jobs: int) -> Iterator[Outcome]:
    """Yield the outcome of each game, playing what is not in the file yet. Raises NoBot, BotFault, NotConfined."""
    path = pairing.file(desk.results)
    path.parent.mkdir(parents=True, exist_ok=True)
    harness = Harness(partial(_bots, pairing, desk), partial(_play, pairing, desk.results))
    note = partial(_log, pairing.log(desk.results))
    return run.outcomes(harness, _SCHEDULE, pairing.settings.deals, jobs, note, path, pairing.head())


def _bots(pairing: Pairing, desk: Desk) -> list[ArenaBot]:
    """Load both bots."""
    settings, runner = pairing.settings, BotRunner(pairing.settings.budget)
    bots = _student(pairing, desk), arena_bot(pairing.staff.bot, settings.game)
    return [bot.limited(runner) for bot in bots]


def _student(pairing: Pairing, desk: Desk) -> ArenaBot:
    """Return the submission, which is never loaded in this process, whatever its name."""
    game, submission = pairing.settings.game, pairing.submission
    limits = desk.limits.with_own(str(submission.path))
    if submission.is_program:
        return ArenaBot(find(submission.bot, game, limits))
    process = BotProcess(submission.bot, game, limits)
    return ArenaBot(process.load(), close=process.close)


def _play(pairing: Pairing, results: Path, specs: Sequence[BotSpec], game: Game) -> Played[Outcome]:
    """Play one game, and keep its file if it is the first one, or the first that the submission lost."""
    settings, lines = pairing.settings, list[str]()
    options = {**profile(settings.game).contest, **settings.options}
    done = play(specs, game, pairing.seed, options, lines.extend)
    lost = not share(done.outcome)
    file = pairing.replay(results, lost=lost)
    if lines and (lost or game.number == 0) and not file.exists():
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return done


def _log(file: Path, ending: Played[Outcome]) -> None:
    """Add the mistakes in a game to the log of its pairing."""
    if ending.mistakes:
        with file.open("a", encoding="utf-8", newline="\n") as log:
            log.writelines(f"game {ending.outcome.game}: {mistake}\n" for mistake in ending.mistakes)


def share(outcome: Outcome) -> float:
    """Return the share of the win of the submission: a fault of its own loses the game."""
    seat = outcome.seats.index(0)
    return 0.0 if outcome.faults[seat] else outcome.share(seat)

"""Grade all submissions of a course: play each against the staff bots from both seats, and keep the results."""

import hmac
import json
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

import attrs

from parlour_bots.arena.isolation import ArenaBot, BotProcess, arena_bot
from parlour_bots.arena.league import run
from parlour_bots.arena.league.game import LeagueGame, LeagueOutcome, Schedule, play
from parlour_bots.arena.pool import Harness, PlayedGame
from parlour_bots.grading.inputs import CourseSettings, StaffBot, Submission
from parlour_bots.loading import FILE, NoBot, find, split
from parlour_bots.play.limits import Limits
from parlour_bots.play.runner import BotRunner
from parlour_bots.profiles import profile
from parlour_bots.sdk import BotSpec
from parlour_client.core.errors import Usage, writing
from parlour_client.core.printing import clean
from parlour_client.storage.private_files import read, write
from parlour_games.statistics import Deals, Interval
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
        """Return the match file of the first game, or of the first one that the submission lost."""
        return self.file(results).with_suffix(".lost.game" if lost else ".first.game")

    def kept(self, results: Path) -> int:
        """Return the number of games in the file."""
        file = self.file(results)
        return max(0, file.read_bytes().count(b"\n") - 1) if file.exists() else 0


def _bots(pairing: Pairing, limits: Limits) -> list[ArenaBot]:
    """Load both bots. The submission is never loaded in this process, whatever its name."""
    game, submission, runner = pairing.settings.game, pairing.submission, BotRunner(pairing.settings.budget)
    limits = limits.with_own(str(submission.path))
    if submission.is_program:
        student = ArenaBot(find(submission.bot, game, limits))
    else:
        process = BotProcess(submission.bot, game, limits)
        student = ArenaBot(process.load(), close=process.close)
    return [bot.limited(runner) for bot in (student, arena_bot(pairing.staff.bot, game))]


def _play(pairing: Pairing, results: Path, specs: Sequence[BotSpec], game: LeagueGame) -> PlayedGame[LeagueOutcome]:
    """Play one game, and keep its file if it is the first one, or the first that the submission lost."""
    settings, lines = pairing.settings, list[str]()
    options = {**profile(settings.game).contest, **settings.options}
    done = play(specs, game, pairing.seed, options, lines.extend)
    lost = not share(done.outcome)
    file = pairing.replay(results, lost=lost)
    if lines and (lost or game.number == 0) and not file.exists():
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
    return done


def _log(file: Path, ending: PlayedGame[LeagueOutcome]) -> None:
    """Add the mistakes in a game to the log of its pairing."""
    if ending.mistakes:
        with file.open("a", encoding="utf-8", newline="\n") as log:
            log.writelines(f"game {ending.outcome.game}: {mistake}\n" for mistake in ending.mistakes)


def share(outcome: LeagueOutcome) -> float:
    """Return the submission's share of the win. Its own fault loses the game."""
    seat = outcome.seats.index(0)
    return 0.0 if outcome.faults[seat] else outcome.share(seat)


_BYTES = 16


def seed_of_deals(results: Path, seed: int) -> int:
    """Return the seed of all games. Raises Usage.

    It is derived from ``seed``, that of the settings, and from a secret in ``results``, which the first grading
    creates. From the seed of the settings alone, a submission could compute all hands.
    """
    file = results / "secret"
    secret = read(file)
    if not secret:
        secret = secrets.token_hex(_BYTES)
        with writing(file):
            results.mkdir(parents=True, exist_ok=True)
            write(file, secret)
    return int.from_bytes(hmac.digest(secret.encode(), str(seed).encode(), "sha256")[:_BYTES])


_LONGEST = 300


@attrs.define
class StaffScore:
    """The games of a submission against a staff bot."""

    pairing: Pairing
    played: int = 0
    wins: float = 0.0
    new: int = 0
    """The games that were played now."""
    failed: str | None = None
    """Why the submission cannot be loaded."""
    faults: Counter[str] = attrs.field(factory=Counter)
    _deals: Deals = attrs.field(factory=Deals)
    _half: float = 0.0

    @property
    def staff(self) -> StaffBot:
        """The staff bot."""
        return self.pairing.staff

    def add(self, outcome: LeagueOutcome) -> None:
        """Count a game."""
        won = share(outcome)
        self.played += 1
        self.wins += won
        self.faults.update(outcome.faults[outcome.seats.index(0)])
        self._half += won
        if self.played % len(outcome.seats) == 0:
            self._deals.add(self._half / len(outcome.seats))
            self._half = 0.0

    @property
    def rate(self) -> float:
        """Return the share of the games that were won."""
        return self.wins / self.played if self.played else 0.0

    @property
    def interval(self) -> Interval | None:
        """Return the 95 % interval of the rate, None without a whole deal."""
        return self._deals.within(0.0, 1.0) if self._deals.count else None

    @property
    def points(self) -> int:
        """Return the points: all of the staff bot's from its threshold on, once all games are played."""
        passed = self.played == self.pairing.games and self.wins * 100 >= self.staff.threshold * self.played
        return self.staff.points if passed else 0

    @property
    def comment(self) -> str:
        """Return the result in words."""
        if self.failed is not None:
            return f"{self.staff.name}: {self.failed}"
        if self.played < self.pairing.games:
            return f"{self.staff.name}: {self.played} of {self.pairing.games} games are played"
        faults = "".join(f", {count} {kind}" for kind, count in sorted(self.faults.items()))
        return f"{self.staff.name}: {self.rate:.0%} won, {self.staff.threshold}% needed{faults}"


@attrs.frozen
class Grade:
    """The result of one submission."""

    name: str
    scores: tuple[StaffScore, ...]

    @property
    def points(self) -> int:
        """Return the points against all staff bots."""
        return sum(score.points for score in self.scores)


@attrs.frozen
class Course:
    """The submissions, the settings, and the folder of the results."""

    submissions: Sequence[Submission]
    settings: CourseSettings
    results: Path
    file: Path
    """The file with the settings, which submissions must not see."""
    jobs: int = 1
    """The number of processes that play."""

    def scores(self) -> list[StaffScore]:
        """Return a score to fill for each pairing. Raises Usage, and NoBot for a staff bot that cannot be loaded."""
        seed = seed_of_deals(self.results, self.settings.seed)
        digests = {staff.name: _staff_digest(staff, self.settings.game) for staff in self.settings.staff}
        return [
            StaffScore(Pairing(each, staff, self.settings, digests[staff.name], seed))
            for each in self.submissions
            for staff in self.settings.staff
        ]

    def limits(self, *, confined: bool) -> Limits:
        """Return the limits of all submissions."""
        folders = {str(each.path.parent) for each in self.submissions}
        private = [str(path.resolve()) for path in (self.results, self.file)]
        staff = [str(file.resolve()) for each in self.settings.staff if (file := _file(each))]
        return Limits(
            memory=self.settings.memory,
            cpu=self.settings.cpu,
            confined=confined,
            readable=tuple(str(self.file.resolve().parent / path) for path in self.settings.readable),
            hidden=(*folders, *private, *staff),
        )

    def play(self, scores: Sequence[StaffScore], limits: Limits) -> Iterator[tuple[Pairing, float]]:
        """Play what is missing, fill the scores, and yield the share of the submission after each game.

        Raises NotConfined.
        """
        for score in scores:
            pairing = score.pairing
            if pairing.submission.main is None:
                score.failed = "the folder has no bot.py and no executable file bot"
                continue
            failure = pairing.file(self.results).with_suffix(".error")
            if failure.exists():
                score.failed = failure.read_text(encoding="utf-8")
                continue
            before = pairing.kept(self.results)
            try:
                for outcome in self._outcomes(pairing, limits):
                    score.add(outcome)
                    score.new += score.played > before
                    yield pairing, share(outcome)
            except NoBot as error:
                score.failed = clean(str(error).replace("\n", " "), _LONGEST)
                with writing(failure):
                    failure.write_text(score.failed, encoding="utf-8", newline="\n")

    def _outcomes(self, pairing: Pairing, limits: Limits) -> Iterator[LeagueOutcome]:
        """Yield the outcome of each game, playing what is not in the file yet. Raises NoBot, BotFault, NotConfined."""
        path = pairing.file(self.results)
        path.parent.mkdir(parents=True, exist_ok=True)
        harness = Harness(partial(_bots, pairing, limits), partial(_play, pairing, self.results))
        note = partial(_log, pairing.log(self.results))
        return run.outcomes(harness, _SCHEDULE, pairing.settings.deals, self.jobs, note, path, pairing.head())


def grades(scores: Sequence[StaffScore]) -> list[Grade]:
    """Return the grade of each submission, in the order of ``scores``, which go submission by submission."""
    by_name = groupby(scores, lambda score: score.pairing.submission.name)
    return [Grade(name, tuple(found)) for name, found in by_name]


def _staff_digest(staff: StaffBot, game: str) -> str | None:
    """Load a staff bot once, and return the digest of its file, None for one that is installed. Raises Usage."""
    found = arena_bot(staff.bot, game)
    found.close()
    if found.spec.game != game:
        raise Usage(f"{staff.name}: {staff.bot} plays {found.spec.game}, not {game}")
    file = _file(staff)
    return sha256(file.read_bytes()).hexdigest() if file else None


def _file(staff: StaffBot) -> Path | None:
    """Return the file of a staff bot, None for one that is installed."""
    file = FILE.fullmatch(split(staff.bot)[0])
    return Path(file["path"]) if file else None

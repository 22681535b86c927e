"""Run a contest: every deal from every seat, in worker processes, with an optional file.

The file holds the settings in the first line, then one line per game, in order.

An interrupted contest continues at the end of its file. An incomplete last line, left by a crash, is dropped and its
game played again.
"""

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

import attrs

from parlour_bots.arena.isolation import ArenaBot, arena_bot
from parlour_bots.arena.league.figures import LeagueStandings
from parlour_bots.arena.league.game import LeagueGame, LeagueOutcome, Schedule, play
from parlour_bots.arena.losses import LostGame, file_of, keep
from parlour_bots.arena.pool import Harness, PlayedGame, played
from parlour_bots.loading import LANGUAGE_MODEL, is_outside
from parlour_bots.play import foreign
from parlour_bots.play.limits import Limits
from parlour_bots.play.runner import BotRunner
from parlour_bots.profiles import profile
from parlour_bots.sdk import BotSpec
from parlour_bots.tools.progress import ContestProgress
from parlour_client.core.errors import Usage, writing
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Plain
from parlour_protocol.wire import strict

_LONGEST = 1 << 20
"""Bytes of the longest first line of a contest file. A device may have no end."""
_read = strict(LeagueOutcome)


@attrs.define
class Journal:
    """An open contest file: read it to the end, then write."""

    _path: Path
    _file: BinaryIO

    def read(self) -> Iterator[LeagueOutcome]:
        """Yield the outcomes in the file, then position it for the next one. Raises Usage."""
        self._file.seek(0)
        end = len(self._file.readline())
        for number, line in enumerate(self._file):
            if not line.endswith(b"\n"):
                break
            yield _outcome(self._path, number, line)
            end += len(line)
        self._file.seek(end)
        self._file.truncate()

    def write(self, outcome: LeagueOutcome) -> None:
        """Append an outcome and flush it. Raises Usage."""
        with writing(self._path):
            self._file.write(_line(outcome.plain()))
            self._file.flush()


def settings(path: Path) -> Plain | None:
    """Return the settings in a contest file, None if it has none yet. Raises Usage."""
    try:
        with path.open("rb") as file:
            first = file.readline(_LONGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Usage(f"{path} cannot be read: {error}") from None
    return _head(path, first) if first.endswith(b"\n") else None


@contextmanager
def opened(path: Path, wanted: Plain) -> Iterator[Journal]:
    """Open a contest file with these settings, creating it if necessary. Raises Usage."""
    present = settings(path)
    if present is not None:
        _same(path, present, wanted)
    with writing(path):
        file = path.open("r+b" if path.exists() else "w+b")
    try:
        if present is None:
            _start_over(path, file, wanted)
        yield Journal(path, file)
    finally:
        with writing(path):
            file.close()


def _start_over(path: Path, file: BinaryIO, wanted: Plain) -> None:
    """Write the settings to an empty file, or one with a part of them. Raises Usage for other files."""
    head = _line(wanted)
    file.seek(0)
    if not head.startswith(file.read(len(head))):
        raise Usage(f"{path} is not a contest file: --out would overwrite it")
    file.seek(0)
    with writing(path):
        file.write(head)
        file.flush()


def _head(path: Path, line: bytes) -> Plain:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict) or "arena" not in head:
        raise Usage(f"{path} is not a contest file: --out would overwrite it")
    return head


def _same(path: Path, present: Plain, wanted: Plain) -> None:
    for name in wanted | present:
        if present.get(name) != wanted.get(name):
            raise Usage(
                f"{path} has a contest with other settings: {name} is {_json(present.get(name))}, "
                f"not {_json(wanted.get(name))}. Choose another file"
            )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _outcome(path: Path, number: int, line: bytes) -> LeagueOutcome:
    try:
        outcome = _read(json.loads(line))
    except (BadMessage, ValueError, RecursionError) as error:
        raise Usage(f"{path}:{number + 2}: {error}") from None
    if outcome.game != number:
        raise Usage(f"{path}:{number + 2}: this is game {outcome.game}, not {number}")
    return outcome


def _line(plain: Plain) -> bytes:
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


BUDGET = 1_000
"""Milliseconds per answer of a third-party bot."""
_FORMAT = 1


@attrs.frozen
class LeagueSettings:
    """The settings that the results depend on, except the number of games, which can grow."""

    bots: tuple[str, ...]
    """The arguments of ``arena_bot``."""
    names: tuple[str, ...]
    """The names in the report."""
    seed: int
    players: int = 2
    match: int | None = None
    """The target of a match in points. None: each game is as short as the game's profile says."""
    rules: str | None = None
    """The preset of the rules, in a game that has some."""
    think: int | None = None
    """Milliseconds for bots with a parameter ``think``."""
    budget: int = BUDGET
    game: str = "uno"
    option: Plain = attrs.field(factory=dict)
    """Other options of the game."""

    @property
    def options(self) -> Plain:
        """Return the options of each match."""
        length = profile(self.game).contest if self.match is None else {"scoring": "race", "target": self.match}
        preset = {} if self.rules is None else {"preset": self.rules}
        return {**preset, **length, **self.option}

    def plain(self) -> Plain:
        """Return the settings for a contest file, with digests that show whether the bots have changed."""
        files = {bot: _digest(bot) for bot in self.bots}
        head = {"arena": _FORMAT, "parlour": version("parlour"), "game": self.game}
        own = attrs.asdict(self, filter=lambda field, value: field.name != "option" or bool(value))
        return {**head, **own, "bots": list(self.bots), "names": list(self.names), "files": files}


def _digest(bot: str) -> str | None:
    """Return the start of the SHA-256 of a bot's file, or of the files in its command; None without files."""
    if bot.startswith(LANGUAGE_MODEL):
        return None
    if is_outside(bot):
        words = foreign.split(bot.partition(":")[2])[1:]
    else:
        words = [bot.partition("(")[0].rpartition(".py")[0] + ".py"]
    content = b"".join(path.read_bytes() for path in map(Path, words) if path.is_file())
    return sha256(content).hexdigest()[:16] if content else None


def outcomes(
    harness: Harness[LeagueGame, LeagueOutcome],
    schedule: Schedule,
    deals: int,
    jobs: int,
    note: Callable[[PlayedGame[LeagueOutcome]], None],
    file: Path | None,
    head: Plain,
) -> Generator[LeagueOutcome, None, None]:
    """Yield the outcomes of all games: those in ``file``, which begins with ``head``, then those that are played now.

    ``note`` gets what is played before it is kept. Closing stops the processes. Raises Usage, NoBot, BotFault.
    """
    size, first = deals * schedule.a_deal, 0
    with opened(file, head) if file else nullcontext() as kept:
        for outcome in kept.read() if kept else ():
            first += 1
            if first <= size:
                yield outcome
        if first >= size:
            return
        with closing(played(harness, schedule.games(first, deals), min(jobs, size - first))) as endings:
            for ending in endings:
                note(ending)
                if kept:
                    kept.write(ending.outcome)
                yield ending.outcome


@attrs.define
class LeagueContest:
    """A contest: its settings, the minimum of games per line-up, and the standings so far."""

    settings: LeagueSettings
    games: int
    jobs: int = 1
    limits: Limits | None = None
    """The limits of third-party bots, if they are confined."""
    keep: Path | None = None
    """The folder for match files of games that the first bot loses."""
    schedule: Schedule = attrs.field(init=False)
    standings: LeagueStandings = attrs.field(init=False)
    lost: list[LostGame] = attrs.field(init=False, factory=list)
    """The games that the first bot has lost, if they are kept."""
    interrupted: bool = attrs.field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        self.schedule = Schedule(len(self.settings.bots), self.settings.players)
        self.standings = LeagueStandings(self.schedule)

    @property
    def deals(self) -> int:
        """Return the number of deals."""
        return self.schedule.deals(self.games)

    @property
    def size(self) -> int:
        """Return the number of games."""
        return self.deals * self.schedule.a_deal

    def run(self, progress: ContestProgress, out: Path | None) -> None:
        """Play the games that are not in the file ``out`` yet; stop at Ctrl-C. Raises Usage, NoBot, BotFault."""
        settings, names = self.settings, self.settings.names
        how = play if self.keep is None else partial(_play_and_keep, folder=self.keep)
        harness = Harness(
            partial(_bots, settings, self.limits), partial(how, seed=settings.seed, options=settings.options)
        )

        def note(ending: PlayedGame[LeagueOutcome]) -> None:
            progress.write_mistakes(ending.mistakes)

        try:
            with closing(outcomes(harness, self.schedule, self.deals, self.jobs, note, out, settings.plain())) as found:
                for outcome in found:
                    self.standings.add(outcome)
                    if self.keep and (seat := _lost_seat(outcome)) is not None:
                        self.lost.append(LostGame(outcome.game, file_of(self.keep, outcome.game), seat))
                    progress.step((names[bot], outcome.share(at)) for at, bot in enumerate(outcome.seats))
        except KeyboardInterrupt:
            self.interrupted = True


def _play_and_keep(
    specs: Sequence[BotSpec], game: LeagueGame, seed: int, options: Plain, folder: Path
) -> PlayedGame[LeagueOutcome]:
    """Play a game as ``play`` does, and write its match file to ``folder`` if the first bot lost. Raises Usage."""
    lines: list[str] = []
    found = play(specs, game, seed, options, lines.extend)
    if lines and _lost_seat(found.outcome) is not None:
        keep(folder, game.number, lines)
    return found


def _lost_seat(outcome: LeagueOutcome) -> int | None:
    """Return the seat in which the first bot lost the game; None if it did not play, or had a part of the win."""
    seat = outcome.seats.index(0) if 0 in outcome.seats else None
    return None if seat is None or outcome.share(seat) else seat


def _bots(settings: LeagueSettings, limits: Limits | None) -> list[ArenaBot]:
    runner = BotRunner(settings.budget)
    return [arena_bot(bot, settings.game, limits).limited(runner) for bot in settings.bots]

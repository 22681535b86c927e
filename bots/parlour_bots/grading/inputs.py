"""What is graded: the settings of a course, from a TOML file, and the submissions in a folder.

The settings name staff bots with points and thresholds. A submission is ``NAME.py``, or a folder ``NAME`` with
``bot.py`` or a program ``bot``.
"""

import os
import shlex
import tomllib
from hashlib import sha256
from pathlib import Path

import attrs

from parlour_bots.loading import PROGRAM
from parlour_client.core.errors import Usage
from parlour_client.core.options import checked
from parlour_games.game import BadOptions
from parlour_games.registry import games
from parlour_protocol.errors import BadMessage
from parlour_protocol.messages import Plain
from parlour_protocol.wire import strict


@attrs.frozen
class StaffBot:
    """A staff bot, the share of wins that passes it, and the points for that."""

    name: str
    bot: str
    threshold: int
    """Percent of the games that a submission must win."""
    points: int


@attrs.frozen
class CourseSettings:
    """The settings of a course that all submissions share."""

    seed: int
    staff: tuple[StaffBot, ...]
    game: str = "uno"
    deals: int = 50
    """Deals against each staff bot; each is played from both seats."""
    budget: int = 1_000
    """Milliseconds per answer."""
    memory: int = 1_024
    """MiB for a submission."""
    cpu: int = 60
    """Seconds of CPU time for a submission's process."""
    readable: tuple[str, ...] = ()
    """Files and folders that all submissions may read, relative to the file with the settings."""
    options: Plain = attrs.field(factory=dict)

    @property
    def most(self) -> int:
        """Return the points of a submission that passes every staff bot."""
        return sum(staff.points for staff in self.staff)


_read = strict(CourseSettings)


def load(path: Path) -> CourseSettings:
    """Read and check the settings. Raises Usage."""
    try:
        settings = _read(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise Usage(f"{path} cannot be read: {error}") from None
    except (BadMessage, ValueError) as error:
        raise Usage(f"{path}: {error}") from None
    if wrong := _wrong(settings, path.parent):
        raise Usage(f"{path}: {wrong}")
    return settings


def _wrong(settings: CourseSettings, folder: Path) -> str | None:
    """Return what is wrong with the settings of a file in ``folder``, if anything."""
    names = [staff.name for staff in settings.staff]
    if not names:
        return "it needs at least one [[staff]] with name, bot, threshold and points"
    if len(set(names)) < len(names):
        return "each [[staff]] needs a name of its own"
    if settings.game not in games():
        return f"game must be one of {', '.join(games())}, not {settings.game!r}"
    if min(settings.deals, settings.budget, settings.memory, settings.cpu) < 1:
        return "deals, budget, memory and cpu must be at least 1"
    if bad := next((staff for staff in settings.staff if not 0 < staff.threshold <= 100 or staff.points < 0), None):
        return f"{bad.name}: threshold is from 1 to 100 percent, and points are not negative"
    if missing := next((each for each in settings.readable if not (folder / each).exists()), None):
        return f"readable: {missing} does not exist"
    try:
        checked(games()[settings.game], settings.options)
    except BadOptions as error:
        return str(error)
    return None


_LEFT_OUT = ("__pycache__",)


@attrs.frozen
class Submission:
    """One student's submission."""

    name: str
    path: Path
    digest: str
    """The SHA-256 of its files and their names."""
    main: Path | None
    """The file to run; None if there is none."""

    @property
    def is_program(self) -> bool:
        """Return whether it runs as a program of its own."""
        return self.main is not None and self.main.suffix != ".py"

    @property
    def bot(self) -> str:
        """Return the name under which a loader finds the bot."""
        return f"{PROGRAM}{shlex.quote(str(self.main))}" if self.is_program else str(self.main)


def found(folder: Path) -> list[Submission]:
    """Return the submissions in ``folder``, by name. Raises Usage."""
    if not folder.is_dir():
        raise Usage(f"{folder} is not a folder with submissions")
    paths = [path for path in sorted(folder.resolve().iterdir()) if _counts(path)]
    if not paths:
        raise Usage(f"{folder} has no submissions: one NAME.py, or folder NAME with bot.py, for each student")
    names = [path.stem for path in paths]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Usage(f"{folder} has two submissions of {twice}: keep the file or the folder")
    return [Submission(path.stem, path, _digest(path), _main(path)) for path in paths]


def _counts(path: Path) -> bool:
    hidden = path.name.startswith((".", "_"))
    return not hidden and not path.is_symlink() and (path.is_dir() or path.suffix == ".py")


def _main(path: Path) -> Path | None:
    if path.is_file():
        return path
    found = next((each for each in (path / "bot.py", path / "bot") if each.is_file()), None)
    return found if found and (found.suffix == ".py" or os.access(found, os.X_OK)) else None


def _digest(path: Path) -> str:
    """Return the digest of a file, or of all files in a folder."""
    files = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
    digest = sha256()
    for file in files:
        name = file.relative_to(path.parent)
        if not set(name.parts) & set(_LEFT_OUT):
            digest.update(sha256(str(name).encode()).digest() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()

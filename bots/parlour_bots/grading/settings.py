"""The settings of a course: staff bots with points and thresholds, read from a TOML file."""

import tomllib
from pathlib import Path

import attrs

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
class Settings:
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


_read = strict(Settings)


def load(path: Path) -> Settings:
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


def _wrong(settings: Settings, folder: Path) -> str | None:
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

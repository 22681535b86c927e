"""``parlour backup``."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from cyclopts.config import Toml

from parlour_games.plural import counted
from parlour_server.cli.serve import CONFIG, USAGE
from parlour_server.config import Config
from parlour_server.store import path_of
from parlour_server.store.base import StoreError
from parlour_server.store.sqlite.backup import Copy, Progress, back_up

_EXAMPLES = """
Examples:

    parlour backup friday.db
    parlour backup /mnt/copies/games.db --force --store sqlite:///games.db
    parlour serve --store sqlite:///friday.db      goes on from the copy
"""

backup = App(
    name="parlour backup",
    help="Copy everything that a server remembers into one file. The server may go on meanwhile.",
    help_epilogue=_EXAMPLES,
    config=Toml(CONFIG, root_keys=["serve"], must_exist=False, allow_unknown=True),
    result_action="return_value",
)


@backup.default
def _backup(
    file: Path,
    /,
    *,
    store: Annotated[str, Parameter(env_var="PARLOUR_STORE")] = "",
    force: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Copy a store.

    Parameters
    ----------
    file:
        Where to put the copy.
    store:
        The store: sqlite:///FILE. What `parlour serve` uses unless told.
    force:
        Overwrite FILE if it is there.
    """
    try:
        source = path_of(Config(store=store).store_url())
        with _shown() as progress:
            copy = back_up(source, file.expanduser(), overwrite=force, progress=progress)
    except StoreError as error:
        sys.stderr.write(f"parlour backup: {error}\n")
        return USAGE
    sys.stdout.write(_told(source, file, copy))
    return 0


def _told(source: Path, file: Path, copy: Copy) -> str:
    rooms, matches = counted(copy.rooms, "room"), counted(copy.matches, "finished match", "finished matches")
    return (
        f"{source} -> {file}: {_size(copy.size)}, {rooms}, {matches}.\n"
        f"To go on from it: parlour serve --store sqlite:///{file}\n"
    )


def _size(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB" if count >= 100_000 else f"{count / 1_000:.1f} kB"


@contextmanager
def _shown() -> Iterator[Progress]:
    """Yield what shows the progress: a bar, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Copying", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)

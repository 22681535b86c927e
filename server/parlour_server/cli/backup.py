"""``parlour backup``: copy a store."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from parlour_games.plural import counted
from parlour_server.config import Config
from parlour_server.store.base import StoreError
from parlour_server.store.sqlite.backup import Copy, Progress, back_up
from parlour_server.store.urls import path_of

_USAGE = 2


def backup(
    file: Annotated[Path, Parameter(help="The file to write.")],
    /,
    *,
    store: Annotated[
        str, Parameter(env_var="PARLOUR_STORE", help="The store: sqlite:///FILE. Default: that of parlour serve.")
    ] = "",
    force: Annotated[bool, Parameter(negative="", help="Overwrite FILE if it exists.")] = False,
) -> int:
    """Copy a server's store into one file. The server can keep running.

    Examples:
    parlour backup friday.db
    parlour backup /mnt/copies/games.db --force --store sqlite:///games.db
    parlour serve --store sqlite:///friday.db      continue from the copy
    """
    try:
        source = path_of(Config(store=store).store_url())
        with _shown() as progress:
            copy = back_up(source, file.expanduser(), overwrite=force, progress=progress)
    except StoreError as error:
        sys.stderr.write(f"parlour backup: {error}\n")
        return _USAGE
    sys.stdout.write(_report(source, file, copy))
    return 0


def _report(source: Path, file: Path, copy: Copy) -> str:
    rooms, matches = counted(copy.rooms, "room"), counted(copy.matches, "finished match", "finished matches")
    return (
        f"{source} -> {file}: {_size(copy.size)}, {rooms}, {matches}.\n"
        f"To continue from it: parlour serve --store sqlite:///{file}\n"
    )


def _size(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB" if count >= 100_000 else f"{count / 1_000:.1f} kB"


@contextmanager
def _shown() -> Iterator[Progress]:
    """Yield a progress callback: a bar if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console  # a pipe does without
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Copying", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)

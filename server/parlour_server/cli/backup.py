"""``parlour server backup`` and ``parlour server restore``: copy a store, and put a copy in its place."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from parlour_games.plural import counted
from parlour_server.settings import ServerSettings, Store
from parlour_server.store.base import StoreError, path_of
from parlour_server.store.sqlite.backup import Copy, Progress, back_up
from parlour_server.store.sqlite.backup import restore as put_back

_USAGE = 2


def backup(
    file: Annotated[Path, Parameter(help="The file to write.")],
    /,
    *,
    store: Store = "",
    force: Annotated[bool, Parameter(negative="", help="Overwrite FILE if it exists.")] = False,
) -> int:
    """Copy a server's store into one file. The server can keep running.

    Examples:
    parlour server backup friday.db
    parlour server backup /mnt/copies/games.db --force --store sqlite:///games.db
    parlour server restore friday.db                      continue from the copy
    """
    try:
        source = path_of(ServerSettings(store=store).store_url())
        with _shown() as progress:
            copy = back_up(source, file.expanduser(), overwrite=force, progress=progress)
    except StoreError as error:
        sys.stderr.write(f"parlour server backup: {error}\n")
        return _USAGE
    back = f"parlour server restore {file}" + (f" --store {store}" if store else "")
    sys.stdout.write(f"{source} -> {file}: {_contents(copy)}.\nTo continue from it: {back}\n")
    return 0


def restore(
    file: Annotated[Path, Parameter(help="A file that parlour server backup wrote.")], /, *, store: Store = ""
) -> int:
    """Replace a server's store with a backup, while no server runs. The old store is kept under another name.

    Examples:
    parlour server restore friday.db
    parlour server restore friday.db --store sqlite:///games.db
    """
    try:
        target = path_of(ServerSettings(store=store).store_url())
        with _shown() as progress:
            copy, kept = put_back(file.expanduser(), target, progress=progress)
    except StoreError as error:
        sys.stderr.write(f"parlour server restore: {error}\n")
        return _USAGE
    sys.stdout.write(f"{file} -> {target}: {_contents(copy)}.\n")
    if kept is not None:
        sys.stdout.write(f"The old store is kept as {kept}.\n")
    return 0


def _contents(copy: Copy) -> str:
    rooms, matches = counted(copy.rooms, "room"), counted(copy.matches, "finished match", "finished matches")
    return f"{_size(copy.size)}, {rooms}, {matches}"


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

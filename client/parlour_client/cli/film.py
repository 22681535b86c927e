"""Write a film of a match: what one viewer saw, as SVG or as a recording for asciinema."""

import asyncio
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import attrs
from cyclopts import Parameter

from parlour_client.core.errors import OK, Usage, writing
from parlour_client.core.phrases import say
from parlour_client.core.printing import LONGEST_COMPLAINT, tell

_SIZE = re.compile(r"(\d{2,3})x(\d{2,3})")
_LEAST, _MOST = (60, 20), (300, 100)


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class FilmOptions:
    """What to film, and the files to write."""

    svg: Annotated[
        Path | None, Parameter(help="Write a film to this file, which browsers show; with --at, a picture.")
    ] = None
    cast: Annotated[Path | None, Parameter(help="Write a recording for asciinema to this file.")] = None
    round: Annotated[int | None, Parameter(help="Film only this round.")] = None
    size: Annotated[str, Parameter(help="Columns and rows of the film.")] = "80x24"

    @property
    def wanted(self) -> bool:
        """Whether there is a file to write."""
        return self.svg is not None or self.cast is not None


def write(file: Path, viewer: str | None, at: int | None, look: str | None, options: FilmOptions) -> int:
    """Write the film of a match, or a picture of it after ``at`` acts, and say what was written. Raises Fault."""
    from rich.console import Console
    from rich.progress import Progress

    from parlour_client.storage import settings
    from parlour_client.tui import svg  # line mode does without the screens
    from parlour_client.tui.filming import cast, film_of, still_of
    from parlour_client.tui.theme import look_for

    if at is not None and (options.cast is not None or options.round is not None):
        raise Usage(say("fault.film.still"))
    size, mine = _size(options.size), settings.load()
    shown = look_for({}, look or mine.look, mine.theme)
    for path in filter(None, (options.svg, options.cast)):
        with writing(path):
            path.parent.stat()  # before the work
    console = Console(file=sys.stderr)  # the screens redirect what is printed while they run
    with _on_disk(file) as path, Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(say("line.film.doing"), total=None)

        def report(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)

        if at is not None:
            picture = svg.still(asyncio.run(still_of(path, size, shown, viewer, at)))
            return _save(options.svg, picture)
        film = asyncio.run(film_of(path, size, shown, viewer, options.round, report))
    seconds = sum(ms for _, ms in film) / 1_000
    if options.cast is not None:
        _save(options.cast, cast(film, f"parlour replay {file.name}"), seconds)
    return _save(options.svg, svg.film(film), seconds) if options.svg is not None else OK


def _save(path: Path | None, text: str, seconds: float | None = None) -> int:
    assert path is not None
    content = text.encode()
    with writing(path):
        path.write_bytes(content)
    lasts = None if seconds is None else round(seconds)
    tell([say("line.film.written", path=path, kb=round(len(content) / 1e3), s=lasts)], LONGEST_COMPLAINT)
    return OK


def _size(said: str) -> tuple[int, int]:
    """Return columns and rows. Raises Usage."""
    found = _SIZE.fullmatch(said)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(least <= each <= most for least, each, most in zip(_LEAST, size, _MOST, strict=True)):
        least, most = ("x".join(map(str, each)) for each in (_LEAST, _MOST))
        raise Usage(say("fault.film.size", said=ascii(said[:20]), least=least, most=most))
    return size


@contextmanager
def _on_disk(file: Path) -> Iterator[Path]:
    """Yield the path of a file that can be read several times, which standard input cannot."""
    if str(file) != "-":
        yield file
        return
    with TemporaryDirectory(prefix="parlour-") as folder:
        path = Path(folder, "match.jsonl")
        with path.open("wb") as kept:
            shutil.copyfileobj(sys.stdin.buffer, kept)
        yield path

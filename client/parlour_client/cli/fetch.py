"""Game files from a server to one's own disk: ``save`` in the line mode, ``parlour games fetch``."""

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Annotated

import attrs
from cyclopts import Parameter
from platformdirs import user_data_path

from parlour_client.cli.rooms import Server
from parlour_client.core.errors import OK, Usage
from parlour_client.core.queries import ask, visiting
from parlour_client.core.sanitize import clean
from parlour_client.core.url import DEFAULT_URL
from parlour_protocol.messages import File, FileLines

_DIGEST = re.compile("[0-9a-f]{64}")
_GAME = re.compile("[a-z0-9_-]{1,32}")
_SHOWN = 12


@attrs.define
class Download:
    """A game file on its way, page by page. ``to`` None: it is named after the match, in ``folder``."""

    digest: str
    to: Path | None = None
    lines: list[str] = attrs.field(factory=list)
    done: bool = False

    def ask(self) -> File:
        """Return the request for the next page."""
        return File(self.digest, len(self.lines))

    def take(self, page: FileLines) -> None:
        """Take in a page."""
        self.lines += page.lines
        self.done = page.after is None or not page.lines

    @property
    def path(self) -> Path:
        """Where the file is written. No name in it comes from the server unless it is harmless."""
        return self.to.expanduser() if self.to else folder() / f"{self._game()}-{self.digest[:_SHOWN]}.jsonl"

    def write(self) -> list[str]:
        """Write the file and return the lines that tell so. Raises Usage, above all where a file is already."""
        path = self.path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{line}\n" for line in self.lines)
        except OSError as error:
            there = isinstance(error, FileExistsError) and path.exists()
            why = "is there already; name another file" if there else f"cannot be written: {error.strerror}"
            raise Usage(f"{path} {why}") from None
        return [f"Saved as {path}", f"Check it with: parlour verify {path} --digest {self.digest}"]

    def _game(self) -> str:
        try:
            game = json.loads(self.lines[0])["game"]
        except (ValueError, LookupError, TypeError):
            game = ""
        return game if isinstance(game, str) and _GAME.fullmatch(game) else "match"


def folder() -> Path:
    """Return the folder for game files."""
    return user_data_path("parlour", appauthor=False) / "games"


def fetch(
    digest: Annotated[str, Parameter(help="The digest that was told at the end of the match.")],
    /,
    *,
    server: Server = DEFAULT_URL,
    to: Annotated[Path | None, Parameter(help="The file to write. Default: named after the match.")] = None,
) -> int:
    """Get the file of a finished match from a server. What is there already is never overwritten."""
    if not _DIGEST.fullmatch(digest):
        raise Usage(f"{digest[:70]!a} is no digest: 64 hex digits")
    download = Download(digest, to)
    asyncio.run(_fetch(server, download))
    sys.stdout.writelines(f"{clean(line)}\n" for line in download.write())
    return OK


async def _fetch(server: str, download: Download) -> None:
    async with visiting(server) as connection:
        while not download.done:
            download.take(await ask(connection, download.ask(), FileLines))

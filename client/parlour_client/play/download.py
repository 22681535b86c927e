"""A game file on its way from a server to this machine."""

import json
import re
from pathlib import Path

import attrs
from platformdirs import user_data_path

from parlour_client.core.errors import Usage
from parlour_protocol.messages import File, FileLines

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

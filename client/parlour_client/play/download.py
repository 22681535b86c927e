"""Download a match file from a server, page by page."""

import json
import re
from pathlib import Path

import attrs
from platformdirs import user_data_path

from parlour_client.core.errors import writing
from parlour_client.core.phrases import say
from parlour_protocol.messages import File, FileLines

_GAME = re.compile("[a-z0-9_-]{1,32}")
_SHOWN = 12


@attrs.define
class Download:
    """A match file being downloaded. Without ``to`` it is named after the match and stored in ``folder``."""

    digest: str
    to: Path | None = None
    lines: list[str] = attrs.field(factory=list)
    done: bool = False

    def ask(self) -> File:
        """Return the request for the next page."""
        return File(self.digest, len(self.lines))

    def take(self, page: FileLines) -> None:
        """Add a page."""
        self.lines += page.lines
        self.done = page.after is None or not page.lines

    @property
    def path(self) -> Path:
        """The path of the file. The server's text is used in it only if it is a valid name of a game."""
        return self.to.expanduser() if self.to else folder() / f"{self._game()}-{self.digest[:_SHOWN]}.jsonl"

    def write(self) -> list[str]:
        """Write the file and return the lines to show. Raises Usage, also if the file exists."""
        path = self.path
        with writing(path):
            if self.to is None:
                path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{line}\n" for line in self.lines)
        return [say("line.saved", path=path), say("line.verify", path=path, digest=self.digest)]

    def _game(self) -> str:
        try:
            game = json.loads(self.lines[0])["game"]
        except (ValueError, LookupError, TypeError):
            game = ""
        return game if isinstance(game, str) and _GAME.fullmatch(game) else "match"


def folder() -> Path:
    """Return the folder for match files."""
    return user_data_path("parlour", appauthor=False) / "games"

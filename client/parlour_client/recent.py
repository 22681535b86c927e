"""The servers that were lately visited: a file of URLs, one a line, the latest first."""

import contextlib
from pathlib import Path

from platformdirs import user_state_path

KEPT = 5


def recent(folder: Path | None = None) -> list[str]:
    """Return the URLs of the servers that were lately visited; none if there is no such file to be read."""
    try:
        return _file(folder).read_text(encoding="utf-8").split()[:KEPT]
    except (OSError, UnicodeDecodeError):
        return []


def remember(url: str, folder: Path | None = None) -> None:
    """Put ``url`` first. If that cannot be written, nothing is remembered."""
    urls = [url, *(known for known in recent(folder) if known != url)][:KEPT]
    with contextlib.suppress(OSError):
        _file(folder).parent.mkdir(parents=True, exist_ok=True)
        _file(folder).write_text("".join(f"{each}\n" for each in urls), encoding="utf-8")


def _file(folder: Path | None) -> Path:
    return (folder or user_state_path("parlour")) / "servers.txt"

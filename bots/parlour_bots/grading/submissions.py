"""The submissions in a folder: ``NAME.py``, or a folder ``NAME`` with ``bot.py`` or a program ``bot``."""

import os
import shlex
from hashlib import sha256
from pathlib import Path

import attrs

from parlour_bots.loading.loader import PROGRAM
from parlour_client.core.errors import Usage

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

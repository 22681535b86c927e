"""Files for keys and tokens: readable by their owner only, written atomically, locked by one process at a time."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from parlour_client.core.errors import Usage, reading
from parlour_client.core.phrases import say
from parlour_protocol.file_lock import lock


def read(path: Path, *, private: bool = True) -> str | None:
    """Return the text of ``path``, None if it does not exist. Raises Usage.

    A ``private`` file of another user is refused. One that others could read is made private, with a warning on stderr.
    """
    absent = contextlib.suppress(FileNotFoundError, NotADirectoryError)
    with reading(path), absent, open(path, encoding="utf-8") as file:
        if private and os.name != "nt":
            _guard(path, file.fileno())
        return file.read()
    return None


def write(path: Path, text: str) -> None:
    """Replace the content of ``path`` atomically, with mode 0600. Raises OSError."""
    path = path.resolve()
    make_folder(path.parent)
    fd, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
    try:
        with open(fd, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(fd)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


@contextmanager
def locked(path: Path, *, wait: bool = False) -> Iterator[bool]:
    """Lock ``path``. Yields False if another process holds it and ``wait`` is off. Raises OSError.

    The lock ends with the process; the file stays.
    """
    make_folder(path.parent)
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        yield lock(file.fileno(), wait=wait)


def make_folder(path: Path) -> None:
    """Create a private folder unless it exists. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)


def _guard(path: Path, fd: int) -> None:
    found = os.fstat(fd)
    if found.st_uid != os.geteuid():
        raise Usage(say("fault.not_yours", path=path))
    if found.st_mode & 0o077:
        os.fchmod(fd, 0o600)
        sys.stderr.write(
            f"{path} was readable by others and is private now. If they may have read it, replace its content.\n"
        )

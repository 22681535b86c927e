"""Files that only their owner may read, for keys and tokens: written as a whole, held by one process at a time."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from parlour_client.core.errors import Usage

if os.name == "nt":
    import msvcrt
else:
    import fcntl


def read(path: Path) -> str | None:
    """Return what is in ``path``, None if it is not there. Raises Usage.

    A file of somebody else is not used. One that others could read is closed to them, and that is told on stderr.
    """
    try:
        with open(path, encoding="utf-8") as file:
            if os.name != "nt":
                _guard(path, file.fileno())
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        raise Usage(f"{path} is not a text file") from None
    except OSError as error:
        raise Usage(f"{path} cannot be read: {error.strerror}") from None


def write(path: Path, text: str) -> None:
    """Make ``text`` the content of ``path``, mode 0600, so that whatever happens it is the old or the new one.

    Raises OSError.
    """
    path = path.resolve()
    make_folder(path.parent)
    fd, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
    try:
        with open(fd, "w", encoding="utf-8") as file:
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
    """Hold the lock ``path``. False, if it is not to ``wait``: a living process holds it. Raises OSError.

    The lock ends with the process, however that ends; the file stays.
    """
    make_folder(path.parent)
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        try:
            if os.name == "nt":
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            else:
                fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except (BlockingIOError, PermissionError):
            yield False
        else:
            yield True


def make_folder(path: Path) -> None:
    """Make a folder, if need be, into which only its owner can look. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)


def _guard(path: Path, fd: int) -> None:
    found = os.fstat(fd)
    if found.st_uid != os.geteuid():
        raise Usage(f"{path} belongs to somebody else, so it is not used")
    if found.st_mode & 0o077:
        os.fchmod(fd, 0o600)
        sys.stderr.write(f"{path} could be read by others; now it cannot. If they may have, make what is in it anew.\n")

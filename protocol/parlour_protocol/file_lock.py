"""Locks of files, by which processes keep each other out."""

import errno
import os
import sys

_BYTE = 1 << 30
"""The byte that Windows locks: far behind the text of any lock, because no other process can read a locked byte."""


def lock(fd: int, *, wait: bool = False) -> bool:
    """Lock the file open as ``fd``, which must be writable, until it is closed or the process ends.

    Returns False if the file is locked already and ``wait`` is off. Raises OSError.
    """
    try:
        _lock(fd, wait)
    except (BlockingIOError, PermissionError):  # POSIX, Windows
        return False
    return True


if sys.platform == "win32":
    import msvcrt

    def _lock(fd: int, wait: bool) -> None:
        at = os.lseek(fd, 0, os.SEEK_CUR)
        os.lseek(fd, _BYTE, os.SEEK_SET)  # msvcrt locks at the position of the file
        try:
            while True:
                try:
                    return msvcrt.locking(fd, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                except OSError as error:
                    if error.errno != errno.EDEADLK:  # LK_LOCK gives up after ten seconds
                        raise
        finally:
            os.lseek(fd, at, os.SEEK_SET)

else:
    import fcntl

    def _lock(fd: int, wait: bool) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))

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
    return _lock(fd, wait)


if sys.platform == "win32":
    import msvcrt

    _LOCKED = (errno.EACCES, errno.EDEADLK, 0)
    """The errors for a file that is locked already: LK_NBLCK, LK_LOCK after ten seconds, and both under Wine."""

    def _lock(fd: int, wait: bool) -> bool:
        at = os.lseek(fd, 0, os.SEEK_CUR)
        os.lseek(fd, _BYTE, os.SEEK_SET)  # msvcrt locks at the position of the file
        try:
            while True:
                try:
                    msvcrt.locking(fd, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
                    return True
                except OSError as error:
                    if error.errno not in _LOCKED:
                        raise
                if not wait:
                    return False
        finally:
            os.lseek(fd, at, os.SEEK_SET)

else:
    import fcntl

    def _lock(fd: int, wait: bool) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True

"""Locks of files on Windows, against a stand-in for its ``msvcrt``. Other tests hold locks between real processes."""

import errno
import os
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from unittest.mock import Mock

import pytest

from parlour_protocol import file_lock

FOREVER = 3
"""How often LK_LOCK gives up here before the other process lets go."""


class Msvcrt:
    """``msvcrt.locking``: locks bytes from the position of the file, and gives up waiting after ten seconds.

    ``wine`` gives no number of the error.
    """

    LK_LOCK, LK_NBLCK = 1, 2

    def __init__(self, wine: bool) -> None:
        self.wine = wine
        self.locked: set[tuple[int, int]] = set()
        """Inodes and positions."""
        self.waited = 0

    def locking(self, fd: int, mode: int, count: int) -> None:
        byte = os.fstat(fd).st_ino, os.lseek(fd, 0, os.SEEK_CUR)
        assert count == 1
        if byte in self.locked and mode == self.LK_NBLCK:
            raise OSError(0 if self.wine else errno.EACCES, "Error")
        if byte in self.locked:
            self.waited += 1
            if self.waited == FOREVER:
                self.locked.clear()
            raise OSError(0 if self.wine else errno.EDEADLK, "Error")
        self.locked.add(byte)


@pytest.fixture(params=[False, True], ids=["windows", "wine"])
def msvcrt(request: pytest.FixtureRequest) -> Msvcrt:
    return Msvcrt(request.param)


@pytest.fixture
def lock(msvcrt: Msvcrt, monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """``file_lock.lock`` as Windows has it."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    spec = spec_from_file_location("file_lock_on_windows", file_lock.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[..., bool] = module.lock
    return found


def test_what_the_first_has_written_does_not_let_in_a_second(lock: Callable[..., bool], tmp_path: Path) -> None:
    with open(tmp_path / "lock", "a+b") as one, open(tmp_path / "lock", "a+b") as two:
        assert lock(one.fileno())
        one.write(b"pid 1\n")
        one.flush()
        two.seek(0, os.SEEK_END)
        assert not lock(two.fileno())
        assert two.tell() == len(b"pid 1\n")


def test_waiting_ends_only_with_the_lock(lock: Callable[..., bool], msvcrt: Msvcrt, tmp_path: Path) -> None:
    with open(tmp_path / "lock", "a+b") as one, open(tmp_path / "lock", "a+b") as two:
        assert lock(one.fileno())
        assert lock(two.fileno(), wait=True)
    assert msvcrt.waited == FOREVER


def test_another_error_is_raised(
    lock: Callable[..., bool], msvcrt: Msvcrt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(msvcrt, "locking", Mock(side_effect=OSError(errno.ENOLCK, "No locks available")))
    with open(tmp_path / "lock", "a+b") as one, pytest.raises(OSError, match="No locks"):
        lock(one.fileno(), wait=True)

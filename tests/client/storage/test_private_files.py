import os
import stat
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from parlour_client.core.errors import Usage
from parlour_client.storage import private_files


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_written_is_read_and_others_see_neither_file_nor_folder(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "secret"
    assert private_files.read(path) is None
    before = os.umask(0)
    try:
        private_files.write(path, "one\n")
        private_files.write(path, "two\n")
    finally:
        os.umask(before)
    assert private_files.read(path) == "two\n"
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    assert [each.name for each in path.parent.iterdir()] == ["secret"]


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret"
    private_files.write(path, "old")
    monkeypatch.setattr(os, "fsync", Mock(side_effect=OSError("no space left")))
    with pytest.raises(OSError, match="no space"):
        private_files.write(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    private_files.write(link, "x")
    assert link.is_symlink()
    assert (tmp_path / "real").read_text() == "x"


@pytest.mark.parametrize("bits", [0o644, 0o640, 0o602, 0o604, 0o601])
def test_a_file_that_is_open_is_closed_and_told(bits: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "secret"
    private_files.write(path, "x")
    path.chmod(bits)
    assert private_files.read(path) == "x"
    assert mode(path) == 0o600
    assert "was readable by others" in capsys.readouterr().err
    private_files.read(path)
    assert capsys.readouterr().err == ""


def test_a_file_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret"
    private_files.write(path, "x")
    owner = path.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(Usage, match="belongs to another user"):
        private_files.read(path)


def test_what_is_no_text_or_no_file_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Usage, match="not a text file"):
        private_files.read(tmp_path / "bytes")
    with pytest.raises(Usage, match="cannot be read"):
        private_files.read(tmp_path)


HOLD = """
import sys
from pathlib import Path
from parlour_client.storage.private_files import locked
with locked(Path(sys.argv[1])) as free:
    print(free, flush=True)
    sys.stdin.read()
"""


def test_a_lock_is_held_by_one_living_process(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "lock"
    pipe = subprocess.PIPE
    with subprocess.Popen((sys.executable, "-c", HOLD, str(path)), stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        with private_files.locked(path) as free:
            assert not free
        other.kill()
        other.wait(10)
    with private_files.locked(path) as free, private_files.locked(path) as twice:
        assert (free, twice) == (True, False)
    with private_files.locked(path) as free:
        assert free

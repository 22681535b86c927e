"""Pictures as files: SVG untouched, PNG with its words, and what cannot be drawn said before the work."""

import struct
import sys
from pathlib import Path

import pytest

from parlour_bots.arena import measures
from parlour_client.core.errors import Usage

DRAWN = measures.document(
    120, 40, "a title", ['<rect x="9" y="9" width="50" height="7"/>', measures.text(4, 20, "ada", "t")]
)
EMPTY = measures.document(120, 40, "a title", [])


def test_svg_is_written_as_it_is(tmp_path: Path) -> None:
    measures.check(tmp_path / "a.SVG")
    measures.write(tmp_path / "a.SVG", DRAWN)
    assert (tmp_path / "a.SVG").read_text() == DRAWN


def test_png_is_drawn_twice_as_large(tmp_path: Path) -> None:
    path, empty = tmp_path / "a.png", tmp_path / "empty.png"
    measures.write(path, DRAWN)
    measures.write(empty, EMPTY)
    assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", path.read_bytes()[16:24]) == (240, 80)
    assert path.read_bytes() != empty.read_bytes()


def test_other_files_are_refused_with_what_is_allowed(tmp_path: Path) -> None:
    with pytest.raises(Usage, match=r"\.svg or \.png, not 'a\.gif'"):
        measures.check(tmp_path / "a.gif")


def test_without_the_library_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(Usage, match="resvg-py>="):
        measures.check(tmp_path / "a.png")
    measures.check(tmp_path / "a.svg")


def test_without_a_font_it_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "_png", lambda picture: b"")  # this machine may have a font
    with pytest.raises(Usage, match="needs a font"):
        measures.check(tmp_path / "a.png")


def test_with_a_font_that_shows_it_is_not_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "_png", str.encode)  # this machine may have no font
    measures.check(tmp_path / "a.png")


def test_a_folder_that_is_not_there_is_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="cannot be written"):
        measures.write(tmp_path / "no" / "a.svg", DRAWN)

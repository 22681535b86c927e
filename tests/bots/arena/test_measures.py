import struct
import sys
from pathlib import Path
from random import Random

import pytest

from parlour_bots.arena import measures
from parlour_bots.arena.measures import Times
from parlour_client.core.errors import Usage

MS = 1_000_000


def test_percentiles_and_the_mean() -> None:
    times = Times.of([MS] * 98 + [50 * MS] * 2)
    assert times.mean == pytest.approx(1.98)
    assert times.percentile(50) == pytest.approx(1, rel=0.03)
    assert times.percentile(98) == pytest.approx(1, rel=0.03)
    assert times.percentile(99) == pytest.approx(50, rel=0.03)


def test_any_time_is_kept_to_within_three_per_cent() -> None:
    chance = Random(1)
    for _ in range(2000):
        ns = int(10 ** chance.uniform(0, 13))
        told = Times.of([ns]).percentile(50)
        assert told is not None
        assert told * MS == pytest.approx(ns, rel=0.032, abs=0.6)


def test_longer_times_never_fall_into_lower_buckets() -> None:
    buckets = [next(iter(Times.of([ns]).buckets)) for ns in range(3000)]
    assert buckets == sorted(buckets)


def test_numbers_bring_the_times_back_and_add_up() -> None:
    none, one, other = Times(), Times.of([5, 5, 800]), Times.of([800, 9 * MS])
    assert (none.mean, none.percentile(50)) == (None, None)
    assert [Times.read(times.numbers()) for times in (none, one)] == [none, one]
    one.add(Times.read(other.numbers()))
    assert one == Times.of([5, 5, 800, 800, 9 * MS])


DRAWN = measures.document(
    120, 40, "a title", ['<rect x="9" y="9" width="50" height="7"/>', measures.text(4, 20, "ada", "t")]
)


def test_svg_is_written_as_it_is(tmp_path: Path) -> None:
    measures.check(tmp_path / "a.SVG")
    measures.write(tmp_path / "a.SVG", DRAWN)
    assert (tmp_path / "a.SVG").read_text() == DRAWN
    with pytest.raises(Usage, match="cannot be written"):
        measures.write(tmp_path / "no" / "a.svg", DRAWN)
    with pytest.raises(Usage, match=r"\.svg or \.png, not 'a\.gif'"):
        measures.check(tmp_path / "a.gif")


def test_png_is_drawn_twice_as_large(tmp_path: Path) -> None:
    drawn, empty = tmp_path / "a.png", tmp_path / "empty.png"
    measures.write(drawn, DRAWN)
    measures.write(empty, measures.document(120, 40, "a title", []))
    assert drawn.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", drawn.read_bytes()[16:24]) == (240, 80)
    assert drawn.read_bytes() != empty.read_bytes()


def test_without_the_library_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(Usage, match="resvg-py>="):
        measures.check(tmp_path / "a.png")
    measures.check(tmp_path / "a.svg")


def test_without_a_font_it_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "_png", str.encode)  # as with a font, which this machine may lack
    measures.check(tmp_path / "a.png")
    monkeypatch.setattr(measures, "_png", lambda picture: b"")
    with pytest.raises(Usage, match="needs a font"):
        measures.check(tmp_path / "a.png")

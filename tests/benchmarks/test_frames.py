"""Frames stay as small as they have to be; what weighs them plays whole matches."""

import pytest
from benchmarks import frames
from benchmarks.table import Target


def test_frames_are_small_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MATCHES", 1)
    targets = [each for each in frames.measure() if isinstance(each, Target)]
    assert [each.must for each in targets] == [300, 450, 800]
    assert [each for each in targets if each.verdict == "MISSED"] == []
    assert min(each.value for each in targets) > 100

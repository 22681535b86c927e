"""The size of frames over a whole match stays within the targets."""

import pytest
from benchmarks import frames
from benchmarks.results import Target


def test_frame_sizes_meet_their_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MATCHES", 1)
    targets = [each for each in frames.measure() if isinstance(each, Target)]
    assert [each.must for each in targets] == [300, 450, 800]
    assert [each for each in targets if each.verdict == "MISSED"] == []
    assert min(each.value for each in targets) > 100

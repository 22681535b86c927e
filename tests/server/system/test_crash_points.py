"""Places at which a server can be told to die; ``crash/test_crash.py`` kills servers there."""

import os
import signal

import pytest

from parlour_server import system
from parlour_server.system import POINTS, armed_points, crash_point


def test_places_and_times() -> None:
    assert armed_points("") == {}
    assert armed_points("after-commit:17") == {"after-commit": 17}
    assert armed_points("after-commit:1,before-send:2") == {"after-commit": 1, "before-send": 2}


@pytest.mark.parametrize(
    "text", ["after-lunch:1", "after-commit", "after-commit:", "after-commit:0", "after-commit:-1"]
)
def test_senseless_places_are_refused_with_the_sensible_ones(text: str) -> None:
    with pytest.raises(ValueError, match=r"POINT:TIMES .*before-append, after-append, after-commit, before-send"):
        armed_points(text)


def test_process_dies_at_its_place_and_time(monkeypatch: pytest.MonkeyPatch) -> None:
    killed = list[int]()
    monkeypatch.setattr(os, "kill", lambda pid, number: killed.append(number))
    for times, armed in enumerate((armed_points(""), armed_points(f"{POINTS[1]}:2"))):
        monkeypatch.setattr(system, "_left", armed)
        for point in POINTS[:2] * 2:
            assert killed == []
            crash_point(point)
        assert killed == [signal.SIGKILL] * times

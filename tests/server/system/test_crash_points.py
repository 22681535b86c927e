"""Places at which a server can be told to die: named right, counted right, harmless when none is named."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.server import environment

from parlour_server import system
from parlour_server.system import POINTS, armed_points, crash_point

WALK = """
import sys
from pathlib import Path
from parlour_server.system import POINTS, crash_point
for _ in range(3):
    for point in POINTS:
        print(point, flush=True)
        crash_point(point)
"""


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


@pytest.mark.parametrize("point", POINTS)
def test_process_dies_at_its_place_and_time(point: str, tmp_path: Path) -> None:
    env = environment(tmp_path, PARLOUR_CRASH=f"{point}:2")
    done = subprocess.run((sys.executable, "-c", WALK), capture_output=True, text=True, env=env, check=False)
    assert done.returncode == -signal.SIGKILL
    assert done.stdout.split() == [*POINTS, *POINTS[: POINTS.index(point) + 1]]


def test_nothing_happens_where_no_place_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "_left", {})
    for point in POINTS:
        crash_point(point)
    assert system._left == {}

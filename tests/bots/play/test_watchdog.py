import subprocess
import sys
import threading
from itertools import count
from pathlib import Path

import pytest
from tests.bots.programs import turn
from tests.support.waiting import PATIENCE

from parlour_bots.play.time_limit import with_time_limit
from parlour_bots.play.watchdog import Watchdog, whereabouts
from parlour_bots.sdk import Choice, Turn, bot_spec

LOOP = """
from parlour_bots import run


def think(turn):
    while True:  # for ever
        pass


def play(turn):
    return think(turn) if turn.rid > 3 else 0


run(play)
"""
CHECK = "from parlour_bots.cli import bot, play; play.HANGS = 1.0; bot.bot(['check', 'loop.py', '--budget', '50'])"


def test_who_gives_no_sign_is_noticed_once() -> None:
    noticed = threading.Semaphore(0)
    with Watchdog(0.01, noticed.release):
        assert noticed.acquire(timeout=PATIENCE)
    assert not noticed.acquire(blocking=False)


@pytest.mark.parametrize(("signs", "noticed"), [(1, 0), (0, 1)])
def test_who_gives_signs_is_left_alone(signs: int, noticed: int) -> None:
    found: list[int] = []
    watchdog = Watchdog(60, lambda: found.append(1))
    looks = count()

    def wait(seconds: float) -> bool:
        for _ in range(signs):
            watchdog.reset()
        return next(looks) == 20

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watchdog._over, "wait", wait)  # nobody's clock: as many signs as looks
        watchdog._watch()
    assert len(found) == noticed


def test_whereabouts_are_a_line_of_the_author() -> None:
    here, go_on = threading.Event(), threading.Event()

    def play(turn: Turn) -> Choice:
        here.set()
        go_on.wait(PATIENCE)  # the author is here
        return 0

    thread = threading.Thread(
        target=with_time_limit(bot_spec(play, "one"), 50).make().play, args=(turn(),), daemon=True
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading, "excepthook", lambda _: None)  # it will have been late
        thread.start()
        assert here.wait(PATIENCE)
        place = whereabouts(thread)
        go_on.set()
        thread.join()
    assert place is not None
    assert place.where.startswith(f"{__file__}:")
    assert place.text == "go_on.wait(PATIENCE)  # the author is here"
    assert whereabouts(threading.main_thread()) is None


def test_check_of_a_bot_that_hangs_tells_where_and_exits_7(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(LOOP)
    done = subprocess.run([sys.executable, "-c", CHECK], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 7
    where, text = done.stderr.splitlines()
    assert where.endswith(
        (
            "loop.py:6: loop does not return: the check ends here",
            "loop.py:7: loop does not return: the check ends here",
        )
    )
    assert text in ("    while True:  # for ever", "    pass")

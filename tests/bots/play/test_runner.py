import itertools
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.bots.programs import turn
from tests.support.waiting import PATIENCE

from parlour_bots.errors import Late, definition
from parlour_bots.play import runner
from parlour_bots.play.runner import BotRunner
from parlour_bots.sdk import Choice, Turn, bot_spec


class Both:
    def play(self, turn: Turn) -> Choice:
        return turn.budget or 0

    def may(self, turn: Turn) -> Choice:
        return 100 + (turn.budget or 0)


def ticking(ms: int) -> "itertools.count[int]":
    """Return a clock on which everything takes so many milliseconds."""
    return itertools.count(step=ms * 1_000_000)


@pytest.mark.parametrize(("left", "budget"), [(None, 50), (80, 50), (30, 30)])
def test_turn_and_offer_tell_the_lesser_limit(left: int | None, budget: int) -> None:
    bot: Any = BotRunner(50).limit(bot_spec(Both, "both")).make()
    assert (bot.play(turn(left=left)), bot.may(turn(left=left))) == (budget, 100 + budget)
    assert not hasattr(BotRunner(50).limit(bot_spec(lambda turn: 0, "one")).make(), "may")


def test_later_answer_is_late() -> None:
    watched: list[int] = []
    runner, both = BotRunner(50), bot_spec(Both, "both")
    assert runner.limit(both, watched.append, ticking(50).__next__).make().play(turn()) == 50
    with pytest.raises(Late, match="the answer took 51 ms of 50 allowed"):
        runner.limit(both, watched.append, ticking(51).__next__).make().play(turn())
    assert watched == [50_000_000, 51_000_000]


def test_exception_is_watched_and_goes_through() -> None:
    def play(turn: Turn) -> Choice:
        raise KeyError("x")

    watched: list[int] = []
    bot = BotRunner(50).limit(bot_spec(play, "one"), watched.append, ticking(99).__next__).make()
    with pytest.raises(KeyError):
        bot.play(turn())
    assert len(watched) == 1
    assert definition(bot.play) == definition(play)


LOOP = """
def think(turn):
    while True:  # for ever
        pass

def play(turn):
    return think(turn) if turn.rid > 3 else 0
"""
CHECK = """
from parlour_bots.play import runner
from parlour_client.cli.main import main
runner.HANGS = 1.0
main(["bot", "check", "loop.py", "--budget", "50"])
"""


def test_who_gives_no_sign_is_noticed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "HANGS", 0.01)
    noticed = threading.Semaphore(0)
    with BotRunner(1).watch(noticed.release):
        assert noticed.acquire(timeout=PATIENCE)
    assert not noticed.acquire(blocking=False)


@pytest.mark.parametrize(("answers", "noticed"), [(1, 0), (0, 1)])
def test_who_answers_is_left_alone(answers: int, noticed: int) -> None:
    found: list[int] = []
    watching = BotRunner(50)
    bot = watching.limit(bot_spec(Both, "both")).make()
    looks = itertools.count()

    class Waits(threading.Event):
        """Nobody's clock: as many answers as looks."""

        def wait(self, timeout: float | None = None) -> bool:
            for _ in range(answers):
                bot.play(turn())
            return next(looks) == 20

    watching._watch(Waits(), 60, lambda: found.append(1))
    assert len(found) == noticed


def test_check_of_a_bot_that_hangs_tells_where_and_exits_7(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(LOOP)
    done = subprocess.run([sys.executable, "-c", CHECK], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 7
    where, text = done.stderr.splitlines()
    assert re.search(r"loop\.py:[34]: ", where)
    assert text in ("    while True:  # for ever", "    pass")

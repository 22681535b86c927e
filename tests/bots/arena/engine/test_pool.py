import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from io import StringIO
from pathlib import Path

import attrs
import pytest
from tests.bots.arena.layouts import ADJACENCY, ARTICLE, board, bot_file
from tests.support.processes import children, gone

from parlour_bots.arena.minesweeper.game import ArenaBoard, fresh
from parlour_bots.arena.minesweeper.run import harness, tasks
from parlour_bots.arena.minesweeper.summary import BoardResult
from parlour_bots.arena.pool import LIMIT, LimitedOutput, PlayedGame, ignore_sigint, limit_output, played
from parlour_client.core.errors import BotFault
from parlour_games.minesweeper.options import Options

BOARDS = list(fresh(Options(level="beginner"), "corner", 1, 12))
SMALL = [board("..", ".*", name=str(number)) for number in range(4)]


def all_of(bots: Sequence[str], boards: Sequence[ArenaBoard], jobs: int) -> list[PlayedGame[BoardResult]]:
    endings = played(harness(bots), tasks(len(bots), boards, 7), jobs)
    return [attrs.evolve(each, outcome=attrs.evolve(each.outcome, ms=0, longest=0)) for each in endings]


def test_games_go_board_by_board_and_all_bots_have_the_same_chances() -> None:
    games = [(game.board.id, game.bot, game.seed) for game in tasks(2, BOARDS[:2], 7)]
    one, other = ("beginner-1-0", "7/0"), ("beginner-1-1", "7/1")
    assert games == [(board, bot, seed) for board, seed in (one, other) for bot in (0, 1)]


def test_two_processes_come_to_the_same_as_one() -> None:
    alone = all_of([ARTICLE, ADJACENCY], BOARDS, 1)
    assert [each.outcome.id for each in alone[::2]] == [board.id for board in BOARDS]
    assert len({each.outcome.won for each in alone}) == 2
    assert all_of([ARTICLE, ADJACENCY], BOARDS, 2) == alone


@pytest.mark.long
def test_mistakes_come_from_other_processes_too(tmp_path: Path) -> None:
    bot = bot_file(tmp_path, "return 1 / 0")
    alone = all_of([bot], SMALL, 1)
    assert "foreign.py:5: ZeroDivisionError" in alone[0].mistakes[0]
    assert [each.outcome.mistakes for each in alone] == [len(each.mistakes) for each in alone]
    assert [each.outcome for each in all_of([bot], SMALL, 2)] == [each.outcome for each in alone]


@pytest.mark.long
def test_a_bot_that_ends_its_process_ends_the_contest(tmp_path: Path) -> None:
    with pytest.raises(BotFault, match="a worker process has exited"):
        all_of([bot_file(tmp_path, "os._exit(3)")], SMALL, 2)


@pytest.mark.long
def test_no_process_is_left_when_nobody_wants_more() -> None:
    before = set(children(os.getpid()))
    with closing(played(harness([ARTICLE]), tasks(1, BOARDS, 1), 2)) as endings:
        next(endings)
        started = set(children(os.getpid())) - before
    assert len(started) >= 2
    assert all(gone(pid) for pid in started if not is_tracker(pid))


def test_ctrl_c_waits_while_processes_are_born_and_never_reaches_them() -> None:
    asked = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
    born = ""

    def bear() -> None:
        nonlocal born
        with ignore_sigint():
            os.kill(os.getpid(), signal.SIGINT)
            born = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout

    with pytest.raises(KeyboardInterrupt):
        bear()
    assert born == "True\n"
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def is_tracker(pid: int) -> bool:
    """Whether it is the one that multiprocessing keeps for as long as this process lives."""
    return b"resource_tracker" in Path(f"/proc/{pid}/cmdline").read_bytes() if not gone(pid) else False


def test_what_is_printed_is_shown_until_it_is_too_much_of_both_streams() -> None:
    out = StringIO()
    noise = LimitedOutput(out, 10)
    assert [noise.write(text) for text in ("12345\n", "678901234", "more")] == [6, 9, 4]
    assert out.getvalue() == "12345\n6789\nFurther output of the bots is not shown.\n"
    out, before = StringIO(), (sys.stdout, sys.stderr)
    with limit_output(out):
        print("x" * LIMIT)
        sys.stderr.write("y")
    assert (sys.stdout, sys.stderr) == before
    assert out.getvalue().startswith("x" * LIMIT)
    assert "y" not in out.getvalue()[LIMIT:].replace("\nFurther output of the bots is not shown.\n", "")

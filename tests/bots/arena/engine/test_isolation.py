import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs
import pytest
from tests.bots.arena.layouts import bot_file
from tests.support.processes import children, gone

from parlour_bots.arena.isolation import ArenaBot, arena_bot, is_bundled
from parlour_bots.arena.league.game import FAULTS, LeagueOutcome, Schedule, play
from parlour_bots.arena.pool import PlayedGame
from parlour_bots.loading import NoBot
from parlour_bots.play.runner import BotRunner

BUDGET = 10_000
"""So long that a busy machine makes no answer late."""
SHORT = 400


@contextmanager
def guest(what: str) -> Iterator[ArenaBot]:
    """Let a bot in and, in the end, out; none of its processes is left."""
    before = set(children(os.getpid()))
    bot = arena_bot(what, "uno")
    try:
        yield bot
    finally:
        bot.close()
        assert all(gone(pid) for pid in set(children(os.getpid())) - before)


def against(bot: ArenaBot, *, games: int = 1, budget: int = BUDGET) -> list[LeagueOutcome]:
    """Return the outcomes of games that ``bot`` begins in the first seat."""
    other = arena_bot("painfirst", "uno")
    return [each.outcome for each in played(2, range(0, 2 * games, 2), bot, other, budget=budget)]


def played(seats: int, games: Iterable[int], *bots: ArenaBot, budget: int = BUDGET) -> list[PlayedGame[LeagueOutcome]]:
    schedule = Schedule(len(bots), seats)
    specs = [bot.spec if bot.bundled else BotRunner(budget).limit(bot.spec) for bot in bots]
    return [play(specs, schedule.game(number), 7, {"scoring": "single"}) for number in games]


@pytest.mark.parametrize(
    ("what", "ours"),
    [
        ("painfirst", True),
        ("uno.random", True),
        ("painfirst(x=1)", True),
        ("parlour_bots.profiles:play_at_random", True),
        ("nobody", True),
        ("./bot.py", False),
        ("bot.py:Name", False),
        ("bot.py(x=1)", False),
        ("some.module:play", False),
        ("./bot(x).py", False),
        ("parlour_bots.bot.py", False),
    ],
)
def test_only_what_comes_with_us_plays_among_us(what: str, ours: bool) -> None:
    assert is_bundled(what, "uno") is ours


def test_isolated_bot_plays_as_it_would_here(tmp_path: Path) -> None:
    """Its chances too are the same: it shall not matter where a bot plays."""
    with guest(bot_file(tmp_path, "return turn.rng.choice(turn.legal)")) as bot:
        there = against(bot, games=3)
    here = against(arena_bot("random", "uno"), games=3)
    assert [attrs.evolve(each, times=()) for each in there] == [attrs.evolve(each, times=()) for each in here]


def test_isolated_bot_keeps_its_own_state_at_each_seat(tmp_path: Path) -> None:
    path = tmp_path / "counting.py"
    path.write_text(
        "class Counting:\n"
        "    def __init__(self, step=1):\n"
        "        self.rids, self.step = [], step\n"
        "    def play(self, turn):\n"
        "        assert self.rids == sorted(self.rids) and turn.rid not in self.rids, self.rids\n"
        "        self.rids.append(turn.rid)\n"
        "        return 0, f'{len(self.rids)} of {self.step}'\n"
    )
    with guest(f"{path}(step=3)") as bot:
        assert (bot.spec.name, bot.takes) == ("counting(step=3)", ("step",))
        told = played(4, range(4), arena_bot("painfirst", "uno"), bot)
    assert all(faults == {} for each in told for faults in each.outcome.faults)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("while True: pass", "late"),
        ("os._exit(3)", "broken"),
        pytest.param("os.kill(os.getpid(), 9)", "broken", marks=pytest.mark.long),
        pytest.param("sys.exit(3)", "broken", marks=pytest.mark.long),
        ("return 1 / 0", "broken"),
        pytest.param("def deeper(): deeper()\ndeeper()", "broken", marks=pytest.mark.long),
        pytest.param("return 'x' * 10 ** 6", "broken", marks=pytest.mark.long),
        ("return {'card': turn}", "illegal"),
        pytest.param("return -1", "illegal", marks=pytest.mark.long),
        pytest.param("return None", "illegal", marks=pytest.mark.long),
        pytest.param("return float('nan')", "illegal", marks=pytest.mark.long),
    ],
)
def test_bot_that_fails_loses_its_game_and_nothing_else(body: str, kind: str, tmp_path: Path) -> None:
    with guest(bot_file(tmp_path, body)) as bot:
        (told,) = against(bot, budget=SHORT if kind == "late" else BUDGET)
    assert (told.faults, told.ranks) == (({kind: FAULTS}, {}), (2, 1))


@pytest.mark.parametrize(
    "body",
    [
        "print('{\"rid\": 1}')\nos.write(1, b'7\\n')\nassert sys.stdin.read() == ''\nreturn 0",
        "import parlour_games.uno.rules as rules\nrules.legal = lambda state: []\nreturn 0",
    ],
)
def test_prints_and_changes_of_a_bot_are_its_own(body: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with guest(bot_file(tmp_path, body)) as bot:
        (told,) = against(bot)
    assert told.faults == ({}, {})
    assert '{"rid": 1}' not in capfd.readouterr().out


def test_bot_that_ends_its_process_is_begun_anew(tmp_path: Path) -> None:
    marker = tmp_path / "crashed"
    body = f"if not os.path.exists({str(marker)!r}):\n    open({str(marker)!r}, 'w').close()\n    os._exit(3)\nreturn 0"
    with guest(bot_file(tmp_path, body)) as bot:
        first, second = against(bot, games=2)
    assert first.faults == ({"broken": 1}, {})
    assert second.faults == ({}, {})


def test_mistake_is_told_with_the_authors_lines(tmp_path: Path) -> None:
    body = "def helper():\n    return 1 / 0\nreturn helper()"
    with guest(bot_file(tmp_path, body)) as bot:
        (told,) = played(2, [0], bot, arena_bot("painfirst", "uno"))
    first, line, called, *_ = told.mistakes[0].splitlines()
    assert first.endswith("foreign.py:6: Broken: ZeroDivisionError: division by zero")
    assert line.strip() == "return 1 / 0"
    assert called.endswith("foreign.py:7: return helper()")


def test_bot_that_cannot_be_loaded_is_told_before_anything_is_played(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    for source, told in (
        ("import missing_module", "bad.py:1: import missing_module\n.*No module named 'missing_module'"),
        ("def play(:", "bad.py:1: def play"),
        ("raise SystemExit(4)", "SystemExit: 4"),
        ("class Bot:\n    def __init__(self): 1 / 0\n    def play(self, turn): return 0", "ZeroDivisionError"),
        ("x = 1", "no function play"),
    ):
        path.write_text(source)
        with pytest.raises(NoBot, match=told):
            arena_bot(str(path), "uno")


@pytest.mark.parametrize(("program", "faults"), [("yes 0", {}), ("false", {"broken": FAULTS})])
def test_programs_play_too(program: str, faults: dict[str, int]) -> None:
    (told,) = against(arena_bot(f"exec:{program}", "uno"))
    assert told.faults == (faults, {})


def test_offers_reach_an_isolated_bot(tmp_path: Path) -> None:
    path = tmp_path / "watchful.py"
    path.write_text(
        "class Watchful:\n"
        "    def play(self, turn):\n"
        "        return 0\n"
        "    def may(self, turn):\n"
        f"        open({str(tmp_path / 'asked')!r}, 'a').write(turn.legal[0]['do'] + ' ')\n"
        "        return 0\n"
    )
    (tmp_path / "forgetful.py").write_text(
        "from parlour_bots import run\n"
        "run(lambda turn: len(turn.legal) - 1 if len(turn.legal) < 3 else 1, call_uno=False)\n"
    )
    with guest(str(path)) as bot, guest(str(tmp_path / "forgetful.py")) as other:
        assert not other.spec.call_uno
        assert all(each.outcome.faults == ({}, {}) for each in played(2, range(8), bot, other))
    assert "catch" in (tmp_path / "asked").read_text()

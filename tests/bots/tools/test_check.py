import itertools
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from tests.bots.rooms import fail

from parlour_bots.errors import Mistake
from parlour_bots.loading import find
from parlour_bots.play.runner import BotRunner
from parlour_bots.sdk import BotSource, BotSpec, Choice, Turn, bot_spec
from parlour_bots.tools.check import ENOUGH_LATE, BotCheck, check, random_move

SOUND = [find("painfirst"), find("random"), bot_spec(random_move, "chance", "minesweeper")]
RUNNER = BotRunner(60_000)
"""Patient: how busy this machine is says nothing of a bot."""


def checked(
    source: BotSource, matches: int, tell: Callable[[Mistake], None] = fail, game: str = "uno", **limits: Any
) -> BotCheck:
    return check(bot_spec(source, "bot", game), None, range(matches), tell, limits.pop("runner", RUNNER), **limits)


@pytest.mark.parametrize("bot", SOUND, ids=lambda bot: bot.name)
def test_nothing_is_found_in_sound_bots(bot: BotSpec) -> None:
    found = check(bot, None, range(4), fail, RUNNER)
    assert found.sound, found
    assert (found.matches, found.late, found.broken, found.illegal, found.noise) == (4, 0, 0, 0, 0)
    assert found.differs is found.stopped is found.processes is None
    assert found.answers > 8
    assert 0 < found.ms_p50 <= found.ms_p99 <= found.ms_max < found.budget


def test_illegal_answers() -> None:
    told: list[Mistake] = []
    found = checked(lambda turn: 99 if len(turn.view["hand"]) == 7 else random_move(turn), 2, told.append)
    assert found.illegal == len(told) > 0
    assert "there is no action 99" in told[0].what
    assert (found.late, found.broken, found.differs, found.sound) == (0, 0, None, False)


def test_exceptions_on_rare_turns() -> None:
    def play(turn: Turn) -> Choice:
        if any(action["do"] == "challenge" for action in turn.legal):
            raise NotImplementedError
        return random_move(turn)

    told: list[Mistake] = []
    found = checked(play, 8, told.append)
    assert found.broken == len(told) > 0
    assert {mistake.what for mistake in told} == {"NotImplementedError: "}
    assert {mistake.place.text for mistake in told} == {"raise NotImplementedError"}


def test_late_answers_end_the_check_soon() -> None:
    class Slow:
        def play(self, turn: Turn) -> Choice:
            sum(range(1_000_000))  # far longer than a millisecond, on any machine
            return turn.legal[0]

    told: list[Mistake] = []
    found = checked(Slow, 8, told.append, runner=BotRunner(1))
    assert ENOUGH_LATE <= found.late == len(told) == found.answers
    assert (found.matches, found.broken, found.illegal, found.sound) == (1, 0, 0, False)
    assert (found.ms_p50 > 1, "def play" in told[0].place.text, found.differs) == (True, True, None)


def test_turn_tells_the_budget() -> None:
    def play(turn: Turn) -> Choice:
        assert turn.budget == 777
        return 0

    assert checked(play, 1, runner=BotRunner(777)).answers > 0


def test_chance_that_does_not_come_from_the_seed() -> None:
    calls = itertools.count()
    found = checked(lambda turn: turn.legal[next(calls) % 7 % len(turn.legal)], 4)
    assert re.match(r"under seed \d answer \d+ was first number \d+, then number \d+", found.differs or "")
    assert not found.sound


def test_noise_is_counted_and_gets_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    def play(turn: Turn) -> Choice:
        print(f"thinking about {turn.rid}")
        return 0

    found = checked(play, 2)
    assert (found.noise, found.printed) == (found.answers, "thinking about 1")
    assert found.sound
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("game", ["uno", "minesweeper"])
def test_memory_that_grows(game: str) -> None:
    kept: list[Turn] = []

    def play(turn: Turn) -> Choice:
        kept.append(turn)
        return random_move(turn)

    found = checked(play, 8, game=game)
    assert (found.leaks, found.sound) == (True, False)


def test_memory_beyond_the_limit() -> None:
    found = checked(lambda turn: random_move(turn) if bytearray(3 << 20) else 0, 1, mib=2)
    assert found.memory is not None
    assert found.memory > found.memory_limit == 2 << 20
    assert not found.sound


def test_match_that_cannot_go_on_stops_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour_bots.tools.check._ANSWERS", 500)
    found = checked(lambda turn: 0, 4, game="minesweeper")
    assert "not over after" in (found.stopped or "")
    assert (found.matches, found.sound) == (1, False)


def test_there_is_occasion_to_catch() -> None:
    offers: list[Turn] = []

    class Catcher:
        def play(self, turn: Turn) -> Choice:
            return turn.legal[0]

        def may(self, turn: Turn) -> None:
            offers.append(turn)

    checked(Catcher(), 8)
    assert offers


def test_processes_that_a_bot_starts_are_named_with_its_line() -> None:
    started: list[object] = []

    def play(turn: Turn) -> Choice:
        if not started:
            started.append(subprocess.run([sys.executable, "-S", "-c", ""], check=True))
        return random_move(turn)

    found = checked(play, 1)
    assert "subprocess.run" in (found.processes or "")
    assert not found.sound

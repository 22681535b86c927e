from typing import Any

import attrs
import pytest
from tests.bots.messages import joined, over, seats

from parlour_bots.arena.series import Series, report_series
from parlour_bots.play.in_process import FinishedMatch
from parlour_bots.tools.check import BotCheck
from parlour_bots.tools.reports import of_check, of_match, of_over, standings
from parlour_client.core.room import JoinedRoom
from parlour_protocol.messages import Act


def test_standings_are_ordered_by_rank_and_lined_up() -> None:
    lines = standings(["ada", "bartholomew", "cy"], [2, 1, 2], [20, 500, 20])
    assert lines == ["1. bartholomew   500 points", "2. ada            20 points", "2. cy             20 points"]


def test_who_plays_alone_wins_or_loses() -> None:
    assert standings(["ada"], [1], [71]) == ["ada won: 71 points"]
    assert standings(["ada"], [2], [7]) == ["ada lost: 7 points"]
    lost = FinishedMatch(9, ("ada",), (2,), (7,), ((Act("K7QD", 1, 0),),), {})
    assert of_match(lost, "minesweeper").data["winner"] is None


def test_match_report() -> None:
    acts = ((Act("K7QD", 1, 0), Act("K7QD", 2, 0)), (Act("K7QD", 1, 1),))
    match = FinishedMatch(9, ("a-0", "b-1"), (2, 1), (7, 510), acts, {"round": 4})
    report = of_match(match, "uno")
    assert report.text.splitlines()[-1] == "uno: 4 rounds, 3 moves. Repeat with --seed 9"
    told = {"game": "uno", "seed": 9, "rounds": 4, "moves": 3, "winner": "b-1"}
    assert report.data == {**told, "scores": {"a-0": 7, "b-1": 510}}
    assert "uno: 3 moves." in of_match(attrs.evolve(match, view={}), "uno").text


@pytest.mark.parametrize(("against", "told"), [("random", " against random"), (None, "")])
def test_series_report(against: str | None, told: str) -> None:
    report = report_series(Series(20, 8, 0.2188, 0.6134), "mine", against, 5)
    assert report.text == f"mine won 8 of 20{told}: 40.0% (95 % interval 21.9% to 61.3%). Repeat with --seed 5"
    assert report.data["rate"] == 0.4


FAULTS: dict[str, Any] = {**dict.fromkeys(("late", "broken", "illegal", "noise"), 0), "differs": None, "stopped": None}
TIMES: dict[str, Any] = {"budget": 1000, "ms_p50": 0.0134, "ms_p99": 2.5, "ms_max": 200.4}
CHECK = BotCheck(matches=40, answers=2000, printed="", growth=14, **FAULTS, **TIMES)


def test_check_report_of_a_sound_bot() -> None:
    report = of_check(CHECK, "mine")
    assert report.sound
    assert report.text.splitlines() == [
        "mine: 40 matches, 2000 answers",
        "late: 0, broken: 0, illegal: 0",
        "time to think: p50 13 µs, p99 2.5 ms, max 200 ms of 1000 ms",
        "plays the same under the same seed: yes",
        "printed on stdout: nothing",
        "memory: grows by 14 bytes an answer",
        "sound",
    ]
    assert report.data == {"bot": "mine", **attrs.asdict(CHECK), "sound": True}


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ({"late": 1}, "late: 1, broken: 0, illegal: 0"),
        ({"late": 1}, "plays the same under the same seed: not compared"),
        ({"broken": 1}, "late: 0, broken: 1, illegal: 0"),
        ({"illegal": 1}, "late: 0, broken: 0, illegal: 1"),
        ({"differs": "under seed 3 …"}, "NO: under seed 3 …. Use no randomness but turn.rng or the seed"),
        ({"growth": 2000}, "memory: grows by 2000 bytes an answer. Does the bot keep data from match to match?"),
        ({"stopped": "seed 3: …"}, "stopped: seed 3: …"),
    ],
)
def test_check_report_of_a_fault(found: dict[str, Any], line: str) -> None:
    report = of_check(attrs.evolve(CHECK, **found), "mine")
    assert (report.sound, report.data["sound"]) == (False, False)
    assert line in report.text
    assert report.text.endswith("\nNOT sound")


def test_check_report_of_what_is_no_fault() -> None:
    report = of_check(attrs.evolve(CHECK, noise=3, printed="hello\x1b[2J", growth=None), "mine")
    assert report.sound
    told = ("printed on stdout: 3 lines, the first: hello\ufffd[2J", "memory: not measured")
    assert [line for line in told if line not in report.text] == []


def test_report_of_a_match_on_a_server_is_by_name() -> None:
    entered = joined()
    entered.table["seats"] = seats("ada", "maria")
    report = of_over(JoinedRoom.of(entered), over(2, 1))
    assert report.text.splitlines() == ["1. maria    99 points", "2. ada      98 points", "digest d1"]
    told = {"game": "uno", "room": "K7QD", "rounds": 3, "winner": "maria", "digest": "d1"}
    assert report.data == {**told, "scores": {"ada": 98, "maria": 99}}

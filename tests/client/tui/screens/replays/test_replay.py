"""The replay screen: what a person sees of a match, and how they get about in it."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from tests.client.tui.match_files import WRONG, read, shown, written
from tests.client.tui.scripted_app import running
from tests.client.tui.snapshots import assert_plain, check, lines, missing, shows
from textual.worker import WorkerCancelled

from parlour_client import replays
from parlour_client.core.errors import Fault
from parlour_client.core.phrases import say
from parlour_client.play.entry import Entry
from parlour_client.replays import Timeline
from parlour_client.tui.app import MatchFile
from parlour_client.tui.games.minesweeper.board import BoardView
from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_client.tui.screens import replay_parts, saved_matches
from parlour_client.tui.screens.replay_parts import Scrubber
from parlour_client.tui.screens.sheets import ReviewScreen
from parlour_client.tui.screens.start import StartScreen
from parlour_client.tui.widgets.keys import label_of
from parlour_protocol.messages import Plain

MP = pytest.MonkeyPatch


@pytest.fixture
def uno(tmp_path: Path) -> Path:
    return written(tmp_path, "uno", 1)


@pytest.fixture
def rounds(tmp_path: Path) -> Path:
    return written(tmp_path, "uno", 2)


@pytest.fixture
def mines(tmp_path: Path) -> Path:
    return written(tmp_path, "minesweeper", 16)


def reviewed(monkeypatch: MP, told: list[Plain] | Fault) -> list[int | None]:
    """Let reviews be ``told``; return for which viewers they are asked."""
    asked: list[int | None] = []

    async def review(_: Path, viewer: int | None) -> list[Plain]:
        asked.append(viewer)
        if isinstance(told, Fault):
            raise told
        return told

    monkeypatch.setattr(replays, "review", review)
    return asked


async def test_a_match_begins_before_its_first_act_and_keys_go_by_one_by_ten_and_by_tenths(uno: Path) -> None:
    async with shown(uno) as seen:
        assert (
            missing(seen.app, "replay 4RJK", "seen by a spectator", "✓ verified", " 0 of 34", "Round 1. cleo deals")
            == []
        )
        await seen.press("pagedown")
        assert seen.screen.scrubber.at == 3, "a tenth, since there is one round"
        assert missing(seen.app, " 00:00  bert plays red 5.", "cleo's turn   match ▲ red or 5") == []
        for keys, at in ((["shift+right", "left"], 12), (["end"], 34), (["right", "home", "left"], 0)):
            await seen.press(*keys)
            assert seen.screen.scrubber.at == at


async def test_page_keys_leap_to_rounds_and_nothing_is_on_a_clock_any_more(rounds: Path) -> None:
    async with shown(rounds, 0) as seen:
        timeline = seen.screen.timeline
        assert timeline is not None
        assert len(timeline.rounds) == 2
        await seen.press("pagedown")
        assert seen.screen.scrubber.at == timeline.rounds[1]
        await seen.press("pagedown", "pageup", "pageup")
        assert seen.screen.scrubber.at == 0
        for position in timeline.positions:
            assert position.room.clocks == {}
            assert position.room.question is None or position.room.question.left is None


async def test_other_eyes_see_other_cards(uno: Path) -> None:
    async with shown(uno, size=(120, 40)) as seen:
        await seen.press("right", "v")
        assert seen.screen.scrubber.at == 1
        assert missing(seen.app, "seen by anna", "Your hand: red 1") == []
        for eyes in ("a spectator", "dora"):
            await seen.press("V")
            assert shows(seen.app, f"seen by {eyes}")


async def test_it_plays_by_itself_to_the_end_as_fast_as_plus_and_minus_say(mines: Path, monkeypatch: MP) -> None:
    monkeypatch.setattr(replay_parts, "PACE", 1e-6)  # the timer itself never comes
    async with shown(mines) as seen:
        await seen.press("plus", "plus", "plus", "plus", "space")
        assert shows(seen.app, "playing   8×")
        await seen.press(*["minus"] * 6)
        assert shows(seen.app, "playing 0.5×")
        for _ in range(7):
            seen.screen.scrubber.action_step(1)  # what its timer does
            await seen.settle()
        assert missing(seen.app, "7 of 7", "paused") == []
        await seen.press("r", "space")
        assert seen.screen.scrubber.at == 0  # from the beginning again
        await seen.press("space")
        assert shows(seen.app, "paused")


async def test_a_mouse_drags_the_bar(uno: Path) -> None:
    async with shown(uno) as seen:
        bar = seen.app.screen.query_one(Scrubber)
        right = bar._left + bar._length - 1
        await seen.pilot.mouse_down(Scrubber, offset=(right, 0))
        await seen.settle()
        assert seen.screen.scrubber.at == 34
        await seen.pilot.hover(Scrubber, offset=(bar._left, 0))
        await seen.settle()
        assert seen.screen.scrubber.at == 0
        await seen.pilot.mouse_up(Scrubber, offset=(bar._left, 0))
        await seen.pilot.hover(Scrubber, offset=(right, 0))
        await seen.settle()
        assert seen.screen.scrubber.at == 0


async def test_the_odds_are_shown_to_who_looks_on(mines: Path) -> None:
    async with shown(mines) as seen:
        await seen.press("right", "H")
        await seen.settle()
        assert any("ok" in line and "!!" in line for line in lines(seen.app))
        await seen.press("H")
        assert not any("!!" in line for line in lines(seen.app))


async def test_a_widget_says_which_of_its_actions_a_replay_has(monkeypatch: MP, uno: Path) -> None:
    done: list[str] = []
    monkeypatch.setattr(UnoWidget, "REPLAYED", frozenset({"odds"}))
    monkeypatch.setattr(UnoWidget, "action_odds", lambda _: done.append("odds"), raising=False)
    monkeypatch.setattr(UnoWidget, "action_zoom", lambda _: done.append("zoom"), raising=False)
    async with shown(uno, size=(140, 40)) as seen:
        assert shows(seen.app, label_of("replay.odds"))
        await seen.press("H", "z")
        assert done == ["odds"]


async def test_a_mistake_is_marked_once_the_match_is_reviewed(monkeypatch: MP, uno: Path) -> None:
    mistake = {"n": 3, "round": 1, "action": {"do": "draw"}, "best": {"do": "play", "card": 5}, "chance": 0.5,
               "cost": 0.031, "error": 0.002, "mistake": True}  # fmt: skip
    asked = reviewed(monkeypatch, [{"seat": 1, "name": "bert", "decisions": [mistake], "rounds": []}])
    remark = say("uno.review.remark", best="play red 3", cost="3.1 %")
    async with shown(uno, 1) as seen:
        await seen.press("right", "right", "right", "R")
        assert isinstance(seen.app.screen, ReviewScreen)
        assert shows(seen.app, "bert: 1 decision, 1 mistake")
        for keys, marked in ((["escape"], True), (["right"], False), (["home", "n"], True), (["n", "N"], True)):
            await seen.press(*keys)
            assert shows(seen.app, remark) is marked
        assert asked == [1]


async def test_why_a_match_cannot_be_reviewed(monkeypatch: MP, uno: Path) -> None:
    reviewed(monkeypatch, Fault("no such seat"))
    async with shown(uno) as seen:
        await seen.press("R")
        assert shows(seen.app, "no such seat")


@pytest.mark.parametrize("kind", [True, False])
async def test_boards_that_a_mine_ends_are_reviewed(monkeypatch: MP, mines: Path, kind: bool) -> None:
    reviewed(monkeypatch, [])
    async with shown(mines) as seen:
        assert seen.screen.position is not None
        table = seen.screen.position.room.table
        table["options"] = {"mode": "solo", "level": "beginner", "kind": kind}
        await seen.press("R")
        assert (seen.app.screen is seen.screen) == kind


async def test_a_match_is_played_on_from_where_the_replay_is(uno: Path) -> None:
    asked: list[tuple[Path, int, str | None]] = []

    @asynccontextmanager
    async def continuing(file: Path, act: int, viewer: str | None) -> AsyncIterator[Entry]:
        asked.append((file, act, viewer))
        raise Fault("the local server did not start")
        yield

    async with shown(uno, 1, continuing=continuing) as seen:
        await seen.press("right", "right", "P")
        assert asked == [(uno, 3, "1")]
        assert seen.app.screen is seen.screen  # the reason is shown over the replay
        assert any("did not start" in each.message for each in seen.app._notifications)
        await seen.press("end", "P")
        assert len(asked) == 1


async def test_a_match_is_not_played_on_without_bots(uno: Path) -> None:
    async with shown(uno) as seen:
        assert not shows(seen.app, label_of("replay.continue"))
        await seen.press("P")
        assert seen.app.screen is seen.screen


async def test_the_cursor_follows_and_the_board_cannot_be_played(mines: Path) -> None:
    async with shown(mines, 0) as seen:
        await seen.press("right", "right")
        board = seen.app.screen.query_one(BoardView)
        assert board.cursor == (0, 7)  # a8
        await seen.pilot.click(BoardView, offset=(3, 2))
        await seen.press("z", "right")
        assert seen.screen.scrubber.at == 3


async def test_the_stopwatch_goes_by_the_time_of_the_match(tmp_path: Path) -> None:
    path = written(tmp_path, "minesweeper", 5)
    async with shown(path) as seen:
        timeline = seen.screen.timeline
        assert timeline is not None
        at = next(at for at in range(len(timeline.positions)) if timeline.positions[at].ms >= 2_000)
        seen.screen.scrubber.go(at)
        await seen.settle()
        leapt = [line for line in lines(seen.app) if "◷" in line]
        seen.screen.scrubber.go(0)
        for _ in range(at):
            await seen.press("right")
        assert [line for line in lines(seen.app) if "◷" in line] == leapt
        assert "00:00" not in leapt[0]


async def test_the_end_tells_the_result_and_can_be_looked_beneath_and_the_log_is_a_key_away(uno: Path) -> None:
    async with shown(uno) as seen:
        await seen.press("end")
        assert seen.screen._results.next_view == "details"
        await seen.press("r")
        assert shows(seen.app, "✓ Fair")
        await seen.press("r")
        assert not seen.screen._results.covering
        assert not shows(seen.app, "the match ─")
        await seen.press("L")
        assert shows(seen.app, "the match ─")
        await seen.press("left", "right")
        assert seen.screen._results.next_view == "details"


async def test_a_file_that_is_wrong_is_said_to_be(uno: Path) -> None:
    async with shown(uno, verdict=WRONG) as seen:
        assert missing(seen.app, "✗ NOT VERIFIED", "line 7: the act was never legal") == []


async def test_help_tells_the_keys_and_what_was_proved(uno: Path) -> None:
    async with shown(uno, size=(100, 40)) as seen:
        await seen.press("question_mark")
        assert missing(seen.app, "an act back or on", "the deals follow from the secret") == []
        await seen.press("escape", "q")
        assert seen.app.return_value == 0


async def test_the_real_processes_read_and_verify(uno: Path) -> None:
    async with running(MatchFile(uno, "anna")) as (app, pilot):
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert shows(app, "seen by anna   ✓ verified")


async def test_a_file_that_cannot_be_read_ends_it_with_the_reason(tmp_path: Path) -> None:
    async with running(MatchFile(tmp_path / "none.jsonl")) as (app, pilot):
        with suppress(WorkerCancelled):  # the check ends with the screen
            await app.workers.wait_for_complete()
        await pilot.pause()
    assert app.return_value == 2
    assert "No such file" in str(app.fault)


async def test_saved_matches_are_listed_the_newest_first(monkeypatch: MP, tmp_path: Path) -> None:
    monkeypatch.setattr(saved_matches, "folder", lambda: tmp_path)
    older, newer = written(tmp_path, "uno", 1), written(tmp_path, "minesweeper", 16)
    broken = tmp_path / "uno-broken.jsonl"
    broken.write_text("nonsense\n")
    (tmp_path / "notes.txt").write_text("no match")
    for path, when in ((older, 1_000), (newer, 3_000), (broken, 2_000)):
        os.utime(path, (when, when))
    async with running(size=(250, 24)) as (app, pilot):
        await pilot.press("up", "up", "enter")
        seen = "\n".join(lines(app))
        told = ["Minesweeper solo custom: anna, lost", "uno-broken", "UNO: 1. "]
        places = [seen.index(words) for words in told]
        assert places == sorted(places)
        await pilot.press("down", "enter")
        with suppress(WorkerCancelled):
            await app.workers.wait_for_complete()
        await pilot.pause()
        assert shows(app, "line 1")
        await pilot.press("down", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert shows(app, "replay 4RJK")
        assert shows(app, "seen by anna")  # who has won, since maria was not there
        await pilot.press("q")
        assert shows(app, "▸ UNO: 1.")
        assert not shows(app, "line 1")


def test_ones_own_match_is_seen_by_ones_own_eyes(rounds: Path, mines: Path, tmp_path: Path) -> None:
    assert [saved_matches.eyes(rounds, me) for me in ("anna", "ANNA", "maria", "")] == [0, 0, 1, 1]  # bert has won
    assert saved_matches.eyes(mines, "maria") == 0
    (tmp_path / "other.jsonl").write_text('{"players": [{"name": 3}]}\n{}\n')
    assert saved_matches.eyes(tmp_path / "other.jsonl", "maria") is None
    assert saved_matches.eyes(tmp_path / "none.jsonl", "maria") is None


async def test_without_saved_matches_it_says_where_they_would_be(monkeypatch: MP, tmp_path: Path) -> None:
    monkeypatch.setattr(saved_matches, "folder", lambda: tmp_path / "none")
    async with running(size=(60, 24)) as (app, pilot):
        await pilot.press("up", "up", "enter")
        assert shows(app, "No match is saved: press S at its end.")
        assert str(tmp_path / "none") in "".join(line.strip() for line in lines(app))
        await pilot.press("enter", "escape")
        assert isinstance(app.screen, StartScreen)


def test_a_story_is_what_was_told_last(uno: Path) -> None:
    timeline = Timeline(read(uno))
    told = timeline.story(4, 3)
    assert told[-2:] == [timeline.positions[4].note, "cleo plays wild and names green."]
    assert len(told) == 3
    assert timeline.story(4, 100)[-3:] == told
    assert timeline.fair


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_it_looks_right(uno: Path, size: tuple[int, int]) -> None:
    async with shown(uno, "anna", size=size) as seen:
        await seen.press(*["right"] * 4)
        check(seen.app, "replay-uno-truecolour")


async def test_it_is_plain_and_whole_in_a_small_terminal(uno: Path) -> None:
    async with shown(uno, "anna", size=(60, 20), look="plain") as seen:
        await seen.press(*["right"] * 4)
        assert_plain(seen.app)
        assert missing(seen.app, "4 of 34", "q Back") == []


async def test_a_board_looks_right(mines: Path) -> None:
    async with shown(mines) as seen:
        await seen.press("right", "right", "H")
        check(seen.app, "replay-mines")

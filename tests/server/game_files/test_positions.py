"""Pages of match files with positions: what viewers saw, line by line, of finished matches only."""

import pytest
from tests.server.matches import Played, play

from parlour_protocol import messages as m
from parlour_server.game_files import replay
from parlour_server.game_files.decisions import answered
from parlour_server.game_files.reader import BadFile
from parlour_server.game_files.replay import messages


def all_positions(played: Played, seat: int | None) -> list[m.Plain]:
    """Return what ``seat`` saw after each line, from all pages."""
    lines: list[str] = []
    views: list[m.Plain] = []
    while len(lines) < len(played.lines):
        page = replay.page(played.log, len(lines), seat)
        assert len(page["lines"]) == len(page["views"]) > 0
        lines, views = lines + page["lines"], views + page["views"]
    assert lines == played.lines
    return views


@pytest.mark.parametrize("game", ["uno", "minesweeper", "fourinarow", "goofspiel"])
def test_positions_are_what_the_viewer_was_told(
    game: str, example_games: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "MAX_BYTES", 10_000)
    for seed in range(2):
        played = play(game, seed)
        for seat in played.heard:
            found = all_positions(played, seat)
            told = [
                message for message in messages(played.lines, seat) if isinstance(message, m.Update | m.Turn | m.Over)
            ]
            assert [event for each in found for event in each["events"]] == [
                event for each in told for event in each.events
            ]
            views = [each["view"] for each in found if "view" in each]
            assert views[-1] == told[-1].view
            assert all(view in [each.view for each in told] for view in views)


def test_who_may_not_see_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play("uno", 0)
    lines = played.log
    assert "seat" in replay.page(lines, 0, 99)["refused"]
    assert "not over" in replay.page(lines[:-1], 0, None)["refused"]
    unknown = [line.replace('"game":"uno"', '"game":"chess"') for line in lines]
    assert "chess" in replay.page(unknown, 0, None)["refused"]
    monkeypatch.setattr(replay, "MAX_REPLAYED", len(lines) - 1)
    assert str(len(lines)) in replay.page(lines, 0, None)["refused"]


@pytest.mark.usefixtures("example_games")
def test_nothing_of_a_match_that_is_not_over_is_shown() -> None:
    played = play("goofspiel", 0)
    lines = played.log
    for end in range(1, len(lines)):
        for seat in played.heard:
            assert replay.page(lines[:end], 0, seat).keys() == {"refused"}
        with pytest.raises(BadFile):
            next(answered(played.lines[:end], played.digest))

"""The talk beside a table: wrapped to the width that it has now, and clicked at for who speaks."""

import pytest
from tests.client.messages import PLAYING, joined, said, welcome
from tests.client.tui.scripted_app import Seen, at_table
from tests.client.tui.snapshots import missing

from parlour_client.play.room_events import Note
from parlour_client.tui.screens.people import ListBox

LONG = "Round 1. ada deals; green draw two is turned up. Your hand: red 1, yellow 1, yellow 3."
WIDEST = 25
"""Columns for words in a talk of 30."""


async def remark(seen: Seen) -> None:
    seen.screen.present(Note(LONG, "event"))
    await seen.settle()


@pytest.mark.parametrize("before", [(80, 24), (60, 20), (50, 15), (120, 40), (110, 32)])
async def test_lines_are_wrapped_to_the_width_whatever_it_was_before(before: tuple[int, int]) -> None:
    async with at_table(welcome(), joined(**PLAYING), size=before) as seen:
        await remark(seen)
        await seen.pilot.resize_terminal(110, 32)
        await remark(seen)
        lines = [strip.text.rstrip() for strip in seen.screen._event_log.lines]
        half = len(lines) // 2
        assert lines[:half] == lines[half:]  # what was said before looks like what was said after
        assert all(WIDEST - len("Round") <= len(line) <= WIDEST for line in lines[: half - 1])


async def test_what_is_said_while_it_is_hidden_is_wrapped_too() -> None:
    async with at_table(welcome(), joined(**PLAYING), size=(110, 32)) as seen:
        await seen.press("L")
        assert not seen.screen._event_log.display
        seen.screen.present(Note(LONG, "event"))
        await seen.press("L")
        assert max(len(strip.text.rstrip()) for strip in seen.screen._event_log.lines) > WIDEST - len("Round")


async def test_the_log_is_scrolled_by_keys_and_new_lines_leave_it_where_one_reads() -> None:
    async with at_table(welcome(), joined(**PLAYING), size=(110, 32)) as seen:
        log = seen.screen._event_log
        for _ in range(30):
            seen.screen.present(Note(LONG, "event"))
        await seen.settle()
        assert log.is_vertical_scroll_end
        await seen.press("pageup")
        read = log.scroll_offset.y
        assert read < log.max_scroll_y
        await remark(seen)
        assert log.scroll_offset.y == read
        await seen.press("pagedown", "pagedown")
        await remark(seen)
        assert log.is_vertical_scroll_end


async def test_a_click_at_somebodys_words_asks_what_to_do() -> None:
    async with at_table(welcome(), joined(**PLAYING), said(1, "otto", "hello"), size=(110, 32)) as seen:
        await seen.pilot.click(seen.screen._event_log, offset=(3, 1))
        assert isinstance(seen.app.screen, ListBox)
        assert missing(seen.app, "─ otto ─", "Mute") == []

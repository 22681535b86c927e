"""The rids of random rooms, counted again by docs/match-files.md#decisions: from lists alone, without keys."""

from collections.abc import Iterable
from typing import Any

import attrs
import pytest
from tests.server.rooms import random_room
from tests.server.rooms.random_room import RandomRoom

from parlour_games.registry import games
from parlour_server.rooms import records as r
from parlour_server.rooms.match import Match
from parlour_server.rooms.state import State

STEPS = 250
OPTIONS: tuple[dict[str, Any], ...] = (
    {"preset": "chaos", "scoring": "single", "breath": 0},
    {"preset": "chaos", "scoring": "single", "breath": 100},
    {"scoring": "single", "breath": 0, "call_penalty": 4},
)


@attrs.define
class Count:
    """The numbers of each seat, and what is open: rid → what it offers."""

    next: list[int]
    open: list[dict[int, tuple[bool, Any]]]

    def close(self, seat: int) -> None:
        """Close all decisions of ``seat``."""
        self.open[seat].clear()

    def list(self, match: Match) -> None:
        """Close what is no longer asked, and number what is asked now and was not."""
        for seat, found in enumerate(self.open):
            asked = [each for each in match.game.decisions(match.state) if each.seat == seat]
            offers = [(each.must, match.game.legal(match.state, seat, each.key)) for each in asked]
            for rid, offer in [*found.items()]:
                if offer not in offers:
                    del found[rid]
            for offer in offers:
                if offer not in found.values():
                    found[self.next[seat]] = offer
                    self.next[seat] += 1


def recount(lines: Iterable[str]) -> int:
    """Compare every rid of a room with a count of its own; return how many there were."""
    records: list[r.Record] = [r.parse(line) for line in lines]
    assert isinstance(records[0], r.RoomOpened)
    state, count, given = State(records[0], games()["uno"]), Count([], []), 0
    for record, line in zip(records, lines, strict=True):
        played_by_owner = isinstance(record, r.Vacated) and state.seats[record.seat].by == "owner"  # type: ignore[union-attr]
        state.fold(record, line)
        match = state.match
        if isinstance(record, r.Begun):
            count = Count([*record.rids], [{} for _ in record.players])
        elif isinstance(record, r.Acted | r.TimedOut):
            del count.open[record.seat][record.rid]
        elif isinstance(record, r.Control | r.Handed) or (
            isinstance(record, r.Vacated) and played_by_owner and state.config.standin
        ):
            if match is not None and not match.ended:
                count.close(record.seat)
        elif isinstance(record, r.MatchOver):
            given += sum(count.next)
        if match is not None and not match.ended:
            count.list(match)
            found = [{each.rid for each in match.book.of(seat)} for seat in range(len(count.open))]
            assert [{*each} for each in count.open] == found, record
    return given


def test_rids_follow_from_the_lists(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(random_room, "OPTIONS", OPTIONS)
    given = 0
    for number in range(15):
        room = RandomRoom(seed + number)
        for _ in range(STEPS):
            room.step()
        given += recount(room.lines())
    assert given > 0

"""The errands of a room client beside the match: invite bots, be ready, keep the match, report what it has brought."""

from collections import deque
from collections.abc import Callable
from typing import TypeAlias

import attrs
from msgspec import convert

from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_client.storage import kept_matches
from parlour_client.storage.kept_matches import KeptMatch
from parlour_client.text.base import in_characters, progress
from parlour_client.text.profile import attempt, daily, moment, win
from parlour_client.text.room_lines import in_brief, what_counts
from parlour_games.statistics import Finish, Tally
from parlour_protocol.messages import (
    ClientMessage,
    Daily,
    DailyRows,
    Invite,
    Over,
    Profile,
    ProfileRow,
    ProfileRows,
    Ready,
)


@attrs.define
class Errands:
    """The bots that are still to be invited, each by its name or its style, and whether to be ready after that."""

    invites: deque[tuple[str | None, str | None]]
    ready: bool

    @classmethod
    def of(cls, entry: Entry) -> "Errands":
        """Return the errands of an entry."""
        return cls(deque((bot, None) for bot in entry.invite), entry.ready)

    @classmethod
    def like(cls, room: JoinedRoom) -> "Errands":
        """Return the errands that bring the others of ``room`` into another one."""
        others = (row for row in room.table["seats"] if row["seat"] != room.seat)
        return cls(deque((None, row["style"]) if "style" in row else (row["name"], None) for row in others), True)

    def next(self, room: JoinedRoom) -> ClientMessage | None:
        """Return the message that runs the next errand in ``room``, None after the last one."""
        if self.invites:
            bot, style = self.invites.popleft()
            return Invite(room.code, bot, style=style)
        if self.ready:
            self.ready = False
            return Ready(room.code)
        return None

    def cancel(self) -> None:
        """Drop the errands that are left."""
        self.invites.clear()
        self.ready = False


class MatchKeeper:
    """Stores the match of the player's own table as long as it goes on, but no board without an open cell."""

    def __init__(self, match: KeptMatch | None) -> None:
        """``match``: what is known of it before it begins; None: it is not kept."""
        self._match = match
        self._stored: KeptMatch | None = None

    def update(self, room: JoinedRoom) -> None:
        """Store the match in ``room`` as it is now, or forget it if it is over."""
        match = self._match
        if match is None or room.view is None or room.seat is None:
            return
        going_on = attrs.evolve(match, room=room.code, about=in_brief(room), helped=room.helped)
        now = going_on if room.under_way and room.view.get("phase") != "new" else None
        if now != self._stored:
            self._stored = now
            if now is None:
                kept_matches.drop(match.game)
            else:
                kept_matches.keep(now)


REQUEST = "profile"
"""The id of a request for the player's profile, or for the table of the daily board."""
_ABORTED = ("expired", "aborted")
"""Why a match ended without a result."""

CountMatch: TypeAlias = Callable[[str, Finish], Tally]
"""Counts a finished match of a game on this machine."""


class Achievements:
    """The achievements of one player. ``lines`` describes those of the last match, ``share`` is a line to share.

    ``went``: lines that say below it how the match went.
    """

    def __init__(self, *, keep: bool, tally: CountMatch | None) -> None:
        """``keep``: a server may remember the player. Otherwise ``tally`` counts, if there is one."""
        self.lines: list[str] = []
        self.share = ""
        self.went: list[str] = []
        self._course: list[tuple[float, int]] | None = None
        """How far the player had come when; None if the beginning was not seen."""
        self._began = 0.0
        self._keep = keep
        self._tally = tally

    def entered(self, room: JoinedRoom) -> ClientMessage | None:
        """Return the request which attempt at the match of the day it is that we play in ``room``."""
        return _table_of_the_day(room) if room.seat is not None else None

    def follow(self, room: JoinedRoom, now: float) -> None:
        """Note how far the player has come in a match under way. ``now``: seconds."""
        reached = progress(room) if room.under_way else None
        if reached == 0:
            self._course = []
        elif reached is not None and self._course is not None:
            self._began = self._began if self._course else now
            if not self._course or self._course[-1][1] != reached:
                self._course.append((1000 * (now - self._began), reached))

    def match_over(self, room: JoinedRoom, over: Over, name: str, *, profiles: bool) -> ClientMessage | None:
        """Count a match of ``name`` here, or return the request for its achievements on the server.

        ``profiles``: whether the server keeps profiles.
        """
        self.lines, self.share = [], ""
        self.went, self._course = in_characters(room, over, self._course or ()), None
        ranks, seat, deal = over.result["ranks"], str(room.seat), room.table["fair"].get("deal")
        if seat not in ranks:
            return None
        if deal == "daily":
            return _table_of_the_day(room)
        if over.result["why"] in _ABORTED:
            return None
        if ranks[seat] == 1 and over.result["why"] != "lost" and not deal and not room.helped:
            self.share = win(room, over)
        if self._keep:
            self.lines = [what_counts(room)] if deal else []
            return Profile(name, id=REQUEST) if profiles and over.result.get("unrated") in (None, "alone") else None
        if self._tally is not None:
            finish = _finish(over, seat)
            finish.unrated = "chosen" if deal else "odds" if room.helped else None
            row = convert(self._tally(room.game, finish).row(room.game, finish.at), ProfileRow)
            self.lines = [*moment(row)]
        return None

    def take(self, answer: ProfileRows | DailyRows, room: JoinedRoom) -> None:
        """Take the server's answer to a request, made on entering ``room`` or after a match there."""
        if isinstance(answer, ProfileRows):
            rows = (row for row in answer.games if row["game"] == room.game and row["last"])
            self.lines = [line for row in rows for line in moment(row)]
            return
        now = attempt(answer, room)
        if room.over is None:
            room.attempt = now
        elif room.attempt is not None and now is not None:
            room.attempt = attrs.evolve(room.attempt, result=now.result)
        first = room.attempt is None or room.attempt.first
        self.lines = [*daily(answer)] if first else [what_counts(room)]
        if first and "ms" in (answer.you or {}):
            self.share = self.lines[0]


def _table_of_the_day(room: JoinedRoom) -> Daily | None:
    """Return the request for the table of the day in ``room``, None if it is not for a match of the day."""
    match room.table["fair"].get("deal"), room.table["fair"]["context"].split("/"):
        case "daily", ["daily", day, board]:
            return Daily(board, day, id=REQUEST)
    return None


def _finish(over: Over, seat: str) -> Finish:
    result = over.result
    time = result.get("time")
    board, ms = (time["board"], time["ms"]) if time else (None, None)
    return Finish(0, result["ranks"][seat], len(result["ranks"]), result["scores"][seat], board, ms)

"""The errands of a room client beside the match: invite bots, be ready, report what a match adds to the profile."""

from collections import deque
from collections.abc import Callable
from typing import TypeAlias

import attrs
from msgspec import convert

from parlour_client.core.room import JoinedRoom
from parlour_client.play.entry import Entry
from parlour_client.text.profile import daily, moment
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


REQUEST = "profile"
"""The id of a request for the player's profile, or for the table of the daily board."""
_ABORTED = ("expired", "aborted")
"""Why a match ended without a result."""

CountMatch: TypeAlias = Callable[[str, Finish], Tally]
"""Counts a finished match of a game on this machine."""


class Achievements:
    """The achievements of one player. ``lines`` describes those of the last match."""

    def __init__(self, *, keep: bool, tally: CountMatch | None) -> None:
        """``keep``: a server may remember the player. Otherwise ``tally`` counts, if there is one."""
        self.lines: list[str] = []
        self._keep = keep
        self._tally = tally

    def match_over(self, room: JoinedRoom, over: Over, name: str, *, profiles: bool) -> ClientMessage | None:
        """Count a match of ``name`` here, or return the request for its achievements on the server.

        ``profiles``: whether the server keeps profiles.
        """
        self.lines = []
        ranks, seat, fair = over.result["ranks"], str(room.seat), room.table["fair"]
        if seat not in ranks:
            return None
        if fair.get("deal") == "daily":
            return Daily(fair["context"].rpartition("/")[2], id=REQUEST)
        counts = over.result.get("unrated") in (None, "alone") and over.result["why"] not in _ABORTED
        if "deal" in fair or not counts:
            return None
        if self._keep:
            return Profile(name, id=REQUEST) if profiles else None
        if self._tally is not None:
            finish = _finish(over, seat)
            row = convert(self._tally(room.game, finish).row(room.game, finish.at), ProfileRow)
            self.lines = [*moment(row)]
        return None

    def take(self, answer: ProfileRows | DailyRows, game: str) -> None:
        """Take the server's answer to a request, after a match of ``game``."""
        if isinstance(answer, DailyRows):
            self.lines = [*daily(answer)]
        else:
            rows = (row for row in answer.games if row["game"] == game and row["last"])
            self.lines = [line for row in rows for line in moment(row)]


def _finish(over: Over, seat: str) -> Finish:
    result = over.result
    time = result.get("time")
    board, ms = (time["board"], time["ms"]) if time else (None, None)
    return Finish(0, result["ranks"][seat], len(result["ranks"]), result["scores"][seat], board, ms)

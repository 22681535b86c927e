"""The errands of a room client beside the match: invite bots, be ready, save the match, report achievements.

Also the player's own requests: change the rules, save the match, play its deal once more.
"""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TypeAlias

import attrs
from msgspec import convert, structs

from parlour_client.core import options
from parlour_client.core.errors import Usage
from parlour_client.core.phrases import explained, say
from parlour_client.core.queries import named
from parlour_client.core.room import JoinedRoom
from parlour_client.play.download import Download
from parlour_client.play.entry import Entry
from parlour_client.play.room_events import Completed, Downloaded, PresetsListed, RoomEvent
from parlour_client.storage import kept_matches
from parlour_client.storage.kept_matches import KeptMatch
from parlour_client.text.base import in_characters, progress
from parlour_client.text.profile import attempt, daily, moment, win
from parlour_client.text.room_lines import in_brief, what_counts
from parlour_games.statistics import Finish, Tally
from parlour_protocol.messages import (
    DEFAULT_CLOCK,
    ClientMessage,
    Configure,
    Daily,
    DailyRows,
    Error,
    FileLines,
    Invite,
    Joined,
    Ok,
    Over,
    PresetRow,
    PresetRows,
    Presets,
    Profile,
    ProfileRow,
    ProfileRows,
    Ready,
    ServerMessage,
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


class Requests:
    """The player's requests beside the match. Their outcome is reported as Completed."""

    def __init__(self, outgoing: deque[ClientMessage]) -> None:
        """``outgoing``: takes the messages to send."""
        self._outgoing = outgoing
        self._ids = count(1)
        self._done: dict[str, str] = {}
        """The text to report when a request is carried out, by its id."""
        self._preset: str | None = None
        """The name of the preset whose rules the room is to get."""
        self._download: Download | None = None
        self._repeating: Download | None = None
        """The match whose deal is to be played once more."""

    def send(self, message: ClientMessage, done: str = "") -> None:
        """Send ``message``, with ``done`` as the text of success."""
        id = f"do-{next(self._ids)}"
        self._done[id] = done
        self._outgoing.append(structs.replace(message, id=id))

    def save_preset(self, room: JoinedRoom, name: str) -> None:
        """Save the rules of ``room`` under ``name`` on the server."""
        table = room.table
        clock = table.get("clock", DEFAULT_CLOCK)
        preset = Presets("save", room.game, name, table["options"], table.get("size"), clock)
        self.send(preset, say("line.room.preset", name=name))

    def use_preset(self, room: JoinedRoom, name: str) -> None:
        """Change the rules of ``room`` to those that are saved under ``name`` on the server, as its host."""
        self._preset = name
        self.send(Presets(game=room.game))

    def save(self, room: JoinedRoom | None, to: Path | None = None) -> None:
        """Download the record of the match that is over. ``to`` None: a file named after the match. Raises Usage."""
        if room is None or room.over is None:
            raise Usage(say("line.not_over"))
        if self._download is None:
            self._download = Download(room.over.digest, to)
            self.send(self._download.ask())

    def repeat(self, room: JoinedRoom | None) -> None:
        """Play the deal of the finished match once more, in a new room. Raises Usage."""
        if room is None or room.over is None or not options.can_repeat(room):
            raise Usage(say("line.repeat.not"))
        if self._download is None:
            self.save(room)
            self._repeating = self._download

    def greeted(self, *, downloading: bool) -> None:
        """Forget what a lost connection has left unanswered: the session repeats or reports it.

        ``downloading``: the session asks for the next page of the download again.
        """
        self._done.clear()
        if not downloading:
            self._download = None

    def entered(self, joined: Joined) -> Iterator[RoomEvent]:
        """Report the request that has brought us into a room or to a seat."""
        if done := self._done.pop(str(joined.re), ""):
            yield Completed(done, ok=True)

    def expects(self, message: ServerMessage) -> bool:
        """Return whether ``message`` is the outcome of a request, or a page of the download."""
        if isinstance(message, FileLines):
            return self._download is not None and message.digest == self._download.digest
        return isinstance(message, Ok | Error | PresetRows) and str(message.re) in self._done

    def take(self, message: ServerMessage, room: JoinedRoom | None) -> Iterator[RoomEvent]:
        """Report an outcome that ``expects`` has found, or request what follows from it."""
        done = self._done.pop(str(getattr(message, "re", None)), "")
        match message:
            case Ok():
                yield Completed(done, ok=True)
            case Error():
                self._download = None
                yield Completed(explained(message, room.game if room else None), ok=False, code=message.code)
            case PresetRows(presets):
                wanted, self._preset = self._preset, None
                if wanted is None or room is None:
                    yield PresetsListed(presets)
                    yield Completed(done, ok=True)
                else:
                    yield from self._configure(room, presets, wanted)
            case FileLines() if self._download is not None:
                download = self._download
                download.take(message)
                self._download = None if download.done else download
                if not download.done:
                    self.send(download.ask())
                elif download is self._repeating:
                    self.send(options.repeated(download.lines))
                else:
                    yield Downloaded(download)

    def _configure(self, room: JoinedRoom, presets: list[PresetRow], wanted: str) -> Iterator[RoomEvent]:
        try:
            row = named(presets, room.game, wanted)
        except Usage as usage:
            yield Completed(str(usage), ok=False)
        else:
            configure = Configure(room.code, row["options"], row["seats"], row["clock"])
            self.send(configure, say("tui.configure.done"))


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

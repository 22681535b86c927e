"""One match as the fold of its records: the game's state, decisions, clocks and hash chain."""

from collections.abc import Collection
from hashlib import sha256
from typing import Any, Protocol

from parlour_games.fair import Fair
from parlour_games.game import Decision, Done, Fired, Job, Plain, Timer
from parlour_games.registry import AnyGame
from parlour_games.statistics import BestTime
from parlour_protocol.messages import Unrated
from parlour_server.rooms import records
from parlour_server.rooms.clock import RETURNED, Clocks
from parlour_server.rooms.decisions import Book, OpenDecision, Past, same_key
from parlour_server.rooms.records import (
    HEIRS_REFILLED,
    LISTS_COMPARED,
    ORDINARY,
    OWNERS_REFILLED,
    POINTLESS,
    Acted,
    Allowance,
    Begun,
    MatchOver,
)


class Randomness(Protocol):
    """Makes a match's randomness from its secret, context and nonces: ``Fair``, except in tests."""

    def __call__(self, secret: bytes, context: str, nonces: list[bytes]) -> Fair:
        """Return the randomness of the match."""


PATIENCE = 2
"""Time-outs in a row after which a stand-in plays."""


class Match:
    """A match, from its ``begun`` record on. Each record is a step; ``touched`` and ``asked`` say what it changed."""

    def __init__(self, game: AnyGame, begun: Begun, options: Any, randomness: Randomness = Fair) -> None:
        fair = randomness(bytes.fromhex(begun.secret), begun.context, [bytes.fromhex(n) for n in begun.nonces])
        self.game = game
        self.begun = begun
        self.ended: MatchOver | None = None
        self.chain = b""
        """The last hash over the lines of the match."""
        self.book = Book(list(begun.rids))
        clock = begun.clock
        self.clocks = Clocks(
            clock["add"] if clock else None, list(begun.banks), cap=clock.get("cap") if clock else None
        )
        self._seats: frozenset[int | None] = frozenset(range(len(begun.players)))
        """The seats of the match. A seat taken after it began sees what spectators see."""
        self.timeouts = [0] * len(begun.players)
        """Each seat's time-outs in a row."""
        self.lapses = [0] * len(begun.players)
        """Each seat's time-outs in all."""
        self.touched: set[int] = set()
        """Seats whose open decisions the last step changed."""
        self.asked: dict[int | None, OpenDecision] = {}
        """The obligations that the last step opened, by seat."""
        self.bulk = 0
        """Bytes of the act of the last step, without its note, if it was a long one."""
        self._compares_lists = game.listed and begun.room >= LISTS_COMPARED
        self.pending: Timer | Job | None = None
        self.pending_since = begun.at
        self.allowances = [Allowance(POINTLESS) for _ in begun.players]
        """What each seat has left for acts that do not advance the match, and for very long ones."""
        self.state, self.dealt = game.start(options, len(begun.players), fair)
        self._refresh(begun.at)

    @property
    def unrated(self) -> Unrated | None:
        """Why the match is not rated; None: it is."""
        return self.begun.deal or self.begun.unrated

    @property
    def counts(self) -> bool:
        """Whether its result counts: for all its players, or for the profile of the one who plays alone."""
        return self.unrated in (None, "alone")

    def keep_answers(self, before: "Match") -> None:
        """Keep the answers of the match before, so that a request repeated from it gets its old answer."""
        for (seat, rid), past in before.book.past.items():
            kept = seat < len(self.begun.players) and rid >= before.begun.rids[seat]
            if kept and self.begun.players[seat].who == before.begun.players[seat].who:
                self.book.past[seat, rid] = past

    def begin_step(self) -> None:
        """Clear ``touched``, ``asked`` and ``bulk`` for the next step."""
        self.touched, self.asked, self.bulk = set(), {}, 0

    def answer(self, decision: OpenDecision, action: Any, act: Plain, at: int, *, timed_out: bool = False) -> list[Any]:
        """Answer ``decision`` with ``action``, recorded as ``act``. Raises IllegalAction with nothing changed."""
        self._begin_change(at, decision)
        events = self.game.apply(self.state, decision.seat, decision.key, action)
        self._close(decision, Past("clock" if timed_out else None, act), at)
        if decision.must:
            self.timeouts[decision.seat] = self.timeouts[decision.seat] + 1 if timed_out else 0
            self.lapses[decision.seat] += timed_out
        self._refresh(at)
        return events

    def patience(self, seat: int) -> int:
        """Return after how many more time-outs in a row a stand-in plays for ``seat``, if the room has stand-ins."""
        return max(0, PATIENCE - self.timeouts[seat])

    def charge(self, acted: Acted, line: str) -> None:
        """Spend the seat's allowance on an act that has been applied and did not advance the match, or is long."""
        asked_again = self.book.obligation(acted.seat)
        length = records.size(line)
        if length > ORDINARY:
            self.bulk = length - len(acted.why or "")
        if asked_again is not None and not asked_again.topped_up:
            self.allowances[acted.seat].spend(acted.at, length)
        elif length > ORDINARY:
            self.allowances[acted.seat].spend(acted.at, length - ORDINARY)

    def would_advance(self, decision: OpenDecision, action: Any) -> bool:
        """Return whether ``action`` would advance the match. Raises IllegalAction."""
        copy = self.game.copy(self.state)
        self.game.apply(copy, decision.seat, decision.key, action)
        asked = self.game.decisions(copy)
        return all(found.topped_up or not found.must or found.seat != decision.seat for found in asked)

    def settle(self, result: Fired | Done, at: int) -> list[Any]:
        """Give the game the result that it waited for."""
        self._begin_change(at)
        events = self.game.settle(self.state, result)
        self.pending = None  # the game may want an equal timer next, which must count as a new one
        self._refresh(at)
        return events

    def remove(self, seat: int, at: int) -> list[Any]:
        """Take ``seat`` out of the game for good."""
        self._begin_change(at)
        events = self.game.remove(self.state, seat)
        self._refresh(at)
        return events

    def change_hands(
        self, seat: int, at: int, *, to_owner: bool = False, to_heir: bool = False, restores: bool = True
    ) -> None:
        """Close the decisions of ``seat`` and open them again under new rids for its new player.

        ``to_owner``: one who is back. ``to_heir``: one who is new to the seat, and gets a full clock. ``restores``: a
        running clock gets back what it had when it began.
        """
        fills = to_heir and self.begun.room >= HEIRS_REFILLED
        if fills:
            self.clocks.restore(seat, at)
        self.timeouts[seat] = 0
        for decision in self.book.of(seat):
            self._close(decision, Past("control"), at)
        if fills:
            self.clocks.refill(seat, self.begun.banks[seat])
        elif to_owner and self.begun.room >= OWNERS_REFILLED:
            self.clocks.refill(seat, min(RETURNED, self.begun.banks[seat]))
        self._refresh(at, topped_up=False)
        if restores:
            self.clocks.restore(seat, at)

    def restore(self, at: int) -> None:
        """Restart running clocks and timers after the room was loaded."""
        for decision in self.book.obligations():
            self.clocks.restore(decision.seat, at)
        self.pending_since = at

    def end(self, ended: MatchOver) -> None:
        """End the match with its result and close all decisions."""
        self.ended = ended
        for decision in list(self.book.open.values()):
            self._close(decision, Past("overtaken"), ended.at)
        self.pending = None

    def best_time(self) -> BestTime | None:
        """Return the time that counts in lists of best times; None: there is none."""
        return None if self.begun.deal else self.game.best_time(self.state)

    def elapsed(self, now: int) -> int | None:
        """Return how long the time has run that players try to keep short; None: it does not run."""
        return None if self.ended else self.game.elapsed(self.state, now - self.begun.at)

    def daily_result(self, board: str) -> tuple[int, int | None] | None:
        """Return time and points of the first seat for the table of a match of the day; None: they do not count."""
        daily = self.game.dailies.get(board)
        if daily is None or self.ended is None:
            return None
        if daily.best == "time":
            time = self.game.best_time(self.state)
            return None if time is None else (time.ms, None)
        points = self.game.daily_points(self.state, 0)
        return None if points is None else (self.ended.at - self.begun.at, points)

    def fingerprint(self) -> str:
        """Return the SHA-256 of the canonical state, in hex."""
        return sha256(records.canonical(self.game.canonical(self.state)).encode()).hexdigest()

    def view(self, seat: int | None) -> Plain:
        """Return what ``seat`` may see now; None is a spectator."""
        return self.game.view(self.state, seat if seat in self._seats else None)

    def announced(self, events: list[Any]) -> tuple[list[Plain], Collection[int | None]]:
        """Return the events as most viewers see them, and the seats for which they have to be ``redacted``."""
        game = self.game
        found: list[Plain] = []
        insiders: set[int | None] = set()
        for event in events:
            shown = game.announce(event)
            if shown is None:
                return self.redacted(events, None), self._seats
            found.append(shown)
            if more := game.insiders(event):
                insiders.update(more)
        return found, insiders

    def redacted(self, events: list[Any], seat: int | None) -> list[Plain]:
        """Return the events as ``seat`` may see them, without those that are hidden from it."""
        redact, viewer = self.game.redact, seat if seat in self._seats else None
        return [shown for event in events if (shown := redact(event, viewer)) is not None]

    def _close(self, decision: OpenDecision, past: Past, at: int) -> None:
        self.book.close(decision, past)
        self.touched.add(decision.seat)
        if decision.must:
            self.clocks.stop(decision.seat, at)

    def _begin_change(self, at: int, answered: OpenDecision | None = None) -> None:
        self.game.note_time(self.state, at - self.begun.at)
        if self._compares_lists:
            for decision in self.book.open.values():
                if decision is not answered:
                    decision.legal(self.game, self.state)

    def _same_list(self, before: OpenDecision, now: Decision) -> bool:
        return (before.seat, before.must) == (now.seat, now.must) and (
            before.legal(self.game, self.state) == self.game.legal(self.state, now.seat, now.key)
        )

    def _refresh(self, at: int, *, topped_up: bool = True) -> None:
        same = self._same_list if self._compares_lists else same_key
        closed, opened = self.book.refresh(self.game.decisions(self.state), at, same)
        for decision in closed:
            self.touched.add(decision.seat)
            if decision.must:
                self.clocks.stop(decision.seat, at)
        for decision in opened:
            self.touched.add(decision.seat)
            if decision.must:
                self.asked[decision.seat] = decision
                self.clocks.start(decision.seat, at, topped_up=topped_up and decision.topped_up)
        pending = self.game.pending(self.state)
        if pending != self.pending:
            self.pending, self.pending_since = pending, at
        if type(pending) is Job:
            self.clocks.freeze(at)
        elif self.clocks.frozen_at is not None:
            self.clocks.unfreeze(at)

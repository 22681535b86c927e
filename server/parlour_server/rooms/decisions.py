"""The decisions of a match and their numbers.

A decision's number is its ``rid``, short for request id; it depends on the records alone. The game lists what each seat
must decide (an obligation) or may decide (an optional decision) as pairs of seat and key. A pair gets the seat's next
rid when it was not listed before, or when it is listed again after its rid was answered. A decision stays open, with
its rid and its list of legal actions, until it is answered, times out, is no longer listed, or its seat changes hands.
In a game that lists its legal actions, a new key with the same list is the same decision, and a key with a new list is
another one.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import attrs
from msgspec import Struct, msgpack

from parlour_games.game import Decision
from parlour_games.registry import AnyGame
from parlour_protocol.messages import Plain

KEPT = 256
"""The number of a seat's last decisions that are remembered, so that repeated and late answers are recognized."""


_encode = msgpack.Encoder(order="deterministic").encode


class OpenDecision(Struct):
    """An open decision. Its legal actions are computed when they are first needed."""

    rid: int
    seat: int
    key: str
    must: bool
    opened: int
    topped_up: bool = True
    _legal: Sequence[Any] | None = None
    _wire: list[Plain] | None = None

    def legal(self, game: AnyGame, state: Any) -> Sequence[Any]:
        """Return the legal actions, in the order of their indexes."""
        if self._legal is None:
            self._legal = game.legal(state, self.seat, self.key)
        return self._legal

    def indexed(self, game: AnyGame, state: Any, index: int) -> tuple[Any, Plain]:
        """Return the legal action at ``index``, and the same as plain data. Raises IllegalAction."""
        legal = self.legal(game, state)
        if 0 <= index < len(legal):
            return legal[index], self.wire(game, state)[index]
        action = game.indexed(state, self.seat, self.key, index)
        return action, game.wire(action)

    def wire(self, game: AnyGame, state: Any) -> list[Plain]:
        """Return the legal actions as plain data."""
        if self._wire is None:
            self._wire = game.wires(self.legal(game, state))
        return self._wire


class Past(Struct, frozen=True):
    """A closed decision. ``why`` is None if it was answered, else "clock", "overtaken" or "control"."""

    why: str | None
    act: Plain | None = None


Same: TypeAlias = Callable[[OpenDecision, Decision], bool]
"""Whether the game still asks an open decision, perhaps under another key."""


def same_key(before: OpenDecision, now: Decision) -> bool:
    """Return whether ``now`` has the seat and the key of ``before``."""
    return (before.seat, before.key) == (now.seat, now.key)


@attrs.define
class Book:
    """All decisions of a match. ``next_rid`` continues from the match before."""

    next_rid: list[int]
    open: dict[tuple[int, str], OpenDecision] = attrs.field(factory=dict)
    past: dict[tuple[int, int], bytes] = attrs.field(factory=dict)
    """The closed ones as MessagePack: acts with many moves would take twenty times as much memory as objects."""
    numbered: dict[tuple[int, int], OpenDecision] = attrs.field(factory=dict)
    """The open decisions by seat and rid."""
    reactions: dict[tuple[int, int], OpenDecision] = attrs.field(factory=dict)
    """Those of them that a seat may leave unanswered."""
    _obligations: dict[int, OpenDecision] = attrs.field(factory=dict)

    def refresh(
        self, listed: Sequence[Decision], at: int, same: Same = same_key
    ) -> tuple[list[OpenDecision], list[OpenDecision]]:
        """Take over what the game lists now; return the decisions that this closed and those that it opened."""
        closed = self._close_changed(listed, same) if self.open else []
        opened = [self._open(asked, at) for asked in listed if (asked.seat, asked.key) not in self.open]
        return closed, opened

    def close(self, decision: OpenDecision, past: Past) -> None:
        """Close ``decision``; if the game still lists it, the next refresh opens it under a new rid."""
        del self.open[decision.seat, decision.key]
        self._retire(decision, past)

    def find(self, seat: int, rid: int) -> OpenDecision | Past | None:
        """Return decision ``rid`` of ``seat``; None if there was none, or it is forgotten."""
        past = self.past.get((seat, rid))
        return self.numbered.get((seat, rid)) or (past and msgpack.decode(past, type=Past)) or None

    def at(self, seat: int, rid: int) -> OpenDecision:
        """Return the open decision of a record. Raises LookupError."""
        found = self.numbered.get((seat, rid))
        if found is None:
            raise LookupError(f"seat {seat} has no open decision {rid}")
        return found

    def obligation(self, seat: int | None) -> OpenDecision | None:
        """Return the decision that ``seat`` must make now. None is a spectator."""
        return None if seat is None else self._obligations.get(seat)

    def obligations(self) -> list[OpenDecision]:
        """Return all decisions that must be made now."""
        return list(self._obligations.values())

    def optional(self, seat: int | None) -> list[OpenDecision]:
        """Return the decisions that ``seat`` may make now."""
        return [d for d in self.reactions.values() if d.seat == seat]

    def of(self, seat: int) -> list[OpenDecision]:
        """Return all open decisions of ``seat``."""
        return [d for d in self.open.values() if d.seat == seat]

    def _close_changed(self, listed: Sequence[Decision], same: Same) -> list[OpenDecision]:
        """Close and return the open decisions that the game does not ask any more."""
        wanted = {(decision.seat, decision.key): decision for decision in listed}
        changed = [d for pair, d in self.open.items() if pair not in wanted or not same(d, wanted[pair])]
        for decision in changed:
            del self.open[decision.seat, decision.key]
        closed = [decision for decision in changed if not self._keep(decision, wanted, same)]
        for decision in closed:
            self._retire(decision, Past("overtaken"))
        return closed

    def _keep(self, decision: OpenDecision, wanted: dict[tuple[int, str], Decision], same: Same) -> bool:
        """Keep ``decision`` open under the key by which the game asks it now; return whether there is one."""
        for pair, now in wanted.items():
            if pair not in self.open and same(decision, now):
                decision.key = now.key
                self.open[pair] = decision
                return True
        return False

    def _retire(self, decision: OpenDecision, past: Past) -> None:
        del self.numbered[decision.seat, decision.rid]
        if decision.must:
            self._obligations.pop(decision.seat, None)
        else:
            del self.reactions[decision.seat, decision.rid]
        if decision.rid > self.next_rid[decision.seat] - KEPT:
            self.past[decision.seat, decision.rid] = _encode(past)

    def _open(self, decision: Decision, at: int) -> OpenDecision:
        rid = self.next_rid[decision.seat]
        self.next_rid[decision.seat] += 1
        self.past.pop((decision.seat, rid - KEPT), None)
        opened = OpenDecision(rid, decision.seat, decision.key, decision.must, at, decision.topped_up)
        self.open[decision.seat, decision.key] = self.numbered[decision.seat, rid] = opened
        if decision.must:
            self._obligations[decision.seat] = opened
        else:
            self.reactions[decision.seat, rid] = opened
        return opened

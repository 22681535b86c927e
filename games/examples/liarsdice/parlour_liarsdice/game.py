"""The rules of liar's dice."""

from collections.abc import Sequence
from typing import ClassVar, TypeAlias

import attrs

from parlour_games.fair import Fair, Stream
from parlour_games.game import BadOptions, Decision, Done, Fired, Game, IllegalAction, Outcome, Plain
from parlour_games.layout import Shown
from parlour_games.options import Between, Switch, option

MIN_SEATS, MAX_SEATS = 2, 6
FACES = 6


@attrs.frozen(kw_only=True)
class DiceOptions:
    """The number of dice, and what ones count as."""

    dice: int = option(5, Between(1, 6), "Dice of each player at the start.")
    wild_ones: bool = option(False, Switch(), "Ones count as any face.")


@attrs.frozen
class Bid:
    """Claim that all dice together show ``face`` at least ``count`` times."""

    do: ClassVar[str] = "bid"
    count: int
    face: int


@attrs.frozen
class Doubt:
    """Doubt the last bid: all dice are shown, and a die is lost."""

    do: ClassVar[str] = "doubt"


@attrs.frozen
class Resign:
    """Give up."""

    do: ClassVar[str] = "resign"


Action: TypeAlias = Bid | Doubt | Resign


@attrs.frozen
class Rolled:
    """A round starts: all dice are rolled, and ``seat`` bids first. A seat sees only its own dice."""

    e: ClassVar[str] = "roll"
    round: int
    seat: int
    dice: list[list[int]]


@attrs.frozen
class Claimed:
    """``seat`` has bid."""

    e: ClassVar[str] = "bid"
    seat: int
    count: int
    face: int


@attrs.frozen
class Doubted:
    """``seat`` has doubted the bid of ``of``. The dice showed the face ``found`` times; ``loser`` loses a die."""

    e: ClassVar[str] = "doubt"
    seat: int
    of: int
    found: int
    loser: int
    dice: list[list[int]]


@attrs.frozen
class Out:
    """``seat`` is out: it has no dice left, or it has left the match."""

    e: ClassVar[str] = "out"
    seat: int
    why: str


@attrs.frozen
class Ended:
    """One seat is left, and has won."""

    e: ClassVar[str] = "end"
    seat: int


Event: TypeAlias = Rolled | Claimed | Doubted | Out | Ended


@attrs.define
class State:
    """A match. Lists are indexed by seat."""

    options: DiceOptions
    fair: Fair
    """The randomness of the rounds to come."""
    left: list[int]
    """How many dice each seat has left: 0 for one that is out."""
    round: int = 0
    dice: list[list[int]] = attrs.field(factory=list)
    bids: list[Claimed] = attrs.field(factory=list)
    """The bids of this round."""
    turn: int = 0
    last: Doubted | None = None
    """How the previous round ended."""
    out: list[int] = attrs.field(factory=list)
    """The seats that are out, the first of them first."""

    @property
    def bid(self) -> Claimed | None:
        """The bid to raise or to doubt."""
        return self.bids[-1] if self.bids else None

    @property
    def over(self) -> bool:
        """Whether one seat is left."""
        return len(self.out) == len(self.left) - 1

    def after(self, seat: int) -> int:
        """Return the next seat that has dice."""
        seats = len(self.left)
        return next(other % seats for other in range(seat + 1, seat + 1 + seats) if self.left[other % seats])


class LiarsDice(Game[DiceOptions, State, Action, Event]):
    """Liar's dice for 2 to 6 seats."""

    name = "liarsdice"
    rules_version = 1
    min_seats, max_seats = MIN_SEATS, MAX_SEATS
    phrases = "parlour_liarsdice.phrases"
    layout: ClassVar = {"dice": Shown("hand", of="dice"), "left": Shown("backs", of="dice")}
    Options = DiceOptions
    Actions = (Bid, Doubt, Resign)
    Events = (Rolled, Claimed, Doubted, Out, Ended)

    def start(self, options: DiceOptions, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        """Roll the dice of the first round."""
        if not MIN_SEATS <= seats <= MAX_SEATS:
            raise BadOptions(f"Liar's dice is for {MIN_SEATS} to {MAX_SEATS} seats, not {seats}")
        state = State(options, fair, [options.dice] * seats)
        return state, _roll(state)

    def decisions(self, state: State) -> list[Decision]:
        """Ask the seat on turn."""
        return [] if state.over else [Decision(state.turn, f"turn:{state.round}:{len(state.bids)}", True)]

    def legal(self, state: State, seat: int, key: str) -> list[Action]:
        """Return doubting, and each bid that is higher than the last: more dice, or as many with a higher face."""
        if Decision(seat, key, True) not in self.decisions(state):
            return []
        every = [Bid(count, face) for count in range(1, sum(state.left) + 1) for face in range(1, FACES + 1)]
        if (last := state.bid) is None:
            return [*every]
        return [Doubt(), *(bid for bid in every if (bid.count, bid.face) > (last.count, last.face))]

    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        """Bid, doubt or resign."""
        if Decision(seat, key, True) not in self.decisions(state):
            raise IllegalAction("it is not your turn", "turn")
        if isinstance(action, Resign):
            return _leave(state, seat, "resigned")
        if action not in self.legal(state, seat, key):
            if isinstance(action, Doubt):
                raise IllegalAction("there is no bid to doubt: bid first", "no_bid")
            raise IllegalAction("that is no higher bid: raise the count, or the face", "low")
        if isinstance(action, Doubt):
            return _doubt(state, seat)
        state.bids.append(Claimed(seat, action.count, action.face))
        state.turn = state.after(seat)
        return [state.bids[-1]]

    def default_action(self, state: State, seat: int, key: str) -> Action:
        """Return doubting, or the lowest bid."""
        return self.legal(state, seat, key)[0]

    def remove(self, state: State, seat: int) -> list[Event]:
        """Put a seat out. Nothing happens if it is out already."""
        return [] if state.over or seat in state.out else _leave(state, seat, "left")

    def pending(self, state: State) -> None:
        """Return None: the match waits for decisions only."""

    def settle(self, state: State, result: Fired | Done) -> list[Event]:
        """Raise ValueError: the match waits for nothing."""
        raise ValueError(f"Liar's dice does not wait for {result}")

    def outcome(self, state: State) -> Outcome | None:
        """Return the result: the last seat wins, and who goes out later ranks better."""
        if not state.over:
            return None
        seats = range(len(state.left))
        ranks = tuple(len(state.left) - state.out.index(seat) if seat in state.out else 1 for seat in seats)
        return Outcome(ranks, tuple(state.left), "last")

    def view(self, state: State, viewer: int | None) -> Plain:
        """Return the bids and how many dice each seat has, to a seat its own dice, and how the last round ended."""
        shown: Plain = {
            "turn": None if state.over else state.turn,
            "round": state.round,
            "left": state.left[:],
            "bid": _plain(state.bid),
            "bids": [_plain(bid) for bid in state.bids],
            "last_round": _plain(state.last),
        }
        return shown if viewer is None else {**shown, "dice": state.dice[viewer][:]}

    def announce(self, event: Event) -> Plain:
        """Return the event, a roll without the dice."""
        shown = {"e": event.e, **attrs.asdict(event)}
        if isinstance(event, Rolled):
            del shown["dice"]
        return shown

    def insiders(self, event: Event) -> Sequence[int]:
        """Return the seats that see dice of a roll."""
        return range(len(event.dice)) if isinstance(event, Rolled) else ()

    def redact(self, event: Event, viewer: int | None) -> Plain:
        """Return the event, a roll with the dice of ``viewer``."""
        shown = self.announce(event)
        return {**shown, "dice": event.dice[viewer]} if isinstance(event, Rolled) and viewer is not None else shown

    def resample(self, state: State, viewer: int | None, stream: Stream) -> State:
        """Roll the dice of other seats again, in this round and in all that follow."""
        twin, words = self.copy(state), stream.label("resample")
        twin.fair = Fair(stream.key, "resample", [])
        twin.dice = [
            dice[:] if seat == viewer else [1 + words.below(FACES) for _ in dice]
            for seat, dice in enumerate(state.dice)
        ]
        return twin

    def canonical(self, state: State) -> Plain:
        """Return the whole state, hidden dice included."""
        return attrs.asdict(state, filter=attrs.filters.exclude("fair"))

    def copy(self, state: State) -> State:
        """Return an independent copy. Copies share ``fair``, so they continue as the match does."""
        dice = [held[:] for held in state.dice]
        return attrs.evolve(state, left=state.left[:], dice=dice, bids=state.bids[:], out=state.out[:])


def _roll(state: State) -> list[Event]:
    """Start a round with the seat ``state.turn``."""
    state.round += 1
    words = state.fair.deal(state.round).label("dice")
    state.dice = [sorted(1 + words.below(FACES) for _ in range(count)) for count in state.left]
    state.bids = []
    return [Rolled(state.round, state.turn, [held[:] for held in state.dice])]


def _doubt(state: State, seat: int) -> list[Event]:
    bid = state.bids[-1]
    counted = {bid.face, 1} if state.options.wild_ones else {bid.face}
    found = sum(die in counted for held in state.dice for die in held)
    loser = seat if found >= bid.count else bid.seat
    state.last = Doubted(seat, bid.seat, found, loser, [held[:] for held in state.dice])
    state.left[loser] -= 1
    state.turn = loser
    return [state.last, *(_go_out(state, loser, "dice") if not state.left[loser] else _roll(state))]


def _leave(state: State, seat: int, why: str) -> list[Event]:
    state.left[seat] = 0
    return _go_out(state, seat, why)


def _go_out(state: State, seat: int, why: str) -> list[Event]:
    """Note that ``seat`` is out, and start the next round or end the match."""
    state.out.append(seat)
    state.turn = state.after(seat)
    return [Out(seat, why), *([Ended(state.turn)] if state.over else _roll(state))]


def _plain(what: Claimed | Doubted | None) -> Plain | None:
    return None if what is None else attrs.asdict(what)

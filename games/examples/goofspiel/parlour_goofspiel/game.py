"""The rules of Goofspiel."""

from collections.abc import Sequence
from typing import ClassVar, TypeAlias

import attrs

from parlour_games.fair import Fair, Stream
from parlour_games.game import BadOptions, Decision, Done, Fired, Game, IllegalAction, Outcome, Plain
from parlour_games.layout import Shown
from parlour_games.options import Between, OneOf, option

MIN_SEATS, MAX_SEATS = 2, 5


@attrs.frozen(kw_only=True)
class DealOptions:
    """The number of cards, and what happens to a prize without a single highest bid."""

    cards: int = option(13, Between(3, 13), "Cards of each player, and prizes.")
    ties: str = option(
        "lost",
        OneOf(("lost", "carried")),
        "If the highest bid is a tie: the prize is lost, or its points are carried over to the next.",
    )


@attrs.frozen
class Bid:
    """Bid a card from the own hand for the prize."""

    do: ClassVar[str] = "bid"
    card: int


@attrs.frozen
class Resign:
    """Give up."""

    do: ClassVar[str] = "resign"


Action: TypeAlias = Bid | Resign


@attrs.frozen
class Turned:
    """A round starts: ``prize`` is turned up."""

    e: ClassVar[str] = "prize"
    round: int
    prize: int


@attrs.frozen
class Placed:
    """``seat`` has placed a bid. Only ``seat`` may see the card."""

    e: ClassVar[str] = "bid"
    seat: int
    card: int


@attrs.frozen
class Revealed:
    """All bids are shown, by seat. ``winner`` gets ``points``; without a winner they are lost or carried over."""

    e: ClassVar[str] = "reveal"
    bids: list[int | None]
    winner: int | None
    points: int


@attrs.frozen
class Out:
    """``seat`` has left the match."""

    e: ClassVar[str] = "out"
    seat: int
    why: str


@attrs.frozen
class Ended:
    """The match is over."""

    e: ClassVar[str] = "end"
    scores: list[int]
    why: str


Event: TypeAlias = Turned | Placed | Revealed | Out | Ended


@attrs.define
class State:
    """A match. Lists are indexed by seat, except ``prizes``."""

    options: DealOptions
    prizes: list[int]
    """All prizes in their order, those to come included."""
    hands: list[list[int]]
    bids: list[int | None]
    spent: list[list[int]]
    """The cards of former rounds, which all have seen."""
    scores: list[int]
    round: int = 0
    carried: int = 0
    """Points of former prizes that are added to this one."""
    out: list[int] = attrs.field(factory=list)
    why: str | None = None
    """Why the match is over: ``prizes`` or ``last``; None while it is running."""

    @property
    def prize(self) -> int:
        """The value of the prize that has been turned up."""
        return self.prizes[self.round - 1]

    @property
    def playing(self) -> list[int]:
        """The seats that are still in the match."""
        return [seat for seat in range(len(self.hands)) if seat not in self.out]


class Goofspiel(Game[DealOptions, State, Action, Event]):
    """Goofspiel for 2 to 5 seats."""

    name = "goofspiel"
    rules_version = 1
    min_seats, max_seats = MIN_SEATS, MAX_SEATS
    phrases = "parlour_goofspiel.phrases"
    layout: ClassVar = {
        "to_come": Shown("pile"),
        "prize": Shown("cards"),
        "placed": Shown("sealed"),
        "spent": Shown("laid"),
        "scores": Shown("score"),
        "hand": Shown("hand"),
    }
    Options = DealOptions
    Actions = (Bid, Resign)
    Events = (Turned, Placed, Revealed, Out, Ended)

    def start(self, options: DealOptions, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        """Shuffle the prizes, give each seat its cards, and turn up the first prize."""
        if not MIN_SEATS <= seats <= MAX_SEATS:
            raise BadOptions(f"Goofspiel is for {MIN_SEATS} to {MAX_SEATS} seats, not {seats}")
        prizes = list(range(1, options.cards + 1))
        fair.deal(1).label("prizes").shuffle(prizes)
        hands = [list(range(1, options.cards + 1)) for _ in range(seats)]
        state = State(options, prizes, hands, [None] * seats, [[] for _ in range(seats)], [0] * seats)
        return state, _turn_up(state)

    def decisions(self, state: State) -> list[Decision]:
        """Ask each seat that has not placed its bid."""
        if state.why:
            return []
        return [Decision(seat, f"bid:{state.round}", True) for seat in state.playing if state.bids[seat] is None]

    def legal(self, state: State, seat: int, key: str) -> list[Action]:
        """Return a bid for each card in hand, lowest first."""
        if Decision(seat, key, True) not in self.decisions(state):
            return []
        return [Bid(card) for card in state.hands[seat]]

    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        """Place a bid or resign. The last bid reveals all."""
        if Decision(seat, key, True) not in self.decisions(state):
            raise IllegalAction("you are not asked for a bid now", "closed")
        if isinstance(action, Resign):
            return _leave(state, seat, "resigned")
        if action not in self.legal(state, seat, key):
            why = f"{action.card} is not in your hand: bid one of the cards in legal"
            raise IllegalAction(why, "card", card=action.card)
        state.bids[seat] = action.card
        return [Placed(seat, action.card), *_reveal_if_complete(state)]

    def default_action(self, state: State, seat: int, key: str) -> Action:
        """Return the bid of the lowest card."""
        return self.legal(state, seat, key)[0]

    def remove(self, state: State, seat: int) -> list[Event]:
        """Put a seat out. The last one that stays wins."""
        return [] if state.why or seat in state.out else _leave(state, seat, "left")

    def pending(self, state: State) -> None:
        """Return None: the match waits for decisions only."""

    def settle(self, state: State, result: Fired | Done) -> list[Event]:
        """Raise ValueError: the match waits for nothing."""
        raise ValueError(f"Goofspiel does not wait for {result}")

    def outcome(self, state: State) -> Outcome | None:
        """Return the result by scores. Those who left come last, the first of them behind all others."""
        if state.why is None:
            return None
        keys = [
            (0, state.out.index(seat)) if seat in state.out else (1, score) for seat, score in enumerate(state.scores)
        ]
        ranks = tuple(1 + sum(other > key for other in keys) for key in keys)
        return Outcome(ranks, tuple(state.scores), state.why)

    def view(self, state: State, viewer: int | None) -> Plain:
        """Return what all have seen, and to a seat its hand and its bid."""
        shown: Plain = {
            "round": state.round,
            "prize": None if state.why else state.prize,
            "carried": state.carried,
            "to_come": len(state.prizes) - state.round,
            "bidding": [] if state.why else [seat for seat in state.playing if state.bids[seat] is None],
            "placed": [seat for seat, card in enumerate(state.bids) if card is not None],
            "spent": [cards[:] for cards in state.spent],
            "scores": state.scores[:],
            "out": state.out[:],
        }
        if viewer is not None:
            shown |= {"hand": state.hands[viewer][:], "bid": state.bids[viewer]}
        return shown

    def announce(self, event: Event) -> Plain:
        """Return the event without the card of a bid that has been placed."""
        if isinstance(event, Placed):
            return {"e": event.e, "seat": event.seat}
        return {"e": event.e, **attrs.asdict(event)}

    def insiders(self, event: Event) -> Sequence[int]:
        """Return the seat that has placed a bid: it sees the card."""
        return (event.seat,) if isinstance(event, Placed) else ()

    def redact(self, event: Event, viewer: int | None) -> Plain:
        """Return the event as ``announce`` does, to the seat of a bid with its card."""
        shown = self.announce(event)
        if isinstance(event, Placed) and viewer == event.seat:
            shown["card"] = event.card
        return shown

    def resample(self, state: State, viewer: int | None, stream: Stream) -> State:
        """Draw the bids of the other seats and the prizes to come again."""
        twin, words = self.copy(state), stream.label("resample")
        for seat, card in enumerate(state.bids):
            if seat != viewer and card is not None:
                twin.bids[seat] = state.hands[seat][words.below(len(state.hands[seat]))]
        to_come = state.prizes[state.round :]
        words.shuffle(to_come)
        twin.prizes = [*state.prizes[: state.round], *to_come]
        return twin

    def canonical(self, state: State) -> Plain:
        """Return the whole state, bids and prizes to come included."""
        return attrs.asdict(state)

    def copy(self, state: State) -> State:
        """Return an independent copy."""
        return attrs.evolve(
            state,
            hands=[cards[:] for cards in state.hands],
            bids=state.bids[:],
            spent=[cards[:] for cards in state.spent],
            scores=state.scores[:],
            out=state.out[:],
        )


def _turn_up(state: State) -> list[Event]:
    state.round += 1
    return [Turned(state.round, state.prize)]


def _reveal_if_complete(state: State) -> list[Event]:
    if any(state.bids[seat] is None for seat in state.playing):
        return []
    bids, points = state.bids[:], state.prize + state.carried
    for seat, card in enumerate(bids):
        if card is not None:
            state.hands[seat].remove(card)
            state.spent[seat].append(card)
            state.bids[seat] = None
    given = [card for card in bids if card is not None]
    highest = max(given)
    winner = bids.index(highest) if given.count(highest) == 1 else None
    if winner is not None:
        state.scores[winner] += points
    state.carried = points if winner is None and state.options.ties == "carried" else 0
    revealed = Revealed(bids, winner, points)
    return [revealed, *(_turn_up(state) if state.round < len(state.prizes) else _end(state, "prizes"))]


def _leave(state: State, seat: int, why: str) -> list[Event]:
    state.bids[seat] = None
    state.out.append(seat)
    return [Out(seat, why), *(_reveal_if_complete(state) if len(state.playing) > 1 else _end(state, "last"))]


def _end(state: State, why: str) -> list[Event]:
    state.why = why
    return [Ended(state.scores[:], why)]

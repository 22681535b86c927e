"""The rules of Twentyone."""

from collections.abc import Sequence
from itertools import chain
from typing import ClassVar, TypeAlias

import attrs

from parlour_games.fair import Fair, Stream
from parlour_games.game import BadOptions, Decision, Done, Fired, Game, IllegalAction, Outcome, Plain
from parlour_games.layout import Shown
from parlour_games.options import Between, option

MIN_SEATS, MAX_SEATS = 2, 5
CARDS = [value for value in range(1, 11) for _ in range(4)]


@attrs.frozen(kw_only=True)
class MatchOptions:
    """The options of a room."""

    limit: int = option(21, Between(15, 31), "The most that a hand may be worth.")


@attrs.frozen
class Take:
    """Take a card."""

    do: ClassVar[str] = "take"


@attrs.frozen
class Stop:
    """Take no more cards."""

    do: ClassVar[str] = "stop"


@attrs.frozen
class Resign:
    """Give up."""

    do: ClassVar[str] = "resign"


Action: TypeAlias = Take | Stop | Resign


@attrs.frozen
class Dealt:
    """Each seat has got its first cards."""

    e: ClassVar[str] = "deal"
    hands: list[list[int]]


@attrs.frozen
class Taken:
    """``seat`` has taken ``card``; ``over`` if its hand is now worth more than the limit."""

    e: ClassVar[str] = "take"
    seat: int
    card: int
    over: bool


@attrs.frozen
class Stopped:
    """``seat`` takes no more cards."""

    e: ClassVar[str] = "stop"
    seat: int


@attrs.frozen
class Left:
    """``seat`` has left the match."""

    e: ClassVar[str] = "out"
    seat: int
    why: str


@attrs.frozen
class Ended:
    """The match is over, and all hands are shown."""

    e: ClassVar[str] = "end"
    hands: list[list[int]]


Event: TypeAlias = Dealt | Taken | Stopped | Left | Ended


@attrs.define
class State:
    """A whole match, secrets included."""

    options: MatchOptions
    deck: list[int]
    """The last card is taken first."""
    hands: list[list[int]]
    turn: int = 0
    done: list[int] = attrs.field(factory=list)
    """The seats that take no more cards."""
    gone: list[int] = attrs.field(factory=list)
    """The seats that have left."""
    why: str | None = None
    """Why the match is over; None while it is running."""

    def worth(self, seat: int) -> int:
        """Return what a hand is worth: 0 above the limit."""
        total = sum(self.hands[seat])
        return total if total <= self.options.limit and seat not in self.gone else 0


class TwentyOne(Game[MatchOptions, State, Action, Event]):
    """Twentyone for 2 to 5 seats."""

    name = "twentyone"
    rules_version = 1
    min_seats, max_seats = MIN_SEATS, MAX_SEATS
    phrases = "parlour_twentyone.phrases"
    layout: ClassVar = {
        "deck": Shown("pile", act="take"),
        "counts": Shown("backs"),
        "hands": Shown("open"),
        "done": Shown("badge"),
        "hand": Shown("hand"),
    }
    Options = MatchOptions
    Actions = (Take, Stop, Resign)
    Events = (Dealt, Taken, Stopped, Left, Ended)

    def start(self, options: MatchOptions, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        """Shuffle the deck and deal two cards to each seat."""
        if not MIN_SEATS <= seats <= MAX_SEATS:
            raise BadOptions(f"Twentyone is for {MIN_SEATS} to {MAX_SEATS} seats, not {seats}")
        deck = CARDS[:]
        fair.deal(1).label("deck").shuffle(deck)
        hands = [[deck.pop(), deck.pop()] for _ in range(seats)]
        return State(options, deck, hands), [Dealt([hand[:] for hand in hands])]

    def decisions(self, state: State) -> list[Decision]:
        """Ask the seat on turn."""
        return [] if state.why else [Decision(state.turn, f"turn:{len(state.deck)}:{len(state.done)}", True)]

    def legal(self, state: State, seat: int, key: str) -> list[Action]:
        """Return what the seat on turn can do."""
        return [Take(), Stop()] if Decision(seat, key, True) in self.decisions(state) else []

    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        """Carry out an action."""
        if Decision(seat, key, True) not in self.decisions(state):
            raise IllegalAction("it is not your turn", "turn")
        if isinstance(action, Resign):
            return self._leave(state, seat, "resigned")
        if isinstance(action, Stop):
            state.done.append(seat)
            return [Stopped(seat), *self._pass_on(state)]
        card = state.deck.pop()
        state.hands[seat].append(card)
        over = sum(state.hands[seat]) > state.options.limit
        if over:
            state.done.append(seat)
        return [Taken(seat, card, over), *self._pass_on(state)]

    def default_action(self, state: State, seat: int, key: str) -> Action:
        """Stop: the action of a seat whose time is up."""
        return Stop()

    def remove(self, state: State, seat: int) -> list[Event]:
        """Put a seat out whose player has left for good."""
        return [] if state.why or seat in state.gone else self._leave(state, seat, "left")

    def pending(self, state: State) -> None:
        """Return None: the match waits for decisions only."""

    def settle(self, state: State, result: Fired | Done) -> list[Event]:
        """Raise ValueError: the match waits for nothing."""
        raise ValueError(f"Twentyone does not wait for {result}")

    def outcome(self, state: State) -> Outcome | None:
        """Return the result: the hand that is worth most wins."""
        if state.why is None:
            return None
        scores = [state.worth(seat) for seat in range(len(state.hands))]
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        return Outcome(tuple(ranks), tuple(scores), state.why)

    def view(self, state: State, viewer: int | None) -> Plain:
        """Return what ``viewer`` may know: its own hand, and how many cards the others hold."""
        shown: Plain = {
            "turn": None if state.why else state.turn,
            "deck": len(state.deck),
            "counts": [len(hand) for hand in state.hands],
            "done": state.done[:],
        }
        if viewer is not None:
            shown |= {"hand": state.hands[viewer][:], "worth": state.worth(viewer)}
        if state.why:
            shown["hands"] = [hand[:] for hand in state.hands]
        return shown

    def announce(self, event: Event) -> Plain:
        """Return the event as all see it who may not see a hidden card."""
        if isinstance(event, Dealt):
            return {"e": event.e, "counts": [len(hand) for hand in event.hands]}
        if isinstance(event, Taken):
            return {"e": event.e, "seat": event.seat, "over": event.over}
        return {"e": event.e, **attrs.asdict(event)}

    def insiders(self, event: Event) -> Sequence[int]:
        """Return the seats that see more of the event."""
        if isinstance(event, Dealt):
            return range(len(event.hands))
        return (event.seat,) if isinstance(event, Taken) else ()

    def redact(self, event: Event, viewer: int | None) -> Plain:
        """Return the event as ``viewer`` may see it."""
        shown = self.announce(event)
        if isinstance(event, Dealt) and viewer is not None:
            shown["hand"] = event.hands[viewer][:]
        if isinstance(event, Taken) and viewer == event.seat:
            shown["card"] = event.card
        return shown

    def resample(self, state: State, viewer: int | None, stream: Stream) -> State:
        """Shuffle all cards that ``viewer`` does not see: the deck and the other hands."""
        twin = self.copy(state)
        others = [hand for seat, hand in enumerate(twin.hands) if seat != viewer]
        hidden = [*twin.deck, *chain(*others)]
        stream.label("resample").shuffle(hidden)
        for hand in others:
            hand[:] = [hidden.pop() for _ in hand]
        twin.deck = hidden
        return twin

    def canonical(self, state: State) -> Plain:
        """Return the whole state as plain data."""
        return attrs.asdict(state)

    def copy(self, state: State) -> State:
        """Return an independent copy."""
        hands = [hand[:] for hand in state.hands]
        return attrs.evolve(state, deck=state.deck[:], hands=hands, done=state.done[:], gone=state.gone[:])

    def _pass_on(self, state: State) -> list[Event]:
        """Give the turn to the next seat that takes cards, or end the match."""
        seats = len(state.hands)
        waiting = [seat for step in range(1, seats + 1) if (seat := (state.turn + step) % seats) not in state.done]
        if waiting:
            state.turn = waiting[0]
            return []
        return self._end(state, "stopped")

    def _leave(self, state: State, seat: int, why: str) -> list[Event]:
        state.gone.append(seat)
        if seat not in state.done:
            state.done.append(seat)
        if len(state.gone) + 1 == len(state.hands):
            return [Left(seat, why), *self._end(state, "left")]
        return [Left(seat, why), *(self._pass_on(state) if seat == state.turn else [])]

    def _end(self, state: State, why: str) -> list[Event]:
        state.why = why
        return [Ended([hand[:] for hand in state.hands])]

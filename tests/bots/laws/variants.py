"""Games with faults: each class breaks the law that it is named after in ``BREAKS``."""

import itertools
from collections.abc import Sequence
from typing import ClassVar

import attrs

from parlour_games.fair import Fair, Stream
from parlour_games.game import BadOptions, Decision, IllegalAction, Plain
from parlour_games.layout import Shown
from parlour_games.registry import AnyGame
from parlour_goofspiel.game import Action, Bid, DealOptions, Event, Goofspiel, Placed, State, Turned
from parlour_liarsdice.game import LiarsDice
from parlour_liarsdice.game import State as DiceState


class SameTagTwice(Goofspiel):
    Events = (*Goofspiel.Events, Placed)  # type: ignore[assignment]  # a fault


class TakesFloats(Goofspiel):
    @attrs.frozen
    class Raise:
        do: ClassVar[str] = "raise"
        by: float

    Actions = (*Goofspiel.Actions, Raise)  # type: ignore[assignment]  # a fault


class HasAPileForNoAction(Goofspiel):
    layout: ClassVar = {"to_come": Shown("pile", act="draw")}


class RefusesOptionsAtTheStart(Goofspiel):
    def start(self, options: DealOptions, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        if seats > 2:
            raise BadOptions("two seats are enough")
        return super().start(options, seats, fair)


class CallsListsPoints(Goofspiel):
    layout: ClassVar = {"spent": Shown("score")}


class CrashWhenASeatLeaves(Goofspiel):
    def remove(self, state: State, seat: int) -> list[Event]:
        raise KeyError("nobody left so far")


class WaitsForNothing(Goofspiel):
    def decisions(self, state: State) -> list[Decision]:
        return [decision for decision in super().decisions(state) if state.round < 3]


class AsksWhoLeft(Goofspiel):
    def decisions(self, state: State) -> list[Decision]:
        found = super().decisions(state)
        return [Decision(seat, f"bid:{state.round}", True) for seat in range(len(state.hands))] if found else []


class ListsWhatItRefuses(Goofspiel):
    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        if action == Bid(2):
            raise IllegalAction("2 brings bad luck")
        return super().apply(state, seat, key, action)


class HasNoWordsForItsRefusals(Goofspiel):
    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        if action not in self.legal(state, seat, key):
            raise IllegalAction("not in your hand", "not_there")
        return super().apply(state, seat, key, action)


class AcceptsWhatItDoesNotList(Goofspiel):
    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        if isinstance(action, Bid) and action.card not in state.hands[seat]:
            state.hands[seat].append(action.card)
        return super().apply(state, seat, key, action)


class SendsTuples(Goofspiel):
    def view(self, state: State, viewer: int | None) -> Plain:
        return {**super().view(state, viewer), "scores": tuple(state.scores)}


class BidsWithoutNews(Goofspiel):
    def announce(self, event: Event) -> Plain | None:  # type: ignore[override]  # a fault
        return None if isinstance(event, Placed) else super().announce(event)

    def redact(self, event: Event, viewer: int | None) -> Plain | None:  # type: ignore[override]  # a fault
        return None if isinstance(event, Placed) else super().redact(event, viewer)


class ShowsBidsInView(Goofspiel):
    def view(self, state: State, viewer: int | None) -> Plain:
        return {**super().view(state, viewer), "bids": state.bids[:]}


class ShowsBidsInEvents(Goofspiel):
    def announce(self, event: Event) -> Plain:
        return super().announce(event) | ({"card": event.card} if isinstance(event, Placed) else {})


class ShowsPrizesInTheFirstEvent(Goofspiel):
    def start(self, options: DealOptions, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        state, events = super().start(options, seats, fair)
        return state, [*events, Turned(2, state.prizes[1])]


class ShowsBidsInRefusals(Goofspiel):
    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        if action not in self.legal(state, seat, key):
            raise IllegalAction("not in your hand", "card", card=0, others=state.bids[:])
        return super().apply(state, seat, key, action)


class SaysNothingOfItsSecrets(Goofspiel):
    resample = Goofspiel.__base__.resample  # type: ignore[union-attr]  # as in a game that does not define it


class KnowsThePrizesToCome(Goofspiel):
    def resample(self, state: State, viewer: int | None, stream: Stream) -> State:
        return attrs.evolve(super().resample(state, viewer, stream), prizes=state.prizes[:])


class KnowsTheNextRoll(LiarsDice):
    def resample(self, state: DiceState, viewer: int | None, stream: Stream) -> DiceState:
        return attrs.evolve(super().resample(state, viewer, stream), fair=state.fair)


class KnowsTheDice(LiarsDice):
    def resample(self, state: DiceState, viewer: int | None, stream: Stream) -> DiceState:
        return attrs.evolve(super().resample(state, viewer, stream), dice=[dice[:] for dice in state.dice])


class Moody(Goofspiel):
    _mood = itertools.count()

    def start(self, options: DealOptions, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        state, events = super().start(options, seats, fair)
        state.carried = next(self._mood)
        return state, events


class DependsOnHashes(Goofspiel):
    def start(self, options: DealOptions, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        state, events = super().start(options, seats, fair)
        state.carried = [*{str(number) for number in range(1_000)}].index("7")
        return state, events


class SharesHands(Goofspiel):
    def copy(self, state: State) -> State:
        return attrs.evolve(state, bids=state.bids[:], spent=[cards[:] for cards in state.spent], out=state.out[:])


class NeverEnds(Goofspiel):
    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        events = super().apply(state, seat, key, action)
        if state.why == "prizes":
            state.why, state.round = None, 1
            state.hands = [list(range(1, state.options.cards + 1)) for _ in state.hands]
        return events


class RefusesWhatItListsLater(Goofspiel):
    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        return super().apply(state, seat, "" if state.round == 3 else key, action)


BREAKS: Sequence[tuple[str, AnyGame]] = [
    ("declared", SameTagTwice()),
    ("declared", TakesFloats()),
    ("declared", HasAPileForNoAction()),
    ("declared", RefusesOptionsAtTheStart()),
    ("plays", CrashWhenASeatLeaves()),
    ("plays", RefusesWhatItListsLater()),
    ("decisions", WaitsForNothing()),
    ("decisions", AsksWhoLeft()),
    ("listed", ListsWhatItRefuses()),
    ("listed", HasNoWordsForItsRefusals()),
    ("listed", AcceptsWhatItDoesNotList()),
    ("plain", SendsTuples()),
    ("plain", CallsListsPoints()),
    ("news", BidsWithoutNews()),
    ("secrets", ShowsBidsInView()),
    ("secrets", ShowsBidsInEvents()),
    ("secrets", ShowsPrizesInTheFirstEvent()),
    ("secrets", ShowsBidsInRefusals()),
    ("secrets", SaysNothingOfItsSecrets()),
    ("resampled", KnowsThePrizesToCome()),
    ("resampled", KnowsTheNextRoll()),
    ("resampled", KnowsTheDice()),
    ("deterministic", Moody()),
    ("copied", SharesHands()),
    ("ends", NeverEnds()),
]

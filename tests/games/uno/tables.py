"""Matches with cards in chosen places, and randomness that a test controls."""

from collections.abc import Sequence
from typing import Any

import pytest

from parlour_games.fair import Fair, Stream, Words
from parlour_games.game import Decision, Fired, IllegalAction, Outcome
from parlour_games.uno.actions import Accept, Action, CallUno, Catch, Challenge, Colour, Draw, Jump, Pass, Play, Resign
from parlour_games.uno.cards import CARDS, CARDS_BY_FACE, COLOUR, COLOURS, SHORTS, SYMBOL, cards_in, mask_of
from parlour_games.uno.options import Options
from parlour_games.uno.plugin import Uno as Game
from parlour_games.uno.state import AT_PLAY, State

UNO = Game()


def fair(seed: int = 1) -> Fair:
    return Fair(bytes([seed % 256]) * 32, f"TEST/{seed}", [])


def pick(faces: str, taken: set[int] | None = None) -> list[int]:
    """Return one card for each face, each card once, none of ``taken``, which grows by them."""
    taken = set() if taken is None else taken
    cards = []
    for face in faces.split():
        card = next(card for card in CARDS_BY_FACE[face] if card not in taken)
        taken.add(card)
        cards.append(card)
    return cards


class _Stacked(Words):
    """The first shuffle leaves ``deck``, others put the top card at the bottom; ``below`` answers ``start``."""

    def __init__(self, deck: list[int] | None, start: int) -> None:
        super().__init__(b"", "")
        self._deck, self._start = deck, start

    def below(self, n: int) -> int:
        return self._start % n

    def shuffle(self, items: list[int]) -> None:
        items[:] = self._deck if self._deck is not None else items[-1:] + items[:-1]


class StackedStream(Stream):
    """Randomness that shuffles what is labelled ``pile`` into the order of ``deck``."""

    def __init__(self, deck: list[int], start: int, pile: str = "deck") -> None:
        super().__init__(b"")
        self._deck, self._start, self._pile = deck, start, pile
        self.asked: list[str] = []

    def label(self, label: str) -> Words:
        self.asked.append(label)
        return _Stacked(self._deck if label == self._pile else None, self._start)


class StackedFair(Fair):
    """Every deal's deck begins with the given cards, the first to be dealt first; numbers follow before the rest."""

    def __init__(self, faces: str, start: int = 0) -> None:
        super().__init__(b"", "", [])
        top = pick(faces)
        rest = sorted((card for card in range(CARDS) if card not in top), key=lambda card: (SYMBOL[card], card))
        self.stream = StackedStream((top + rest)[::-1], start)

    def deal(self, number: int) -> Stream:
        return self.stream


def laid(action: Action) -> int:
    """Return the card of a single play."""
    assert isinstance(action, Play | Jump)
    assert action.card is not None
    return action.card


class Table:
    """A match, with methods that play it, return the events, and check afterwards that all 108 cards are there."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.count_cards()

    def count_cards(self) -> None:
        held = [card for hand in self.state.hands for card in cards_in(hand)]
        assert sorted(held + self.state.deck + self.state.pile) == list(range(CARDS))
        assert self.state.counts == [hand.bit_count() for hand in self.state.hands]

    def decisions(self, seat: int) -> list[Decision]:
        return [decision for decision in UNO.decisions(self.state) if decision.seat == seat]

    def key(self, seat: int, must: bool = True) -> str:
        [key] = [decision.key for decision in self.decisions(seat) if decision.must == must]
        return key

    def asked(self) -> tuple[int, str] | None:
        """Return the required decisions, without the counters in their keys."""
        must = [(decision.seat, decision.key.split(":")[0]) for decision in UNO.decisions(self.state) if decision.must]
        return must[0] if must else None

    def reactions(self) -> list[tuple[int, str]]:
        return [(decision.seat, decision.key) for decision in UNO.decisions(self.state) if not decision.must]

    def key_for(self, seat: int, action: Action) -> str:
        """Return the key of the decision that lists ``action``, else that of the required one."""
        listed = (d.key for d in self.decisions(seat) if action in UNO.legal(self.state, seat, d.key))
        return next(listed, None) or self.key(seat)

    def act(self, seat: int, action: Action) -> list[Any]:
        events = UNO.apply(self.state, seat, self.key_for(seat, action), action)
        self.count_cards()
        return events

    def held(self, seat: int, face: str) -> int:
        """Return the first card in the hand of ``seat`` that shows ``face``."""
        return next(card for card in cards_in(self.state.hands[seat]) if SHORTS[card] == face)

    def play(
        self, seat: int, face: str, colour: str | None = None, uno: bool = False, swap: int | None = None
    ) -> list[Any]:
        return self.act(seat, Play(self.held(seat, face), colour, uno, swap))

    def together(self, seat: int, faces: str, uno: bool = False, swap: int | None = None) -> list[Any]:
        return self.act(seat, self.several(seat, faces, uno, swap))

    def several(self, seat: int, faces: str, uno: bool = False, swap: int | None = None) -> Play:
        """Return a play of several cards with these faces from the hand of ``seat``."""
        hand = cards_in(self.state.hands[seat])
        cards: list[int] = []
        for face in faces.split():
            cards.append(next(card for card in hand if SHORTS[card] == face and card not in cards))
        return Play(cards=tuple(cards), uno=uno, swap=swap)

    def jump(self, seat: int, face: str, uno: bool = False, swap: int | None = None) -> list[Any]:
        return self.act(seat, Jump(self.held(seat, face), swap, uno))

    def draw(self, seat: int) -> list[Any]:
        return self.act(seat, Draw())

    def keep(self, seat: int) -> list[Any]:
        return self.act(seat, Pass())

    def accept(self, seat: int) -> list[Any]:
        return self.act(seat, Accept())

    def challenge(self, seat: int) -> list[Any]:
        return self.act(seat, Challenge())

    def name(self, seat: int, colour: str) -> list[Any]:
        return self.act(seat, Colour(colour))

    def call(self, seat: int) -> list[Any]:
        return self.act(seat, CallUno())

    def catch(self, seat: int, of: int) -> list[Any]:
        return self.act(seat, Catch(of))

    def resign(self, seat: int, must: bool = True) -> list[Any]:
        events = UNO.apply(self.state, seat, self.key(seat, must), Resign())
        self.count_cards()
        return events

    def remove(self, seat: int) -> list[Any]:
        events = UNO.remove(self.state, seat)
        self.count_cards()
        return events

    def settle(self, name: str = "breath") -> list[Any]:
        events = UNO.settle(self.state, Fired(name))
        self.count_cards()
        return events

    def refused(self, seat: int, action: Action, must: bool = True) -> IllegalAction:
        """Return the refusal of ``action``. Check that the state has not changed."""
        before = UNO.canonical(self.state)
        with pytest.raises(IllegalAction) as refused:
            UNO.apply(self.state, seat, self.key(seat, must), action)
        assert UNO.canonical(self.state) == before
        assert "None" not in refused.value.reason
        return refused.value

    def legal(self, seat: int) -> list[Action]:
        return list(UNO.legal(self.state, seat, self.key(seat)))

    def faces(self, seat: int) -> list[str]:
        """Return the legal answers of ``seat``: each face once, others by name."""
        legal = self.legal(seat)
        return list(dict.fromkeys(SHORTS[laid(a)] if isinstance(a, Play) else a.do for a in legal))

    def hand(self, seat: int) -> str:
        return " ".join(SHORTS[card] for card in cards_in(self.state.hands[seat]))

    def view(self, viewer: int | None = None) -> dict[str, Any]:
        return UNO.view(self.state, viewer)

    def result(self) -> Outcome:
        outcome = UNO.outcome(self.state)
        assert outcome
        return outcome


def table(
    *hands: str,
    top: str = "r5",
    turn: int = 0,
    colour: str | None = None,
    deck: str = "",
    pile: str = "",
    rest: str | int = "deck",
    scores: Sequence[int] = (),
    **options: Any,
) -> Table:
    """Return a table with ``turn`` to play.

    ``deck`` is drawn from its first face on; ``pile`` are the discards under the top card, oldest first; ``rest`` says
    where the cards named nowhere lie: under the ``deck``, under the ``pile``, or in the hand of a seat.
    """
    state, _ = UNO.start(Options(**options), len(hands), StackedFair(""))
    taken: set[int] = set()
    held = [pick(faces, taken) for faces in hands]
    [card] = pick(top, taken)
    draws, discards = pick(deck, taken), pick(pile, taken)
    others = [card for card in range(CARDS) if card not in taken]
    if isinstance(rest, int):
        held[rest] += others
    state.hands = [mask_of(cards) for cards in held]
    state.counts = [len(cards) for cards in held]
    state.deck = (others if rest == "deck" else []) + draws[::-1]
    state.pile = [*(others if rest == "pile" else []), *discards, card]
    own = COLOUR[card]
    state.colour = COLOURS.index(colour) if colour else (own if own is not None else 0)
    state.scores = list(scores) or [0] * len(hands)
    state.direction = 1
    state.called = 0
    if state.options.false_call_penalty:
        state.stood = tuple(int(count == 1) for count in state.counts)
        state.occasion = 1
    state.follow()
    state.ask(turn, AT_PLAY)
    return Table(state)


def match(faces: str, seats: int = 2, start: int = 0, **options: Any) -> tuple[Table, list[Any]]:
    """Return a fresh match dealt from ``faces``: seven to each seat, then the first card, then the draws."""
    state, events = UNO.start(Options(**options), seats, StackedFair(faces, start))
    return Table(state), events

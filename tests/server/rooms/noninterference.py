"""Noninterference: play a match twice, the second time with other cards wherever the viewer cannot see them.

A viewer whose messages differ between the two runs has been sent something secret.
"""

import json
import random
from collections.abc import Iterator
from typing import Any, Self

import attrs
from tests.games.uno.tables import StackedStream
from tests.server.local_server import NAMES, StrictLocal, received

from parlour_client.core.room import JoinedRoom
from parlour_client.text.base import event_lines
from parlour_client.text.text_view import text_view
from parlour_games.fair import Fair, Stream
from parlour_games.registry import AnyGame
from parlour_games.uno.cards import CARDS, HAND, SKIP, SYMBOL
from parlour_protocol import messages as m
from parlour_protocol.codec import CODECS
from parlour_protocol.wire import plain
from parlour_server.local import Local, Peer
from parlour_server.rooms.match import Match

Step = tuple[str, int, Any]
"""What happens, to which seat, and its arguments."""
WATCHER = "walt"
MOST_TRIES = 15
"""Illegal acts in a script; twenty would end a connection."""
NONSENSE: m.Plain = {"do": "fly"}
CARD_FIELDS = ("hand", "cards", "card", "top", "drawn")


class Dealt(Fair):
    """Randomness that deals ``cards`` in this order: seven to each seat, the first card, then the draws."""

    def __init__(self, cards: list[int], start: int, pile: str = "deck") -> None:
        super().__init__(b"", "", [])
        self._stream = StackedStream(cards[::-1], start, pile)

    def deal(self, number: int) -> Stream:
        return self._stream


def cards_shown(value: Any, name: str = "") -> Iterator[int]:
    """Yield every card that a message names."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from cards_shown(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from cards_shown(item, name)
    elif type(value) is int and name in CARD_FIELDS:
        yield value


@attrs.define
class Run:
    """A match of UNO with a given deal, and everything that each viewer is sent."""

    seed: int
    seats: int
    cards: list[int]
    start: int
    game: AnyGame
    server: Local = attrs.field(init=False)
    peers: dict[str, Peer] = attrs.field(factory=dict)
    code: str = ""
    heard: dict[str, list[m.ServerMessage]] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        installed = {self.game.name: self.game}
        self.server = StrictLocal(self.seed, installed=installed, randomness=lambda *_: self.fair())
        names = [*NAMES[: self.seats], WATCHER, "zoe"]
        self.peers = {name: self.server.connect(name, "human") for name in names}
        self.heard = {name: [] for name in names}
        self.peers["anna"].send(m.Create(self.game.name, options=self.options(), seats=self.seats, id="new"))
        self.code = next(message.room for message in self.peers["anna"].inbox if isinstance(message, m.Joined))
        for name in NAMES[1 : self.seats]:
            self.peers[name].send(m.Join(self.code))
        self.peers[WATCHER].send(m.Join(self.code, "spectator"))
        self.peers["anna"].send(m.Start(self.code))
        self.listen()

    def fair(self) -> Fair:
        """Return the randomness of the match."""
        return Dealt(self.cards, self.start)

    def options(self) -> m.Plain:
        """Return the options of the match."""
        return {"first_card_number_only": True, "pause": 60_000, "breath": 200}

    @property
    def match(self) -> Match | None:
        """The match, while its first round lasts."""
        match = self.server.lobby.rooms.loaded[self.code].room.match
        return match if match and match.state.phase < 5 else None

    def wrong(self, match: Match, seat: int, rng: random.Random) -> m.Plain:
        """Return an act that ``seat`` may not do."""
        card = rng.randrange(CARDS + 5)
        return NONSENSE if match.state.hands[seat] >> card & 1 else {"do": "play", "card": card}

    def listen(self) -> None:
        for name, peer in self.peers.items():
            self.heard[name] += received(peer)

    def frames(self, name: str) -> list[tuple[Any, ...]]:
        """Return everything that ``name`` was sent, in every encoding."""
        return [tuple(codec.encode(message) for codec in CODECS.values()) for message in self.sent(name)]

    def sent(self, name: str) -> list[m.Plain]:
        """Return everything that ``name`` was sent, as plain data."""
        return [plain(message) for message in self.heard[name]]

    def sentences(self, name: str) -> list[str]:
        """Return what ``name`` was told in words when asked and on entering, as readers and bots that get text are."""
        told: list[str] = []
        room: JoinedRoom | None = None
        for message in self.heard[name]:
            if isinstance(message, m.Joined):
                room = JoinedRoom.of(message)
            elif room is not None:
                room.apply(message)
            if isinstance(message, m.Joined | m.Turn) and room is not None:
                told.append(text_view(room, event_lines(room)))
        return told

    def records(self) -> list[m.Plain]:
        """Return the records of the room without what was played."""
        lines = map(json.loads, self.server.log[self.code])
        return [{name: value for name, value in line.items() if name != "act"} for line in lines]

    def play(self, step: Step) -> None:
        kind, seat, rest = step
        peer = self.peers[NAMES[seat]]
        match kind:
            case "act" | "try":
                peer.send(m.Act(self.code, rest[0], rest[1], id=1))
            case "wait":
                self.server.wait(rest)
            case "chat":
                peer.send(m.Chat(self.code, rest))
            case "list":
                self.peers["zoe"].send(m.List())
            case "join":
                peer.send(m.Join(self.code, "spectator"))
            case "rewatch":
                self.peers[WATCHER].send(m.Join(self.code, "spectator"))
            case "lose":
                peer.close()
                self.back(NAMES[seat], rest)
        self.listen()

    def replay(self, steps: list[Step]) -> Self:
        """Repeat the steps of another run."""
        for step in steps:
            self.play(step)
        return self

    def back(self, name: str, seen: m.Seen | None) -> None:
        """Connect ``name`` again with its token."""
        old = self.peers[name]
        peer = self.peers[name] = self.server.open(name)
        rooms: list[m.Seen] = [{**seen, "room": self.code}] if seen else []
        peer.send(m.Hello(name, "human", token=old.token, rooms=rooms))
        welcome = peer.inbox[0]
        assert isinstance(welcome, m.Welcome)
        peer.token = welcome.token


def script(run: Run, viewer: str, rng: random.Random, steps: int) -> list[Step]:
    """Play the first round at random and return the steps before its end, which reveals the values of the hands.

    No step is a challenge, which reveals a hand. ``viewer`` also tries cards that it does not hold; the same attempt by
    another seat might be legal in the other run.
    """
    done: list[Step] = []
    for _ in range(steps):
        match = run.match
        if match is None:
            break
        tries = sum(step[0] == "try" for step in done)
        step = _choose(run, match, viewer, rng, tries < MOST_TRIES)
        run.play(step)
        if run.match is not None:
            done.append(step)
    return done


def _choose(run: Run, match: Match, viewer: str, rng: random.Random, may_try: bool) -> Step:
    seat = rng.randrange(run.seats)
    others = ("late", "wait", "chat", "list", "join", "rewatch", "lose")
    kind = rng.choice(("act",) * 12 + ("try",) * (8 if may_try else 0) + others)
    if kind == "act":
        return _answer(match, rng)
    if kind == "try":
        return _mistake(run, match, viewer, rng)
    if kind == "late":
        return "act", seat, (rng.randint(1, 3), NONSENSE)
    rest = {"wait": rng.randrange(300), "chat": "well, well", "lose": rng.choice((None, {"epoch": 1, "seq": 5}))}.get(
        kind
    )
    return kind, seat, rest


def _mistake(run: Run, match: Match, viewer: str, rng: random.Random) -> Step:
    decisions = sorted(match.book.open.values(), key=lambda decision: NAMES[decision.seat] != viewer)
    if not decisions:
        return "wait", 0, 50
    decision = decisions[0]
    act = run.wrong(match, decision.seat, rng) if NAMES[decision.seat] == viewer else NONSENSE
    return "try", decision.seat, (decision.rid, act)


def _answer(match: Match, rng: random.Random) -> Step:
    decisions = [*match.book.open.values()]
    if not decisions:
        return "wait", 0, 200
    decision = rng.choice(decisions)
    legal = [act for act in decision.wire(match.game, match.state) if act["do"] != "challenge"]
    return "act", decision.seat, (decision.rid, rng.choice(legal[:1] * 2 + legal))


def shuffled(seats: int, rng: random.Random) -> list[int]:
    """Return the cards in an order whose first open card is a number."""
    cards = rng.sample(range(CARDS), CARDS)
    first = next(place for place in range(HAND * seats, CARDS) if SYMBOL[cards[place]] < SKIP)
    cards[HAND * seats], cards[first] = cards[first], cards[HAND * seats]
    return cards


def exchanged(run: Run, viewer: str, rng: random.Random) -> list[int]:
    """Return a deal in which all cards that ``viewer`` has not been shown lie in other places.

    Cards that others played were shown to everybody, so every act that was legal in ``run`` is legal after this deal.
    """
    shown = set(cards_shown(run.sent(viewer))) | set(cards_shown(run.sent(WATCHER)))
    places = [place for place, card in enumerate(run.cards) if card not in shown]
    hidden = [run.cards[place] for place in places]
    rng.shuffle(hidden)
    cards = run.cards.copy()
    for place, card in zip(places, hidden, strict=True):
        cards[place] = card
    return cards

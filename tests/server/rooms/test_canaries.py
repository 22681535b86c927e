"""In random rooms no message contains a secret of the server, or a card that its receiver may not see."""

import json
import re
from pathlib import Path
from typing import Any

import attrs
import pytest
from structlog.testing import capture_logs
from tests.server.nodes import House
from tests.server.rooms.noninterference import cards_shown
from tests.server.rooms.random_room import Client, RandomRoom

from parlour_games.uno.cards import cards_in
from parlour_games.uno.plugin import Uno
from parlour_games.uno.state import State
from parlour_protocol import messages as m
from parlour_protocol.codec import CODECS
from parlour_protocol.wire import plain
from parlour_server.directory.identities import hashed

ROOMS, STEPS = 60, 250
SECRET = re.compile("[0-9a-f]{64}")


@attrs.define
class Known:
    """What may be known of one deal: by everybody, and by each seat alone."""

    public: set[int] = attrs.field(factory=set)
    own: dict[int, set[int]] = attrs.field(factory=dict)

    def allowed(self, seat: int | None) -> set[int]:
        return self.public if seat is None else self.public | self.own.get(seat, set())


class Watched(Uno):
    """UNO that keeps book of who may know which card."""

    def __init__(self) -> None:
        self.deals: list[Known] = []
        self._round: tuple[int, int] | None = None

    def note(self, state: State) -> None:
        if self._round != (id(state), state.round):
            self._round = (id(state), state.round)
            self.deals.append(Known())
        known = self.deals[-1]
        known.public |= {*state.pile}
        for seat, hand in enumerate(state.hands):
            known.own.setdefault(seat, set()).update(cards_in(hand))

    def start(self, options: Any, seats: int, fair: Any) -> Any:
        state, events = super().start(options, seats, fair)
        self.note(state)
        return state, events

    def apply(self, state: State, *answer: Any) -> Any:
        return self._followed(state, super().apply(state, *answer))

    def remove(self, state: State, seat: int) -> Any:
        return self._followed(state, super().remove(state, seat))

    def settle(self, state: State, result: Any) -> Any:
        return self._followed(state, super().settle(state, result))

    def _followed(self, state: State, events: list[Any]) -> list[Any]:
        for event in events:
            known = self.deals[-1]
            if event.e == "play":
                known.public.add(event.card)
            elif event.e == "draw":
                known.own.setdefault(event.seat, set()).update(event.cards)
            elif event.e == "challenge":
                known.own.setdefault(event.seat, set()).update(cards_in(event.hand))
            elif event.e == "deal":
                self.note(state)
                known = self.deals[-1]
                known.public.add(event.top)
                for seat, hand in enumerate(event.hands):
                    known.own.setdefault(seat, set()).update(cards_in(hand))
        self.note(state)
        return events


def check_cards(message: m.ServerMessage, seat: int | None, deals: list[Known]) -> int:
    """Check the cards of a message to ``seat``; return how many it names. It may end one of ``deals``."""
    data = plain(message)
    data.pop("table", None)
    if isinstance(message, m.Joined):
        data.pop("events", None)  # they may be of any deal; each was checked in the first message that showed it
    shown = set(cards_shown(data))
    allowed: set[int] = set().union(*(deal.allowed(seat) for deal in deals))
    assert shown <= allowed, f"{data['t']} to seat {seat} shows {shown - allowed}"
    view = data.get("view") or {}
    assert any(set(cards_shown(view)) <= deal.allowed(seat) for deal in deals), f"view to seat {seat}"
    assert "hand" not in view or seat is not None
    return len(shown)


def check_secrets(message: m.ServerMessage, may_hold: set[str]) -> None:
    """Check that a message holds no 32-byte secret but those that its receiver may know, in any encoding."""
    for codec in CODECS.values():
        frame = codec.encode(plain(message))
        text = frame if isinstance(frame, str) else frame.decode("latin-1")
        assert {*SECRET.findall(text)} <= may_hold, message


def public_secrets(random_room: RandomRoom) -> set[str]:
    """Return the 32-byte values that everybody may know by now."""
    room = random_room.room
    found = set()
    for begun in (json.loads(line) for line in random_room.lines() if '"r":"begun"' in line):
        found |= {begun["commit"], *begun["nonces"]}
    if room is not None:
        ended = room.state.matches - (room.match is not None)
        found |= {room.state.secret(number).hex() for number in range(1, ended + 1)}
        found |= {room.state.commit} | {seat.nonce for _, seat in room.state.seats.taken() if seat.nonce}
    return found | {saved.match.digest for saved in random_room.server.matches}


def own_secrets(who: Client) -> set[str]:
    return {message.token for message in who.heard if isinstance(message, m.Welcome) and message.token}


def live(seed: int, game: Watched) -> int:
    """Run a random room; return how many cards were shown."""
    random_room = RandomRoom(seed, game)
    heard = dict.fromkeys(range(len(random_room.everyone)), 0)
    seats: dict[int, int | None] = {}
    cards = 0
    everybody = public_secrets(random_room)
    for _ in range(STEPS):
        before = max(0, len(game.deals) - 1)
        random_room.step()
        everybody |= public_secrets(random_room)
        for number, who in enumerate(random_room.everyone):
            for message in who.heard[heard[number] :]:
                if isinstance(message, m.Joined):
                    seats[number] = message.seat
                check_secrets(message, everybody | own_secrets(who))
                if game.deals:
                    # The answer to a repeated act may be of the deal before: what it names was played there.
                    first = max(0, before - 1) if isinstance(message, m.Ok) else before
                    cards += check_cards(message, seats.get(number), game.deals[first:])
            heard[number] = len(who.heard)
    return cards


@pytest.mark.parametrize(
    "batch", [0, pytest.param(1, marks=pytest.mark.long), *(pytest.param(n, marks=pytest.mark.torture) for n in (2, 3))]
)
def test_no_message_shows_a_card_or_a_secret_that_its_receiver_may_not_know(batch: int) -> None:
    cards = 0
    for seed in range(20_000 + batch, 20_000 + ROOMS, 4):
        try:
            cards += live(seed, Watched())
        except BaseException as error:
            error.add_note(f"RandomRoom({seed})")
            raise
    assert cards > 10_000


def test_a_secret_is_found_wherever_it_is() -> None:
    random_room = RandomRoom(1)
    assert random_room.room is not None
    for secret in (random_room.room.state.secret(1).hex(), random_room.room.state.config.master, hashed("token")):
        said = m.Said("K7QD", 1, {"name": "a", "kind": "bot", "seat": 0}, f"x{secret}")
        with pytest.raises(AssertionError):
            check_secrets(said, {"00" * 32})


async def test_no_log_line_holds_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path / "parlour.db")
    await house.node.start()
    with capture_logs() as logs:
        code, guests = await house.table("anna", "bert")
        state = house.lobby.rooms.loaded[code].room.state
        secrets = {state.config.master, state.secret(1).hex(), *(guest.token or "-" for guest in guests)}
        seat, rid = house.turn(code)
        house.store.fail()
        await guests[seat].say(m.Act(code, rid, {"do": "draw"}))
        await house.settled()
        monkeypatch.setattr(Uno, "apply", fails_with_its_state)
        guests = [(await house.back(guest))[0] for guest in guests]
        await guests[seat].say(m.Act(code, rid, {"do": "draw"}))
        await house.settled()
        await house.close()
    text = json.dumps(logs)
    assert [entry["event"] for entry in logs][:1] == ["not stored"]
    assert "a fault in a room" in text
    assert not [secret for secret in secrets if secret in text]
    assert "hand" not in text
    assert not re.search(r"\d+, \d+, \d+", text)


def fails_with_its_state(_: Uno, state: State, *__: Any) -> Any:
    raise ZeroDivisionError(f"hands {state.canonical()} deck {state.deck}")


class ShowsNeighbour(Watched):
    def view(self, state: State, viewer: int | None) -> Any:
        shown = super().view(state, viewer)
        return {**shown, "hand": cards_in(state.hands[(viewer + 1) % state.seats])} if viewer is not None else shown


class TellsDraws(Watched):
    def announce(self, event: Any) -> Any:
        shown = super().announce(event)
        return {**shown, "cards": event.cards} if shown and event.e == "draw" else shown


@pytest.mark.parametrize("leaky", [ShowsNeighbour, TellsDraws])
def test_a_leak_is_found(leaky: type[Watched]) -> None:
    with pytest.raises(AssertionError, match="to seat"):
        live(20_003, leaky())

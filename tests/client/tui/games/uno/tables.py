"""UNO for tests: rooms of a scripted server, tables at a real one in process, and an app with the face of one seat.

``Table(hands=…)`` deals the first round by hand, so that a situation need not be searched for; from there on the rules
of the server hold.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.client.messages import PEOPLE, VIEW, joined, table
from tests.client.tui.seated import Seated, Seats

from parlour_client.core.room import JoinedRoom, Question
from parlour_client.tui.games.uno.widget import UnoWidget
from parlour_games.fair import Fair
from parlour_games.uno.cards import CARDS, CARDS_BY_FACE, COLOUR, COLOURS, cards_in, mask_of
from parlour_games.uno.events import Event, RoundDealt
from parlour_games.uno.options import Options
from parlour_games.uno.plugin import Uno
from parlour_games.uno.state import AT_COLOUR, AT_PLAY, NO_COLOUR, State
from parlour_protocol.messages import Act, Create, Kind, Plain, SeatRow
from parlour_server.local import Local

TRUECOLOUR = Seated.LOOK
NAMES = ["maria", "otto", "pain-first", "pia", "zoe", "karl", "eva", "tom", "ines", "max"]
Faces = Mapping[int, Sequence[str]]
"""Cards by seat, as they are typed: ``r5``, ``w+4``."""


def room(
    legal: Sequence[Plain] | None = None,
    *,
    seat: int | None = 0,
    people: Sequence[SeatRow] = PEOPLE,
    options: Plain | None = None,
    **view: Any,
) -> JoinedRoom:
    """Return a room in which ``legal`` is open to us, under rid 7, where ``view`` differs from VIEW."""
    now = table("playing", seats=[*people], options=options or {})
    here = JoinedRoom.of(joined(0, seat=seat, view={**VIEW, **view}, table=now))
    here.question = None if legal is None else Question(7, [*legal], None)
    return here


class Arranged(Uno):
    """UNO whose first round is dealt by hand: the cards that are named where they are named, the others anywhere."""

    def __init__(self, hands: Faces, top: str, deck: Sequence[str], turn: int) -> None:
        self._arranged = hands, top, deck, turn

    def start(self, options: Options, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        state, _ = super().start(options, seats, fair)
        hands, top, deck, turn = self._arranged
        free = list(range(CARDS))

        def take(face: str) -> int:
            card = next(card for card in CARDS_BY_FACE[face] if card in free)
            free.remove(card)
            return card

        dealt = {seat: [take(face) for face in faces] for seat, faces in hands.items()}
        state.pile, drawn = [take(top)], [take(face) for face in deck]
        for seat in range(seats):
            cards = dealt.get(seat) or [free.pop(0) for _ in range(7)]
            state.hands[seat], state.counts[seat] = mask_of(cards), len(cards)
        state.deck = [*free, *reversed(drawn)]
        colour = COLOUR[state.pile[0]]
        state.colour = NO_COLOUR if colour is None else colour
        state.ask(turn, AT_PLAY if colour is not None else AT_COLOUR)
        named = None if colour is None else COLOURS[colour]
        return state, [RoundDealt(1, state.dealer, state.pile[0], named, tuple(state.hands))]


class Table(Seats):
    """A match on a real server; every second seat is a bot's."""

    def __init__(
        self, *, seats: int = 4, seed: int = 7, clock: Any = None, hints: bool = True, turn: int = 0,
        hands: Faces | None = None, top: str = "r7", deck: Sequence[str] = (), **options: Any,
    ) -> None:  # fmt: skip
        """``deck``: what is drawn next, the first of it first; ``turn``: the seat that is asked first."""
        game = Uno() if hands is None else Arranged(hands, top, deck, turn)
        create = Create("uno", options=options, seats=seats, hints=hints, clock=clock)
        people: list[tuple[str, Kind]] = [(name, "bot" if at % 2 else "human") for at, name in enumerate(NAMES[:seats])]
        super().__init__(Local(seed, installed={"uno": game}), create, people)

    @property
    def state(self) -> State:
        """The match behind the views."""
        assert isinstance(self.match, State)
        return self.match

    def act(self, seat: int, **action: Any) -> None:
        """Let a seat answer what it is asked, or an offer to do the same; cards by their faces."""
        room = self.room(seat)
        act: Plain = {name: self.held(seat, value) if name == "card" else value for name, value in action.items()}
        offers = [offer["rid"] for offer in room.may if any(legal["do"] == act["do"] for legal in offer["legal"])]
        asked = [room.question.rid] if room.question else []
        self.peers[seat].send(Act(self.code, (offers or asked)[0], act))

    def held(self, seat: int, face: str) -> int:
        """Return a card of ``face`` that a seat holds."""
        hand = cards_in(self.state.hands[seat])
        return next(card for card in CARDS_BY_FACE[face] if card in hand)


class Sitting(Seated):
    """UNO's face, at a seat of a table."""

    CSS = "Screen { background: $table; } UnoWidget { height: 100%; margin: 1 0; }"
    FACE = UnoWidget
    table: Table
    game_widget: UnoWidget

    def others_act(self, seat: int, **action: Any) -> None:
        """Let a seat act as ``Table.act`` says, and take in what follows."""
        self.table.act(seat, **action)
        self.hear()

    def wait(self, ms: int) -> None:
        """Let time pass at the table, and take in what follows."""
        self.table.hall.wait(ms)
        self.hear()

    @property
    def offered(self) -> str:
        """The words of the row of buttons."""
        return self.game_widget.buttons.words

"""UNO as a ``Game``."""

from collections.abc import Sequence
from types import MappingProxyType

from parlour_games.fair import Fair, Stream
from parlour_games.game import (
    BadOptions,
    DailyMatch,
    Decision,
    Done,
    Fired,
    Game,
    IllegalAction,
    Outcome,
    Plain,
    Timer,
    action_map,
)
from parlour_games.uno import calls, explanations, house_rules, rules, scoring
from parlour_games.uno import view as views
from parlour_games.uno.actions import (
    ACCEPT,
    ACTIONS,
    BY_CODE,
    CATCH_CODES,
    CODES,
    COLOUR_CODES,
    JUMP,
    RESIGN,
    UNO,
    Action,
    Jump,
    Play,
)
from parlour_games.uno.cards import COLOUR_MASK
from parlour_games.uno.events import EVENTS, Event
from parlour_games.uno.options import MAX_SEATS, MIN_SEATS
from parlour_games.uno.options import Options as UnoOptions
from parlour_games.uno.rounds import begin_round
from parlour_games.uno.rules import reactions
from parlour_games.uno.state import AT_BREATH, AT_END, AT_PAUSE, NOBODY, State

DAILY = DailyMatch({"scoring": "lowest", "target": 100}, ("painfirst", "guard", "counter"), "fewest")
"""Usually two or three rounds, three or four minutes. Every round counts for everyone, not only for its winner."""
_ASKED = ("turn", "drawn", "challenge", "colour")
"""The first part of the key of a required decision, by phase."""


class Uno(Game[UnoOptions, State, Action, Event]):
    """UNO for 2 to 10 seats, with house rules."""

    name = "uno"
    rules_version = 1
    phrases = "parlour_games.uno.phrases"
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS
    dailies = MappingProxyType({"uno": DAILY})
    Options = UnoOptions
    Actions = ACTIONS
    Events = EVENTS

    def start(self, options: UnoOptions, seats: int, fair: Fair) -> tuple[State, list[Event]]:
        """Start a match and deal its first round. Raises BadOptions for too few or too many seats."""
        if not MIN_SEATS <= seats <= MAX_SEATS:
            raise BadOptions(
                f"UNO is for {MIN_SEATS} to {MAX_SEATS} seats, not {seats}",
                "seats",
                least=MIN_SEATS,
                most=MAX_SEATS,
                seats=seats,
            )
        state = State(options, fair, seats)
        log: list[Event] = []
        begin_round(state, log)
        return state, log

    def decisions(self, state: State) -> list[Decision]:
        """Return the required decision of the seat on turn, and optional ones: call UNO, catch a seat, jump in."""
        found = [Decision(state.turn, (state.asked or _ask(state))[0], True)] if state.phase < AT_BREATH else []
        if state.exposed != NOBODY or state.house:
            found += [Decision(seat, key, False) for seat, key, _ in reactions(state)]
            found.sort(key=lambda decision: decision.seat)
        return found

    def legal(self, state: State, seat: int, key: str) -> list[Action]:
        """Return all legal single actions except resigning: plays by ascending card, then others."""
        return [*map(BY_CODE.__getitem__, _codes(state, seat, key))]

    def apply(self, state: State, seat: int, key: str, action: Action) -> list[Event]:
        """Carry out ``action``. Raises IllegalAction and leaves the state unchanged."""
        codes = _open_codes(state, seat, key)
        code = CODES.get(action)
        log: list[Event] = []
        if code == RESIGN:
            rules.leave(state, seat, "resigned", log)
        elif code in codes:
            _carry_out(state, seat, code, log)
        elif isinstance(action, Play) and action.cards is not None and _is_asked(state, seat, key):
            _play_several(state, action, log)
        else:
            raise _refusal(state, action, codes)
        state.public = state.asked = None
        return log

    def default_action(self, state: State, seat: int, key: str) -> Action:
        """Return draw, then pass; accept; the most frequent colour in hand (ties: red, yellow, green, blue).

        If only plays or jumps are legal, return ``house_rules.default_play``. For an optional decision, which has no
        clock, return what it allows. Raises IllegalAction if the decision is not open.
        """
        codes = _open_codes(state, seat, key)
        if codes[0] in COLOUR_CODES:
            held = [(state.hands[seat] & mask).bit_count() for mask in COLOUR_MASK]
            return BY_CODE[codes[held.index(max(held))]]
        if isinstance(BY_CODE[codes[-1]], Play | Jump):
            return BY_CODE[house_rules.default_play(state, seat, codes)]
        return BY_CODE[ACCEPT if ACCEPT in codes else codes[-1]]

    def remove(self, state: State, seat: int) -> list[Event]:
        """Remove a seat and put its cards under the draw pile. Nothing happens if it is already out."""
        log: list[Event] = []
        rules.leave(state, seat, "left", log)
        state.public = state.asked = None
        return log

    def pending(self, state: State) -> Timer | None:
        """Return the timer of a reaction window or of the pause between rounds."""
        if state.phase == AT_BREATH:
            return Timer("breath", state.options.breath, state.occasion)
        return Timer("pause", state.options.pause) if state.phase == AT_PAUSE else None

    def settle(self, state: State, result: Fired | Done) -> list[Event]:
        """End the reaction window or the pause. Raises ValueError if the match does not wait for ``result``."""
        waiting = self.pending(state)
        if waiting is None or result != Fired(waiting.name):
            raise ValueError(f"{result} is not what the match waits for: {waiting}")
        log: list[Event] = []
        if state.phase == AT_BREATH:
            calls.end_breath(state, log)
        else:
            begin_round(state, log)
        state.public = state.asked = None
        return log

    def outcome(self, state: State) -> Outcome | None:
        """Return the result. ``why`` is ``target``, ``round`` (scoring ``single``) or ``last`` (one seat is left)."""
        if state.phase != AT_END or state.why is None:
            return None
        return Outcome(scoring.ranks(state), tuple(state.scores), state.why)

    def daily_points(self, state: State, seat: int) -> int | None:
        """Return the score of a seat; None if it has left, which would keep its score low."""
        return None if seat in state.leavers else super().daily_points(state, seat)

    view = staticmethod(views.view)
    announce = staticmethod(views.announce)
    insiders = staticmethod(views.insiders)
    redact = staticmethod(views.redact)

    def resample(self, state: State, viewer: int | None, stream: Stream) -> State:
        """Deal the hands of others and the draw pile again."""
        return state.resampled(viewer, stream)

    def canonical(self, state: State) -> Plain:
        """Return the whole state as plain data."""
        return state.canonical()

    def copy(self, state: State) -> State:
        """Return an independent copy."""
        return state.copy()

    def wires(self, legal: Sequence[Action]) -> list[Plain]:
        """Return legal actions as plain data. They are found by instance, which is faster than by their fields."""
        return [*map(_WIRES.__getitem__, map(id, legal))]


_WIRES = {id(action): action_map(action) for action in BY_CODE.values()}
"""The plain data of the only instance of each action, by the ``id`` of that instance, which is never freed."""


def _ask(state: State) -> tuple[str, list[int]]:
    """Compute ``state.asked``: the key of the required decision and the codes that answer it."""
    state.asked = f"{_ASKED[state.phase]}:{state.question}", rules.legal(state)
    return state.asked


def _is_asked(state: State, seat: int, key: str) -> bool:
    return seat == state.turn and state.phase < AT_BREATH and key == (state.asked or _ask(state))[0]


def _codes(state: State, seat: int, key: str) -> list[int]:
    """Return the codes of the legal answers to the decision (seat, key), none if it is not open."""
    if seat == state.turn and state.phase < AT_BREATH:
        asked, codes = state.asked or _ask(state)
        if key == asked:
            return codes
    return next((codes for other, name, codes in reactions(state) if (other, name) == (seat, key)), [])


def _open_codes(state: State, seat: int, key: str) -> list[int]:
    codes = _codes(state, seat, key)
    if not codes:
        raise explanations.closed()
    return codes


def _carry_out(state: State, seat: int, code: int, log: list[Event]) -> None:
    """Carry out a legal single action."""
    if code == UNO:
        calls.call(state, log)
    elif code in CATCH_CODES:
        calls.catch(state, seat, CATCH_CODES.index(code), log)
    elif code & JUMP:
        rules.jump(state, seat, code, log)
    else:
        rules.act(state, code, log)


def _play_several(state: State, play: Play, log: list[Event]) -> None:
    refusal = explanations.why_not_several(state, play)
    if refusal is not None or play.cards is None:
        raise refusal or explanations.closed()
    left = state.counts[state.turn] - len(play.cards)
    rules.play_several(state, play.cards, house_rules.several(play, left), log)


def _refusal(state: State, action: Action, codes: list[int]) -> IllegalAction:
    if codes[0] == UNO or codes[0] in CATCH_CODES or codes[0] & JUMP:
        return explanations.why_not_reaction(action, BY_CODE[codes[0]])
    return explanations.why_not(state, action)

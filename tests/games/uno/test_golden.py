"""Whole matches as readable transcripts: actions, events by viewer, and views.

A transcript changes only when the rules do. ``PARLOUR_GOLDEN=write pytest tests/games/uno/test_golden.py`` makes them
anew; read the difference before keeping it.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.games.uno.tables import UNO

from parlour_games.fair import Fair
from parlour_games.game import Decision, Fired, Plain
from parlour_games.uno import explanations
from parlour_games.uno.actions import Action, Draw, Play
from parlour_games.uno.cards import SHORTS, SYMBOL, cards_in
from parlour_games.uno.events import Event
from parlour_games.uno.options import Options
from parlour_games.uno.state import State

GOLDEN = Path(__file__).parent / "golden"
_CARD_KEYS = {"card", "top", "drawn", "hand", "cards"}

MATCHES: dict[str, tuple[str, Options, dict[int, int]]] = {
    "race-2": ("B/2", Options(target=40), {}),
    "single-3": ("A/3", Options(scoring="single", call_penalty=4, first_card_number_only=True), {}),
    "lowest-4": ("F/4", Options(scoring="lowest", target=60, pause=0, strict_wild4=True), {}),
    "chaos-4": ("A/4", Options(preset="chaos", scoring="single", call_penalty=4, breath=200), {}),
    "elimination-5": ("D/5", Options(scoring="elimination", target=40, breath=0, no_bluff=True), {30: 2}),
}
"""By name and number of seats: the context of the deals, options, and the seats removed after given steps."""


def transcript(name: str) -> Iterator[str]:
    """Play the match ``name`` with a fixed pattern of choices and yield its transcript line by line."""
    context, options, removals = MATCHES[name]
    seats = int(name.split("-")[1])
    state, events = UNO.start(options, seats, Fair(bytes(range(32)), context, [b""] * seats))
    told = ", ".join(f"{option}={value!r}" for option, value in options.plain().items())
    yield f"# {name}: deals of {context}, Options({told})"
    yield from _told(state, events)
    yield from _seen(state)
    number = 0
    while UNO.outcome(state) is None:
        number += 1
        line, events = _step(state, number)
        yield f"{number}. {line}"
        yield from _told(state, events)
        if number in removals:
            yield f"{number}. seat {removals[number]} is removed"
            yield from _told(state, UNO.remove(state, removals[number]))
        if number % 20 == 0 or any(event.e in ("round", "deal", "challenge", "caught") for event in events):
            yield from _seen(state)
    yield f"= {UNO.outcome(state)}"


def _step(state: State, number: int) -> tuple[str, list[Event]]:
    decisions, timer = UNO.decisions(state), UNO.pending(state)
    if timer and (not decisions or number % 3 == 0):
        return f"{timer.name} ends", UNO.settle(state, Fired(timer.name))
    decision = _decision(decisions, number)
    together = _several(state, decision) if number % 5 == 0 else None
    action = together or _action(UNO.legal(state, decision.seat, decision.key), number)
    line = f"seat {decision.seat} {decision.key} -> {_line(UNO.wire(action))}"
    return line, UNO.apply(state, decision.seat, decision.key, action)


def _decision(decisions: list[Decision], number: int) -> Decision:
    must = [decision for decision in decisions if decision.must]
    return decisions[number % len(decisions)] if not must or number % 4 == 0 else must[0]


def _several(state: State, decision: Decision) -> Play | None:
    """Return the first two or more cards of one number that may be played together, without a swap or a call."""
    hand = cards_in(state.hands[decision.seat])
    for first in hand:
        together = Play(cards=(first, *(card for card in hand if card != first and SYMBOL[card] == SYMBOL[first])))
        if decision.must and explanations.why_not_several(state, together) is None:
            return together
    return None


def _action(legal: list[Action], number: int) -> Action:
    plays = [action for action in legal if action != Draw()]
    return plays[number * 5 % len(plays)] if plays else legal[0]


def _told(state: State, events: list[Event]) -> Iterator[str]:
    for event in events:
        public = UNO.redact(event, None)
        if public:
            yield f"   {_line(public)}"
        for seat in range(state.seats):
            private = UNO.redact(event, seat)
            if private and private != public:
                extra = {key: value for key, value in private.items() if not public or key not in public}
                yield f"     to {seat}: {_line(extra)}"


def _seen(state: State) -> Iterator[str]:
    public = UNO.view(state, None)
    yield f"   | {_line(public)}"
    for seat in range(state.seats):
        view = UNO.view(state, seat)
        assert {key: view[key] for key in public} == public
        yield f"   | {seat}: {_line({key: value for key, value in view.items() if key not in public})}"


def _line(plain: Plain) -> str:
    return " ".join(f"{key}={_spelled(key, value)}" for key, value in plain.items())


def _spelled(key: str, value: Any) -> str:
    if key not in _CARD_KEYS or value is None:
        return str(value).replace(" ", "")
    return ",".join(f"{SHORTS[card]}({card})" for card in (value if isinstance(value, list) else [value])) or "-"


@pytest.mark.parametrize("name", sorted(MATCHES))
def test_the_match_goes_as_written(name: str) -> None:
    file = GOLDEN / f"{name}.txt"
    text = "\n".join(transcript(name)) + "\n"
    if os.environ.get("PARLOUR_GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_every_transcript_is_of_a_match() -> None:
    assert {file.stem for file in GOLDEN.iterdir()} == set(MATCHES)

"""SPEC.md on UNO and on match files agrees with played matches."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import attrs
from tests.games.uno.players import Seeded
from tests.protocol import spec
from tests.server.matches import play

from parlour_games.uno.actions import ACTIONS
from parlour_games.uno.cards import COLOUR, COLOURS, NAMES, POINTS
from parlour_games.uno.options import PRESETS, Options
from parlour_games.uno.plugin import Uno
from parlour_protocol.converter import fields as declared
from parlour_protocol.messages import Plain
from parlour_protocol.wire import tagged
from parlour_server.rooms import records

UNO = Uno()
SCORINGS = ("race", "lowest", "elimination", "single")


def played(seed: int, **options: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Play a match at random; yield its state and the events of each step."""
    match = Options(pause=seed % 2, target=200, scoring=SCORINGS[seed % 4], **options)
    history = Seeded(seed, (2, 3, 10)[seed % 3], match, steps=20_000)
    yield history.start()
    yield from ((state, events) for state, _, events in history.walk())


@cache
def seen() -> tuple[dict[str, list[Plain]], list[Plain], list[Plain]]:
    """Collect what viewers see in many matches: events by kind, seats' views, spectators' views."""
    events, seats, spectators = defaultdict(list), [], []
    for seed in range(32):
        for state, happened in played(seed, preset=("official", "chaos")[seed // 4 % 2]):
            viewers = [None, *range(state.seats)]
            shown = [UNO.redact(event, viewer) for event in happened for viewer in viewers]
            for event in filter(None, shown):
                events[event["e"]].append(event)
            seats.append(UNO.view(state, state.turn if state.turn >= 0 else 0))
            spectators.append(dict(UNO.view(state, None)))
    return events, seats, spectators


def test_events() -> None:
    spec.check_events("UNO/Events", seen()[0])
    assert set(seen()[0]) == {cls.e for cls in UNO.Events}


def test_what_events_say_why() -> None:
    meanings = {tag: meaning for tag, _, meaning in spec.table("UNO/Events")}
    for tag in ("draw", "out"):
        whys = {event["why"] for event in seen()[0][tag]}
        assert whys <= set(re.findall(r"[a-z]+", meanings[tag])), tag


def test_views() -> None:
    rows, (_, seats, spectators) = spec.table("UNO/View"), seen()
    public = {name for name, _, viewers, _ in rows if viewers == "all"}
    own = {name for name, _, viewers, _ in rows if viewers == "its seat"}
    assert len(public) + len(own) == len(rows)
    always, sometimes = spec.names(", ".join(public))
    assert set.intersection(*map(set, spectators)) == always
    assert set().union(*spectators) == always | sometimes
    assert set().union(*seats) == always | sometimes | own
    assert all(("drawn" in view) is (view["phase"] == "drawn") for view in seats)
    kinds = {name.rstrip("?"): kind for name, kind, *_ in rows}
    assert all(spec.fits(value, kinds[name]) for view in seats + spectators for name, value in view.items())
    phases = next(meaning for name, *_, meaning in rows if name == "phase")
    assert {view["phase"] for view in seats} <= set(re.findall(r"[a-z]+", phases))


def test_results() -> None:
    outcomes = []
    for seed in range(40):
        *_, (state, _) = played(seed)
        outcomes.append(UNO.outcome(state))
    words = re.search(r"`result\.why` is(.*)\n", spec.section("UNO/Events"))
    assert words
    assert {outcome.why for outcome in outcomes if outcome} <= set(re.findall("`([a-z]+)`", words[1]))


def test_actions() -> None:
    written = {do: spec.names(fields) for do, fields, _ in spec.table("UNO/Actions")}
    kinds = {do: spec.types(fields) for do, fields, _ in spec.table("UNO/Actions")}
    assert set(written) == set(tagged(ACTIONS, "do"))
    for do, cls in tagged(ACTIONS, "do").items():
        fields = {field.name: field.default is attrs.NOTHING for field in attrs.fields(cls)}
        assert written[do] == ({n for n, must in fields.items() if must}, {n for n, must in fields.items() if not must})
        assert all(kind in ("int", "str", "bool", "[int]") for kind in kinds[do].values()), do


def test_every_listed_action_is_of_the_types_that_are_told() -> None:
    kinds = {do: spec.types(fields) for do, fields, _ in spec.table("UNO/Actions")}
    seen: set[str] = set()
    for seed in range(4):
        for state, _ in played(seed, preset="chaos"):
            for decision in UNO.decisions(state):
                for action in map(UNO.wire, UNO.legal(state, decision.seat, decision.key)):
                    seen |= action.keys() - {"do"}
                    assert all(spec.fits(action[name], kinds[action["do"]][name]) for name in action.keys() - {"do"})
    assert seen == {"card", "colour", "uno", "swap", "seat"}


def test_every_scoring_has_a_meaning() -> None:
    [meaning] = [row[3] for row in spec.table("UNO/Options") if row[0] == "scoring"]
    assert all(f"{scoring}:" in meaning for scoring in SCORINGS)


def test_presets() -> None:
    written = {name: re.findall(r"(\w+)(?: \((\d)\))?", rules) for name, rules in spec.tables("UNO/Options")[1]}
    assert {
        name: {rule: int(value) if value else True for rule, value in rules} for name, rules in written.items()
    } == PRESETS


def test_cards() -> None:
    rows = spec.table("UNO/Cards")
    for numbers, colour, face, points in rows:
        low, high = map(int, numbers.split("–"))
        for card in range(low, high + 1):
            own = COLOUR[card]
            assert (COLOURS[own] if own is not None else "") == colour
            if own is None:
                assert NAMES[card] == face.lower()
                assert POINTS[card] == int(points)
    assert [NAMES[card].split(" ", 1)[1] for card in (25, 26, 27, 28, 42, 43)] == ["0", "1", "1", "2", "9", "9"]
    symbols = re.findall(r"(\d+), (\d+) ([A-Z][A-Za-z ]+)", rows[0][2])
    assert len(symbols) == 3
    for first, second, face in symbols:
        assert {NAMES[50 + int(k)] for k in (first, second)} == {f"green {face.lower()}"}
        assert POINTS[50 + int(first)] == 20


def between() -> set[str]:
    """Return the records that may come between those of a match."""
    others = re.search(r"may come between them(.*?)\n\n", spec.section("Match files"), re.DOTALL)
    assert others
    return set(re.findall("`([a-z]+)`", others[1]))


def test_the_lines_of_a_game_file() -> None:
    """Of a match with a time-out."""
    values = [json.loads(line) for line in play("uno", 2).lines]
    written = {kind: re.sub(r" \([^)]*\)", "", fields) for kind, fields, _ in spec.table("Match files")}
    assert [values[0]["r"], values[-1]["r"]] == ["begun", "over"]
    assert {"act", "timeout"} <= {value["r"] for value in values} <= set(written) | between()
    for value in values:
        if value["r"] in between():
            continue
        always, sometimes = spec.names(written[value["r"]])
        assert always <= value.keys() - {"n", "r", "at", "h"} <= always | sometimes


def test_the_kinds_of_records() -> None:
    written = {kind: re.sub(r" \([^)]*\)", "", fields) for kind, fields, _ in spec.table("Match files")}
    classes = tagged(records._CLASSES.values(), "r")
    for kind, fields in written.items():
        always, sometimes = spec.names(fields)
        stored = declared(classes[kind])
        assert always | sometimes == {field.name for field in stored} - {"at"}
        assert sometimes == {field.name for field in stored if not field.required}
    assert between() <= set(classes) - set(written)

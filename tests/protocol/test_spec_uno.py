"""SPEC.md on UNO and on match files agrees with played matches."""

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from typing import Any

import attrs
import pytest
from tests.games.uno.players import several
from tests.protocol import spec

from parlour_games.fair import Fair
from parlour_games.game import Fired, IllegalAction
from parlour_games.uno.actions import ACTIONS, Play, Resign
from parlour_games.uno.cards import COLOUR, COLOURS, NAMES, POINTS
from parlour_games.uno.options import PRESETS, Options
from parlour_games.uno.plugin import Uno
from parlour_protocol.converter import fields as declared
from parlour_protocol.messages import Act, Create, Join, Over, Plain, Start, Turn
from parlour_protocol.wire import tagged
from parlour_server.local import Local
from parlour_server.rooms import records

UNO = Uno()
PRESETS_PLAYED = ("official", "chaos")
SCORINGS = ("race", "lowest", "elimination", "single")


def played(seed: int, **options: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Play a match at random; yield its state and the events of each step."""
    source = random.Random(seed)
    seats = source.choice([2, 3, 10])
    match = Options(pause=source.choice([0, 1]), target=200, scoring=SCORINGS[seed % 4], **options)
    state, events = UNO.start(match, seats, Fair(bytes([seed]) * 32, "K7QD/1", [b""] * seats))
    yield state, events
    while UNO.outcome(state) is None:
        waiting, decisions = UNO.pending(state), UNO.decisions(state)
        if waiting and (not decisions or source.random() < 0.5):
            yield state, UNO.settle(state, Fired(waiting.name))
            continue
        decision = source.choice(decisions)
        legal = UNO.legal(state, decision.seat, decision.key)
        together = several(state, source) if decision.must else None
        action = Resign() if source.random() < 0.001 else together or _choose(source, legal)
        yield state, UNO.apply(state, decision.seat, decision.key, action)


def _choose(source: random.Random, legal: Any) -> Any:
    """Mostly play a card if possible, or hands would only grow; otherwise choose any legal action."""
    plays = [action for action in legal if isinstance(action, Play)]
    return source.choice(plays if plays and source.random() < 0.9 else legal)


def seen() -> tuple[dict[str, list[Plain]], list[Plain], list[Plain]]:
    """Collect what viewers see in many matches: events by kind, seats' views, spectators' views."""
    events, seats, spectators = defaultdict(list), [], []
    for seed in range(32):
        for state, happened in played(seed, preset=PRESETS_PLAYED[seed // 4 % 2]):
            viewers = [None, *range(state.seats)]
            shown = [UNO.redact(event, viewer) for event in happened for viewer in viewers]
            for event in filter(None, shown):
                events[event["e"]].append(event)
            seats.append(UNO.view(state, state.turn if state.turn >= 0 else 0))
            spectators.append(dict(UNO.view(state, None)))
    return events, seats, spectators


@pytest.fixture(scope="module")
def shown() -> tuple[dict[str, list[Plain]], list[Plain], list[Plain]]:
    return seen()


def test_events(shown: tuple[dict[str, list[Plain]], list[Plain], list[Plain]]) -> None:
    written = {tag: spec.names(fields) for tag, fields, _ in spec.table("UNO/Events")}
    assert set(written) == set(shown[0]) == {cls.e for cls in UNO.Events}
    kinds = {tag: spec.types(fields) for tag, fields, _ in spec.table("UNO/Events")}
    for tag, (always, sometimes) in written.items():
        fields = [event.keys() - {"e"} for event in shown[0][tag]]
        assert set.intersection(*map(set, fields)) == always, tag
        assert set.union(*map(set, fields)) == always | sometimes, tag
        for event in shown[0][tag]:
            assert all(spec.fits(event[name], kind) for name, kind in kinds[tag].items() if name in event), event


def test_what_events_say_why(shown: tuple[dict[str, list[Plain]], list[Plain], list[Plain]]) -> None:
    meanings = {tag: meaning for tag, _, meaning in spec.table("UNO/Events")}
    for tag in ("draw", "out"):
        whys = {event["why"] for event in shown[0][tag]}
        assert whys <= set(re.findall(r"[a-z]+", meanings[tag])), tag


def test_views(shown: tuple[dict[str, list[Plain]], list[Plain], list[Plain]]) -> None:
    rows = spec.table("UNO/View")
    public = {name for name, _, viewers, _ in rows if viewers == "all"}
    own = {name for name, _, viewers, _ in rows if viewers == "its seat"}
    assert len(public) + len(own) == len(rows)
    always, sometimes = spec.names(", ".join(public))
    assert set.intersection(*map(set, shown[2])) == always
    assert set().union(*shown[2]) == always | sometimes
    assert set().union(*shown[1]) == always | sometimes | own
    assert all(("drawn" in view) is (view["phase"] == "drawn") for view in shown[1])
    kinds = {name.rstrip("?"): kind for name, kind, *_ in rows}
    assert all(spec.fits(value, kinds[name]) for view in shown[1] + shown[2] for name, value in view.items())
    phases = next(meaning for name, *_, meaning in rows if name == "phase")
    assert {view["phase"] for view in shown[1]} <= set(re.findall(r"[a-z]+", phases))


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


def after(face: str, seats: int) -> tuple[str, str]:
    """Return the event that immediately follows a face when it is played, and as the first card: kind and reason."""
    turned = "skip" if seats == 2 else "reverse"
    return {
        "skip": ("skip", "skip"),
        "reverse": (turned, turned),
        "draw two": ("draw two", "draw first"),
    }.get(face, ("", ""))


def _matters(event: Plain) -> bool:
    return bool(event) and event["e"] != "reshuffle"


def test_what_the_cards_do() -> None:
    """The next seat misses its turn, draws two, or is asked; a first card does it to the seat after the dealer."""
    rows = [row[0].lower() for row in spec.table("UNO/What the cards do")]
    assert rows == ["a number", "skip", "reverse", "draw two", "wild", "wild draw four"]
    tried: set[tuple[str, str]] = set()
    for seed in range(60):
        for state, happened in played(seed):
            told = [event for event in (UNO.redact(each, None) or {} for each in happened) if _matters(event)]
            for event, follows in pairwise([*told, {}]):
                if event["e"] in ("play", "deal") and state.active == state.seats:
                    face = NAMES[event["card" if event["e"] == "play" else "top"]]
                    face = face if face.startswith("wild") else face.split(" ", 1)[1]
                    expected = after(face, state.seats)[event["e"] == "deal"]
                    assert f"{follows.get('e')} {follows.get('why', '')}".strip() == expected or not expected, event
                    tried.add((event["e"], face))
    kinds = ("skip", "reverse", "draw two", "wild")
    assert {(e, face) for e in ("play", "deal") for face in kinds} <= tried
    assert ("play", "wild draw four") in tried
    assert ("deal", "wild draw four") not in tried


def test_randomness() -> None:
    """SPEC.md suffices to compute the first deal."""
    code: dict[str, Any] = {}
    exec(compile(spec.code("Fairness", "python"), "SPEC.md", "exec"), code)
    for number in range(30):
        seats, secret = number % 9 + 2, bytes([number]) * 32
        nonces = [bytes([seat]) * 32 for seat in range(seats)]
        state, _ = UNO.start(Options(first_card_number_only=True), seats, Fair(secret, "K7QD/3", nonces))
        key = code["deal_key"](secret, "K7QD/3", 1, nonces)
        deck = code["shuffled"](code["words"](key, "deck"), list(range(108)))
        hands = [sorted(deck.pop() for _ in range(7)) for _ in range(seats)]
        tries = 0
        while not NAMES[deck[-1]][-1].isdigit():
            tries += 1
            deck = code["shuffled"](code["words"](key, f"reshuffle/{tries}"), [deck[-1], *deck[:-1]])
        assert UNO.view(state, None)["dealer"] == code["below"](code["words"](key, "start"), seats)
        assert [UNO.view(state, seat)["hand"] for seat in range(seats)] == hands
        assert UNO.view(state, None)["top"] == deck[-1]


def test_resigning_is_never_listed_and_always_allowed() -> None:
    for seed in range(4):
        for state, _ in played(seed):
            for decision in UNO.decisions(state):
                assert Resign() not in UNO.legal(state, decision.seat, decision.key)
                copy = UNO.copy(state)
                assert UNO.apply(copy, decision.seat, decision.key, Resign())
                with pytest.raises(IllegalAction):
                    UNO.apply(copy, decision.seat, decision.key, Resign())


# --- match files ---------------------------------------------------------------------------------------


def game_file() -> tuple[list[str], str]:
    """Play a match in a room, with a time-out; return its file and its digest."""
    server = Local(5)
    peers = [server.connect(name) for name in ("ann", "bob")]
    peers[0].send(Create("uno", options={"scoring": "single"}, seats=2))
    room = server.log.copy().popitem()[0]
    peers[1].send(Join(room))
    peers[0].send(Start(room))
    digest, waits = "", 1
    while not digest:
        message = next((peer.inbox.popleft() for peer in peers if peer.inbox), None)
        if isinstance(message, Turn) and waits == 0:
            peers[message.seat].send(Act(room, message.rid, 0))
        elif isinstance(message, Over):
            digest = message.digest
        elif message is None or isinstance(message, Turn):
            waits = 0
            assert server.step()
    match = server.matches[0].match
    return list(records.game_file(server.log[room][match.first : match.last + 1])), digest


def test_the_chain_of_a_game_file() -> None:
    lines, digest = game_file()
    before = b""
    for line in lines:
        value = json.loads(line)
        hashed = value.pop("h")
        bare = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        before = sha256(before + bare.encode()).digest()
        assert before.hex() == hashed
    assert before.hex() == digest


def test_the_lines_of_a_game_file() -> None:
    lines, _ = game_file()
    values = [json.loads(line) for line in lines]
    written = {kind: re.sub(r" \([^)]*\)", "", fields) for kind, fields, _ in spec.table("Match files")}
    assert [values[0]["r"], values[-1]["r"]] == ["begun", "over"]
    assert {"act", "timeout"} <= {value["r"] for value in values} <= set(written)
    for value in values:
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
    others = re.search(r"may come between them(.*?)\n\n", spec.section("Match files"), re.DOTALL)
    assert others
    assert set(re.findall("`([a-z]+)`", others[1])) <= set(classes) - set(written)

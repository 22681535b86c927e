import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, get_args

import attrs
import pytest
from tests.games.minesweeper.players import Seeded
from tests.protocol import spec

from parlour_games.fair import Fair
from parlour_games.game import Done
from parlour_games.minesweeper import fair_boards
from parlour_games.minesweeper.actions import ACTIONS, MAX_MOVES, Verb
from parlour_games.minesweeper.board import Board
from parlour_games.minesweeper.options import MODES, SEATS, Options, Shape
from parlour_games.minesweeper.plugin import Minesweeper
from parlour_protocol.codec import FROM_CLIENT
from parlour_protocol.messages import Plain
from parlour_protocol.wire import strict, tagged

MINES = Minesweeper()
READERS = {do: strict(cls) for do, cls in tagged(ACTIONS, "do").items()}
SMALL: Plain = {"level": "custom", "width": 8, "height": 7, "mines": 9}


def played(seed: int, mode: str, **options: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Play a match at random; yield its state and the events of each step."""
    seats = {"solo": 1, "duel": 2}.get(mode, 3)
    history = Seeded(seed, seats, Options(mode=mode, **{**SMALL, **options}), steps=1_000, leaving=20)
    yield history.start()
    yield from ((state, events) for state, _, events in history.walk() if events is not None)


@attrs.frozen
class Seen:
    """What is shown in many matches of one mode: events by kind and viewer, views, results."""

    events: dict[str, list[tuple[int | None, Plain]]] = attrs.field(factory=lambda: defaultdict(list))
    views: list[tuple[int | None, Plain]] = attrs.field(factory=list)
    outcomes: list[Any] = attrs.field(factory=list)


@cache
def seen(mode: str) -> Seen:
    found = Seen()
    variants: list[Plain] = [{}, {"no_guess": True}] if mode != "duel" else [{}]
    variants += {"coop": [{"lives": 3}], "race": [{"penalty": 500}]}.get(mode, [])
    for seed in range(60):
        for state, happened in played(seed, mode, **variants[seed % len(variants)]):
            for viewer in [None, *range(len(state.players))]:
                found.views.append((viewer, MINES.view(state, viewer)))
                for event in filter(None, (MINES.redact(event, viewer) for event in happened)):
                    found.events[event["e"]].append((viewer, event))
        found.outcomes.append(MINES.outcome(state))
    return found


def words(meaning: str) -> set[str]:
    return set(re.findall(r"[a-z_]+", meaning))


def test_modes() -> None:
    rows = spec.table("Minesweeper")
    assert tuple(row[0] for row in rows) == MODES
    for mode, seats, *_ in rows:
        low, _, high = seats.partition("–")
        assert (int(low), int(high or low)) == SEATS[mode]


def test_levels() -> None:
    meaning = {row[0]: row[3] for row in spec.table("Minesweeper/Options")}["level"]
    for level in ("beginner", "intermediate", "expert"):
        shape = Options(level=level).shape
        assert re.search(rf"{shape.width}×{shape.height} (cells )?with {shape.mines}", meaning), level
    duel = Options(mode="duel").shape
    assert f"a duel that is not custom has {duel.width}×{duel.height} with {duel.mines}" in meaning


def test_actions() -> None:
    written = {do: spec.names(fields) for do, fields, _ in spec.table("Minesweeper/Actions")}
    assert set(written) == set(READERS)
    for do, cls in tagged(ACTIONS, "do").items():
        assert written[do] == ({field.name for field in attrs.fields(cls)}, set())
    meanings = {do: meaning for do, _, meaning in spec.table("Minesweeper/Actions")}
    fields = {do: spec.types(cell) for do, cell, _ in spec.table("Minesweeper/Actions")}
    assert fields["seq"] == {"moves": f"[[verb,x,y]] ≤ {MAX_MOVES}"}
    assert {fields[do]["cells"] for do in ("open", "flag", "unflag", "chord")} == {f"[[x,y]] ≤ {FROM_CLIENT.array}"}
    assert fields["bomb"] == {"at": "[x,y]"}
    assert all(verb in meanings["seq"] for verb in get_args(Verb))


def test_the_acts_that_are_shown_are_acts() -> None:
    acts = re.findall(r"^act ← (.*)$", spec.section("Minesweeper/Actions"), re.MULTILINE)
    assert len(acts) == 3
    for act in (json.loads(line)["act"] for line in acts):
        if isinstance(act, dict):
            assert READERS[act.pop("do")](act)
        else:
            state, _ = MINES.start(Options(), 1, Fair(bytes(32), "K7QD/1", [b""]))
            assert MINES.indexed(state, 0, "play", act).cells == ((4, 4),)  # type: ignore[union-attr]


@pytest.mark.parametrize("mode", MODES)
def test_the_whole_player_plays_every_mode_to_the_end(mode: str) -> None:
    code: dict[str, Callable[[Plain], int]] = {}
    exec(compile(spec.code("Minesweeper/Actions", "python"), "SPEC.md", "exec"), code)
    seats = SEATS[mode][0]
    state, _ = MINES.start(Options(mode=mode), seats, Fair(bytes(32), "K7QD/1", [b""] * seats))
    while MINES.outcome(state) is None:
        if job := MINES.pending(state):
            MINES.settle(state, Done(job.name, MINES.compute(job.name, job.args)))
        for decision in MINES.decisions(state)[:1]:
            cell = code["act"](MINES.view(state, decision.seat))
            action = MINES.indexed(state, decision.seat, decision.key, cell)
            assert MINES.apply(state, decision.seat, decision.key, action)


def test_views() -> None:
    rows = spec.table("Minesweeper/View")
    for mode in MODES:
        fields = {name for name, _, shown, _ in rows if shown == "all" or mode in shown}
        assert {frozenset(view) for _, view in seen(mode).views} == {frozenset(fields)}, mode
        kinds = {name: kind for name, kind, *_ in rows}
        assert all(spec.fits(value, kinds[name]) for _, view in seen(mode).views for name, value in view.items())
    phases = next(meaning for name, *_, meaning in rows if name == "phase")
    assert {view["phase"] for mode in MODES for _, view in seen(mode).views} == {"new", "making", "playing", "over"}
    assert {"new", "making", "playing", "over"} <= words(phases)


def test_rows() -> None:
    written = {char for row in spec.tables("Minesweeper/View")[1] for char in row[0].split(" … ")}
    assert written == set(".F08*ABMX")
    shown = {char for mode in MODES for _, view in seen(mode).views for row in view["rows"] or () for char in row}
    assert written <= shown | {"8"} <= written | set("1234567")
    hidden = [view["phase"] for viewer, view in seen("race").views if view["rows"] is None]
    assert set(hidden) == {"playing", "making"}
    assert all(viewer is None for viewer, view in seen("race").views if view["rows"] is None)
    assert all(view["rows"] for mode in MODES if mode != "race" for _, view in seen(mode).views)


def test_players() -> None:
    rows = {row[0].rstrip("?"): row for row in spec.tables("Minesweeper/View")[2]}
    for mode in MODES:
        shown = [player for _, view in seen(mode).views for player in view["players"]]
        always = {name for name, row in rows.items() if not row[0].endswith("?")}
        duel = {"found", "bomb"} if mode == "duel" else set()
        others = {"ms", "clicks"} if mode != "duel" else set()
        others |= {"penalty"} if mode == "race" else set()
        assert set.intersection(*map(set, shown)) == always | duel, mode
        assert set.union(*map(set, shown)) == always | duel | others, mode
        assert {player["state"] for player in shown} <= words(rows["state"][3])
        assert {player.get("bomb", "kept") for player in shown} <= words(rows["bomb"][3])
        assert all(spec.fits(value, rows[name][1]) for player in shown for name, value in player.items())
    clicks = [(viewer, view) for viewer, view in seen("race").views if view["phase"] == "playing"]
    for viewer, view in clicks:
        assert [seat for seat, player in enumerate(view["players"]) if "clicks" in player] == (
            [] if viewer is None else [viewer]
        )


def test_events() -> None:
    shown: dict[str, list[tuple[str, int | None, Plain]]] = defaultdict(list)
    for mode in MODES:
        for tag, each in seen(mode).events.items():
            shown[tag] += [(mode, viewer, event) for viewer, event in each]
    spec.check_events("Minesweeper/Events", {tag: [event for *_, event in each] for tag, each in shown.items()})
    assert set(shown) == {cls.e for cls in MINES.Events}
    for tag in ("open", "mine", "flag"):
        for mode, viewer, event in shown[tag]:
            assert ("at" in event) is (mode != "race" or viewer == event["seat"]), (tag, mode, viewer)
    for mode, viewer, event in shown["board"]:
        assert (event.keys() - {"e"}) == (set() if mode != "race" else {"n"} if viewer is None else {"at", "n"})
    whys = next(meaning for tag, _, meaning in spec.table("Minesweeper/Events") if tag == "out")
    assert {event["why"] for _, _, event in shown["out"]} == {"mine", "clock", "resigned", "left"} <= words(whys)


def test_results() -> None:
    paragraph = re.search(r"`result\.why` is(.*?)\n\n", spec.section("Minesweeper/Events"), re.DOTALL)
    assert paragraph
    outcomes = {mode: seen(mode).outcomes for mode in MODES}
    whys = {outcome.why for each in outcomes.values() for outcome in each}
    assert whys <= words(paragraph[1])
    assert whys >= {"won", "lost", "race", "majority"}
    for outcome in outcomes["solo"] + outcomes["coop"]:
        assert (1 in outcome.ranks) is (outcome.why == "won")


def test_statistics() -> None:
    names = [row[0] for row in spec.tables("Minesweeper/Events")[1]]
    always = {name for name in names if not name.endswith("?")}
    judged = {"forced", "guesses", "unjudged"}
    assert {name.rstrip("?") for name in names} == always | judged | {"found"}
    kinds = {name.rstrip("?"): kind for name, kind, _ in spec.tables("Minesweeper/Events")[1]}
    told = [row for mode in MODES for outcome in seen(mode).outcomes if outcome.stats for row in outcome.stats["seats"]]
    assert all(spec.fits(value, kinds[name]) for row in told for name, value in row.items())
    for mode in ("solo", "race", "coop"):
        for outcome in seen(mode).outcomes:
            if outcome.stats:
                assert set(outcome.stats) == {"bbbv", "seats"}
                assert all(set(row) - judged == always for row in outcome.stats["seats"])
    for outcome in seen("duel").outcomes:
        assert {frozenset(row) for row in outcome.stats["seats"]} == {frozenset({"found", "opened"})}


def test_the_limits_of_a_board_without_guesses() -> None:
    told = spec.section("Fairness/Making a board")
    assert f"more than {fair_boards.LARGEST_WITHOUT_GUESSES} cells" in told
    assert f"After {fair_boards.ATTEMPTS}" in told
    assert fair_boards.needs_no_guess(Board(Shape(9, 9, 1), [80]), 0)

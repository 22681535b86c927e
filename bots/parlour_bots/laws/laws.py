"""The laws of a game. Each is a function that raises Violation if a match breaks it; its docstring is the law."""

import json
from collections.abc import Callable, Iterator
from itertools import takewhile, zip_longest
from time import process_time
from typing import Any, TypeAlias

import attrs

from parlour_bots.laws.match import ImpossibleStep, MatchPosition, MatchStep, RandomMatch, Viewer
from parlour_bots.laws.words import words
from parlour_games.game import BadOptions, Decision, IllegalAction, Job, Plain
from parlour_games.layout import KINDS, fault, fits
from parlour_games.options import options_of
from parlour_games.registry import checked
from parlour_protocol.phrases import FALLBACK, table
from parlour_protocol.schema import schema

Law: TypeAlias = Callable[[RandomMatch], None]

LONGEST = 50_000
"""The steps after which a match has to be over."""
PATIENCE = 20.0
"""The seconds of CPU after which a match has to be over: one that never ends may take longer with each step."""
_FURTHER = 8
_DEALS = 3
_WORLDS = 40
"""The number of resampled worlds. A value that is the same in all of them counts as never drawn again."""
_REFUSED = 12
_INT_LIMIT = 2**53
_FOREIGN: tuple[Any, ...] = (-1, 10**6, "", None, [], "none of these")


def declared(match: RandomMatch) -> None:
    """The game declares its name, seats, actions, events and options, and options refuse wrong values."""
    game, start = match.game, MatchPosition(match)
    with start.guarded():
        checked(game)
        schema([game])
    for classes, tag in ((game.Actions, "do"), (game.Events, "e")):
        tags = [getattr(cls, tag) for cls in classes]
        if len(set(tags)) != len(tags) or not tags:
            raise start.broken(f"the tags {tag} are not different: {tags}")
    if not 1 <= game.min_seats <= game.max_seats:
        raise start.broken(f"min_seats is {game.min_seats}, max_seats {game.max_seats}")
    if (wrong_layout := fault(game.layout, [cls.do for cls in game.Actions])) is not None:
        raise start.broken(wrong_layout)
    defaults = attrs.asdict(game.Options())
    _check_plain(start, "Options", defaults)
    for option in options_of(game):
        right = option.choices or (option.default,)
        wrong = "none of these" if option.choices else option.low - 1 if option.low is not None else None
        if option.choices and option.default not in option.choices:
            raise start.broken(f"option {option.name}: the default {option.default!r} is not among the choices")
        for value in right:
            _try_option(start, option.name, value)
        if wrong is not None and _try_option(start, option.name, wrong):
            raise start.broken(f"option {option.name} accepts {wrong!r}, which its form does not offer")


def plays(match: RandomMatch) -> None:
    """Every listed action, every time-out and every departure is possible, and nothing raises."""
    match.last()


def decisions(match: RandomMatch) -> None:
    """Until the end a seat has to decide or a timer or job runs; a seat has to decide one thing at a time."""
    for position in match.walk():
        found, pending = position.decisions(), match.game.pending(position.state)
        must = [decision.seat for decision in found if decision.must]
        if position.over:
            if found or pending is not None:
                raise position.broken(f"the match is over, but still open are: {found or pending}")
            continue
        if not must and pending is None:
            raise position.broken("the match is not over, but it waits for nothing: no decision, no timer, no job")
        if found != sorted(found, key=lambda decision: decision.seat):
            raise position.broken(f"decisions are not ordered by seat: {found}")
        if len(set(must)) < len(must) or len({(each.seat, each.key) for each in found}) < len(found):
            raise position.broken(f"a seat has two required decisions, or two with the same key: {found}")
        if gone := position.left.intersection(decision.seat for decision in found):
            raise position.broken(f"seat {min(gone)} has left, but is asked: {found}")


def listed(match: RandomMatch) -> None:
    """The listed actions are accepted, once each, and no others; a refusal changes nothing."""
    seen: dict[str, Plain] = {}
    for position in match.looks():
        for decision in position.decisions():
            legal = position.legal(decision)
            texts = [json.dumps(act, sort_keys=True) for act in legal]
            if bool(legal) != match.game.listed or len(set(texts)) < len(texts):
                raise position.broken(f"legal of {decision} is empty, or has an action twice: {legal}")
            for act in legal:
                if reason := position.fork().apply(decision, act):
                    raise position.broken(f"seat {decision.seat} is refused {act}, which legal lists: {reason}")
            seen |= dict(zip(texts, legal, strict=True))
            if legal:
                others = [act for text, act in seen.items() if text not in texts] + _altered(match, legal)
                _check_refused(position, decision, [act for act in others if act not in legal])
            _check_default(position, decision, legal)


def plain(match: RandomMatch) -> None:
    """Views, events, actions and the canonical state are plain data, and views fit the layout."""
    tags = {cls.e for cls in match.game.Events}  # type: ignore[attr-defined]  # see Game.Events
    for position in match.looks():
        _check_plain(position, "canonical", position.canonical())
        for viewer in position.viewers:
            _check_plain(position, f"view of {_name(viewer)}", view := position.view(viewer))
            for field, shown in match.game.layout.items():
                if field in view and not fits(shown, view[field], match.seats):
                    raise position.broken(
                        f"view of {_name(viewer)}: {field} is {view[field]!r}, but its kind in layout is {shown.kind}:"
                        f" {KINDS[shown.kind]}"
                    )
            for event in position.told(viewer):
                _check_plain(position, f"event to {_name(viewer)}", event)
                if event.get("e") not in tags:
                    raise position.broken(f"redact returns {event}: e has to be one of {sorted(tags)}")


def news(match: RandomMatch) -> None:
    """Every change of a view comes with an event that its viewer may see; announce shows what redact shows."""
    before: dict[Viewer, Plain] = {}
    for position in match.walk():
        for viewer in position.viewers:
            shown = json.loads(json.dumps(position.view(viewer)))
            told = position.told(viewer)
            if viewer in before and shown != before[viewer] and not told:
                changed = sorted(key for key in shown if shown[key] != before[viewer].get(key))
                raise position.broken(f"the view of {_name(viewer)} changes without an event: {', '.join(changed)}")
            before[viewer] = shown
        for event in position.events:
            _check_announced(position, event)


def secrets(match: RandomMatch) -> None:
    """Views, events, questions and refusals do not depend on what their viewer may not know (by resample)."""
    for here, there, viewer in _other_deals(match):
        _check_told_the_same(viewer, here, there)
    for position in match.looks(at_rest=False):
        for viewer in position.some_viewers():
            here = position.fork()
            there = position.over_there(_twin(here, viewer))
            _check_same(position, viewer, here, there)
            _check_same_refusals(position, viewer, here, there)
            _check_same_events(position, viewer, here, there)


def resampled(match: RandomMatch) -> None:
    """States from resample have other hidden cards and another future: a search in them learns nothing."""
    _check_hidden_is_drawn_again(match)
    for position in match.looks(at_rest=False):
        for viewer in position.some_viewers():
            twin = position.over_there(_twin(position, viewer))
            before = len(match.drawn)
            for _ in range(_FURTHER):
                if not twin.at_rest:
                    twin.go_on(match.rng)
            if match.drawn[before:]:
                raise position.broken(
                    f"the state that resample returns for {_name(viewer)} draws {match.drawn[before]} from the fair of"
                    " the match: a search in it sees what will come. Give it another one, such as"
                    ' Fair(stream.key, "resample", [])'
                )


def deterministic(match: RandomMatch) -> None:
    """The same seed and the same actions give the same match."""
    one, other = (RandomMatch(match.game, match.seed, match.options, match.seats, match.script) for _ in range(2))
    for here, there in zip_longest(one.walk(), other.walk()):
        if here is None or there is None or whole(here) != whole(there):
            raise (here or there).broken("the same steps from the same deal lead to different states, views or events")


def replayed(match: RandomMatch) -> None:
    """A match is rebuilt from its recorded steps: the same state comes out."""
    position = match.last()
    steps = [MatchStep(**json.loads(json.dumps(step.plain()))) for step in position.steps]
    again = RandomMatch(match.game, match.seed, match.options, match.seats, steps)
    try:
        rebuilt = again.last()
    except ImpossibleStep as error:
        raise position.broken(f"a recorded step cannot be done again: {error}") from None
    if whole(rebuilt) != whole(position):
        raise position.broken("the state that is rebuilt from the recorded steps is a different one")


def copied(match: RandomMatch) -> None:
    """A copy of a state is equal to it, and goes its own way."""
    for position in match.looks(at_rest=False):
        before = _canonical(position)
        fork = position.fork()
        if whole(fork) != whole(position.over_there(position.state)):
            raise position.broken("a copy differs from its state")
        for _ in range(_FURTHER):
            if not fork.at_rest:
                fork.go_on(match.rng)
        if _canonical(position) != before:
            raise position.broken("what is done to a copy changes the state that was copied")


def ends(match: RandomMatch) -> None:
    """Every match ends under random play, with ranks and scores for every seat."""
    began = process_time()
    *_, position = takewhile(lambda _: process_time() - began <= PATIENCE, match.walk(LONGEST))
    outcome = match.game.outcome(position.state)
    if outcome is None:
        if match.script is None and not position.at_rest:
            raise position.broken(f"the match is not over after {len(position.steps)} steps")
        return
    if not len(outcome.ranks) == len(outcome.scores) == match.seats or min(outcome.ranks) < 1:
        raise position.broken(f"every seat has a rank, from 1, and a score, but not in {outcome}")
    _check_plain(position, "outcome", [*outcome.ranks, *outcome.scores, outcome.why, outcome.stats])


def whole(position: MatchPosition) -> list[Any]:
    """Return all that can be seen of a position."""
    seen = [(position.view(viewer), position.told(viewer)) for viewer in position.viewers]
    return [_canonical(position), position.decisions(), [position.legal(each) for each in position.decisions()], seen]


LAWS: tuple[Law, ...] = (
    declared,
    plays,
    decisions,
    listed,
    plain,
    news,
    secrets,
    resampled,
    deterministic,
    replayed,
    copied,
    ends,
    words,
)
FIRST = (declared, plays)
"""The laws without which no other can be checked."""


def _name(viewer: Viewer) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


def _canonical(position: MatchPosition) -> str:
    return json.dumps(position.canonical(), sort_keys=True)


def _try_option(position: MatchPosition, name: str, value: Any) -> bool:
    with position.guarded():
        try:
            position.game.Options(**{name: value})
        except BadOptions:
            return False
        return True


def _check_plain(position: MatchPosition, what: str, value: Any) -> None:
    if type(value) is dict:
        if odd := [key for key in value if type(key) is not str]:
            raise position.broken(f"{what} has the key {odd[0]!r}: keys are strings")
        value = [*value.values()]
    if type(value) is list:
        for item in value:
            _check_plain(position, what, item)
    elif not (value is None or type(value) in (str, bool) or (type(value) is int and abs(value) < _INT_LIMIT)):
        raise position.broken(
            f"{what} has {value!r} of type {type(value).__name__}: plain data are dict, list, str, int below 2^53,"
            " bool and None"
        )


def _altered(match: RandomMatch, legal: list[Plain]) -> list[Plain]:
    """Return actions that differ from one of ``legal`` in one field."""
    act = match.rng.choice(legal)
    fields = [name for name in act if name != "do" and type(act[name]) is not bool]
    return [{**act, name: value} for name in fields for value in _FOREIGN]


def _check_refused(position: MatchPosition, decision: Decision, others: list[Plain]) -> None:
    before = _canonical(position)
    for act in position.match.rng.sample(others, k=min(_REFUSED, len(others))):
        fork = position.fork()
        try:
            refusal = fork.apply(decision, act)
        except ImpossibleStep:  # servers refuse it before the game sees it
            continue
        if refusal is None:
            raise position.broken(f"seat {decision.seat} may do {act}, which legal does not list")
        _check_words(position, act, refusal)
        if _canonical(fork) != before:
            raise position.broken(f"the refusal of {act} changes the state")


def _check_words(position: MatchPosition, act: Plain, refusal: IllegalAction) -> None:
    """A refusal that names a phrase has it among the words of the game, and fields that can be sent."""
    if refusal.phrase is None:
        return
    key = f"{position.game.name}.refusal.{refusal.phrase}"
    if not position.game.phrases or key not in table(position.game.phrases, FALLBACK):
        raise position.broken(f"the refusal of {act} names a phrase without words: add {key} to {FALLBACK}.json")
    _check_plain(position, f"the fields of the refusal of {act}", refusal.fields)


def _check_default(position: MatchPosition, decision: Decision, legal: list[Plain]) -> None:
    game = position.game
    act = game.wire(game.default_action(position.state, decision.seat, decision.key))
    if legal and act not in legal:
        raise position.broken(f"the default action {act} of seat {decision.seat} is not in legal")
    if reason := position.fork().apply(decision, act):
        raise position.broken(f"the default action {act} of seat {decision.seat} is refused: {reason}")


def _check_announced(position: MatchPosition, event: Any) -> None:
    game = position.game
    announced, insiders = game.announce(event), game.insiders(event)
    for viewer in position.viewers:
        if announced is not None and viewer not in insiders and game.redact(event, viewer) != announced:
            raise position.broken(
                f"announce shows {announced}, but redact shows {_name(viewer)} {game.redact(event, viewer)}:"
                " name the seat in insiders"
            )


def _asked(position: MatchPosition, viewer: Viewer) -> Plain:
    """Return the facts that a viewer learns of a state, apart from its view."""
    game, state, found = position.game, position.state, position.decisions()
    own = [decision for decision in found if decision.seat == viewer]
    pending = game.pending(state)
    return {
        "view": position.view(viewer),
        "decisions": [(each.seat, each.key if each in own else "") for each in found if each.must or each in own],
        "legal": [position.legal(decision) for decision in own],
        "default_action": [game.wire(game.default_action(state, each.seat, each.key)) for each in own if each.must],
        "pending": pending.name if isinstance(pending, Job) else pending,
        "outcome": game.outcome(state),
    }


def _check_same(position: MatchPosition, viewer: Viewer, here: MatchPosition, there: MatchPosition) -> None:
    one, other = _asked(here, viewer), _asked(there, viewer)
    for what in one:
        if one[what] != other[what]:
            raise position.broken(
                f"{what} of {_name(viewer)} shows what it may not know: {_difference(one[what], other[what])}"
            )


def _difference(one: Any, other: Any) -> str:
    """Return the place where two values differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        name = next(key for key in one if one[key] != other[key])
        return f"{name}: {_difference(one[name], other[name])}"
    return f"{one} here, {other} in a world that looks the same"


def _check_same_refusals(position: MatchPosition, viewer: Viewer, here: MatchPosition, there: MatchPosition) -> None:
    for decision in [decision for decision in here.decisions() if decision.seat == viewer]:
        tried = _altered(position.match, here.legal(decision)) if position.game.listed else []
        for act in tried:
            try:
                found = [each.fork().apply(decision, act) for each in (here, there)]
            except ImpossibleStep:
                continue
            told = [each and (each.reason, each.phrase, each.fields) for each in found]
            if told[0] != told[1]:
                raise position.broken(f"the refusal of {act} shows what {_name(viewer)} may not know: {told}")


def _twin(position: MatchPosition, viewer: Viewer) -> Any:
    """Return a state that looks the same to ``viewer``."""
    state = position.game.resample(position.state, viewer, position.match.stream())
    if state is None:
        raise position.broken("resample returns None: draw again what a viewer may not know, see Game.resample")
    return state


def _other_deals(match: RandomMatch) -> Iterator[tuple[MatchPosition, MatchPosition, Viewer]]:
    """Yield the start of the match and of others that differ in two cards, for each viewer."""
    here = MatchPosition(match)
    for _ in range(_DEALS):
        there = match.other_deal()
        for viewer in here.viewers:
            yield here, there, viewer


def _check_hidden_is_drawn_again(match: RandomMatch) -> None:
    """``resample`` draws again, now and then, whatever differs between two deals that look the same to a viewer."""
    for here, there, viewer in _other_deals(match):
        if here.view(viewer) != there.view(viewer) or here.told(viewer) != there.told(viewer):
            continue
        mine, other = _leaves(here.canonical()), _leaves(there.canonical())
        hidden = {place for place in mine.keys() | other.keys() if mine.get(place) != other.get(place)}
        worlds = (_leaves(here.over_there(_twin(here, viewer)).canonical()) for _ in range(_WORLDS))
        if hidden and all(all(world.get(place) == mine.get(place) for place in hidden) for world in worlds):
            raise here.broken(
                f"{min(hidden)} is hidden from {_name(viewer)}, but resample never draws it again: a search sees it"
            )


def _leaves(value: Any, place: str = "") -> dict[str, Any]:
    """Return the values in plain data that are no maps and lists, by their place: ``hands[0][2]``."""
    if isinstance(value, dict):
        parts = [(f"{place}.{name}" if place else name, each) for name, each in value.items()]
    elif isinstance(value, list):
        parts = [(f"{place}[{number}]", each) for number, each in enumerate(value)]
    else:
        return {place: value}
    found: dict[str, Any] = {}
    for name, each in parts:
        found |= _leaves(each, name)
    return found


def _check_told_the_same(viewer: Viewer, here: MatchPosition, there: MatchPosition) -> None:
    one, other = here.told(viewer), there.told(viewer)
    if here.view(viewer) == there.view(viewer) and one != other:
        raise here.broken(
            f"{_name(viewer)} sees the same in two states, but its events differ: {one} and {other}."
            " Hide it in redact, or show it in view"
        )


def _check_same_events(position: MatchPosition, viewer: Viewer, here: MatchPosition, there: MatchPosition) -> None:
    """If a viewer sees the same after a step in both worlds, it has been told the same."""
    rng = position.match.rng
    step = here.choose(rng)
    another = there.choose(rng)
    same_kind = step.seat != viewer and (step.what, step.seat) == (another.what, another.seat)
    try:
        here.take(step)
        there.take(another if same_kind and rng.random() < 0.5 else step)
    except ImpossibleStep:
        return
    _check_told_the_same(viewer, here, there)

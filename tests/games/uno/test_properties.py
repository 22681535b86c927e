"""Invariants of every step of random matches."""

from random import Random

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.uno.players import Seeded, Step, histories, perform
from tests.games.uno.strategies import any_action
from tests.games.uno.tables import UNO, Table

from parlour_games.game import IllegalAction
from parlour_games.uno.actions import Action, Jump, Resign
from parlour_games.uno.cards import cards_in
from parlour_games.uno.options import SCORINGS, Options
from parlour_games.uno.state import State

few = settings(max_examples=90, deadline=None)


def viewers(state: State) -> list[int | None]:
    return [None, *range(state.seats)]


@given(histories())
@few
def test_all_108_cards_are_somewhere_exactly_once(history: Seeded) -> None:
    for state, _, _ in history.walk():
        Table(state).count_cards()


@given(histories())
@few
def test_a_decision_or_a_timer_is_open_until_the_end(history: Seeded) -> None:
    for state, _, _ in history.walk():
        must = [decision.seat for decision in UNO.decisions(state) if decision.must]
        waits = UNO.pending(state) is not None
        assert len(must) + waits == (UNO.outcome(state) is None)
        assert [decision.seat for decision in UNO.decisions(state)] == sorted(d.seat for d in UNO.decisions(state))
        assert not set(must) & set(UNO.view(state, None)["out"])


@given(histories(), st.lists(any_action(), min_size=20, max_size=20))
@settings(max_examples=60, deadline=None)
def test_exactly_the_listed_actions_are_accepted(history: Seeded, others: list[Action]) -> None:
    for number, (state, _, _) in enumerate(history.walk()):
        if number % 8:
            continue
        for decision in UNO.decisions(state):
            legal = UNO.legal(state, decision.seat, decision.key)
            assert len(legal) == len(set(legal)) > 0
            assert Resign() not in legal
            for action in legal:
                UNO.apply(UNO.copy(state), decision.seat, decision.key, action)
            before = UNO.canonical(state)
            for action in others:
                if action not in legal:
                    with pytest.raises(IllegalAction):
                        UNO.apply(state, decision.seat, decision.key, action)
            assert UNO.canonical(state) == before


@given(histories())
@few
def test_the_default_action_is_legal(history: Seeded) -> None:
    for state, _, _ in history.walk():
        for decision in UNO.decisions(state):
            action = UNO.default_action(state, decision.seat, decision.key)
            assert action in UNO.legal(state, decision.seat, decision.key)


@given(histories())
@few
def test_every_change_of_a_view_comes_with_an_event_that_its_viewer_may_see(history: Seeded) -> None:
    state, _ = history.start()
    before = {viewer: UNO.view(state, viewer) for viewer in viewers(state)}
    for state, step, events in history.walk():
        for viewer in viewers(state):
            seen = [plain for event in events if (plain := UNO.redact(event, viewer)) is not None]
            if UNO.view(state, viewer) != before[viewer]:
                assert seen, step
            before[viewer] = UNO.view(state, viewer)


@given(histories())
@few
def test_views_and_events_are_plain_data_with_small_whole_numbers(history: Seeded) -> None:
    for state, _, events in history.walk():
        for viewer in viewers(state):
            for plain in (UNO.view(state, viewer), *(UNO.redact(event, viewer) for event in events)):
                assert_plain(plain)
        assert_plain(UNO.canonical(state))


def assert_plain(value: object) -> None:
    if isinstance(value, dict):
        assert all(type(key) is str for key in value)
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            assert_plain(item)
    else:
        assert value is None or type(value) in (str, int, bool)
        assert type(value) is not int or abs(value) < 2**53


@given(histories())
@few
def test_an_open_question_keeps_its_key_and_its_list_whatever_others_do(history: Seeded) -> None:
    """A key stands for one list as long as it is open; it is renewed only with the hand that it is about, or by a jump:
    whose turn it was has been overtaken, even if its turn comes again at once. Penalty cards can change a jump."""
    asked: dict[tuple[int, str], tuple[int, list[Action]]] = {}
    answered: set[tuple[int, str]] = set()
    for state, step, _ in history.walk():
        if step.decision:
            answered.add((step.decision.seat, step.decision.key))
        now = {
            (d.seat, d.key): (state.hands[d.seat], list(UNO.legal(state, d.seat, d.key))) for d in UNO.decisions(state)
        }
        assert not answered & now.keys()
        for pair, question in now.items():
            overtaken = isinstance(step.action, Jump)
            unanswered = [asked[old] for old in asked.keys() - answered if old[0] == pair[0] and not overtaken]
            if pair in asked:
                assert question[1] == asked[pair][1] or pair[1].startswith("jump")
            else:
                assert question not in unanswered
        asked = now


@given(histories())
@few
def test_a_closed_question_is_refused_without_effect(history: Seeded) -> None:
    closed: list[Step] = []
    for state, step, _ in history.walk():
        before = UNO.canonical(state)
        for old in closed[-3:]:
            assert old.decision
            assert old.action
            assert UNO.legal(state, old.decision.seat, old.decision.key) == []
            with pytest.raises(IllegalAction, match="not open"):
                UNO.apply(state, old.decision.seat, old.decision.key, old.action)
        assert UNO.canonical(state) == before
        if step.decision:
            closed.append(step)


@given(histories())
@few
def test_the_same_choices_on_the_same_deals_give_the_same_match(history: Seeded) -> None:
    one, other = history.play().state, history.play().state
    assert UNO.canonical(one) == UNO.canonical(other)
    assert one == other


@given(histories())
@few
def test_a_copy_goes_its_own_way_to_the_same_end(history: Seeded) -> None:
    state, _ = history.start()
    twin, steps = UNO.copy(state), []
    for number, (state, step, _) in enumerate(history.walk()):
        steps.append(step)
        if number == history.steps // 2:
            fork, before = UNO.copy(state), UNO.canonical(state)
            finish(attrs.evolve(history, seed=history.seed + 1, leaving=20), fork)
            assert UNO.canonical(state) == before
    for step in steps:
        perform(twin, step)
    assert UNO.canonical(twin) == UNO.canonical(state)


def finish(history: Seeded, state: State) -> None:

    rng = Random(history.seed)
    for _ in range(30):
        if UNO.outcome(state) is None:
            perform(state, history.choose(state, rng))


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("seats", [2, 3, 5, 10])
def test_matches_end_with_every_rank_explained(scoring: str, seats: int) -> None:
    options = Options(scoring=scoring, target=60, breath=0, pause=0)
    state = Seeded(seats, seats, options, steps=200_000, leaving=0).play().state
    outcome = UNO.outcome(state)
    assert outcome
    assert sorted(outcome.ranks)[0] == 1
    assert outcome.ranks.count(1) == 1
    assert outcome.ranks[state.winners[0]] == 1
    assert len(outcome.ranks) == len(outcome.scores) == seats
    assert outcome.why == ("round" if scoring == "single" else "target")


@given(histories(leaving=80, steps=400))
@few
def test_matches_that_are_left_end_with_one_winner_and_leavers_behind(history: Seeded) -> None:
    state = history.play().state
    outcome = UNO.outcome(state)
    if outcome:
        stayed = [outcome.ranks[seat] for seat in range(state.seats) if seat not in state.leavers]
        left = [outcome.ranks[seat] for seat in state.leavers]
        assert 1 in stayed
        assert not left or max(stayed) < min(left)
        assert left == sorted(left, reverse=True)
        assert [cards_in(state.hands[seat]) for seat in state.leavers] == [[]] * len(left)

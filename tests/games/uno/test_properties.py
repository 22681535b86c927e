"""Invariants of every step of random matches."""

import pytest
from hypothesis import given
from tests.games.uno.players import Seeded, Step, histories
from tests.games.uno.tables import UNO, Table
from tests.support.examples import examples

from parlour_games.game import IllegalAction
from parlour_games.uno.actions import Action, Jump
from parlour_games.uno.cards import cards_in
from parlour_games.uno.options import SCORINGS, Options

few = examples(90)


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

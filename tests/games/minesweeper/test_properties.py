"""Invariants of every step of random matches, in all modes."""

import json

from hypothesis import given
from tests.games.minesweeper.players import Seeded, histories, perform
from tests.games.minesweeper.tables import KEY, MINES, told, viewers
from tests.support.examples import examples

from parlour_games.game import Decision
from parlour_games.minesweeper.board import IS_MINE

few = examples(100)


@given(histories())
@few
def test_a_decision_or_a_job_is_open_until_the_end(history: Seeded) -> None:
    for state, _, _ in history.walk():
        decisions, over = MINES.decisions(state), MINES.outcome(state) is not None
        asked = [decision.seat for decision in decisions]
        assert asked == sorted(set(asked))
        assert all((decision.key, decision.must) == (KEY, True) for decision in decisions)
        assert all(state.players[seat].status == "in" for seat in asked)
        assert (state.phase == "over") == over
        assert bool(MINES.pending(state)) == (state.phase in ("making", "review"))
        assert bool(asked or MINES.pending(state)) != over
        assert not (asked and state.phase == "review")
        if state.mode == "duel" and not over:
            assert decisions == [Decision(state.turn, KEY, True)]


@given(histories(leaving=30))
@few
def test_the_result_is_well_formed_and_final(history: Seeded) -> None:
    state = history.play()
    outcome = MINES.outcome(state)
    if outcome is None:
        return
    assert len(outcome.ranks) == len(outcome.scores) == history.seats
    whys = {"solo": {"won", "lost"}, "coop": {"won", "lost"}, "race": {"race"}}
    assert outcome.why in whys.get(state.mode, {"majority", "resigned", "left"}) | {"no_board"}
    assert outcome.rated == (outcome.why != "no_board")
    assert min(outcome.ranks) == (2 if outcome.why == "lost" or (state.mode != "race" and not outcome.rated) else 1)
    assert all(score >= 0 for score in outcome.scores)
    assert all(player.status != "in" for player in state.players)
    assert (outcome.stats is None) == (state.board is None)
    for seat in range(history.seats):
        assert MINES.remove(state, seat) == []
    assert MINES.outcome(state) == outcome


@given(histories())
@few
def test_a_refused_act_changes_nothing(history: Seeded) -> None:
    state, _ = history.start()
    before = json.dumps(MINES.canonical(state))
    for now, step, events in history.walk():
        after = json.dumps(MINES.canonical(now))
        if events is None:
            assert after == before, step
        before = after


@given(histories())
@few
def test_a_history_folds_to_the_same_match_and_copies_stay_as_they_were(history: Seeded) -> None:
    twin, _ = history.start()
    for state, step, events in history.walk():
        copy, before = MINES.copy(twin), MINES.canonical(twin)
        assert perform(twin, step) == events
        assert MINES.canonical(twin) == MINES.canonical(state)
        assert MINES.canonical(copy) == before
    assert MINES.outcome(twin) == MINES.outcome(history.play())


@given(histories())
@few
def test_every_change_of_a_view_comes_with_an_event_that_its_viewer_may_see(history: Seeded) -> None:
    state, _ = history.start()
    before = {viewer: MINES.view(state, viewer) for viewer in viewers(state)}
    for now, step, events in history.walk():
        for viewer in viewers(now):
            view = MINES.view(now, viewer)
            if view != before[viewer]:
                assert told(events or [], viewer), step
            before[viewer] = view


@given(histories())
@few
def test_rows_show_open_cells_and_no_hidden_mine(history: Seeded) -> None:
    for state, _, _ in history.walk():
        shape, decided = state.shape, state.phase in ("review", "over")
        for viewer in viewers(state):
            rows = MINES.view(state, viewer)["rows"]
            if rows is None:
                assert state.mode == "race"
                assert viewer is None
                continue
            text = "".join(rows)
            assert ([len(row) for row in rows], len(text)) == ([shape.width] * shape.height, shape.cells)
            assert decided or not set(text) & set("MX")
            assert set(text) <= set(".F012345678*MX" if state.mode != "duel" else ".012345678ABMF")
            for cell, char in enumerate(text):
                if state.board and char not in ".F":
                    assert (state.board.numbers[cell] == IS_MINE) == (char in "*ABM")
                    assert char in "*ABMX" or int(char) == state.board.numbers[cell]


@given(histories())
@few
def test_each_open_cell_is_counted_once_for_one_seat(history: Seeded) -> None:
    start, _ = history.start()
    for state, _, _ in history.walk():
        for field in state.visible_boards:
            assert field.open == sum(map(field.is_number, range(state.shape.cells)))
        opened = [player.opened for player in state.players]
        if state.mode != "race":
            assert sum(opened) == state.visible_boards[0].open
        elif state.board:
            by_server = {field.open - count for field, count in zip(state.visible_boards, opened, strict=True)}
            assert len(by_server) == 1
        if state.mode == "duel":
            finds = [state.visible_boards[0].shown.count(letter) for letter in b"AB"]
            assert [player.found for player in state.players] == finds
    assert len(start.visible_boards) == (history.seats if history.options.mode == "race" else 1)


@given(histories(("solo", "race", "coop")))
@few
def test_flagged_cells_do_not_open_and_open_cells_do_not_close(history: Seeded) -> None:
    state, _ = history.start()
    before = [field.shown[:] for field in state.visible_boards]
    for now, step, _ in history.walk():
        unflags = '"unflag"' in json.dumps(step.act)
        for old, field in zip(before, now.visible_boards, strict=True):
            for was, char in zip(old, field.shown, strict=True):
                assert was in b".F" or char == was
                assert was != ord("F") or char == was or unflags or step.act is None
        before = [field.shown[:] for field in now.visible_boards]


@given(histories())
@few
def test_room_time_only_goes_into_results(history: Seeded) -> None:
    steps = [step for _, step, _ in history.walk()]
    one, other = history.start()[0], history.start()[0]
    for step in steps:
        MINES.note_time(other, step.ms // 2)
        assert (perform(one, step) is None) == (perform(other, step) is None)
        assert [field.shown for field in one.visible_boards] == [field.shown for field in other.visible_boards]
    assert MINES.canonical(one) == MINES.canonical(other)

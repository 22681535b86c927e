"""Running contests: who takes part, when rooms open, and what happens to matches that break off."""

import pytest
from msgspec.structs import replace
from tests.server.contests.contest_bots import Bots, one_turn, sweep, tally
from tests.server.local_server import house_bot, only, received, refused, request

from parlour_protocol import messages as m
from parlour_server.contests import director
from parlour_server.contests.contest import MARKS, ContestState
from parlour_server.contests.pairing import PairingResult
from parlour_server.rooms.timers import GONE, STALLED


def test_everybody_on_offer_meets_everybody() -> None:
    at = Bots("gone", "a", "b", "c")
    at.bots["gone"].close()
    at.local.connect("idle", "bot")
    house_bot(at.local)
    assert at.order() == [m.Ok(re=1)]
    assert [entrant.name for entrant in at.contest.plan.entrants] == ["a", "b", "c"]
    assert len(at.rooms) == 3
    joined = only(at.bots["b"], m.Joined)
    assert len(joined) == 2
    assert all(message.why == "invited" and message.table["host"] is None for message in joined)


def test_results_count_rooms_close_and_their_spectators_get_the_standings_at_the_start_and_the_end() -> None:
    at = Bots("a", "b")
    at.order()
    watcher = at.local.connect("wanda", "human")
    watcher.send(m.Join(at.rooms[0], as_="spectator"))
    (joined,) = only(watcher, m.Joined)
    assert joined.chat == [{"from": "friday", "text": "0 of 1 table is done. Won/played: a 0/0, b 0/0"}]
    at.win("a")
    (said,) = only(watcher, m.Said)
    assert said.text == "1 of 1 table is done. Won/played: a 1/1, b 0/1"
    assert said.from_ == {"name": "friday", "kind": "bot", "seat": None}
    assert [type(message) for message in received(at.bots["b"])][-4:] == [m.Over, m.SeatsChanged, m.Said, m.Left]
    assert [row["points"] for row in at.rows()] == [1, 0]
    assert tally(at.rows()) == {"a": (1, 1, 0), "b": (1, 0, 0)}
    assert (at.rooms, at.contest.over) == ([], True)


def test_a_busy_bot_gets_no_more_rooms_than_it_accepts() -> None:
    at = Bots("a", "b", "c", "d", limit=1)
    at.order()
    assert len(at.rooms) == 2
    assert at.end("a") not in at.rooms
    assert len(at.rooms) == 1, "the others are still playing"
    assert at.end("c") not in at.rooms
    assert len(at.rooms) == 2, "all are free: the next pairings begin"


def test_pairings_of_an_entrant_that_never_comes_are_forfeited_last() -> None:
    at = Bots("a", "b", "c", limit=1)
    at.order()
    one, other, away = at.first_pairing()
    at.bots[away].close()
    at.end(one)
    assert at.rooms == []
    sweep(at, GONE - 1)
    assert not at.contest.over, "who has crashed has time to come back"
    sweep(at, 1)
    assert at.contest.over
    rows = tally(at.rows())
    assert rows[away] == (2, 0, 2)
    assert rows[one][2] == rows[other][2] == 0
    assert sum(wins for _, wins, _ in rows.values()) == 2, "nobody of the match that was played, which was a draw"


def test_a_lost_result_is_played_for_again() -> None:
    at = Bots("a", "b")
    at.order()
    contest, room = at.contest, at.rooms[0]
    lost = contest.ended(0, room, PairingResult((1, 2), (1, 0)))
    contest.follow(lost)
    at.local.lobby.undo([lost])
    assert (contest.rooms, contest.results) == ({0: room}, {})


def test_a_stopping_server_opens_no_contest_room() -> None:
    at = Bots("a", "b")
    at.local.lobby.connections.draining = True
    assert at.order() == [m.Ok(re=1)]
    assert at.rooms == []
    at.local.lobby.connections.draining = False
    sweep(at, 1)
    assert len(at.rooms) == 1


def test_contest_that_could_not_be_stored_has_not_begun() -> None:
    at = Bots("a", "b")
    at.order()
    lobby, contest = at.local.lobby, at.contest
    saved, begun = contest.save(), contest.begun(0, at.rooms[0])
    at.order(stop=True)
    assert contest.stopped
    lobby.undo([replace(saved, stopped=True)])
    assert not contest.stopped
    at.order(stop=True)
    at.order(resume=True)
    lobby.undo([replace(saved, resumed=True)])
    assert contest.stopped
    rooms, _ = lobby.undo([saved, begun])
    assert (rooms, lobby.director.contests) == (set(), {})


def test_standings_show_the_progress_of_the_contest() -> None:
    at = Bots("a", "b", "c", limit=1)
    at.order()
    assert at.view() == {
        "state": "running", "game": "fake", "format": "round-robin",
        "tables": 3, "done": 0, "playing": 1, "void": 0, "away": [],
    }  # fmt: skip
    sweep(at, 9_999)
    bot = at.asked()
    at.end(bot.name)
    assert at.view().get("left") == 20_000, "one took ten seconds, two are left"
    bot.close()
    sweep(at, 0)
    assert at.view()["away"] == [bot.name]
    at.order(stop=True)
    assert (at.view()["state"], at.view()["tables"]) == ("stopped", 3)


def test_the_remaining_time_is_estimated_from_the_last_results() -> None:
    course = ContestState()
    for second in range(100):
        course.mark(1_000 * second, second)
    assert course.marks[0] == (60_000, 60)
    assert len(course.marks) == MARKS


def test_standings_come_in_pages_with_the_cross_table_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(director, "PAGE", 2)
    at = Bots("a", "b", "c")
    at.order()
    at.win("a")
    found = []
    for more in ({}, {"after": "2"}, {"cross": True}):
        page = request(at.operator, m.Standings(contest="friday", **more), m.StandingsRows)
        found.append(([(row["name"], row.get("against")) for row in page.rows], page.after))
    assert found == [
        ([("a", None), ("b", None)], "2"),
        ([("c", None)], None),
        ([("a", [{"name": "b", "games": 1, "wins": 1}])], "1"),
    ]


def test_the_name_of_an_awaited_guest_stays_reserved() -> None:
    at = Bots("a", "b", "c", limit=1)
    at.order()
    *_, away = at.first_pairing()
    at.bots[away].close()
    assert refused(at.local.open(away), m.Hello(away, "bot")).code == "name_taken"
    at.offer(at.local.connect(away, "bot", token=at.bots[away].token))
    sweep(at, 1)
    assert not at.view()["away"]


def test_a_stalled_pairing_is_lost_by_all() -> None:
    at = Bots("a", "b")
    at.order(options={"breath": 10**9})
    turn = one_turn(at.bots["a"])
    at.bots["a"].send(m.Act(turn.room, 1, {"do": "bell"}))
    at.local.wait(STALLED - 1)
    assert at.rooms
    at.local.wait(1)
    assert tally(at.rows()) == dict.fromkeys("ab", (1, 0, 1))


def test_a_forfeit_overrides_the_winner_of_the_game() -> None:
    at = Bots("a", "b")
    at.order()
    turn = one_turn(at.bots["a"])
    at.bots["b"].send(m.Leave(turn.room))
    at.bots["a"].send(m.Act(turn.room, one_turn(at.bots["a"]).rid, {"do": "end"}))
    assert at.contest.results[0].ranks == (1, 1)
    assert tally(at.rows()) == {"a": (1, 1, 0), "b": (1, 0, 1)}


def test_a_room_that_cannot_be_loaded_counts_as_void() -> None:
    at = Bots("a", "b")
    at.order()
    sweep(at, 1)
    assert at.view()["done"] == 0
    at.local.lobby.rooms.discard(at.rooms[0])
    sweep(at, 1)
    assert at.view()["done"] == 0, "it can be loaded again"
    at.local.lobby.rooms.dormant.clear()
    sweep(at, 1)
    assert (at.view()["state"], at.view()["void"]) == ("finished", 1)

"""Misbehaving bots cannot hold up a contest or cost other bots anything."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.contests.contest_bots import ADMIN, BEHAVIOURS, OPTIONS, ContestRun

from parlour_protocol import messages as m
from parlour_server.contests import director
from parlour_server.game_files.verify import verify
from parlour_server.rooms.clock import LAG
from parlour_server.rooms.records import game_file
from parlour_server.rooms.timers import GONE, LAPSES


@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from(BEHAVIOURS), min_size=2, max_size=6), st.integers(0, 10**6), st.integers(1, 3))
def test_every_contest_ends_whatever_its_bots_do(behaviour: list[str], seed: int, limit: int) -> None:
    run = ContestRun(behaviour, seed, limit)
    run.play()
    bots = len(behaviour)
    assert run.local.lobby.rooms.loaded == {}
    assert len(run.contest.results) == bots * (bots - 1) // 2
    for bot in run.bots:
        row = run.rows()[bot.name]
        assert row["games"] <= bots - 1
        if bot.behaviour == "good":
            assert (row["forfeits"], row["faults"]) == (0, 0)
    check_files(run)


def check_files(run: ContestRun) -> None:
    """Every match that was played, forfeited or not, is in a file that can be verified."""
    for saved in run.local.matches:
        lines = run.local.log[saved.room][saved.match.first : saved.match.last + 1]
        verdict = verify(game_file(lines), saved.match.digest)
        assert verdict.ok, verdict.wrong


def test_a_bot_that_hangs_loses_each_match_after_its_third_time_out() -> None:
    run = ContestRun(["good", "good", "hangs"], 1, limit=1, clock={"bank": 10_000, "add": 1_000})
    took = run.play()
    assert run.tally()["b2-hangs"] == (2, 0, 2)
    assert run.rows()["b2-hangs"]["faults"] == 2 * LAPSES
    a_match = 10_000 + 2 * 1_000 + LAPSES * LAG
    assert took <= 2 * a_match + 10_000, "a match is lost after one bank, and two answers more"
    assert run.bots[2].lefts == ["forfeited"] * 2


def test_while_a_bot_is_away_nothing_is_done_for_it_and_it_is_late_once() -> None:
    run = ContestRun(["good", "good"], 3)
    run.disconnect_all()
    run.tick(25)
    [room] = run.local.lobby.rooms.loaded.values()
    assert room.room.match is not None
    assert room.room.match.lapses == [0, 0]
    for bot in run.bots:
        run.back(bot)
    run.tick()
    assert sum(room.room.match.lapses) == 1
    run.play()
    assert [row["forfeits"] for row in run.rows().values()] == [0, 0]


def test_after_both_were_absent_the_first_to_return_has_not_won_yet() -> None:
    run = ContestRun(["good", "good"], 3)
    first, other = run.bots
    run.disconnect_all()
    run.tick(100)
    run.back(first)
    run.tick(GONE // 1000 - 1)
    assert run.contest.rooms
    run.back(other)
    run.play()
    assert [row["forfeits"] for row in run.rows().values()] == [0, 0]


@pytest.mark.parametrize("again", [True, False])
def test_when_all_entrants_are_absent_no_pairing_is_forfeited(again: bool) -> None:
    run = ContestRun(["good", "good", "good"], 4, limit=1)
    run.disconnect_all()
    run.tick(240)
    assert not run.contest.over
    if again:
        for bot in run.bots:
            run.back(bot)
        run.play()
    run.tick(760)
    assert run.contest.over
    rows = run.rows().values()
    assert sum(row["games"] for row in rows) == (6 if again else 2), "the rest is void if they stay away"
    assert sum(row["wins"] for row in rows) == (2 if again else 0), "one match was lost by both"
    assert sum(row["forfeits"] for row in rows) == 2


def test_a_bot_that_stays_busy_elsewhere_does_not_hold_up_the_contest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(director, "PATIENCE", 60_000)
    run = ContestRun(["good", "good"], 5, games=2)
    host, bot = run.local.connect("hera", "human"), run.bots[0]
    bot.peer.send(m.OfferBot(["uno"], 3))
    host.send(m.Create("uno", seats=3))
    joined = next(message for message in host.inbox if isinstance(message, m.Joined))
    host.send(m.Invite(joined.room, bot.name))
    bot.peer.send(m.OfferBot(["uno"], 1))
    run.operator.send(m.Admin(ADMIN, "contest", name="monday", args={"game": "uno", "options": OPTIONS}))
    run.play()
    monday = run.local.lobby.director.contests["monday"]
    run.tick(55)
    assert not monday.over
    run.tick(10)
    assert monday.over
    assert {row["name"]: row["forfeits"] for row in monday.standings()} == {"b0-good": 1, "b1-good": 0}


@pytest.mark.parametrize(("games", "took"), [(1, 0), (3, GONE)])
def test_a_bot_disconnected_for_strikes_forfeits_its_matches_and_gets_no_room(games: int, took: int) -> None:
    run = ContestRun(["good", "cheats"], 6, limit=1, games=games)
    run.bots[1].fate = 0
    assert took <= run.play() < took + GONE, "the match at once, those to come when it could have come back"
    assert len(run.local.log) == 1, "the rooms there have been"
    assert run.tally()["b1-cheats"] == (games, 0, games)
    check_files(run)


@pytest.mark.parametrize("banned", [True, False])
def test_a_bot_that_an_admin_bans_or_drops_forfeits_all_its_pairings_at_once(banned: bool) -> None:
    run = ContestRun(["good", "good", "hangs"], 8, limit=1, games=2)
    run.tick(2)
    if banned:
        run.operator.send(m.Admin(ADMIN, "ban", name="b2-hangs"))
    else:
        assert run.order(drop="B2-HANGS") == [m.Ok(re=1)]
        assert run.refusal(drop="nobody").code == "no_such_name"
    run.play()
    assert run.tally()["b2-hangs"] == (4, 0, 4)
    assert run.rows()["b2-hangs"]["faults"] == 0
    assert run.local.now < GONE


@pytest.mark.parametrize(("leaves", "lost"), [(True, 1), (False, 3)])
def test_a_bot_that_leaves_before_a_match_begins_loses_it_and_a_dropped_one_all(leaves: bool, lost: int) -> None:
    run = ContestRun(["good", "good"], 8, limit=1, can=["nonce"], games=lost)
    [code] = run.contest.rooms.values()
    assert run.local.lobby.rooms.loaded[code].room.match is None, "the nonces are still awaited"
    if leaves:
        run.bots[1].peer.send(m.Leave(code))
    else:
        run.order(drop="b1-good")
        run.tick()
        assert run.contest.over
    run.play()
    assert run.tally() == {"b0-good": (lost, lost, 0), "b1-good": (lost, 0, lost)}


def test_an_absent_bot_does_not_win_against_a_dropped_one() -> None:
    run = ContestRun(["good", "dies", "good"], 8, limit=1, games=1)
    run.bots[1].fate = 0
    run.bots[1].peer.close()
    run.order(drop="b0-good")
    run.play()
    assert run.tally() == {"b0-good": (2, 0, 2), "b1-dies": (2, 0, 2), "b2-good": (2, 2, 0)}


def test_a_dropped_bot_stays_dropped_in_later_rounds() -> None:
    run = ContestRun(["good"] * 4, 9, format="swiss", rounds=3)
    run.order(drop="b3-good")
    run.play()
    assert run.tally()["b3-good"] == (3, 0, 3)


@pytest.mark.parametrize(
    ("args", "places"),
    [
        ({"format": "double-elimination"}, [1, 2, 3, 4, 5]),
        ({"format": "groups", "groups": 2, "advance": 1}, [1, 2, 3, 3, 5]),
    ],
    ids=str,
)
def test_bots_that_fail_are_knocked_out(args: m.Plain, places: list[int]) -> None:
    run = ContestRun(["good", "dies", "good", "hangs", "good"], 11, games=1, **args)
    run.play()
    rows = sorted(run.rows().values(), key=lambda row: row["rank"])
    assert [row["rank"] for row in rows] == places
    assert rows[0]["name"].endswith("good")
    assert run.contest.view(0)["done"] == run.contest.view(0)["tables"]
    check_files(run)


def test_of_more_than_two_the_others_play_on_without_the_one_that_hangs() -> None:
    run = ContestRun(["good", "good", "hangs"], 10, players=3)
    run.play()
    rows = run.rows()
    assert rows["b2-hangs"]["forfeits"] == 1
    assert sorted(row["wins"] for row in rows.values()) == [0, 0, 1]
    check_files(run)


def test_a_room_that_an_admin_closes_is_void() -> None:
    run = ContestRun(["good", "good"], 11)
    [code] = run.local.lobby.rooms.loaded
    run.operator.send(m.Admin(ADMIN, "close", room=code))
    assert run.contest.over
    assert run.tally() == dict.fromkeys(("b0-good", "b1-good"), (0, 0, 0))


def test_the_bank_of_a_contest_clock_never_grows() -> None:
    run = ContestRun(["good", "good"], 13)
    for room in run.local.lobby.rooms.loaded.values():
        assert room.room.state.config.clock == {"bank": 10_000, "add": 1_000, "cap": 10_000}
        assert room.room.match is not None
        assert max(room.room.match.clocks.banks) == 10_000


def test_the_log_reports_the_contest_without_secrets() -> None:
    run = ContestRun(["good", "good", "dies", "banned", "cheats", "crashes"], 14)
    for bot in run.bots:
        bot.fate = 0
    run.tick()
    run.order(drop="b1-good")
    run.play()
    told = "\n".join(run.log)
    for words in (
        "a contest begins {'contest': 'friday', 'game': 'uno', 'tables': 15, 'bots': ['b0-good', ",
        "a bot of the contest has gone {'contest': 'friday', 'bot': 'b2-dies'}",
        "a bot of the contest is back {'contest': 'friday', 'bot': 'b5-crashes'}",
        "somebody is cut off {'name': 'b4-cheats', 'breaches': 20}",
        "somebody was banned {'name': 'b3-banned'}",
        "a bot is dropped from the contest {'contest': 'friday', 'bot': 'b1-good'}",
        "a match of the contest was forfeited {'contest': 'friday', 'table': ",
        "the contest is over {'contest': 'friday', 'tables': 15, 'first': ",
    ):
        assert words in told
    secrets = [bot.peer.token for bot in run.bots] + [each.who for each in run.contest.plan.entrants]
    assert not any(secret in told for secret in secrets if secret)


def test_spectators_of_a_contest_room_get_the_results_of_others() -> None:
    run = ContestRun(["good", "good", "good", "hangs"], 15, limit=1)
    watcher = run.local.connect("wanda", "human")
    code = next(code for number, code in run.contest.rooms.items() if 3 in run.contest.pairings[number])
    watcher.send(m.Join(code, as_="spectator"))
    run.play()
    lines = [message.text for message in watcher.inbox if isinstance(message, m.Said)]
    assert [line.partition(" tables")[0] for line in lines] == ["1 of 6", "2 of 6"]

"""No bot can hold up a contest: whatever some do, it ends, and nobody else pays for it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.rooms.evenings import ADMIN, MANNERS, OPTIONS, Evening

from parlour_protocol import messages as m
from parlour_server.contests import director
from parlour_server.game_files.verify import verify
from parlour_server.rooms.clock import LAG
from parlour_server.rooms.records import game_file
from parlour_server.rooms.timers import GONE, LAPSES


@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from(MANNERS), min_size=2, max_size=6), st.integers(0, 10**6), st.integers(1, 3))
def test_every_contest_ends_whoever_takes_part(manners: list[str], seed: int, limit: int) -> None:
    evening = Evening(manners, seed, limit)
    evening.play()
    bots = len(manners)
    assert evening.local.lobby.rooms.loaded == {}
    assert len(evening.contest.results) == bots * (bots - 1) // 2
    rows = evening.rows()
    for bot in evening.bots:
        row = rows[bot.name]
        assert row["games"] <= bots - 1
        if bot.manners == "good":
            assert (row["forfeits"], row["faults"]) == (0, 0)
            assert row["games"] == row["wins"] + lost_by(evening, bot.name)
    check_files(evening)


def lost_by(evening: Evening, name: str) -> int:
    entrant, found = evening.contest.entrant(name), 0
    for number, table in enumerate(evening.contest.pairings):
        if entrant in table:
            result, seat = evening.contest.results[number], table.index(entrant)
            found += result.counts(seat) and not result.won(seat)
    return found


def check_files(evening: Evening) -> None:
    """Every match that was played, forfeited or not, is in a file that can be verified."""
    for saved in evening.local.matches:
        lines = evening.local.log[saved.room][saved.match.first : saved.match.last + 1]
        verdict = verify(game_file(lines), saved.match.digest)
        assert verdict.ok, verdict.wrong


def test_a_bot_that_hangs_loses_each_match_after_its_third_time_out() -> None:
    evening = Evening(["good", "good", "hangs"], 1, limit=1, clock={"bank": 10_000, "add": 1_000})
    took = evening.play()
    rows = evening.rows()
    assert (rows["b2-hangs"]["games"], rows["b2-hangs"]["wins"], rows["b2-hangs"]["forfeits"]) == (2, 0, 2)
    assert rows["b2-hangs"]["faults"] == 2 * LAPSES
    a_match = 10_000 + 2 * 1_000 + LAPSES * LAG
    assert took <= 2 * a_match + 10_000, "a match is lost after one bank, and two answers more"
    assert evening.bots[2].lefts == ["forfeited"] * 2


def test_a_bot_that_has_died_forfeits_what_is_left_when_nothing_else_can_be_played() -> None:
    evening = Evening(["good", "good", "dies"], 2)
    evening.bots[2].fate = 0
    evening.bots[2].peer.close()
    took = evening.play()
    assert GONE <= took < GONE + 10_000
    row = evening.rows()["b2-dies"]
    assert (row["games"], row["wins"], row["forfeits"]) == (2, 0, 2)


def test_a_bot_that_comes_back_in_time_loses_nothing() -> None:
    evening = Evening(["good", "good"], 3)
    bot = evening.bots[0]
    bot.peer.close()
    evening.tick(GONE // 1000 - 1)
    evening.back(bot)
    evening.play()
    assert evening.rows()[bot.name]["forfeits"] == 0


def test_while_a_bot_is_away_nothing_is_done_for_it_and_it_is_late_once() -> None:
    evening = Evening(["good", "good"], 3)
    for bot in evening.bots:
        bot.peer.close()
    evening.tick(25)
    [room] = evening.local.lobby.rooms.loaded.values()
    assert room.room.match is not None
    assert room.room.match.lapses == [0, 0]
    for bot in evening.bots:
        evening.back(bot)
    evening.tick()
    assert sum(room.room.match.lapses) == 1
    evening.play()
    assert [row["forfeits"] for row in evening.rows().values()] == [0, 0]


def test_when_both_were_away_the_one_that_comes_first_has_not_won_at_once() -> None:
    evening = Evening(["good", "good"], 3)
    first, other = evening.bots
    for bot in evening.bots:
        bot.peer.close()
    evening.tick(100)
    evening.back(first)
    evening.tick(GONE // 1000 - 1)
    assert evening.contest.rooms
    evening.back(other)
    evening.play()
    assert [row["forfeits"] for row in evening.rows().values()] == [0, 0]


def test_when_all_are_away_it_is_the_network_and_nobody_forfeits_what_has_not_begun() -> None:
    evening = Evening(["good", "good", "good"], 4, limit=1)
    for bot in evening.bots:
        bot.peer.close()
    evening.tick(240)
    assert not evening.contest.over
    for bot in evening.bots:
        evening.back(bot)
    evening.play()
    rows = evening.rows().values()
    assert sum(row["wins"] for row in rows) == 2, "one match was lost by both, the others were played"
    assert sum(row["forfeits"] for row in rows) == 2


def test_when_all_stay_away_the_rest_counts_for_nobody() -> None:
    evening = Evening(["good", "good", "good"], 4, limit=1)
    for bot in evening.bots:
        bot.peer.close()
    evening.tick(1_000)
    assert evening.contest.over
    assert sum(row["games"] for row in evening.rows().values()) == 2


def test_a_bot_that_is_busy_elsewhere_for_ever_does_not_hold_it_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(director, "PATIENCE", 60_000)
    evening = Evening(["good", "good"], 5, games=2)
    host, bot = evening.local.connect("hera", "human"), evening.bots[0]
    bot.peer.send(m.OfferBot(["uno"], 3))
    host.send(m.Create("uno", seats=3))
    joined = next(message for message in host.inbox if isinstance(message, m.Joined))
    host.send(m.Invite(joined.room, bot.name))
    bot.peer.send(m.OfferBot(["uno"], 1))
    evening.operator.send(m.Admin(ADMIN, "contest", name="monday", args={"game": "uno", "options": OPTIONS}))
    evening.play()
    monday = evening.local.lobby.director.contests["monday"]
    evening.tick(55)
    assert not monday.over
    evening.tick(10)
    assert monday.over
    assert {row["name"]: row["forfeits"] for row in monday.standings()} == {"b0-good": 1, "b1-good": 0}


def test_who_is_cut_for_strikes_forfeits_its_matches() -> None:
    evening = Evening(["good", "cheats"], 6)
    evening.bots[1].fate = 0
    evening.play()
    row = evening.rows()["b1-cheats"]
    assert (row["games"], row["wins"], row["forfeits"]) == (1, 0, 1)
    assert evening.local.now < GONE, "at once"
    check_files(evening)


def test_no_table_is_opened_for_who_is_being_cut_off() -> None:
    evening = Evening(["good", "cheats"], 6, limit=1, games=3)
    evening.bots[1].fate = 0
    evening.play()
    assert len(evening.local.log) == 1, "the rooms there have been"
    assert evening.rows()["b1-cheats"]["forfeits"] == 3


def test_who_is_banned_forfeits_everything_at_once() -> None:
    evening = Evening(["good", "good", "good"], 7, limit=1, games=3)
    evening.operator.send(m.Admin(ADMIN, "ban", name="b2-good"))
    evening.play()
    row = evening.rows()["b2-good"]
    assert (row["games"], row["wins"], row["forfeits"]) == (6, 0, 6)
    assert evening.local.now < GONE


def test_the_operator_drops_a_bot() -> None:
    evening = Evening(["good", "good", "hangs"], 8, limit=1, games=2)
    evening.tick(2)
    assert isinstance(evening.order(drop="B2-HANGS"), m.Ok)
    evening.play()
    row = evening.rows()["b2-hangs"]
    assert (row["games"], row["wins"], row["forfeits"], row["faults"]) == (4, 0, 4, 0)
    assert evening.local.now < GONE
    refused = evening.order(drop="nobody")
    assert isinstance(refused, m.Error)
    assert refused.code == "no_such_name"


def test_who_is_gone_does_not_win_against_who_is_dropped() -> None:
    evening = Evening(["good", "dies", "good"], 8, limit=1, games=1)
    evening.bots[1].fate = 0
    evening.bots[1].peer.close()
    evening.order(drop="b0-good")
    evening.play()
    wins = {name: (row["games"], row["wins"], row["forfeits"]) for name, row in evening.rows().items()}
    assert wins == {"b0-good": (2, 0, 2), "b1-dies": (2, 0, 2), "b2-good": (2, 2, 0)}


def test_who_was_dropped_stays_so_in_later_rounds() -> None:
    evening = Evening(["good"] * 4, 9, format="swiss", rounds=3)
    evening.order(drop="b3-good")
    evening.play()
    row = evening.rows()["b3-good"]
    assert (row["games"], row["wins"], row["forfeits"]) == (3, 0, 3)


def test_of_more_than_two_the_others_play_on_without_the_one_that_hangs() -> None:
    evening = Evening(["good", "good", "hangs"], 10, players=3)
    evening.play()
    rows = evening.rows()
    assert rows["b2-hangs"]["forfeits"] == 1
    assert sorted(row["wins"] for row in rows.values()) == [0, 0, 1]
    check_files(evening)


def test_a_room_that_the_operator_closes_counts_for_nobody() -> None:
    evening = Evening(["good", "good"], 11)
    [code] = evening.local.lobby.rooms.loaded
    evening.operator.send(m.Admin(ADMIN, "close", room=code))
    assert evening.contest.over
    assert [(row["games"], row["forfeits"]) for row in evening.rows().values()] == [(0, 0)] * 2


@pytest.mark.parametrize("clock", [{"bank": 0, "add": 5}, {"bank": 60_001, "add": 0}, {"bank": 1, "add": 10_001}])
def test_a_clock_that_would_let_a_bot_hang_is_refused(clock: m.Clock) -> None:
    evening = Evening(["good", "good"], 12)
    evening.operator.inbox.clear()
    evening.operator.send(m.Admin(ADMIN, "contest", name="slow", args={"clock": clock}))
    refused = evening.operator.inbox.popleft()
    assert isinstance(refused, m.Error)
    assert "clock: bank is 1 to 60000 ms" in refused.msg


def test_the_bank_of_a_table_never_grows() -> None:
    evening = Evening(["good", "good"], 13)
    for room in evening.local.lobby.rooms.loaded.values():
        assert room.room.state.config.clock == {"bank": 10_000, "add": 1_000, "cap": 10_000}
        assert room.room.match is not None
        assert max(room.room.match.clocks.banks) == 10_000


def test_the_log_tells_the_evening_and_no_secrets() -> None:
    evening = Evening(["good", "good", "dies", "banned", "cheats", "crashes"], 14)
    for bot in evening.bots:
        bot.fate = 0
    evening.tick()
    evening.order(drop="b1-good")
    evening.play()
    told = "\n".join(evening.log)
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
    secrets = [bot.peer.token for bot in evening.bots] + [each.who for each in evening.contest.plan.entrants]
    assert not any(secret in told for secret in secrets if secret)


def test_who_watches_a_table_hears_how_the_others_go() -> None:
    evening = Evening(["good", "good", "good", "hangs"], 15, limit=1)
    watcher, code = evening.local.connect("wanda", "human"), ""
    for number, table in enumerate(evening.contest.pairings):
        if 3 in table and number in evening.contest.rooms:
            code = evening.contest.rooms[number]
    watcher.send(m.Join(code, as_="spectator"))
    evening.play()
    lines = [message.text for message in watcher.inbox if isinstance(message, m.Said)]
    assert [line.partition(" tables")[0] for line in lines] == ["1 of 6", "2 of 6"]

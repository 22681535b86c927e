"""The node: log first, then send; failed commits are in test_failed_commits."""

import asyncio
import json
from typing import Any
from unittest.mock import AsyncMock

import pytest
from msgspec.structs import fields
from structlog.testing import capture_logs
from tests.server.nodes import Guest, House, tick
from tests.support.waiting import PATIENCE

from parlour_protocol import messages as m
from parlour_protocol.errors import GOING_AWAY
from parlour_protocol.wire import plain
from parlour_server import effects, persistence
from parlour_server.directory.guests import GUEST_KEPT
from parlour_server.game_files import replay
from parlour_server.local import Local
from parlour_server.node.commits import MAX_WAITING
from parlour_server.node.compute import Worker
from parlour_server.node.node import BUSY_AGAIN
from parlour_server.node.reviews import ReviewJob, Reviews
from parlour_server.node.store_queries import AT_A_TIME, REVIEW_PAGE
from parlour_server.rooms.records import game_file


async def test_what_appends_nothing_waits_for_what_was_before_it(house: House) -> None:
    anna, bert = await house.guest("anna"), await house.guest("bert")
    house.store.hold()
    await anna.say(m.Create("uno"))
    await anna.say(m.Ping(id=1))
    await anna.say(m.Act("ZZZZ", 1, 0, id=2))
    await bert.say(m.List())
    await tick()
    assert anna.told() == bert.told() == []
    house.store.let_go()
    await house.settled()
    assert [message.t for message in anna.told()] == ["joined", "pong", "error"]
    assert [message.t for message in bert.told()] == ["rooms"]


async def test_one_commit_covers_what_has_come_meanwhile(house: House) -> None:
    guests = [house.connect(f"n{number}") for number in range(50)]
    house.store.hold()
    await guests[0].say(m.Hello("n0", "human"))
    await house.store.asked(1)
    for guest in guests[1:]:
        await guest.say(m.Hello(guest.name, "human"))
    house.store.let_go()
    for guest in guests:
        await guest.hear(m.Welcome)
    assert [len(writes) for writes in house.store.commits] == [1, 49]


async def test_everybody_hears_the_same_as_in_a_hall_without_store(house: House) -> None:
    """The same words to a node and to the virtual server: the same answers in the same order."""
    local = Local(7, installed=house.lobby.games)
    guests = [house.connect("anna"), house.connect("bert")]
    peers = [local.open(guest.name, guest.address) for guest in guests]

    async def say(who: int, message: m.ClientMessage) -> None:
        peers[who].send(message)
        await guests[who].say(message)

    await say(0, m.Hello("anna", "human"))
    await say(1, m.Hello("bert", "human"))
    await say(0, m.Create("uno", seats=2, clock=None))
    [code] = local.lobby.rooms.loaded
    for who, message in (
        (1, m.Join(code)), (0, m.Chat(code, "hi")), (1, m.Act(code, 1, 0)), (0, m.Start(code)), (1, m.List()),
        (0, m.Act(code, 1, 0, id="a")), (1, m.Act(code, 1, 0, id="b")), (0, m.Leave(code)), (1, m.Ping()),
    ):  # fmt: skip
        await say(who, message)
    await house.settled()
    for peer, guest in zip(peers, guests, strict=True):
        assert len(peer.inbox) > 10
        assert guest.told() == list(peer.inbox)


async def _say_behind_the_disk(house: House, guest: Guest, message: m.ClientMessage) -> None:
    """Say something while so many batches wait that the node is behind; then let it catch up."""
    house.store.hold()
    house.node.queue.put([persistence.SaveIdentity("id", "slow", "human", None, None, None)])
    await house.store.asked(len(house.store.commits) + 1)
    for _ in range(MAX_WAITING + 1):
        house.node.queue.put([effects.Post((guest.conn,), m.Pong())])
    saying = asyncio.create_task(guest.say(message))
    await tick()
    assert not saying.done(), "its socket is read no more"
    house.store.let_go()
    await saying


@pytest.mark.parametrize("message", [m.Create("uno", id=7), m.Join("K7QD", id=7), m.List(id=7)])
async def test_behind_the_disk_nothing_new_is_begun(house: House, message: m.ClientMessage) -> None:
    anna = await house.guest("anna")
    await _say_behind_the_disk(house, anna, message)
    error = await anna.hear(m.Error)
    assert (error.code, error.re, error.retry_after) == ("busy", 7, BUSY_AGAIN)
    assert not house.lobby.rooms.loaded


async def test_behind_the_disk_sockets_are_read_no_more_until_it_has_caught_up(house: House) -> None:
    anna = await house.guest("anna")
    await _say_behind_the_disk(house, anna, m.Ping(id=7))
    pongs: list[m.Pong] = []
    while not pongs or pongs[-1].re is None:
        pongs.append(await anna.hear(m.Pong))
    assert len(pongs) == MAX_WAITING + 2
    await anna.ask(m.Create("uno"), m.Joined)


async def test_behind_the_disk_an_act_is_done(house: House) -> None:
    room, guests = await house.table("anna", "bert")
    seat, rid = house.turn(room)
    await _say_behind_the_disk(house, guests[seat], m.Act(room, rid, 0, id=7))
    assert (await guests[seat].accepted())["re"] == 7


async def test_a_disk_that_takes_seconds_makes_nobody_wait_for_more_than_that(house: House) -> None:
    anna, bert = await house.guest("anna"), await house.guest("bert")
    house.store.hold()
    await anna.say(m.Create("uno", seats=2, clock=None))
    await house.store.asked(len(house.store.commits))
    house.time += 10
    async with asyncio.timeout(PATIENCE):
        await bert.say(m.List(id=6))
        await bert.say(m.Create("uno", id=7))
    house.store.let_go()
    joined = await anna.hear(m.Joined)
    assert ((await bert.hear(m.Rooms)).re, (await bert.hear(m.Joined)).re) == (6, 7)
    assert (await bert.ask(m.Join(joined.room, id=8), m.Joined)).re == 8


async def test_very_fast_players_are_read_more_slowly(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, sleep = await house.guest("anna"), AsyncMock()
    monkeypatch.setattr("parlour_server.directory.sessions.ClientSession.rest", lambda _: 250)
    monkeypatch.setattr("parlour_server.node.node.asyncio.sleep", sleep)
    await anna.say(m.Ping())
    sleep.assert_awaited_once_with(0.25)


async def test_match_that_ends_while_a_player_is_away_is_told_at_their_return(house: House) -> None:
    room, (anna, bert) = await house.table("anna", "bert", standin=False)
    bert.leave()
    await anna.ask(m.Leave(room), m.Left)
    assert (await anna.ask(m.Missed(), m.MissedRows)).matches == []
    await house.restart()
    assert room in house.lobby.rooms.used, "no other room gets its code"
    bert, _ = await house.back(bert)
    (missed,) = (await bert.ask(m.Missed(), m.MissedRows)).matches
    assert (missed["room"], missed["game"], missed["rank"]) == (room, "uno", 1)
    assert {player["name"] for player in missed["players"]} == {"anna", "bert"}
    (again,) = (await bert.ask(m.Missed(["ab" * 32]), m.MissedRows)).matches
    assert again["digest"] == missed["digest"]
    assert (await bert.ask(m.Missed([missed["digest"]]), m.MissedRows)).matches == []


async def test_guest_without_seat_can_come_back_for_a_while_and_is_forgotten(house: House) -> None:
    anna = await house.guest("anna")
    await house.restart()
    house.time += GUEST_KEPT / 1000 - 1
    house.connect("bert")
    await house.back(anna)
    await house.restart()
    house.time += GUEST_KEPT / 1000 + 1
    await house.guest("anna")
    await house.settled()
    assert [identity.name for identity in (await house.store.index()).identities] == ["anna"]


async def test_each_game_has_a_kept_room_that_is_there_after_a_restart(house: House) -> None:
    opened = [await house.node.own_room.open("uno", 10), await house.node.own_room.open("fake", 2)]
    assert set((await house.store.index()).kept_rooms) == set(opened)
    await house.restart()
    await asyncio.gather(*house.node.tasks.running)
    assert [await house.node.own_room.open("uno", 10), await house.node.own_room.open("fake", 2)] == opened
    assert sorted(house.store.loads) == sorted(opened), "loaded once"


async def test_computation_is_done_and_told(house: House) -> None:
    room, (anna, bert) = await house.table("anna", "bert", game="fake")
    _, rid = house.turn(room)
    await anna.say(m.Act(room, rid, {"do": "make"}))
    for guest in (anna, bert):
        while (await guest.hear(m.Update)).view["made"] != [2]:
            pass


async def test_computation_that_fails_ends_the_match_and_is_logged_without_its_words(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    room, (anna, _) = await house.table("anna", "bert", game="fake")
    monkeypatch.setattr(type(house.lobby.games["fake"]), "compute", lambda *_: int("the mine at 3, 4"))
    _, rid = house.turn(room)
    with capture_logs() as logs:
        await anna.say(m.Act(room, rid, {"do": "make"}))
        await asyncio.gather(*house.node.tasks.running, return_exceptions=True)
        await tick()
    assert (await anna.hear(m.Over)).result["why"] == "aborted"
    assert [entry["error"] for entry in logs] == ["ValueError"]
    assert "mine" not in caplog.text + str([{**entry, "event": ""} for entry in logs])


async def test_room_wakes_by_itself(house: House) -> None:
    room, (anna, bert) = await house.table("anna", "bert", game="fake", options={"breath": 1})
    _, rid = house.turn(room)
    await anna.say(m.Act(room, rid, {"do": "bell"}))
    await house.settled()
    house.time += 1
    while "breath over" not in str((await bert.hear(m.Turn)).events):
        pass


async def test_file_comes_in_pages(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MAX_LINES", 3)
    room, (anna, _) = await house.table("anna", "bert", standin=False)
    await anna.say(m.Leave(room))
    await house.settled()
    [saved] = house.written(persistence.SaveMatch)
    lines: list[str] = []
    after: int | None = 0
    while after is not None:
        page = await anna.ask(m.File(saved.match.digest, after, id=7), m.FileLines)
        assert len(page.lines) <= 3
        assert page.review is (None if after else True), "the first answer says whether the match can be reviewed"
        assert page.re == 7
        lines, after = lines + page.lines, page.after
    assert len(lines) == saved.match.last - saved.match.first + 1
    assert f'"h":"{saved.match.digest}"' in lines[-1]


async def test_only_a_finished_match_is_replayed_and_goes_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def replayed(self: Worker, asked: m.Plain, *_: object) -> m.Plain:
        return replay.page(**asked) if asked["seat"] is None else {"refused": "no such seat"}

    monkeypatch.setattr(Worker, "replay", replayed)
    room, (anna, _) = await house.table("anna", "bert", standin=False)
    log = [write.line for write in house.written(persistence.Append)]
    *_, last = game_file(log[next(at for at, line in enumerate(log) if '"r":"begun"' in line) :])
    for digest in (json.loads(last)["h"], "00" * 32):
        for views in (False, True):
            error = await anna.ask(m.File(digest, views=views, id=7), m.Error)
            assert (error.code, error.re) == ("no_file", 7)
        assert (await anna.ask(m.Continue(digest, 1), m.Error)).code == "no_file"
    await anna.say(m.Leave(room))
    await house.settled()
    [saved] = house.written(persistence.SaveMatch)
    page = await anna.ask(m.File(saved.match.digest, views=True), m.FileLines)
    assert len(page.views or []) == len(page.lines)
    assert (await anna.ask(m.File(saved.match.digest, views=True, seat=7), m.Error)).code == "no_replay"
    assert (await anna.ask(m.Review(saved.match.digest, seat=7), m.Error)).code == "no_review"


async def test_a_review_comes_in_pages(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"decisions": [{"n": n} for n in range(REVIEW_PAGE + 3)], "rounds": [{"round": 1}]}
    reviews = {("running", 0): ReviewJob("home", 0.0, 3, 9), ("done", 1): ReviewJob("home", 0.0, 9, 9, found)}
    reviews["failed", 0] = ReviewJob("home", 0.0, found={"refused": "the reviewer has failed"})
    monkeypatch.setattr(Reviews, "find", lambda _, key: reviews.get(key))
    anna = await house.guest("anna")
    running = await anna.ask(m.Review("running", 0), m.Reviewed)
    assert (running.done, running.of, running.rounds) == (3, 9, None)
    first = await anna.ask(m.Review("done", 1), m.Reviewed)
    rest = await anna.ask(m.Review("done", 1, after=first.after or 0), m.Reviewed)
    assert [*(first.decisions or []), *(rest.decisions or [])] == found["decisions"]
    assert (first.rounds, rest.after) == (found["rounds"], None)
    assert (await anna.ask(m.Review("failed", 0), m.Error)).code == "no_review"
    assert (await anna.ask(m.Review("unknown", 0), m.Error)).code == "no_file"


REQUIRED: dict[str, Any] = {"digest": "d", "seat": 0, "act": 1}
"""The fields that questions need."""


async def test_what_no_handler_answers_is_a_question_that_the_store_can_answer(house: House) -> None:
    handlers = house.node.lobby._handlers
    asked = {kind for kind, handler in handlers.items() if handler.__name__ == "ask"}
    assert asked
    assert asked <= house.node._queries.readers.keys()


async def test_after_a_question_the_socket_waits_until_its_address_may_ask_again(house: House) -> None:
    assert house.node._queries.readers
    for kind in house.node._queries.readers:
        guest = await house.guest(f"asks-{kind.t}")
        question = {field.name: REQUIRED[field.name] for field in fields(kind) if field.required}
        pause = house.node.receive(guest.conn, plain(kind(**question)))
        assert pause is not None, kind
        await pause


async def test_some_read_at_a_time_and_each_socket_waits_for_its_own_answer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    *guests, bert, zoe = [await house.guest(f"guest-{n}") for n in range(AT_A_TIME + 2)]
    reading: list[int] = []
    most: list[int] = []
    go_on = asyncio.Event()

    async def standings(*_: object) -> tuple[list[m.StandingsRow], None]:
        reading.append(1)
        most.append(len(reading))
        await go_on.wait()
        reading.pop()
        return [], None

    monkeypatch.setattr(house.store, "standings", standings)
    asking = [asyncio.create_task(guest.say(m.Standings())) for guest in (*guests, bert, zoe)]
    await house.settled()
    await tick()
    assert not any(task.done() for task in asking)
    assert isinstance(await asyncio.wait_for((await house.guest("cleo")).ask(m.List(), m.Rooms), PATIENCE), m.Rooms)
    zoe.leave()
    go_on.set()
    await asyncio.wait_for(asyncio.gather(*asking), PATIENCE)
    assert (max(most), len(most)) == (AT_A_TIME, AT_A_TIME + 1), "nothing is read for who has gone"
    for guest in (*guests, bert):
        rows = await guest.hear(m.StandingsRows)
        assert (rows.rows, rows.after) == ([], None)


async def test_stopping_says_goodbye_to_all(house: House) -> None:
    anna, bert = await house.guest("anna"), house.connect("bert")
    await house.node.stop(2_000)
    for guest in (anna, bert):
        bye = await guest.hear(m.Bye)
        assert (bye.code, bye.retry_after, guest.closed) == ("drain", 2_000, GOING_AWAY)
    house.reopen()
    assert len((await house.store.index()).identities) == 1


async def test_stopping_waits_for_what_is_to_be_stored(house: House) -> None:
    anna = await house.guest("anna")
    house.store.hold()
    await anna.say(m.Create("uno"))
    stopping = asyncio.create_task(house.node.stop(2_000))
    await tick()
    assert not stopping.done()
    house.store.let_go()
    await stopping
    assert [message.t for message in anna.told()] == ["joined", "bye"]
    house.reopen()
    assert len((await house.store.index()).open_rooms) == 1


async def test_sockets_are_read_again_after_a_flood_that_stores_nothing(house: House) -> None:
    anna = await house.guest("anna")
    await house.node.queue.settled()
    for _ in range(MAX_WAITING + 2):
        house.node.queue.put([effects.Post((anna.conn,), m.Pong())])
    await asyncio.wait_for(anna.say(m.Ping()), PATIENCE)


async def test_ratings_are_shown_at_tables_and_in_standings_and_survive(house: House) -> None:
    room, (anna, bert) = await house.table("anna", "bert", game="fake", clock=m.DEFAULT_CLOCK)
    acts: list[m.Plain] = [{"do": "take", "cell": 1}, {"do": "end"}]
    for rid, act in enumerate(acts, 1):
        await anna.say(m.Act(room, rid, act))
    await bert.hear(m.Over)
    await bert.hear(m.SeatsChanged)
    await anna.say(m.Standings("fake"))
    rows = (await anna.hear(m.StandingsRows)).rows
    await bert.say(m.Ready(room))
    seats = {row["name"]: row["rating"] for row in (await bert.hear(m.SeatsChanged)).table["seats"]}
    assert {row["name"]: row["rating"] for row in rows} == seats
    profile = await bert.ask(m.Profile("ANNA", id=7), m.ProfileRows)
    assert (profile.name, [(row["game"], row["wins"], row["rating"]) for row in profile.games]) == (
        "anna",
        [("fake", 1, seats["anna"])],
    )
    assert (await bert.ask(m.Profile("nobody", id=8), m.Error)).code == "no_such_name"
    assert seats["anna"] > 1500 >= seats["bert"]
    before = dict(house.lobby.ratings.table)
    await house.restart()
    assert house.lobby.ratings.table == before


async def test_presets_are_saved_and_removed_by_their_owner_alone(house: House) -> None:
    anna, bert = await house.guest("anna", key="ab" * 32), await house.guest("bert", key="cd" * 32)
    guest = await house.guest("zoe")
    save = m.Presets("save", "uno", "Our  Friday", {"target": 200}, 3, None, id=7)
    assert (await guest.ask(save, m.Error)).code == "key_required"
    assert (await anna.ask(m.Presets("save", "uno", "wrong", {"target": -1}), m.Error)).code == "bad_options"
    assert (await anna.ask(m.Presets("save", "chess", "wrong"), m.Error)).code == "no_game"
    saved = await anna.ask(save, m.PresetRows)
    assert saved.re == 7
    (row,) = saved.presets
    assert (row["name"], row["by"], row["mine"], row["seats"], row["clock"]) == ("Our Friday", "anna", True, 3, None)
    assert row["options"]["target"] == 200
    (seen,) = (await guest.ask(m.Presets(), m.PresetRows)).presets
    assert seen == {**row, "mine": False}
    for do in ("save", "remove"):
        assert (await bert.ask(m.Presets(do, "uno", "our friday"), m.Error)).code == "preset_taken"
    who = house.lobby.identities.by_name("anna")
    assert who is not None
    await house.store.commit([persistence.SavePreset("gone", "old", who.who, "anna", json.dumps(row))])
    assert len((await anna.ask(m.Presets(), m.PresetRows)).presets) == 2
    assert (await anna.ask(m.Presets("remove", "gone", "old"), m.PresetRows)).presets == []
    assert (await anna.ask(m.Presets("remove", "uno", "OUR FRIDAY"), m.PresetRows)).presets == []


async def test_a_node_that_stops_waits_for_its_tasks_to_clean_up(house: House) -> None:
    """A review ends its process, and waits for that. Cancelled twice, it would leave the process behind."""
    cleaned_up = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(10_000):
                await asyncio.sleep(0)
            cleaned_up.set()

    house.node.tasks.spawn(work())
    await tick()
    await house.node.stop(0)
    assert cleaned_up.is_set()
    house.reopen()

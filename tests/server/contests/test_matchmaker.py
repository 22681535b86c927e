"""Ladders: bots that are available play all the time, the most informative match first."""

from collections import Counter
from pathlib import Path

from tests.server.contests.contest_bots import ADMIN
from tests.server.local_server import house_bot, new_server, only, received
from tests.server.nodes import House
from tests.server.store.writes import match

from parlour_protocol import messages as m
from parlour_server.contests.matchmaker import EACH, LADDER
from parlour_server.local import Local, Peer
from parlour_server.persistence import Rated
from parlour_server.settings import ServerSettings


def ladder(*names: str, limit: int = 1, address: str | None = None) -> tuple[Local, dict[str, Peer]]:
    """Return a server with a ladder of the fake game, and bots that are available, by default each from an address."""
    local = new_server(ladder=("fake",))
    local.lobby.admin.token = ADMIN
    bots = {name: local.connect(name, "bot", address=address or f"192.0.2.{ord(name)}") for name in names}
    for bot in bots.values():
        bot.send(m.OfferBot(["fake"], limit))
        received(bot)
    return local, bots


def sweep(local: Local, later: int = EACH) -> None:
    local.now += later
    local.carry_out(local.lobby.sweep(local.now))


def rooms(local: Local) -> list[list[str]]:
    """Return who sits in each open room."""
    rooms = local.lobby.rooms.loaded.values()
    return [sorted(seat.name for _, seat in loaded.room.state.seats.taken()) for loaded in rooms]


def end(bot: Peer) -> None:
    """End the match of a bot, which wins."""
    turn = only(bot, m.Turn)[-1]
    bot.send(m.Act(turn.room, turn.rid, {"do": "end"}))


def test_two_play_and_their_room_closes() -> None:
    local, bots = ladder("a", "b")
    sweep(local)
    assert rooms(local) == [["a", "b"]]
    [loaded] = local.lobby.rooms.loaded.values()
    assert (loaded.room.state.config.contest, loaded.room.state.config.kinds) == (LADDER, "bots")
    sweep(local)
    assert len(rooms(local)) == 1, "both are busy"
    end(bots["a"])
    assert rooms(local) == []
    assert [save.match.rated for save in local.matches] == [True]


def test_bots_of_one_address_do_not_meet() -> None:
    local, _ = ladder("a", "b", address="192.0.2.1")
    sweep(local)
    assert rooms(local) == []
    local.connect("c", "bot", address="192.0.2.2").send(m.OfferBot(["fake"], 1))
    sweep(local)
    assert "c" in rooms(local)[0]


def test_those_meet_who_have_played_least() -> None:
    local, bots = ladder("a", "b", "c", "d", limit=1)
    met = Counter[str]()
    for _ in range(12):
        sweep(local)
        [pair] = rooms(local)
        met["".join(sorted(pair))] += 1
        end(bots[pair[0]])
    assert met == dict.fromkeys(["ab", "ac", "ad", "bc", "bd", "cd"], 2)


def test_equals_meet_rather_than_strong_and_weak() -> None:
    local, _ = ladder("a", "b", "c")
    who = {local.lobby.identities.get(each).name: each for each in local.lobby.bots.available}
    local.lobby.ratings.changed([Rated(who["a"], "fake", 1_900), Rated(who["c"], "fake", 1_900)])
    sweep(local)
    assert rooms(local) == [["a", "c"]]


def test_house_bots_people_and_bots_of_a_contest_are_left_alone() -> None:
    local, _ = ladder("a", "b", limit=2)
    house_bot(local)
    local.connect("ann", "human")
    operator = local.connect("olga")
    operator.send(m.Admin(ADMIN, "contest", name="friday", args={"game": "fake"}))
    assert len(rooms(local)) == 1
    sweep(local)
    assert len(rooms(local)) == 1, "they play in the contest"


def test_meetings_from_the_store_count() -> None:
    local, _ = ladder("a", "b", "c")
    who = {local.lobby.identities.get(each).name: each for each in local.lobby.bots.available}
    local.lobby.matchmaker.restore("fake", [(who["b"], who["a"], 3), (who["a"], who["b"], 2), (who["a"], who["c"], 9)])
    local.lobby.matchmaker.restore("uno", [(who["b"], who["c"], 99)])
    sweep(local)
    assert rooms(local) == [["b", "c"]]


async def test_node_that_starts_reads_what_was_played(tmp_path: Path) -> None:
    house = House(tmp_path / "parlour.db", ServerSettings(ladder=("uno",)))
    await house.store.commit([match("1", ("bot1", 1, 5), ("bot2", 2, 1)), match("2", ("bot2", 1, 5), ("bot1", 2, 1))])
    await house.node.start()
    assert house.lobby.matchmaker._met == {("uno", "id-bot1", "id-bot2"): 2}
    assert house.lobby.matchmaker._played == {("uno", "id-bot1"): 2, ("uno", "id-bot2"): 2}
    await house.close()


def test_next_match_waits() -> None:
    local, _ = ladder("a", "b", "c", "d")
    sweep(local)
    sweep(local, EACH - 1)
    assert len(rooms(local)) == 1
    sweep(local, 1)
    assert len(rooms(local)) == 2

"""Which bot is seated when one is wanted."""

from tests.server.rooms.halls import table

from parlour_protocol import messages as m
from parlour_server.directory.bot_pool import Distant, distant_bot, free_bot, published, rows


def test_the_least_busy_bot_that_fits_is_free() -> None:
    at = table("fake", 1, seats=5)
    local = at.hall
    for name, games, limit in (("busy", ["fake"], 2), ("idle", ["fake", "uno"], 1), ("other", ["uno"], 9)):
        local.connect(name, "bot").send(m.OfferBot(games, limit))
    at[0].send(m.Invite(at.code, "BUSY"))
    lobby, room = local.lobby, at.room
    found = free_bot(lobby, room)
    assert found is not None
    assert found.name == "idle"
    assert free_bot(lobby, room, name="busy") is None
    assert free_bot(lobby, room, name="other") is None
    assert free_bot(lobby, room, house=True) is None


def test_a_bot_of_another_node_is_invited_as_often_as_it_is_free() -> None:
    at = table("fake", 1, seats=5)
    lobby = at.hall.lobby
    lobby.abroad.bots["x"] = Distant("x", "remo", ["fake"], 1, {"fake": 1600})
    assert rows(lobby, None) == [{"name": "remo", "games": ["fake"], "free": 1, "rating": 1600}]
    assert distant_bot(lobby, at.room, "otto") is None
    found = distant_bot(lobby, at.room, "REMO")
    assert found is not None
    assert (found.who, found.kind) == ("x", "bot")
    assert distant_bot(lobby, at.room, None) is None


def test_house_bots_are_not_published() -> None:
    at = table("fake", 1)
    at.hall.connect("otto", "bot").send(m.OfferBot(["fake"], 3))
    at.hall.open("hal").send(m.Hello("hal", "bot", ticket=at.hall.lobby.identities.ticket("hal")))
    assert [(bot.name, bot.games, bot.free) for bot in published(at.hall.lobby)] == [("otto", ["fake"], 3)]

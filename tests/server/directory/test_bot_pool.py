"""The choice of an available bot for a seat."""

from tests.server.local_server import open_room

from parlour_protocol import messages as m
from parlour_server.directory.bot_pool import RemoteBot


def test_the_least_busy_bot_that_fits_is_free() -> None:
    at = open_room("fake", 1, seats=5)
    local = at.server
    for name, games, limit in (("busy", ["fake"], 2), ("idle", ["fake", "uno"], 1), ("other", ["uno"], 9)):
        local.connect(name, "bot").send(m.OfferBot(games, limit))
    at[0].send(m.Invite(at.code, "BUSY"))
    bots, room = local.lobby.bots, at.room
    found = bots.free(room)
    assert found is not None
    assert found.name == "idle"
    assert bots.free(room, name="busy") is None
    assert bots.free(room, name="other") is None
    assert bots.free(room, house=True) is None


def test_the_bots_of_a_room_differ_unless_a_style_is_wanted() -> None:
    at = open_room("fake", 1, seats=5)
    for name, styles in (("ada", ["guard", "hard"]), ("bea", ["guard", "hard"]), ("cleo", ["shaper", "hard"])):
        at.server.connect(name, "bot").send(m.OfferBot(["fake"], 9, styles))
    for style in (None, None, "hard"):
        at[0].send(m.Invite(at.code, style=style))
    assert [(row["name"], row.get("style")) for row in at.room.audience.table(0)["seats"]] == [
        ("anna", None), ("ada", "guard"), ("cleo", "shaper"), ("bea", "hard"),
    ]  # fmt: skip
    at.load_again()
    assert [seat.style for _, seat in at.room.state.seats.taken()] == [None, "guard", "shaper", "hard"]


def test_a_bot_of_another_node_is_invited_as_often_as_it_is_free() -> None:
    at = open_room("fake", 1, seats=5)
    lobby = at.server.lobby
    lobby.bots.remote["x"] = RemoteBot("x", "remo", ["fake"], 1, {"fake": 1600})
    assert lobby.bots.rows(None) == [{"name": "remo", "games": ["fake"], "free": 1, "rating": 1600}]
    assert lobby.bots.call_remote(at.room, "otto") is None
    found = lobby.bots.call_remote(at.room, "REMO")
    assert found is not None
    assert (found.who, found.kind) == ("x", "bot")
    assert lobby.bots.call_remote(at.room, None) is None


def test_house_bots_are_not_published() -> None:
    at = open_room("fake", 1)
    at.server.connect("otto", "bot").send(m.OfferBot(["fake"], 3))
    at.server.open("hal").send(m.Hello("hal", "bot", ticket=at.server.lobby.identities.ticket("hal")))
    assert [(bot.name, bot.games, bot.free) for bot in at.server.lobby.bots.published()] == [("otto", ["fake"], 3)]

"""Rooms that the server keeps open: they outlive their matches, and people host before bots do."""

from tests.server.local_server import kept_room, only, refused

from parlour_protocol import messages as m


def test_it_stays_when_all_players_have_left_a_match() -> None:
    at = kept_room("anna", "bert")
    for peer in at:
        peer.send(m.Ready(at.code))
    assert at.state == "playing"
    for peer in at:
        peer.send(m.Leave(at.code))
    assert at.state == "finished"
    assert not at.room.state.seats.taken()
    late = at.server.connect("cleo", "human")
    late.send(m.Join(at.code))
    assert only(late, m.Joined)[-1].table["host"] == "cleo"


def test_a_joining_person_becomes_host_instead_of_a_bot_but_not_of_a_person() -> None:
    at = kept_room()
    robo = at.server.connect("robo", "bot")
    robo.send(m.Join(at.code))
    assert at.room.audience.name_of(at.room.state.host) == "robo"
    for name in ("anna", "bert"):
        at.server.connect(name, "human").send(m.Join(at.code))
        assert at.room.audience.name_of(at.room.state.host) == "anna"
    assert refused(robo, m.Start(at.code)).code == "not_host"

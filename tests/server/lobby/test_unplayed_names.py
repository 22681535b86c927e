"""Names with a key that has never finished a match are forgotten some time after their last visit."""

import pytest
from tests.server.local_server import OpenRoom, keyed, new_server, open_room, refused

from parlour_protocol import messages as m
from parlour_server.directory.guests import SETTLES
from parlour_server.local import Local
from parlour_server.persistence import Index

DAY = 86_400_000


def is_known(local: Local, name: str) -> bool:
    local.open("anyone").close()
    return local.lobby.identities.by_name(name) is not None


def restarted(idle: int | None, *names: str, ahead: int = 0) -> Local:
    """Return a server, its clock ``ahead``, whose store knows ``names``, idle for so long or (None) with a match."""
    before, again = new_server(), new_server()
    for name in names:
        keyed(before, name).close()
    saved = tuple(before.lobby.identities.by_name(name).saved() for name in names)  # type: ignore[union-attr]
    unplayed = () if idle is None else tuple((each.who, idle) for each in saved)
    again.lobby.guests._wall = lambda: again.now + ahead
    again.lobby.restore(Index((), (), (), saved, (), unplayed=unplayed), again.now)
    return again


def test_a_key_that_never_played_is_forgotten_a_day_after_its_last_visit() -> None:
    local = new_server()
    for _ in range(2):
        keyed(local, "anna").close()
        local.wait(DAY - 1)
    assert is_known(local, "anna")
    assert refused(local.open("bert"), m.Hello("anna", "human")).code == "name_taken"
    local.wait(2)
    assert not is_known(local, "anna")
    local.connect("anna", "human")


def test_a_key_that_has_finished_a_match_is_kept_for_ever() -> None:
    at = open_room(people=1, seats=2)
    at.peers.append(keyed(at.server, "keyed"))
    at[1].send(m.Join(at.code))
    at.start().abort()
    for peer in at:
        peer.close()
    at.server.wait(30 * DAY)
    assert is_known(at.server, "keyed")
    assert not is_known(at.server, "anna")


@pytest.mark.parametrize("present", [True, False])
def test_who_is_here_or_needed_is_not_forgotten(present: bool) -> None:
    local = new_server()
    at = OpenRoom(local, "", [keyed(local, "anna")])
    if not present:
        at[0].send(m.Create("fake", seats=2))
        at[0].close()
        local.lobby.guests._is_awaited = lambda who: True
    local.wait(3 * DAY)
    assert is_known(local, "anna")


@pytest.mark.parametrize(("idle", "kept"), [(0, DAY), (DAY // 2, DAY // 2), (5 * DAY, SETTLES), (None, None)])
def test_a_day_goes_on_over_a_restart(idle: int | None, kept: int | None) -> None:
    again = restarted(idle, "anna")
    again.wait((kept or 5 * DAY) - 1)
    assert is_known(again, "anna")
    again.wait(1)
    assert is_known(again, "anna") is (kept is None)


def test_a_clock_that_is_set_after_the_start_lets_nobody_be_forgotten() -> None:
    again = restarted(400 * DAY, "anna", ahead=400 * DAY)
    again.lobby.guests._wall = lambda: again.now
    again.wait(DAY)
    assert is_known(again, "anna")
    again.wait(DAY)
    assert not is_known(again, "anna"), "a day after the clock was found to be set"


def test_a_clock_that_was_wrong_from_the_start_lets_only_a_share_of_all_names_be_forgotten_in_an_hour() -> None:
    names = [f"name-{n}" for n in range(100)]
    again, left = restarted(400 * DAY, *names), []
    for _ in range(4):
        again.wait(SETTLES)
        left.append(sum(is_known(again, name) for name in names))
    assert left[0] in range(97, 100)
    assert left == sorted(left, reverse=True)
    assert 50 < left[-1] < left[0]


def test_an_address_that_takes_too_many_names_is_told_when_it_may_take_more() -> None:
    local = new_server(new_names=1)
    for _ in range(2):
        keyed(local, "anna", "192.0.2.1")
    error = refused(local.open("bert", "192.0.2.1"), m.Hello("bert", "human"))
    assert (error.code, error.retry_after) == ("rate_limited", 3_600_000)
    assert local.lobby.names.counts == {"key": 1, "refused": 1}

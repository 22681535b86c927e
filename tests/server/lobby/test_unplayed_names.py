"""Names with a key that has never finished a match are forgotten some time after their last visit."""

import pytest
from tests.server.local_server import OpenRoom, new_server, open_room, refused, request

from parlour_protocol import messages as m
from parlour_server.directory.guests import SETTLES
from parlour_server.local import Local, Peer
from parlour_server.persistence import Index
from parlour_server.settings import ServerSettings

DAY = 86_400_000


@pytest.fixture
def local() -> Local:
    """A server that forgets keys that were never used for a match after a day."""
    return new_server()


def visit(local: Local, name: str, key: str | None) -> Peer:
    """Return a client that has said hello with a key."""
    peer = local.open(name)
    request(peer, m.Hello(name, "human", key=key), m.Welcome)
    return peer


def is_known(local: Local, name: str) -> bool:
    local.open("anyone").close()
    return local.lobby.identities.by_name(name) is not None


def test_a_key_that_never_played_is_forgotten_a_day_after_its_last_visit(local: Local) -> None:
    visit(local, "anna", "k").close()
    local.wait(DAY - 1)
    visit(local, "anna", "k").close()
    local.wait(DAY - 1)
    assert is_known(local, "anna")
    taken = refused(local.open("bert"), m.Hello("anna", "human"))
    assert taken.code == "name_taken"
    local.wait(2)
    assert not is_known(local, "anna")
    visit(local, "anna", None)


def test_a_key_that_has_finished_a_match_is_kept_for_ever(local: Local) -> None:
    at = open_room(people=1, local=local, seats=2)
    at.peers.append(visit(local, "keyed", "k"))
    at[1].send(m.Join(at.code))
    at.start().abort()
    for peer in at:
        peer.close()
    local.wait(30 * DAY)
    assert is_known(local, "keyed")
    assert not is_known(local, "anna")


@pytest.mark.parametrize("present", [True, False])
def test_who_is_here_or_needed_is_not_forgotten(local: Local, present: bool) -> None:
    at = OpenRoom(local, "", [visit(local, "anna", "k")])
    if not present:
        at[0].send(m.Create("fake", seats=2))
        at[0].close()
        local.lobby.guests._is_awaited = lambda who: True
    local.wait(3 * DAY)
    assert is_known(local, "anna")


def test_a_day_goes_on_over_a_restart(local: Local) -> None:
    visit(local, "anna", "k").close()
    saved = local.lobby.identities.get(local.lobby.identities.by_name("anna").who).saved()  # type: ignore[union-attr]
    for idle, kept in ((0, DAY), (DAY // 2, DAY // 2), (5 * DAY, SETTLES)):
        again = new_server()
        again.lobby.restore(Index((), (), (), (saved,), (), unplayed=((saved.who, idle),)), again.now)
        again.wait(kept - 1)
        assert is_known(again, "anna")
        again.wait(1)
        assert not is_known(again, "anna")
    again = new_server()
    again.lobby.restore(Index((), (), (), (saved,), ()), again.now)
    again.wait(5 * DAY)
    assert is_known(again, "anna")


def test_a_clock_that_is_set_after_the_start_lets_nobody_be_forgotten(local: Local) -> None:
    visit(local, "anna", "k").close()
    saved = local.lobby.identities.get(local.lobby.identities.by_name("anna").who).saved()  # type: ignore[union-attr]
    again, ahead = new_server(), 400 * DAY
    again.lobby.guests._wall = lambda: again.now + ahead
    again.lobby.restore(Index((), (), (), (saved,), (), unplayed=((saved.who, 400 * DAY),)), again.now)
    ahead = 0
    again.wait(DAY)
    assert is_known(again, "anna")
    again.wait(DAY)
    assert not is_known(again, "anna"), "a day after the clock was found to be set"


def test_a_clock_that_was_wrong_from_the_start_lets_only_a_share_of_all_names_be_forgotten_in_an_hour() -> None:
    local, count = new_server(), 100
    for n in range(count):
        visit(local, f"name-{n}", f"key-{n}").close()
    saved = [local.lobby.identities.by_name(f"name-{n}").saved() for n in range(count)]  # type: ignore[union-attr]
    again, left = new_server(), []
    again.lobby.restore(Index((), (), (), (*saved,), (), unplayed=tuple((each.who, 400 * DAY) for each in saved)), 0)
    for _ in range(4):
        again.wait(SETTLES)
        left.append(sum(is_known(again, each.name) for each in saved))
    assert left[0] in range(count - 3, count)
    assert left == sorted(left, reverse=True)
    assert count // 2 < left[-1] < left[0]


def test_an_address_that_takes_too_many_names_is_told_when_it_may_take_more() -> None:
    local = new_server()
    local.lobby.names._settings = ServerSettings(new_names=1)
    for _ in range(2):
        request(local.open("anna", "192.0.2.1"), m.Hello("anna", "human", key="k"), m.Welcome)
    error = refused(local.open("bert", "192.0.2.1"), m.Hello("bert", "human"))
    assert (error.code, error.retry_after) == ("rate_limited", 3_600_000)
    assert local.lobby.names.counts == {"key": 1, "refused": 1}

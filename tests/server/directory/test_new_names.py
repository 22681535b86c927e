"""How many new names one address may take in an hour."""

import pytest

from parlour_protocol.errors import NotNow
from parlour_server.directory.guests import HOUR, NewNames
from parlour_server.settings import ServerSettings


def take(names: NewNames, address: str | None, name: str, now: int) -> int | None:
    """Take a name; return after how many ms it can be taken, or None if it was."""
    try:
        names.check(address, name, now)
    except NotNow as refused:
        wait: int = refused.extra["retry_after"]
        return wait
    names.take(address, name, now, has_key=False)
    return None


def test_an_address_may_take_so_many_in_an_hour() -> None:
    names = NewNames(ServerSettings(new_names=2))
    assert [take(names, "192.0.2.1", name, at) for at, name in enumerate(("a", "b", "c"))] == [None, None, HOUR - 2]
    assert take(names, "192.0.2.2", "c", 3) is None
    assert take(names, "192.0.2.1", "d", HOUR - 1) == 1
    assert take(names, "192.0.2.1", "d", HOUR) is None
    assert names.counts == {"guest": 4, "refused": 2}


def test_a_name_counts_once_however_often_it_is_taken_again() -> None:
    names = NewNames(ServerSettings(new_names=2))
    assert [take(names, "192.0.2.1", name, 0) for name in ("rando", "b", "Rando", "RANDO", "b")] == [None] * 5


@pytest.mark.parametrize(("address", "limit"), [(None, 1), ("127.0.0.1", 1), ("::1", 1), ("192.0.2.1", 0)])
def test_this_machine_and_anyone_without_a_limit_may_take_any_number(address: str | None, limit: int) -> None:
    names = NewNames(ServerSettings(new_names=limit))
    assert [take(names, address, str(n), 0) for n in range(9)] == [None] * 9


def test_addresses_are_forgotten_with_their_names() -> None:
    names = NewNames(ServerSettings(new_names=1))
    for n in range(100):
        take(names, f"192.0.2.{n}", "a", n)
    take(names, "198.51.100.1", "a", HOUR + 98)
    assert len(names._taken) == 2

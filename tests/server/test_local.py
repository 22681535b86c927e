"""The server in process: the same effects, a virtual clock, the same bytes for the same seed."""

import json

import pytest
from tests.server.local_server import QUICK, new_server, one, only, playing, received, refused, request

from parlour_protocol import messages as m
from parlour_protocol.wire import plain
from parlour_server.local import Local


def spoken(seed: int) -> list[str]:
    """Play the first dozen moves of a match; return all that is said."""
    at = playing("uno", local=new_server(seed))
    said = []
    for _ in range(12):
        seat = at.match.book.obligations()[0].seat
        at.act(seat, 0)
        said += [json.dumps(plain(message)) for peer in at for message in received(peer)]
    return said + at.lines()


def test_the_same_seed_and_the_same_calls_give_the_same_bytes() -> None:
    assert spoken(5) == spoken(5)
    assert spoken(5) != spoken(6)


def test_who_is_not_welcome_is_told_so() -> None:
    local = Local()
    local.connect("anna")
    with pytest.raises(ConnectionError, match="name_taken"):
        local.connect("Anna")


def test_time_passes_by_steps_from_timer_to_timer() -> None:
    at = playing(clock=QUICK)
    began = at.server.now
    assert at.server.step()
    assert at.server.now == began + 1_500
    assert [message.events[0] for message in only(at[0], m.Turn)] == [{"e": "timeout", "seat": 0, "standin": 1}]
    assert not Local().step()


def test_all_that_falls_due_while_time_passes_happens_at_its_time() -> None:
    at = playing(clock=QUICK, standin=False)
    at.server.wait(3_100)
    times = [json.loads(line)["at"] for line in at.lines() if '"timeout"' in line]
    assert times == [1_500, 1_500, 3_000, 3_000]
    assert at.server.now == 3_100


def test_a_computation_is_done_behind_what_was_said_before_it() -> None:
    at = playing()
    at.act(0, "make")
    first, second = received(at[0])
    assert isinstance(first, m.Turn)
    assert isinstance(second, m.Update)
    assert (first.ok, first.view["made"]) == ({"rid": 1, "act": {"do": "make"}}, [])
    assert (second.seq, second.view["made"]) == (first.seq + 1, [2])


def test_what_follows_from_a_lost_connection_comes_after_what_made_it_lost() -> None:
    at = playing("fake", 3)
    for _ in range(20):
        at.act(1, "take", cell=9)
    assert at[1].closed == 4008
    assert [json.loads(line)["n"] for line in at.lines()] == list(range(len(at.lines())))
    assert one(at[0], m.SeatsChanged).table["seats"][1]["here"] is False


@pytest.mark.usefixtures("example_games")
@pytest.mark.parametrize(
    ("lang", "name"), [("de", "Vier gewinnt"), ("de_AT", "Vier gewinnt"), ("../de", "Four in a row")]
)
def test_a_game_is_described_to_clients_that_do_not_know_it(lang: str, name: str) -> None:
    peer = Local().connect("anna")
    described = request(peer, m.Describe("fourinarow", lang), m.Described)
    assert described.words["fourinarow.name"] == name
    assert described.seats == [2, 2, 2]
    assert {"name": "columns", "means": "Columns of the board.", "usual": 7, "low": 5, "high": 10} in described.options
    assert refused(peer, m.Describe("chess")).code == "no_game"

"""The server in process: the same effects, a virtual clock, the same bytes for the same seed."""

import json

import pytest
from tests.server.local_server import new_server, one, only, open_room, playing, received

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


def test_who_says_hello_is_welcome_and_gets_a_token() -> None:
    peer = Local().connect("anna", "human", can=["nonce"])
    assert peer.token is not None
    assert len(peer.token) == 64
    assert not peer.inbox


def test_who_is_not_welcome_is_told_so() -> None:
    local = Local()
    local.connect("anna")
    with pytest.raises(ConnectionError, match="name_taken"):
        local.connect("Anna")


def test_time_passes_by_steps_from_timer_to_timer() -> None:
    at = playing(clock=m.Clock(bank=0, add=1_000))
    began = at.server.now
    assert at.server.step()
    assert at.server.now == began + 1_500
    assert [message.events[0] for message in only(at[0], m.Turn)] == [{"e": "timeout", "seat": 0, "standin": 1}]


def test_time_can_pass_without_anything_happening() -> None:
    local = Local()
    assert not local.step()
    local.wait(5_000)
    assert local.now == 5_000


def test_all_that_falls_due_while_time_passes_happens_at_its_time() -> None:
    at = playing(clock=m.Clock(bank=0, add=1_000), standin=False)
    at.server.wait(3_100)
    times = [json.loads(line)["at"] for line in at.lines() if '"timeout"' in line]
    assert times == [1_500, 1_500, 3_000, 3_000]
    assert at.server.now == 3_100


def test_a_computation_is_done_behind_what_was_said_before_it() -> None:
    at = playing()
    at.act(0, "make")
    first, second = received(at[0])
    assert isinstance(first, m.Turn)
    assert first.ok == {"rid": 1, "act": {"do": "make"}}
    assert first.view["made"] == []
    assert isinstance(second, m.Update)
    assert second.view["made"] == [2]
    assert [message.seq for message in (first, second)] == [first.seq, first.seq + 1]


def test_what_follows_from_a_lost_connection_comes_after_what_made_it_lost() -> None:
    at = playing("fake", 3)
    for _ in range(20):
        at.act(1, "take", cell=9)
    assert at[1].closed == 4008
    assert [json.loads(line)["n"] for line in at.lines()] == list(range(len(at.lines())))
    assert one(at[0], m.SeatsChanged).table["seats"][1]["here"] is False


def test_finished_matches_and_every_line_are_kept() -> None:
    at = open_room()
    at.start().act(0, "end")
    [saved] = at.server.matches
    assert saved.room == at.code
    digest = saved.match.digest
    assert digest == one(at[1], m.Over).digest
    assert json.loads(at.lines()[saved.match.first])["r"] == "begun"
    assert json.loads(at.lines()[saved.match.last])["r"] == "over"


@pytest.mark.usefixtures("example_games")
@pytest.mark.parametrize(
    ("lang", "name"), [("de", "Vier gewinnt"), ("de_AT", "Vier gewinnt"), ("../de", "Four in a row")]
)
def test_a_game_is_described_to_clients_that_do_not_know_it(lang: str, name: str) -> None:
    peer = Local().connect("anna")
    peer.send(m.Describe("fourinarow", lang))
    described = next(message for message in peer.inbox if isinstance(message, m.Described))
    assert described.words["fourinarow.name"] == name
    assert described.seats == [2, 2, 2]
    assert {"name": "columns", "means": "Columns of the board.", "usual": 7, "low": 5, "high": 10} in described.options
    peer.send(m.Describe("chess"))
    assert [message.code for message in peer.inbox if isinstance(message, m.Error)] == ["no_game"]

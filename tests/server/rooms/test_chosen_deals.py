"""Rooms with a chosen deal: SPEC.md#chosen-deals."""

from pathlib import Path
from typing import cast

import pytest
from tests.server.local_server import OpenRoom, StrictLocal, new_server, open_room, received, refused

from parlour_client.core.options import repeated, seeded
from parlour_protocol import messages as m
from parlour_server.game_files.reader import lines_of, read
from parlour_server.game_files.verify import verify
from parlour_server.rooms.records import Begun

DEAL: m.Deal = {"secret": "ab" * 32, "context": "seed/1", "nonces": []}


def solo(options: m.Plain | None = None, deal: m.Deal | None = DEAL) -> OpenRoom:
    return open_room("minesweeper", 1, local=StrictLocal(), options={"mode": "solo", **(options or {})}, deal=deal)


def table(at: OpenRoom) -> m.Table:
    at[0].send(m.Join(at.code))
    return next(message.table for message in received(at[0]) if isinstance(message, m.Joined))


def final_rows(at: OpenRoom) -> list[str]:
    """Play a match until it is over, and return the board."""
    at.start().clear()
    at[0].send(m.Act(at.code, at.rid(0), {"do": "resign"}))
    [over] = [message for message in received(at[0]) if isinstance(message, m.Over)]
    rows: list[str] = over.view["rows"]
    return rows


def test_every_match_has_the_same_board_and_none_counts() -> None:
    at, other = solo(), solo()
    boards = [final_rows(at), final_rows(at), final_rows(other)]
    assert boards[0] == boards[1] == boards[2]
    assert "M" in "".join(boards[0])
    server = at.server
    assert [saved.match.rated for saved in server.matches] == [False, False]
    fair = table(at)["fair"]
    assert (fair.get("deal"), fair["context"]) == ("chosen", DEAL["context"])
    lines = at.file()
    verdict = verify(lines)
    assert verdict.ok, verdict
    assert not verify([line.replace('"deal":"chosen",', "") for line in lines]).ok


def test_the_board_of_a_finished_match_can_be_played_again() -> None:
    at = solo(deal=None)
    at[0].send(m.Ready(at.code, nonce="cd" * 32))
    at.clear()
    at[0].send(m.Act(at.code, at.rid(0), 40))
    nonces = table(at)["fair"]["nonces"]
    at[0].send(m.Act(at.code, at.rid(0), {"do": "resign"}))
    [over] = [message for message in received(at[0]) if isinstance(message, m.Over)]
    deal: m.Deal = {"secret": over.reveal, "context": over.context or "", "nonces": [nonces["0"]]}
    again = solo({"first_cell": 40}, deal)
    mines = [[char in "M*" for char in row] for row in final_rows(again)]
    assert mines == [[char in "M*" for char in row] for row in over.view["rows"]]


def test_a_room_with_a_chosen_deal_seats_one_person_with_bots_and_is_not_listed() -> None:
    at = open_room("fake", 1, seats=3, local=new_server(), deal=DEAL)
    person = at.server.connect("zoe", "human")
    assert refused(person, m.Join(at.code)).code == "wrong_kind"
    at.enter("robo", "bot", can=["nonce"])
    at[0].send(m.Ready(at.code, nonce="ab" * 32))
    assert (at.state, at.match.begun.nonces) == ("playing", ["", ""])
    person.send(m.List())
    assert [message.rooms for message in received(person) if isinstance(message, m.Rooms)] == [[]]
    at.load_again()
    assert at.room.state.config.dealt_by == "chosen"


@pytest.mark.parametrize("broken", [{"secret": "ab"}, {"context": "a b"}, {"context": ""}, {"nonces": ["x"]}])
def test_a_broken_deal_is_refused(broken: m.Plain) -> None:
    peer = new_server().connect("anna", "human")
    deal: m.Plain = {**DEAL, **broken}
    assert refused(peer, m.Create("fake", deal=cast("m.Deal", deal))).code == "bad_options"


def test_a_seed_stands_for_the_same_deal_everywhere() -> None:
    assert seeded(7) == seeded(7) != seeded(8)
    assert solo(deal=seeded(7)).room.state.context == "seed/7"


def test_the_deal_of_a_match_that_waited_for_a_beacon_may_be_played_again() -> None:
    lines = list(lines_of(Path("tests/server/golden/matches/uno-1-beacon.jsonl")))
    begun, create = next(iter(read(lines))).record, repeated(lines)
    assert isinstance(begun, Begun)
    at = open_room("uno", 1, local=StrictLocal(), seats=2, options=create.options, deal=create.deal, clock=None)
    at.enter("robo", "bot")
    at[0].send(m.Start(at.code))
    assert (at.match.begun.nonces, at.match.begun.beacon) == (begun.nonces, begun.beacon)
    assert table(at)["fair"]["beacon"]["randomness"] == begun.nonces[-1]


def test_no_match_waits_for_a_beacon_any_longer() -> None:
    at = open_room("fake", 2, local=new_server())
    local, (opened, *seated) = at.server, at.server.log[at.code]
    assert refused(local.connect("zoe", "human"), m.Create("fake", beacon=True)).code == "no_beacon"
    sealed = f'{{"at":0,"chain":"52","n":{len(seated) + 1},"r":"sealed","round":3002}}'
    local.log[at.code] = [opened.replace('"code"', '"beacon":true,"code"'), *seated, sealed]
    at.load_again()
    at.start()
    assert (at.state, at.match.begun.beacon) == ("playing", None)

"""The public client, as the documents show it: nothing else of parlour is imported."""

import asyncio

import pytest
from tests.support.server import ServerProcess

from parlour_client.client import Client, Fault, Refused, Seat


async def first_action(seat: Seat) -> None:
    while (decision := await seat.decision()) is not None:
        await seat.act(decision.rid, 0, why="the first")


async def test_two_clients_play_a_match(server: ServerProcess) -> None:
    async with Client(server.url, "maria") as maria, Client(server.url, "otto") as otto:
        ours = await maria.create("uno", {"scoring": "single"}, seats=2, clock=None)
        theirs = await otto.join(ours.room)
        await asyncio.gather(first_action(ours), first_action(theirs))
        assert ours.result is not None
        assert sorted(ours.result["ranks"].values()) == [1, 2]
        assert (ours.seat, theirs.seat) == (0, 1)
        assert len(ours.view["counts"]) == 2


async def test_code_for_the_seats_is_part_of_the_code(server: ServerProcess) -> None:
    async with Client(server.url, "lea") as lea, Client(server.url, "tom") as tom:
        joined = await lea.ask({"t": "create", "game": "uno", "seats": 2, "seat_code": True})
        with pytest.raises(Refused) as refused:
            await tom.join(joined["room"])
        assert refused.value.code == "seat_code"
        seat = await tom.join(f"{joined['room']}-{joined['seat_code']}".lower())
        assert (seat.room, seat.seat) == (joined["room"], 1)


async def test_requests_are_plain_data_and_refusals_have_a_code(server: ServerProcess) -> None:
    async with Client(server.url, "pia") as pia:
        assert {row["room"] for row in (await pia.ask({"t": "list"}))["rooms"]} >= {server.room}
        with pytest.raises(Refused) as refused:
            await pia.join("NONE")
        assert refused.value.code == "no_room"
        with pytest.raises(Fault, match="options"):
            await pia.ask({"t": "create", "game": "uno", "options": 3})


async def test_a_player_returns_by_the_token_and_acts_once(server: ServerProcess) -> None:
    async with Client(server.url, "zoe") as zoe:
        seat = await zoe.create("minesweeper", clock=None, seats=1)
        decision = await seat.decision()
        assert decision is not None
        await seat.act(decision.rid, 40)
        token = zoe.token
    async with Client(server.url, "zoe", token=token) as zoe:
        seat = await zoe.back(seat.room)
        await seat.act(decision.rid, 40)  # the answer is repeated
        following = await seat.decision()
        assert following is not None
        assert following.rid == decision.rid + 1
        await seat.leave()
        with pytest.raises(Refused):
            await zoe.back(seat.room)

"""Farms: ways to get a rating, or a place in standings, without strength. Each is tried on a node with its store.

docs/guarantees.md#ratings says what is bounded, and what is not.
"""

from collections.abc import Sequence
from typing import Any

import attrs
import pytest
from tests.server.nodes import Guest, House

from parlour_protocol import messages as m

HOME = "198.51.100.7"
ROUNDS = 3
"""How often each farm is worked."""


@attrs.define
class Record:
    """What the server says of a name: its row in standings, its rating and its wins."""

    standings: Any
    rating: int | None
    wins: int


def identity_of(house: House, name: str) -> str:
    identity = house.lobby.identities.by_name(name)
    assert identity is not None
    return identity.who


async def record(house: House, name: str, game: str = "fake") -> Record:
    """Return what the server says of ``name`` at a game, and at all games together."""
    await house.settled()
    rows = [(await house.store.standings(each, None, 100))[0] for each in (None, game)]
    shown = [row for each in rows for row in each if row["name"] == name]
    found = await house.store.profile(name)
    profile = found[2] if found else []
    matches, _ = await house.store.rated(game)
    in_ladder = any(name == player[0] for *_, players in matches if len(players) > 1 for player in players)
    assert in_ladder == bool(shown)
    return Record(shown, house.lobby.ratings.of(identity_of(house, name), game), sum(row["wins"] for row in profile))


async def bot(house: House, name: str, address: str | None = None) -> Guest:
    """Return a bot that can be invited."""
    found = await house.guest(name, address=address, kind="bot")
    await found.ask(m.OfferBot(["fake", "uno"], 8), m.Ok)
    return found


async def house_bot(house: House, name: str) -> Guest:
    found = await house.guest(name, kind="bot", ticket=house.lobby.bots.expect(name))
    await found.ask(m.OfferBot(["fake", "uno"], 8, ["hard", "easy"]), m.Ok)
    return found


async def match(host: Guest, others: Sequence[Guest], game: str = "fake", **create: Any) -> str:
    """Begin a match of ``host`` with bots that it invites and people who join; return the room."""
    joined = await host.ask(m.Create(game, seats=1 + len(others), **create), m.Joined)
    for other in others:
        if other.name.startswith(("bot", "house")):
            await host.ask(m.Invite(joined.room, bot=other.name), m.Ok)
        else:
            await other.ask(m.Join(joined.room), m.Joined)
    await host.ask(m.Start(joined.room), m.Ok)
    return joined.room


async def act(house: House, room: str, guest: Guest, **action: Any) -> None:
    """Let ``guest`` answer what its seat is asked."""
    state = house.lobby.rooms.loaded[room].room.state
    seat = state.seats.of(identity_of(house, guest.name))
    decision = state.match.book.obligation(seat) if state.match else None
    if decision is not None:
        await guest.say(m.Act(room, decision.rid, action))


async def beaten(house: House, room: str, winner: Guest, losers: Sequence[Guest]) -> None:
    """Let ``losers`` lose on purpose."""
    await act(house, room, winner, do="take", cell=1)
    for loser in losers:
        await act(house, room, loser, do="resign")
    await act(house, room, winner, do="end")


async def test_fair_matches_count(house: House) -> None:
    anna, bert = await house.guest("anna"), await house.guest("bert")
    await beaten(house, await match(anna, [bert]), anna, [bert])
    won = await record(house, "anna")
    assert ([row["wins"] for row in won.standings], won.wins) == ([1, 1], 1)
    assert won.rating is not None
    lost = await record(house, "bert")
    assert ([row["games"] for row in lost.standings], lost.wins) == ([1, 1], 0)


@pytest.mark.parametrize("do", ["kick", "ban"])
@pytest.mark.parametrize("standin", [False, True])
@pytest.mark.parametrize("make", [bot, house_bot])
async def test_who_removes_the_others_wins_nothing(house: House, make: Any, standin: bool, do: Any) -> None:
    """Bots of strangers, who would not mind, and house bots."""
    anna = await house.guest("anna")
    bots = [await make(house, f"bot{number}") for number in range(2)]
    for _ in range(ROUNDS):
        room = await match(anna, bots, "uno", standin=standin)
        for each in bots:
            await anna.say(m.Manage(room, do, each.name))
        assert house.lobby.rooms.loaded[room].room.match is not None
        await anna.say(m.Leave(room))
    assert await record(house, "anna", "uno") == Record([], None, 0)
    assert await record(house, bots[0].name, "uno") == Record([], None, 0)


@pytest.mark.parametrize("own", [["bot1", "bot2"], ["bert"]])
@pytest.mark.parametrize(("one", "other"), [(HOME, HOME), ("127.0.0.1", "::1")])
async def test_names_of_one_address_win_nothing_from_each_other(
    house: House, own: list[str], one: str, other: str
) -> None:
    anna = await house.guest("anna", address=one)
    others = [await (bot if name != "bert" else House.guest)(house, name, address=other) for name in own]
    for _ in range(ROUNDS):
        await beaten(house, await match(anna, others), anna, others)
    for name in ("anna", *own):
        assert await record(house, name) == Record([], None, 0)


async def test_nor_beside_a_stranger(house: House) -> None:
    """Two of three play together: the third would lose to them."""
    anna, zoe = await house.guest("anna", address=HOME), await house.guest("zoe")
    helper = await bot(house, "bot", HOME)
    await beaten(house, await match(anna, [helper, zoe]), anna, [helper, zoe])
    for each in (anna, zoe, helper):
        assert await record(house, each.name) == Record([], None, 0)


async def test_house_bots_of_a_low_level_bring_no_rating_to_a_table_of_two(house: House) -> None:
    anna, bert = await house.guest("anna"), await house.guest("bert")
    easy = await house_bot(house, "house")
    room = await match(anna, [easy, bert])
    await act(house, room, bert, do="take", cell=0)
    await act(house, room, bert, do="take", cell=1)
    await beaten(house, room, anna, [easy])
    won, lost = await record(house, "bert"), await record(house, "anna")
    assert won.rating is not None
    assert lost.rating is not None
    assert won.rating > lost.rating
    assert (await record(house, "house")) == Record([], None, 0)


async def test_a_match_against_absent_players_brings_nothing(house: House) -> None:
    anna, bert = await house.guest("anna"), await house.guest("bert")
    joined = await anna.ask(m.Create("fake", seats=2, standin=False), m.Joined)
    await bert.ask(m.Join(joined.room), m.Joined)
    bert.leave()
    await anna.ask(m.Start(joined.room), m.Ok)
    await beaten(house, joined.room, anna, [])
    assert await record(house, "anna") == Record([], None, 0)

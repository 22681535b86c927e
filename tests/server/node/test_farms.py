"""Farms: ways to get a rating, or a place in standings, without strength. Each is tried on a node with its store.

docs/guarantees.md#ratings says what is bounded, and what is not.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from tests.server.nodes import Guest, House

from parlour_protocol import messages as m

HOME = "198.51.100.7"
GAMES = ("fake", "uno")


async def bot(house: House, name: str, **greeting: Any) -> Guest:
    """Return a bot that can be invited; the names of those of the house begin with ``house``."""
    ticket = house.lobby.bots.expect(name) if name.startswith("house") else None
    found = await house.guest(name, kind="bot", ticket=ticket, **greeting)
    await found.ask(m.OfferBot([*GAMES], 8, ["hard", "easy"]), m.Ok)
    return found


async def match(host: Guest, *others: Guest, game: str = "fake", **create: Any) -> str:
    """Begin a match of ``host`` with bots that it invites and people who join; return the room."""
    room = (await host.ask(m.Create(game, seats=1 + len(others), **create), m.Joined)).room
    for other in others:
        if other.name.startswith(("bot", "house")):
            await host.ask(m.Invite(room, bot=other.name), m.Ok)
        else:
            await other.ask(m.Join(room), m.Joined)
    await host.ask(m.Start(room), m.Ok)
    return room


async def beaten(house: House, room: str, winner: Guest, losers: Sequence[Guest]) -> None:
    """Let ``losers`` lose on purpose."""
    state = house.lobby.rooms.loaded[room].room.state
    loses: m.Plain = {"do": "resign"}
    acts: list[tuple[Guest, m.Plain]] = [(winner, {"do": "take", "cell": 1}), *((loser, loses) for loser in losers)]
    for guest, act in [*acts, (winner, {"do": "end"})]:
        identity = house.lobby.identities.by_name(guest.name)
        seat = state.seats.of(identity.who) if identity and state.match else None
        decision = state.match.book.obligation(seat) if seat is not None and state.match else None
        if decision is not None:
            await guest.say(m.Act(room, decision.rid, act))


async def win(house: House, host: Guest, *others: Guest) -> None:
    await beaten(house, await match(host, *others), host, others)


async def remove_the_others(house: House) -> None:
    """Bots of strangers, who would not mind, and house bots."""
    anna, *bots = await house.guest("anna"), await bot(house, "bot"), await bot(house, "house")
    for do, standin in (("kick", False), ("ban", True)):
        room = await match(anna, *bots, game="uno", standin=standin)
        for each in bots:
            await anna.say(m.Manage(room, do, each.name))  # type: ignore[arg-type]
        assert house.lobby.rooms.loaded[room].room.match is not None
        await anna.say(m.Leave(room))


async def beat_names_of_ones_own(house: House) -> None:
    anna, bert = await house.guest("anna", address=HOME), await house.guest("bert", address=HOME)
    await win(house, anna, bert)
    await win(house, anna, await bot(house, "bot", address=HOME))


async def beat_one_of_them_beside_a_stranger(house: House) -> None:
    """Two of three play together: the third would lose to them."""
    anna, helper = await house.guest("anna", address=HOME), await bot(house, "bot", address=HOME)
    await win(house, anna, helper, await house.guest("zoe"))


async def beat_easy_house_bots(house: House) -> None:
    await win(house, await house.guest("anna"), await bot(house, "house1"), await bot(house, "house2"))


async def play_alone(house: House) -> None:
    await win(house, await house.guest("anna"))


async def beat_those_who_are_away(house: House) -> None:
    anna, bert = await house.guest("anna"), await house.guest("bert")
    room = (await anna.ask(m.Create("fake", seats=2, standin=False), m.Joined)).room
    await bert.ask(m.Join(room), m.Joined)
    bert.leave()
    await anna.ask(m.Start(room), m.Ok)
    await beaten(house, room, anna, [])


@pytest.mark.parametrize(
    ("farm", "wins"),
    [
        (remove_the_others, 0),
        (beat_names_of_ones_own, 0),
        (beat_one_of_them_beside_a_stranger, 0),
        (beat_easy_house_bots, 1),
        (play_alone, 1),
        (beat_those_who_are_away, 0),
    ],
)
async def test_a_farm_yields_no_rating_and_no_place(
    house: House, farm: Callable[[House], Awaitable[None]], wins: int
) -> None:
    await farm(house)
    await house.settled()
    assert [(await house.store.standings(game, None, 100))[0] for game in (None, *GAMES)] == [[], [], []]
    assert house.lobby.ratings.table == {}
    for game in GAMES:
        assert not [players for *_, players in (await house.store.rated(game))[0] if len(players) > 1]
    profile = await house.store.profile("anna")
    assert sum(row["wins"] for row in (profile[2] if profile else [])) == wins, "that is counted"


async def test_fair_matches_count(house: House) -> None:
    anna, bert, easy = await house.guest("anna"), await house.guest("bert"), await bot(house, "house")
    await win(house, anna, bert, easy)
    await house.settled()
    for game in (None, "fake"):
        rows, _ = await house.store.standings(game, None, 100)
        assert [(row["name"], row["games"], row["wins"]) for row in rows] == [("anna", 1, 1), ("bert", 1, 0)]
    rated = {house.lobby.identities.get(who).name: rating for (who, _), rating in house.lobby.ratings.table.items()}
    assert rated.keys() == {"anna", "bert"}
    assert rated["anna"] > rated["bert"]

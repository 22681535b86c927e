from typing import Any

import pytest
from tests.client.scripted_server import ScriptedSocket, server

from parlour_client.core.errors import Interrupted, Refused
from parlour_client.core.queries import ask, asked, listed, lobby, people, visiting
from parlour_protocol.messages import Admin, Bye, Error, List, Rooms, Standings, StandingsRows

FIRST: Any = {"room": "AAAA", "game": "uno", "state": "waiting", "seats": 4, "taken": 1, "kinds": "any", "watch": True}
BOT: Any = {"name": "ada", "games": ["uno"], "free": 3}


async def test_all_pages_are_asked_for() -> None:
    async def script(it: ScriptedSocket) -> None:
        await it.greet()
        pages: Any = (({**FIRST, "host": "otto"}, "AAAA"), ({**FIRST, "room": "BBBB", "host": None}, None))
        for page, after in pages:
            asked = await it.expect(List)
            assert (asked.game, asked.after) == ("uno", None if after else "AAAA")
            await it.say(Rooms([page], [BOT], after, re=asked.id))
        await it.socket.wait_closed()

    async with server(script) as url:
        found = await lobby(url, "uno")
    assert found["server"] == f"ws://{url}"
    assert [row["room"] for row in found["rooms"]] == ["AAAA", "BBBB"]
    assert found["bots"] == [BOT]


async def test_a_refusal() -> None:
    async def script(it: ScriptedSocket) -> None:
        await it.greet()
        await it.hear()
        await it.say(Error("no_game", "there is no game 'chess'"))
        await it.socket.wait_closed()

    async with server(script) as url:
        with pytest.raises(Refused, match="no game 'chess'"):
            await lobby(url, "chess")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"host": None}, []),
        ({"host": "otto"}, ["host otto"]),
        ({"host": "otto", "players": []}, ["host otto"]),
        ({"host": "eve", "players": ["eve:bot", "pia:human"]}, ["pia", "eve (bot, host)"]),
        ({"host": "otto", "players": ["eve:bot", "otto:human", "pia:human"]}, ["otto (host)", "pia", "eve (bot)"]),
        ({"host": None, "players": ["eve:bot"]}, ["eve (bot)"]),
        ({"host": "otto", "players": ["eve:bot"]}, ["eve (bot)", "host otto"]),
    ],
)
def test_who_is_told_of_in_a_room(told: Any, said: list[str]) -> None:
    row: Any = {**FIRST, **told}
    if "players" in told:
        row["players"] = [dict(zip(("name", "kind"), each.split(":"), strict=True)) for each in told["players"]]
    assert people(row) == said


async def breaks_off(it: ScriptedSocket) -> None:
    """Hear a question, and break off."""
    await it.greet()
    await it.hear()
    it.socket.transport.abort()


async def lists(it: ScriptedSocket) -> None:
    await it.greet()
    question = await it.expect(List)
    await it.say(Rooms([], [], re=question.id))
    await it.socket.wait_closed()


async def test_a_list_is_asked_for_again() -> None:
    async with server(breaks_off, breaks_off, lists) as url:
        assert (await lobby(url))["rooms"] == []


async def test_whoever_looks_at_the_lobby_for_long_sees_it_again_when_the_server_is_back() -> None:
    async def ends(it: ScriptedSocket) -> None:
        await it.greet()
        question = await it.hear()
        await it.say(Rooms([], [], re=getattr(question, "id", None)))
        it.socket.transport.abort()

    async with server(ends, lists) as url, visiting(url) as connection:
        assert await listed(connection) == await listed(connection) == ([], [])


async def test_standings_are_asked_for_again_from_the_page_that_did_not_come() -> None:
    async def begins(it: ScriptedSocket) -> None:
        await it.greet()
        question = await it.expect(Standings)
        await it.say(StandingsRows([], "b", re=question.id))
        await it.hear()
        it.socket.transport.abort()

    async def ends(it: ScriptedSocket) -> None:
        await it.greet()
        question = await it.expect(Standings)
        assert (question.contest, question.after) == ("friday", "b")
        await it.say(StandingsRows([], re=question.id))
        await it.socket.wait_closed()

    async with server(begins, ends) as url:
        assert (await asked(url, Standings(contest="friday"))).rows == []


async def test_what_may_have_been_done_is_not_asked_for_twice() -> None:
    async def hears_nothing(it: ScriptedSocket) -> None:
        await it.greet()
        await it.socket.wait_closed()

    async with server(breaks_off, hears_nothing) as url, visiting(url) as connection:
        with pytest.raises(Interrupted, match="admin was not answered before the connection broke; it may not have"):
            await ask(connection, Admin("secret", "drain"))


async def test_whoever_comes_back_too_slowly_for_the_server_comes_once_more() -> None:
    async def too_late(it: ScriptedSocket) -> None:
        await it.hear()
        await it.say(Bye("hello_first", "you did not say hello"))
        await it.socket.close(1008, "hello_first")

    async with server(breaks_off, too_late, lists) as url:
        assert (await lobby(url))["rooms"] == []

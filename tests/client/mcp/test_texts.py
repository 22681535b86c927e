from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from msgspec import structs
from tests.client.messages import PEOPLE, ROOM, VIEW, joined, over, row, seats, table, turn, update
from tests.client.scripted_server import ScriptedSocket, server
from websockets.exceptions import ConnectionClosedOK

from parlour_protocol.messages import Act, Error, Ok, Plain, ServerMessage

pytestmark = pytest.mark.mcp

PLAY: list[Plain] = [{"do": "play", "card": 9}, {"do": "draw"}]


@asynccontextmanager
async def told(*messages: ServerMessage, **playing: Any) -> AsyncIterator[Any]:
    """Yield a function that calls a tool at a seat that has been sent ``messages``; it returns text and structure."""
    from mcp import Client

    from parlour_client.mcp import make_server
    from parlour_client.model_seats import Seats

    async def script(socket: ScriptedSocket) -> None:
        await socket.greet(ROOM)
        await socket.say(joined(0, view=VIEW, table=table("playing", standin=True, **playing)), *messages)
        with suppress(ConnectionClosedOK):
            while True:
                match await socket.hear():
                    case Act(rid=rid):
                        await socket.say(Error("no_such_rid", "no", room=ROOM, rid=rid))
                    case message:
                        await socket.say(Ok(re=message.id))

    async with server(script) as url, Seats(url) as held, Client(make_server(held, 0.2)) as client:

        async def call(tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
            result = await client.call_tool(tool, {"seat": f"{ROOM}/t1/maria", **arguments})
            return result.content[0].text, result.structured_content

        yield call


async def test_time_left_counts_down_is_said_once_and_may_be_added_to(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("parlour_client.client.monotonic", lambda: now)
    async with told(turn(1, 7, PLAY, left=60_000, clocks={"0": 60_000})) as call:
        text, found = await call("look")
        assert found["left"] == 60_000
        assert "(60 s)" not in text
        assert "60 seconds left" in text
        now += 20
        text, found = await call("look")
        assert found["left"] == 40_000
        assert "40 seconds left" in text
        now += 60
        assert (await call("look"))[1]["left"] == 0
    added = structs.replace(update(2, {"e": "addtime", "seat": 0, "ms": 30_000}), clocks={"0": 90_000})
    async with told(turn(1, 7, PLAY, left=60_000), added) as call:
        assert (await call("look"))[1]["left"] == 90_000


async def test_late_answers_and_stand_ins_are_told() -> None:
    away, back = ([row(0, "maria", by=by), *PEOPLE[1:]] for by in ("standin", "owner"))
    deal: Plain = {"e": "deal", "dealer": 1, "top": 13, "colour": "red", "hand": [9]}
    messages = (
        turn(1, 7, PLAY, {"e": "timeout", "seat": 0, "standin": 1}),
        update(2, {"e": "timeout", "seat": 0, "standin": 0}),
        seats(3, table("playing", standin=True, seats=away)),
        update(4, {**deal, "round": 2}, {"e": "play", "seat": 0, "card": 9}, {"e": "play", "seat": 1, "card": 10}),
        update(5, {**deal, "round": 3}, {"e": "play", "seat": 2, "card": 20}),
        seats(6, table("playing", standin=True, seats=back)),
        turn(7, 9, PLAY),
    )
    async with told(messages[0]) as call:
        text, _ = await call("look")
        assert "once more" in text
    async with told(*messages) as call:
        text, _ = await call("look")
        happened = next(line for line in text.splitlines() if line.startswith("What happened"))
        told_in_order = ("stand-in plays for you from here", "5 events", "Round 3", "red skip", "again")
        places = [happened.index(words) for words in told_in_order]
        assert places == sorted(places)
        assert "Round 2" not in happened


async def test_a_seat_with_a_stand_in_is_taken_back_by_look() -> None:
    away = [row(0, "maria", by="standin"), *PEOPLE[1:]]
    async with told(seats(1, table("playing", seats=away))) as call:
        text, _ = await call("act", rid=7, answer=0)
        assert "look" in text


async def test_a_new_match_begins_without_the_end_of_the_last() -> None:
    ended = over(2, events=[{"e": "out", "seat": 1, "why": "points"}])
    states = (seats(3, table("finished")), seats(4, table("playing")))
    async with told(turn(1, 7, PLAY), ended, *states, turn(5, 9, PLAY, {"e": "pass", "seat": 1})) as call:
        text, _ = await call("look")
        assert "What happened: otto passes." in text


async def test_a_decision_that_never_was_is_told_with_the_open_one() -> None:
    async with told(turn(1, 7, PLAY)) as call:
        text, found = await call("act", rid=999, answer=0)
        assert found["code"] == "no_such_rid"
        assert "999" in text
        assert "Too late" not in text
        assert "rid: 7" in text


async def test_a_catch_is_offered_before_the_decision_with_its_cost_and_how_to_answer() -> None:
    view = {**VIEW, "counts": [3, 1, 1], "called": [2], "exposed": 1}
    may: Any = [{"rid": 55 + seat, "legal": [{"do": "catch", "seat": seat}]} for seat in (1, 2)]
    asked = turn(1, 7, PLAY, view=view, may=may)
    async with told(asked, options={"false_call_penalty": 2}) as call:
        text, _ = await call("look")
        right, wrong = (line for line in text.splitlines() if "you may" in line)
        assert "otto 1 (not called)" in text
        assert "pia 1 (called UNO)" in text
        assert "2" not in right.replace("rid=", "").split("catch")[1]
        assert "(wrong: you draw 2)" in wrong
        assert "Before you answer rid 7" in right
        assert "act(seat, rid=56, answer=...)" in right


async def test_who_comes_next_is_told() -> None:
    async with told(turn(1, 7, PLAY, view={**VIEW, "direction": -1})) as call:
        assert "Next: pia, otto." in (await call("look"))[0].splitlines()
    async with told(turn(1, 7, PLAY, view={**VIEW, "out": [1]})) as call:
        assert "Next" not in (await call("look"))[0]

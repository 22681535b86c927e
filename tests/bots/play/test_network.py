import asyncio
import random
import threading
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec.structs import replace
from tests.bots.messages import PLAYS, ROOM, joined, over, seats, turn
from tests.bots.rooms import fail, watched
from tests.client.scripted_server import Waits
from tests.support.server import ServerProcess
from tests.support.waiting import PATIENCE

from parlour_bots.loading import find
from parlour_bots.play import network
from parlour_bots.play.network import MOST_OF_CLOCK, SPREAD, BotClient, Pace, connection, one_click, play_room
from parlour_bots.sdk import AnyTurn, BotSpec, Turn, bot_spec
from parlour_client.core.connection import ConnectionState
from parlour_client.core.errors import Interrupted, Refused
from parlour_client.core.session import Session, SessionReport
from parlour_protocol import messages as m
from parlour_protocol.messages import Act, Kind, Plain, Update

PAINFIRST, RANDOM = find("painfirst"), find("random")
WELCOME = m.Welcome("bot", "test", {}, [], [])
OFFER = m.OfferBot(["uno"], 4)
PASSED, ENDED = {"e": "pass", "seat": 1}, {"e": "round"}


class Script:
    def __init__(self) -> None:
        self.sent: list[m.ClientMessage] = []
        self._more = asyncio.Condition()
        self._messages: asyncio.Queue[m.ServerMessage | None] = asyncio.Queue()
        self.state = ConnectionState("closed", "taken over")
        self.session = Session("bot", "bot", entropy=bytes)

    async def __aenter__(self) -> "Script":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def heard(self, kind: type, times: int = 1) -> None:
        async with asyncio.timeout(PATIENCE), self._more:
            await self._more.wait_for(lambda: sum(isinstance(message, kind) for message in self.sent) >= times)

    def say(self, *messages: m.ServerMessage) -> None:
        for message in messages:
            self._messages.put_nowait(message)

    async def send(self, message: m.ClientMessage) -> None:
        async with self._more:
            self.sent.append(message)
            self._more.notify_all()

    async def close(self) -> None:
        self._messages.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[m.ServerMessage]:
        while (message := await self._messages.get()) is not None:
            yield message


def client(script: Script, bot: BotSpec = RANDOM, **settings: Any) -> BotClient:
    return BotClient(script, bot, fail, **settings)  # type: ignore[arg-type]


def talking(*said: m.ServerMessage, bot: BotSpec = RANDOM, **settings: Any) -> tuple[Script, asyncio.Task[None]]:
    """Let a bot hear these messages; return its connection and its run."""
    script = Script()
    script.say(*said)
    return script, asyncio.create_task(client(script, bot, **settings).run())


async def sent(*said: m.ServerMessage, bot: BotSpec = RANDOM, **settings: Any) -> list[m.ClientMessage]:
    """Let a bot hear these messages until its connection is closed; return what it sent."""
    script, talk = talking(*said, bot=bot, **settings)
    await script.close()
    await talk
    return script.sent


async def test_bot_plays_one_match_and_leaves() -> None:
    script, talk = talking(WELCOME, joined(seat=0), turn(1), over(1, 2))
    await script.heard(m.Leave)
    script.say(m.Left(ROOM, "left"))
    await talk
    assert [type(message) for message in script.sent] == [m.Ready, m.Act, m.Leave]


async def test_bot_that_stays_stays_until_it_must_go() -> None:
    script, talk = talking(joined(seat=0), turn(1), stay=True)
    await script.heard(m.Act)
    script.say(over(1, 2), turn(2))
    await script.heard(m.Act, times=2)
    script.say(m.Left(ROOM, "expired"))
    await talk
    assert [message.rid for message in script.sent if isinstance(message, m.Act)] == [1, 2]
    assert not any(isinstance(message, m.Leave) for message in script.sent)


async def test_bot_makes_its_offer_after_every_welcome_and_waits_for_the_next_invitation() -> None:
    script, talk = talking(
        WELCOME, joined(seat=0, why="invited"), m.Left(ROOM, "kicked"), WELCOME, stay=True, availability=OFFER
    )
    await script.heard(m.OfferBot, times=2)
    script.say(joined(seat=1, why="invited"), turn(5))
    await script.heard(m.Act)
    await script.close()
    await talk
    assert [message for message in script.sent if isinstance(message, m.OfferBot)] == [OFFER] * 2
    assert [message.rid for message in script.sent if isinstance(message, m.Act)] == [5]


@pytest.mark.parametrize("why", ["kicked", "expired"])
async def test_bot_thrown_out_of_its_one_match_says_so(why: Any) -> None:
    with pytest.raises(Refused, match=why):
        await sent(joined(seat=0), m.Left(ROOM, why))


async def test_denied_request_ends_a_bot_that_came_for_one_match_only() -> None:
    denied = m.Error("no_room", "there is no room QQQQ", hint="check the code")
    with pytest.raises(Refused, match=r"there is no room QQQQ \(check the code\)") as refused:
        await sent(denied)
    assert (refused.value.code, refused.value.exit_code) == ("no_room", 4)
    assert await sent(denied, stay=True, availability=OFFER) == []


async def test_refusal_at_the_table_is_no_reason_to_leave_it() -> None:
    said = await sent(joined(seat=0), m.Error("wrong_state", "the match has begun", room=ROOM), turn(1))
    assert [type(message) for message in said] == [m.Ready, m.Act]


async def test_connection_that_ends_before_the_match_does() -> None:
    script = Script()
    script.say(joined(seat=0))
    await script.close()
    with pytest.raises(Interrupted, match="before the match was over: taken over"):
        await play_room(client(script), ROOM)
    assert script.sent == [m.Join(ROOM), m.Ready(ROOM)]


async def test_bot_that_never_comes_back_does_not_keep_the_program() -> None:
    never, begun = threading.Event(), threading.Event()

    def stuck(turn: Turn) -> int:
        begun.set()
        never.wait()
        return 0

    _, talk = talking(joined(seat=0), turn(1), bot=bot_spec(stuck, "stuck"))
    await asyncio.to_thread(begun.wait, 20)
    talk.cancel()
    await asyncio.wait([talk])
    assert talk.cancelled()
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == f"bot in {ROOM}")
    never.set()


def changed(commit: str, state: Any = "waiting") -> m.SeatsChanged:
    fair: Any = {"commit": commit, "context": "K7QD/1", "nonces": {}}
    return m.SeatsChanged(ROOM, 1, {**joined().table, "state": state, "fair": fair})


async def test_bot_is_ready_once_under_each_commitment_but_for_one_match_only_for_that() -> None:
    tables = changed("c1"), changed("c1"), changed("c2", "playing"), changed("c2", "finished"), changed("c3")
    assert await sent(joined(seat=0), *tables, stay=True) == [m.Ready(ROOM)] * 3
    assert await sent(joined(seat=0), changed("c2", "finished")) == [m.Ready(ROOM)]


async def test_what_does_not_fit_in_the_fairness_of_a_match_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[str] = []
    script, talk = talking(joined(seat=0), changed("c1"), warn=told.append)
    reports = script.session.reports
    reports += [SessionReport("fairness", "changed nonces", ROOM), SessionReport("gap", "harmless", ROOM)]
    await script.close()
    await talk
    assert (told, reports) == ([f"{ROOM}: changed nonces"], [])
    client(script).warn("it does not fit")
    assert capsys.readouterr().err == "WARNING: it does not fit\n"


async def test_spectator_is_not_seated() -> None:
    assert await sent(joined(seat=None)) == []


async def test_turn_that_is_over_before_the_bot_had_time_for_it_is_not_asked() -> None:
    asked, events, begun, go_on = [], [], threading.Event(), threading.Event()

    def slow(turn: Turn) -> int:
        asked.append(turn.rid)
        events.append(turn.events)
        begun.set()
        go_on.wait(20)
        return 0

    script, talk = talking(joined(seat=0), turn(1), bot=bot_spec(slow, "slow"))
    await asyncio.to_thread(begun.wait, 20)
    script.say(turn(2, PLAYS, PASSED), turn(3, PLAYS, ENDED), changed("c2"))
    await script.heard(m.Ready, times=2)  # so that all of it has been read
    go_on.set()
    await script.close()
    await talk
    assert asked == [1, 3]
    assert events[1] == [PASSED, ENDED]


async def test_a_bot_that_is_cancelled_just_as_it_answers_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = asyncio.get_running_loop().create_future()
    monkeypatch.setattr(network, "_started", lambda receive, message: (threading.current_thread(), answer))
    thinking = asyncio.create_task(client(Script())._in_thread(lambda message: [], turn(1)))
    await asyncio.sleep(0)
    answer.set_result([])
    thinking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(thinking, PATIENCE)


async def test_slow_table_does_not_hold_up_another() -> None:
    """The bot thinks about the first table until the second has been answered."""
    second = threading.Event()

    def play(turn: Turn) -> int:
        if turn.room == ROOM:
            assert second.wait(20)
        else:
            second.set()
        return 4

    other = replace(joined(seat=0), room="OTHR"), replace(turn(7), room="OTHR")
    said = await sent(joined(seat=0), other[0], turn(1), other[1], bot=bot_spec(play, "slow"))
    assert {(act.room, act.rid, act.act) for act in said if isinstance(act, m.Act)} == {("OTHR", 7, 4), (ROOM, 1, 4)}


async def test_one_connection_plays_in_several_rooms(server: ServerProcess) -> None:
    heard: list[m.ServerMessage] = []
    async with connection(server.url, "many") as way:
        many = BotClient(way, PAINFIRST, fail, stay=True, availability=OFFER, watch=heard.append)
        talk = asyncio.create_task(many.run())

        async def meet(number: int) -> str:
            def bots(room: str) -> list[Any]:
                other = BotClient(connection(server.url, f"single-{number}"), PAINFIRST, fail)
                return [way.send(m.Join(room)), play_room(other, room)]

            return (await watched(server.url, 2, bots))[0].room

        rooms = await asyncio.gather(*map(meet, range(3)))
        await way.close()
        await talk
    assert sorted(message.room for message in heard if isinstance(message, m.Over)) == sorted(rooms)


async def test_bots_draw_the_same_chances_in_every_room_of_the_day() -> None:
    drawn: list[float] = []

    def play(turn: Turn) -> int:
        drawn.append(turn.rng.random())
        return 4

    for seed, deal in ((1, "daily"), (2, "daily"), (1, "chosen"), (2, "chosen")):
        seated = joined(seat=1)
        seated.table["fair"] |= {"deal": deal, "context": "daily/2026-11-23/uno"}  # type: ignore[typeddict-item]
        await sent(seated, turn(1), bot=bot_spec(play, "usual"), seed=seed)
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) == 3


@pytest.mark.parametrize(("style", "played"), [("hard", 0), ("other", 4), (None, 4)])
async def test_a_bot_plays_in_the_style_of_its_seat(style: str | None, played: int) -> None:
    seated = joined(seat=1)
    rival, own = seats("rival", "bot")
    seated.table["seats"] = [{**rival, "style": "hard"}, {**own, "style": style} if style else own]
    styles = {"hard": bot_spec(lambda turn: 0, "hard")}
    said = await sent(seated, turn(1), bot=bot_spec(lambda turn: 4, "usual"), styles=styles)
    assert [message.act for message in said if isinstance(message, m.Act)] == [played]


async def test_a_bot_that_does_not_return_is_reported_with_its_lines() -> None:
    warnings, free = asyncio.Queue[str](), threading.Event()

    def stuck(turn: Turn) -> int:
        return hang()

    def hang() -> int:
        free.wait()
        return 0

    bot = bot_spec(stuck, "stuck")
    script, talk = talking(joined(seat=0), turn(1), bot=bot, patience=0.01, warn=warnings.put_nowait)
    lines = (await asyncio.wait_for(warnings.get(), PATIENCE)).splitlines()
    free.set()
    await script.heard(m.Act)
    await script.close()
    await talk
    assert ("free.wait()" in lines[1], "return hang()" in lines[2]) == (True, True)


def pace(waits: Waits, seconds: float = 0, tempo: float = 1) -> Pace:
    return Pace(seconds, tempo, random.Random(7), waits)


@pytest.mark.parametrize(
    ("action", "sent"),
    [
        (7, 7),
        ({"do": "open", "cells": [[0, 0], [1, 0]]}, {"do": "open", "cells": [[0, 0]]}),
        ({"do": "seq", "moves": [["flag", 0, 0], ["open", 1, 0]]}, {"do": "seq", "moves": [["flag", 0, 0]]}),
        ({"do": "bomb", "at": [2, 2]}, {"do": "bomb", "at": [2, 2]}),
    ],
)
async def test_each_card_or_click_takes_a_pause(action: int | Plain, sent: int | Plain) -> None:
    waits = Waits()
    assert one_click(Act(ROOM, 1, action, "why")) == Act(ROOM, 1, sent, "why")
    await pace(waits).wait(0.8)
    [paused] = waits.seconds
    assert 0.8 * (1 - SPREAD) <= paused <= 0.8 * (1 + SPREAD)


async def test_pauses_differ_and_leave_most_of_the_clock() -> None:
    waits = Waits()
    one = pace(waits)
    for left in (None, None, 1000):
        await one.wait(0.8, left)
    first, second, third = waits.seconds
    assert first != second
    assert third == MOST_OF_CLOCK


@pytest.mark.parametrize(
    ("meanwhile", "asked"),
    [
        (Update(ROOM, 2, {"after": True}, [{"e": "opened"}], [], {}), [({"after": True}, ["opened"])]),
        (Update(ROOM, 2, {"phase": "over"}, [], [], {}), []),  # the result follows
    ],
    ids=["news", "over"],
)
async def test_a_bot_decides_on_the_news_after_a_pause(meanwhile: Update, asked: list[tuple[Plain, list[str]]]) -> None:
    script, seen = Script(), []

    async def sleep(seconds: float) -> None:
        script.say(meanwhile)
        await script.close()
        for _ in range(5):  # both are read
            await asyncio.sleep(0)

    def decide(turn: AnyTurn) -> int:
        seen.append((turn.view, [event["e"] for event in turn.events]))
        return 4

    seated = joined(seat=0)
    seated.table["pace"] = 1000
    script.say(seated, turn(1))
    await client(script, bot_spec(decide, "bot"), pace=Pace(sleep=sleep)).run()
    assert seen == asked


@pytest.mark.parametrize(
    ("kind", "of_room", "mean"),
    [("human", None, 0.4), ("bot", None, 0), ("human", 0, 0), ("human", 2000, 1), ("bot", 2000, 1)],
)
async def test_without_a_pace_bots_pause_where_people_sit(kind: Kind, of_room: int | None, mean: float) -> None:
    waits, script, seated = Waits(), Script(), joined(seat=0)
    seated.table["pace"] = of_room
    seated.table["seats"] = [{**row, "kind": kind} for row in seats("maria")]
    script.say(seated, turn(1))
    await script.close()
    await client(script, bot_spec(lambda turn: 4, "bot"), pace=pace(waits, 0.8, 0.5)).run()
    assert [message.act for message in script.sent if isinstance(message, Act)] == [4]
    assert waits.seconds == ([pytest.approx(mean, rel=SPREAD)] if mean else [])

import asyncio
import time
from contextlib import suppress
from http import HTTPStatus
from itertools import count
from socket import gaierror
from typing import Any

import pytest
from msgspec.structs import replace
from tests.client.messages import ROOM, joined, turn, update
from tests.client.scripted_server import Script, ScriptedSocket, Waits, connection, saying, server
from websockets.exceptions import ConnectionClosed

from parlour_client.core.connection import Connection, ConnectionState, no_server
from parlour_client.core.errors import CannotConnect, Interrupted, Refused, WrongProtocol
from parlour_client.core.phrases import phrases, refused_by
from parlour_client.core.session import LATER, Session
from parlour_client.core.side_sockets import MOST
from parlour_protocol.codec import CODECS, JSON, MSGPACK
from parlour_protocol.messages import Act, Bye, Chat, Error, Hello, Invite, Join, Redirect
from parlour_protocol.phrases import LANGUAGES


async def test_nobody_answers() -> None:
    async with server() as url:
        pass
    with pytest.raises(CannotConnect, match=r"at ws://localhost:\d+ \(connection refused\)\. .*parlour serve"):
        await connection(url).__aenter__()


def test_where_nothing_answers_elsewhere_no_server_is_to_be_started_here() -> None:
    told = str(no_server("ws://10.0.0.4:7777", ConnectionRefusedError(111, "[Errno 111] x")))
    assert told.startswith("no server answers at ws://10.0.0.4:7777 (connection refused). ")
    assert told.endswith("See: parlour doctor --server ws://10.0.0.4:7777")


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError(111, "[Errno 111] x"),
        OSError("Multiple exceptions: [Errno 113] x"),
        gaierror(-2, "[Errno -2] x"),
    ],
)
def test_the_reason_is_in_the_language_of_the_user(error: OSError) -> None:
    told = []
    for language in LANGUAGES:
        phrases.use(language)
        told.append(str(no_server("ws://10.0.0.4:7777", error)).partition("(")[2].partition(")")[0])
    assert len(set(told)) == len(LANGUAGES), told
    assert not any("Errno" in each for each in told)


async def test_unknown_subprotocols_are_a_mismatch() -> None:
    def status(code: HTTPStatus, body: str) -> Any:
        return lambda socket, _: socket.respond(code, body)

    async with server(process_request=status(HTTPStatus.BAD_REQUEST, "this server speaks parlour.v9.json\n")) as url:
        with pytest.raises(WrongProtocol, match=r"speaks parlour\.v9\.json"):
            await connection(url).__aenter__()
    async with server(process_request=status(HTTPStatus.SERVICE_UNAVAILABLE, "full\n")) as url:
        with pytest.raises(CannotConnect, match="HTTP 503 instead of a game: full"):
            await connection(url).__aenter__()


async def test_a_server_of_something_else_is_a_mismatch() -> None:
    async def other(it: ScriptedSocket) -> None:
        await it.socket.wait_closed()

    async with server(other, subprotocols=None) as url:
        with pytest.raises(WrongProtocol, match=r"does not speak parlour\.v1\.msgpack"):
            await connection(url).__aenter__()


@pytest.mark.parametrize(("answer", "fault"), [(b"", CannotConnect), (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", WrongProtocol)])
async def test_what_answers_is_no_web_socket_at_all(answer: bytes, fault: type[Exception]) -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(handle, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        with pytest.raises(fault):
            await connection(f"localhost:{port}").__aenter__()


TAKEN = Error("name_taken", "maria is taken", hint="choose another, or send its token", re="hello")


@pytest.mark.parametrize(
    ("script", "fault", "told"),
    [
        (saying(TAKEN, greets=False, stays=True), Refused, r"refuses: maria is taken \(choose another with --name\)"),
        (saying(Bye("banned", "you are banned"), greets=False), Refused, "you are banned"),
        (saying(greets=False), CannotConnect, "closed the connection during the greeting"),
    ],
    ids=["error", "bye", "nothing"],
)
async def test_a_greeting_that_fails(script: Script, fault: type[Exception], told: str) -> None:
    async with server(script) as url:
        with pytest.raises(fault, match=told):
            await connection(url).__aenter__()


async def test_a_token_that_is_unknown_is_given_up_on_the_same_socket() -> None:
    async def script(it: ScriptedSocket) -> None:
        hello = await it.expect(Hello)
        assert hello.token == "old"
        await it.socket.send(CODECS[MSGPACK].encode({"t": "from-the-future"}))
        await it.say(Error("bad_token", "unknown token", re="hello"))
        again = await it.greet()
        assert again.token is None
        await it.socket.close(4001)

    async with server(script) as url, Connection(url, Session("maria", entropy=bytes, token="old")) as here:
        assert [message.t async for message in here] == ["welcome"]


def test_faults_are_told_in_the_language() -> None:
    english = refused_by("ws://there", TAKEN), str(no_server("ws://there", OSError("x")))
    phrases.use("de")
    german = refused_by("ws://there", TAKEN), str(no_server("ws://there", OSError("x")))
    assert not set(english) & set(german)


async def replaces(it: ScriptedSocket) -> None:
    await it.greet()
    await it.socket.close(4001)


async def told(here: Connection, last: str) -> list[str]:
    """Return the types of the messages that come, and close the connection after the first of type ``last``."""
    types = []
    async for message in here:
        types.append(message.t)
        if message.t == last:
            await here.close()
    return types


@pytest.mark.parametrize("encoding", [MSGPACK, JSON])
async def test_messages_come_and_go_in_either_encoding(encoding: str) -> None:
    async def script(it: ScriptedSocket) -> None:
        assert it.socket.subprotocol == encoding
        await it.greet()
        await it.socket.send(CODECS[encoding].encode({"t": "from-the-future"}))
        join = await it.expect(Join)
        await it.say(joined(0, re=join.id))
        await it.socket.wait_closed()

    async with server(script) as url, connection(url, encoding=encoding) as here:
        types = []
        async for message in here:
            types.append(message.t)
            if message.t == "welcome":
                await here.send(Join(ROOM))
            if message.t == "joined":
                await here.close()
        assert types == ["welcome", "joined"]
        assert here.state.name == "closed"


async def test_it_comes_back_with_its_token_and_repeats_the_act_whose_answer_was_cut_off() -> None:
    async def first(it: ScriptedSocket) -> None:
        await it.greet()
        await it.say(joined(0), turn(1, 1))
        assert await it.hear() == Act(ROOM, 1, 0)
        it.socket.transport.abort()

    async def second(it: ScriptedSocket) -> None:
        hello = await it.greet(ROOM)
        assert (hello.token, hello.rooms) == ("t1", [{"room": ROOM, "epoch": 1, "seq": 1}])
        await it.say(joined(1, why="resume"), turn(1, 1))
        assert await it.hear() == Act(ROOM, 1, 0)
        await it.say(update(2, ok={"rid": 1, "act": {"do": "draw"}}))
        await it.socket.wait_closed()

    states: list[ConnectionState] = []
    async with server(first, second) as url, connection(url, on_state=states.append) as here:
        types = []
        async for message in here:
            types.append(message.t)
            if message.t == "turn":
                await here.send(Act(ROOM, 1, 0))
            if message.t == "update":
                await here.close()
    assert types == ["welcome", "joined", "turn", "welcome", "joined", "turn", "update"]
    assert [state.name for state in states] == ["open", "lost", "connecting", "open", "closed"]


async def test_an_invitation_that_comes_too_early_is_repeated() -> None:
    async def script(it: ScriptedSocket) -> None:
        await it.greet()
        for _ in range(2):
            invite = await it.expect(Invite)
            assert invite.id == "i"
            early = Error("no_bot", "still starting", re=invite.id, room=ROOM, retry_after=700)
            await it.say(early)
        await it.hear()
        await it.say(replace(early, retry_after=None))
        await it.socket.wait_closed()

    waits = Waits()
    async with server(script) as url, connection(url, sleep=waits) as here:
        await here.send(Invite(ROOM, id="i"))
        assert await told(here, "error") == ["welcome", "error"]
    assert waits.seconds == [0.7, 0.7]


async def test_an_invitation_is_not_repeated_for_ever() -> None:
    early = Error("no_bot", "still starting", re="i", room=ROOM, retry_after=700)
    invited = Session("maria", entropy=bytes)
    invite = invited.outgoing(Invite(ROOM, id="i"))
    assert [invited.postponed(early) for _ in range(LATER + 1)] == [*[invite] * LATER, None]


async def test_a_server_cannot_make_it_open_sockets_without_end() -> None:
    opened, first = 0, asyncio.Event()

    def victim(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal opened
        opened += 1
        first.set()
        writer.transport.abort()

    async with await asyncio.start_server(victim, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]

        async def redirecting(it: ScriptedSocket) -> None:
            assert "redirect" in ((await it.greet()).can or ())
            with suppress(ConnectionClosed):
                for n in count():
                    await it.say(Redirect(f"R{n % 3}", f"ws://localhost:{port}", "ticket"))
                    await asyncio.sleep(0)
                    await first.wait()

        async def insisting(it: ScriptedSocket) -> None:
            assert "redirect" not in ((await it.greet()).can or ())
            await it.say(Redirect("R1", f"ws://localhost:{port}", "ticket"))
            await it.read_out()

        began = time.monotonic()
        async with server(redirecting, insisting) as url, connection(url) as here:
            with pytest.raises(WrongProtocol):
                _ = [message async for message in here]
    assert 0 < opened <= MOST + 1 + time.monotonic() - began  # beyond the burst one is followed each second


async def test_after_4001_it_stays_away() -> None:
    async def replaced(it: ScriptedSocket) -> None:
        await it.greet()
        await it.say(Bye("replaced", "another socket has taken over"))
        await it.socket.close(4001, "replaced")

    async with server(replaced) as url, connection(url) as here:
        assert [message.t async for message in here] == ["welcome", "bye"]
        assert here.state == ConnectionState("closed", "another socket has taken over")


async def test_it_waits_longer_each_time_and_gives_up_when_its_patience_is_over() -> None:
    waits = Waits()
    async with server(saying()) as url:
        here = connection(url, sleep=waits, patience=20.0)
        await here.__aenter__()
    with pytest.raises(Interrupted, match="could not reconnect"):
        _ = [message async for message in here]
    assert waits.seconds == [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 7.5, 7.5]
    assert here.state.name == "closed"


async def test_jitter_is_at_most_half_of_a_wait() -> None:
    longest = connection("localhost", entropy=lambda n: b"\xff" * n)
    assert longest._back_off() == pytest.approx(0.25)


async def test_a_server_that_is_stopping_says_how_long_to_stay_away() -> None:
    waits, draining = Waits(), Bye("drain", "restarting", retry_after=9_000)
    async with server(saying(draining), replaces) as url, connection(url, sleep=waits) as here:
        assert [message.t async for message in here] == ["welcome", "bye", "welcome"]
    assert waits.seconds == [9.0]


async def test_a_gap_makes_it_come_back_from_the_last_message_in_order() -> None:
    async def repairs(it: ScriptedSocket) -> None:
        hello = await it.greet(ROOM)
        assert hello.rooms == [{"room": ROOM, "epoch": 1, "seq": 1}]
        await it.say(joined(3, why="resume"), update(4))
        await it.socket.wait_closed()

    seqs = []
    async with server(saying(joined(0), update(1), update(3), stays=True), repairs) as url, connection(url) as here:
        async for message in here:
            seqs.append(getattr(message, "seq", None))
            if seqs[-1] == 4:
                await here.close()
    assert seqs == [None, 0, 1, None, 3, 4]


async def test_what_is_sent_while_the_connection_is_lost_is_kept_or_reported() -> None:
    async def second(it: ScriptedSocket) -> None:
        await it.greet(ROOM)
        await it.say(joined(1, why="resume"))
        assert await it.hear() == Act(ROOM, 1, 0)
        await it.socket.close(4001)

    here: Connection

    async def meanwhile(_: float) -> None:
        await here.send(Act(ROOM, 1, 0))
        await here.send(Chat(ROOM, "hello?"))

    async with server(saying(joined(0), turn(1, 1)), second) as url:
        here = connection(url, sleep=meanwhile)
        async with here:
            assert [message.t async for message in here] == ["welcome", "joined", "turn", "welcome", "joined"]
    assert [report.code for report in here.session.reports] == ["unanswered"]


async def test_a_seat_that_is_gone_is_told_behind_the_welcome() -> None:
    async with server(saying(joined(0)), replaces) as url, connection(url) as here:
        assert [message.t async for message in here] == ["welcome", "joined", "welcome", "left"]


async def test_what_breaks_the_protocol_ends_it() -> None:
    async def script(it: ScriptedSocket) -> None:
        await it.greet()
        await it.socket.send(b"\xc1")
        await it.socket.wait_closed()

    async with server(script) as url, connection(url) as here:
        with pytest.raises(WrongProtocol, match="violated the protocol"):
            _ = [message async for message in here]


async def test_a_refusal_on_coming_back_ends_it_unless_it_will_pass() -> None:
    busy, banned = (saying(Error(code, "no", re="hello"), greets=False, stays=True) for code in ("busy", "banned"))
    async with server(saying(), busy, banned) as url, connection(url) as here:
        with pytest.raises(Refused) as refused:
            _ = [message async for message in here]
    assert refused.value.code == "banned"


async def test_closing_while_it_waits_to_come_back_ends_the_iteration() -> None:
    here: Connection

    async def close(_: float) -> None:
        await here.close()

    async with server(saying()) as url:
        here = connection(url, sleep=close)
        async with here:
            assert [message.t async for message in here] == ["welcome"]


async def test_a_socket_that_lived_long_makes_the_next_wait_short_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for steady, expected in ((10.0, [0.125, 0.25]), (-1.0, [0.125, 0.125])):
        monkeypatch.setattr("parlour_client.core.connection._STEADY", steady)
        waits = Waits()
        async with server(saying(), saying(), replaces) as url, connection(url, sleep=waits) as here:
            assert [message.t async for message in here] == ["welcome"] * 3
        assert waits.seconds == expected


async def test_closing_in_the_middle_of_coming_back_ends_it() -> None:
    async def second(it: ScriptedSocket) -> None:
        await it.socket.wait_closed()

    here: Connection
    closing: list[asyncio.Task[None]] = []

    def close(state: ConnectionState) -> None:
        if state.name == "connecting":
            closing.append(asyncio.create_task(here.close()))

    async with server(saying(), second) as url:
        here = connection(url, on_state=close)
        async with here:
            assert [message.t async for message in here] == ["welcome"]
        await asyncio.gather(*closing)
    assert here.state.name == "closed"

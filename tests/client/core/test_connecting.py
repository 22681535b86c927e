"""A connection is opened: who answers, and what is said until the welcome."""

import asyncio
from http import HTTPStatus
from socket import gaierror
from typing import Any

import pytest
from tests.client.scripted_server import ScriptedSocket, connection, server

from parlour_client.core.connection import Connection, no_server
from parlour_client.core.errors import CannotConnect, Refused, WrongProtocol
from parlour_client.core.phrases import explained, phrases, refused_by
from parlour_client.core.session import Session
from parlour_protocol.codec import CODECS, MSGPACK
from parlour_protocol.messages import Bye, Error, Hello
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


async def test_a_refused_greeting() -> None:
    async def script(it: ScriptedSocket) -> None:
        await it.hear()
        await it.say(Error("name_taken", "maria is taken", hint="choose another, or send its token", re="hello"))
        await it.socket.wait_closed()

    async with server(script) as url:
        with pytest.raises(Refused, match=r"refuses: maria is taken \(choose another with --name\)") as refused:
            await connection(url).__aenter__()
    assert (refused.value.code, refused.value.exit_code) == ("name_taken", 4)


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


async def test_a_server_that_hangs_up_or_says_bye_during_the_greeting() -> None:
    async def hangs_up(it: ScriptedSocket) -> None:
        await it.hear()

    async def says_bye(it: ScriptedSocket) -> None:
        await it.hear()
        await it.say(Bye("banned", "you are banned"))

    async with server(hangs_up, says_bye) as url:
        with pytest.raises(CannotConnect, match="closed the connection during the greeting"):
            await connection(url).__aenter__()
        with pytest.raises(Refused, match="you are banned"):
            await connection(url).__aenter__()


def test_faults_are_told_in_the_language() -> None:
    taken = Error("name_taken", "maria is taken", hint="choose another")
    english = refused_by("ws://there", taken), str(no_server("ws://there", OSError("x")))
    phrases.use("de")
    german = refused_by("ws://there", taken), str(no_server("ws://there", OSError("x")))
    assert explained(taken) in german[0]
    assert not set(english) & set(german)

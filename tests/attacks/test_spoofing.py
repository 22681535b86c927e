"""Attacks by spoofing: deceptive names and chat, stolen tokens, second identities."""

import asyncio
import unicodedata

import pytest
from tests.attacks.harness import new_name, person, uno
from tests.support.server import ServerProcess
from tests.support.sockets import Map, open_socket
from websockets.exceptions import ConnectionClosed

ESCAPES = ("\x1b[2J", "\x1b]0;owned\x07", "\x9b31m", "\r", "\n", "\0", "\x7f", "\b" * 9)
BIDI = ("\u202eevil", "\u2066a\u2069", "\u200f", "\u061c")
INVISIBLE = ("\u200b", "\ufeff", "\u2028", "\u00ad", "\U000e0041", "\ue000", " ", "")
HOMOGLYPHS = ("аnna", "ann\u0430", "ＡＮＮＡ", "a\u0301nna", "a\u0300nna", "anna\u0338", "αnna", "𝒶nna", "ⅰ", "\u212a")
COMBINING = "a" + "\u0301\u0316\u0334" * 60


@pytest.mark.parametrize("name", [*ESCAPES, *BIDI, *INVISIBLE, *HOMOGLYPHS, COMBINING, "-rf", "a" * 21, "deleted"])
async def test_deceptive_names_are_refused(server: ServerProcess, name: str) -> None:
    async with open_socket(server.url) as client:
        refusal = await client.ask("hello", "error", name=name, kind="human")
        assert refusal["code"] in ("bad_name", "bad_message")
        assert _harmless(refusal)
        await client.hello(new_name())


@pytest.mark.parametrize("text", [*ESCAPES, *BIDI, *INVISIBLE, f"a{ESCAPES[0]}b", COMBINING * 2, "x" * 201])
async def test_chat_with_control_characters_reaches_nobody(server: ServerProcess, text: str) -> None:
    async with person(server) as host, person(server) as guest:
        room = await uno(host, guest, seats=4)
        refusal = await guest.ask("chat", "error", room=room, text=text, id=1)
        assert (refusal["code"], _harmless(refusal)) == ("bad_message", True)
        await guest.ask("chat", "ok", room=room, text="good evening")
        assert (await host.until("chat"))["text"] == "good evening"


@pytest.mark.parametrize("bad", [ESCAPES[0], BIDI[0], COMBINING])
async def test_refusals_repeat_nothing_harmful(server: ServerProcess, bad: str) -> None:
    """Errors quote the input; the quote must be safe to print."""
    async with person(server) as client:
        room = await uno(client, seats=2)
        asked: list[tuple[str, Map]] = [
            ("join", {"room": bad[:16]}),
            ("create", {"game": bad[:32]}),
            ("create", {"game": "uno", "options": {bad[:32]: 1}}),
            ("create", {"game": "uno", "options": {"preset": bad[:32]}}),
            ("invite", {"room": room, "bot": bad[:20]}),
            ("manage", {"room": room, "do": "kick", "name": bad[:20]}),
            ("act", {"room": room, "rid": 1, "act": {"do": bad}}),
            (bad, {}),
        ]
        for t, fields in asked:
            assert _harmless(await client.ask(t, "error", **fields)), t


def _harmless(message: Map) -> bool:
    """Whether an error has no control, invisible or bidirectional characters."""
    text = str(message["msg"]) + str(message.get("hint", "")) + str(message.get("why", ""))
    return all(unicodedata.category(char)[0] != "C" for char in text)


# --- identities ------------------------------------------------------------------------------------------------


async def test_one_of_twelve_racing_with_one_token_wins(server: ServerProcess) -> None:
    async with person(server) as host, open_socket(server.url) as owner:
        token = (await owner.hello(name := new_name()))["token"]
        room = await uno(host, owner)

        async def race(_: int) -> Map | None:
            async with open_socket(server.url) as racer:
                try:
                    welcome = await racer.ask("hello", "welcome", "error", name=name, kind="human", token=token)
                    if welcome["t"] == "error":
                        return None
                    await racer.ask("ping", "pong")
                except (ConnectionClosed, TimeoutError):
                    return None
                return welcome

        won = [welcome for welcome in await asyncio.gather(*(race(n) for n in range(12))) if welcome]
        assert all(welcome["rooms"] == [room] for welcome in won)
        seats = (await host.ask("join", "joined", room=room))["table"]["seats"]
        assert [seat["name"] for seat in seats][1:] == [name]
        async with open_socket(server.url) as late:
            assert (await late.ask("hello", "error", name=name, kind="human", token=token))["code"] == "bad_token"

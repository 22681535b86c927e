"""Attacks by spoofing: deceptive names and chat, and what of them comes back."""

import unicodedata

import pytest
from tests.attacks.harness import new_name, person, uno
from tests.support.server import ServerProcess
from tests.support.sockets import Map, open_socket

ESCAPES = ("\x1b[2J", "\x1b]0;owned\x07", "\x9b31m", "\r", "\n", "\0", "\x7f", "\b" * 9)
BIDI = ("\u202eevil", "\u2066a\u2069", "\u200f", "\u061c")
INVISIBLE = ("\u200b", "\ufeff", "\u2028", "\u00ad", "\U000e0041", "\ue000", " ", "")
COMBINING = "a" + "\u0301\u0316\u0334" * 60


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
    async with open_socket(server.url) as client:
        refusal = await client.ask("hello", "error", name=bad[:20], kind="human")
        assert (refusal["code"], _harmless(refusal)) == ("bad_name", True)
        await client.hello(new_name())
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

"""Bots say how they play when they take a seat."""

import pytest
from tests.server.local_server import new_server, one, request, rows

from parlour_protocol.messages import Create, Error, Join, Joined


def test_a_style_is_shown_at_the_seat() -> None:
    server = new_server()
    host, guest = server.connect("ada"), server.connect("bob")
    host.send(Create("uno", seats=2, style="llm"))
    joined = one(host, Joined)
    guest.send(Join(joined.room, style="rules"))
    assert [row.get("style") for row in rows(one(guest, Joined))] == ["llm", "rules"]


@pytest.mark.parametrize(
    ("kind", "style", "code"), [("human", "llm", "wrong_kind"), ("bot", "two words", "bad_message")]
)
def test_a_style_is_a_word_of_a_bot(kind: str, style: str, code: str) -> None:
    peer = new_server().connect("ada", kind)  # type: ignore[arg-type]  # one of two literals
    refused = request(peer, Create("uno", style=style))
    assert isinstance(refused, Error)
    assert refused.code == code
    assert not peer.inbox

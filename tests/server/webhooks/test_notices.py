"""Notices: what each format of a webhook gets to know, and nothing else."""

import json

import pytest

from parlour_server.node.webhook_calls import Notice, payload

DAY = 86_400_000
TURN = Notice("anna", "K7QD", "uno", DAY + 7_200_000, "https://games.example/r/K7QD")


def test_json_has_the_fields_of_a_notice() -> None:
    sent = payload(TURN, "json", "en")
    assert sent.headers == {"Content-Type": "application/json"}
    assert json.loads(sent.body) == {
        "event": "turn", "name": "anna", "room": "K7QD", "game": "uno", "left": DAY + 7_200_000,
        "link": "https://games.example/r/K7QD",
    }  # fmt: skip
    assert json.loads(payload(Notice("anna"), "json", "en").body)["event"] == "test"


def test_ntfy_gets_a_sentence_and_the_link_to_open() -> None:
    sent = payload(TURN, "ntfy", "en")
    assert sent.headers["Click"] == "https://games.example/r/K7QD"
    for word in (b"anna", b"K7QD", b"uno", b"1 d 2 h"):
        assert word in sent.body
    assert "Click" not in payload(Notice("anna", "K7QD", "uno"), "ntfy", "en").headers


def test_discord_mentions_nobody() -> None:
    sent = json.loads(payload(TURN, "discord", "en").body)
    assert sent["content"].endswith("https://games.example/r/K7QD")
    assert sent["allowed_mentions"] == {"parse": []}


def test_sentences_are_in_the_language_of_the_player() -> None:
    assert len({payload(TURN, "ntfy", lang).body for lang in ("en", "de", "de_DE")}) == 2
    assert payload(TURN, "ntfy", "tlh").body == payload(TURN, "ntfy", "en").body


@pytest.mark.parametrize(
    ("left", "said"),
    [(None, None), (0, "0 s"), (59_999, "59 s"), (60_000, "1 min"), (5_400_000, "1 h 30 min"), (14 * DAY, "14 d")],
)
def test_time_left_is_in_its_largest_units(left: int | None, said: str | None) -> None:
    text = payload(Notice("anna", "K7QD", "uno", left), "ntfy", "en").body.decode()
    assert text == payload(Notice("anna", "K7QD", "uno"), "ntfy", "en").body.decode() + (
        f" You have {said} left." if said else ""
    )

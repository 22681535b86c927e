"""What no room could have begun with, and what could not have happened in one."""

import json
from typing import Any

import pytest
from tests.server.matches import play, rehashed

from parlour_games.fair import commitment
from parlour_server.game_files.reader import BadFile, FileLine, read
from parlour_server.game_files.replayer import Replayer
from parlour_server.game_files.verify import verify
from parlour_server.rooms.records import canonical

PLAYED = play("uno", 1)
FIRST: dict[str, Any] = json.loads(PLAYED.lines[0])
ANNA = FIRST["players"][0]


def begun(**changes: Any) -> list[str]:
    return rehashed([canonical(FIRST | changes), *PLAYED.lines[1:]])


def inserted(record: dict[str, Any], at: int = 3) -> list[str]:
    """Return the file with one more record behind line ``at``, numbers and chain made to fit."""
    lines = [json.loads(line) for line in PLAYED.lines]
    lines.insert(at, {"at": lines[at]["at"], **record})
    numbered = [canonical({**line, "n": FIRST["n"] + number}) for number, line in enumerate(lines)]
    return rehashed(numbered)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "chess"}, "'chess' is not installed"),
        ({"rules": 99}, "version 99"),
        ({"room": 99}, "room: version 99"),
        ({"secret": "xyz"}, "S is 32 bytes"),
        ({"secret": "00" * 32}, "C does not follow"),
        ({"commit": "00" * 32}, "C does not follow"),
        ({"context": "K7QD/2"}, "is not ROOM/1"),
        ({"context": "k7 qd/1"}, "is not ROOM/1"),
        ({"match": 0, "context": "K7QD/0"}, "is not ROOM/0"),
        ({"players": [ANNA] * 4}, "each is somebody else"),
        ({"players": [ANNA], "nonces": [""], "rids": [1], "banks": FIRST["banks"][:1]}, "2 to 10 can play"),
        ({"players": [], "nonces": [], "rids": [], "banks": []}, "2 to 10 can play"),
        ({"nonces": []}, "one for each seat"),
        ({"nonces": ["zz", "", "", ""]}, "32 bytes in hex, or none"),
        ({"rids": [0, 1, 1, 1]}, "begin with 1"),
        ({"banks": [1, 2, 3, 4]}, "banks"),
        ({"options": {"magic": True}}, "magic"),
        ({"options": {"preset": "silly"}}, "preset"),
    ],
)
def test_a_match_that_no_room_could_have_begun(changes: dict[str, Any], words: str) -> None:
    verdict = verify(begun(**changes))
    assert verdict.line == 1
    assert words in (verdict.wrong or "")


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"r": "act", "seat": 99, "rid": 1, "act": {}}, "no such seat"),
        ({"r": "act", "seat": -1, "rid": 1, "act": {}}, "no such seat"),
        ({"r": "act", "seat": 0, "rid": 77, "act": {"do": "draw"}}, "have had no decision 77"),
        ({"r": "act", "seat": 3, "rid": 1, "act": {"do": "draw"}}, "this cannot happen here"),
        ({"r": "timeout", "seat": 0, "rid": 77}, "no open decision 77"),
        ({"r": "timer", "name": "tea"}, "no timer 'tea'"),
        ({"r": "job", "name": "board", "result": {}}, "nobody waited for 'board'"),
        ({"r": "control", "seat": 0, "by": "magic"}, "plays no seat"),
        ({"r": "ruled", "do": "magic", "who": "x"}, "ruled: "),
        ({"r": "taken", "seat": 0, "who": "x", "name": "x", "kind": "bot"}, "not allowed in the middle"),
        ({"r": "closed", "why": "expired"}, "not allowed in the middle"),
        ({k: v for k, v in FIRST.items() if k != "at"}, "begun already"),
        ({"r": "over", "ranks": [], "scores": [], "why": "target", "state": ""}, "not over yet"),
        ({"r": "over", "ranks": [], "scores": [], "why": "aborted", "state": ""}, "ranks, scores, state"),
    ],
)
def test_what_could_not_have_happened(record: dict[str, Any], words: str) -> None:
    verdict = verify(inserted(record))
    assert verdict.line == 4
    assert words in (verdict.wrong or "")


def test_what_a_host_rules_changes_no_match() -> None:
    lines = inserted({"r": "ruled", "do": "mute", "who": "x"})
    assert verify(lines).ok


def test_a_file_begins_with_the_beginning() -> None:
    verdict = verify(rehashed(PLAYED.lines[1:]))
    assert (verdict.line, verdict.wrong) == (1, "a match file begins with begun, not with act")


def test_a_forged_secret_deals_other_cards() -> None:
    secret = bytes(32)
    verdict = verify(begun(secret=secret.hex(), commit=commitment(secret)))
    assert verdict.line is not None
    assert verdict.line > 1


def test_a_viewer_has_a_seat() -> None:
    first: FileLine = next(read(PLAYED.lines))
    with pytest.raises(LookupError, match="seats are 0 to 3"):
        Replayer(first, 4)
    with pytest.raises(BadFile):
        Replayer(list(read(PLAYED.lines))[1])

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour_protocol.errors import CODES, BadFrame, BadMessage, Denied, Illegal, NotNow, Refusal, StaleAnswer
from parlour_protocol.messages import Error, Plain
from parlour_protocol.wire import plain

ROOT = Path(__file__).parents[2]
RAISERS = {"Refusal", "Denied", "StaleAnswer", "NotNow"}


def codes_raised() -> Iterator[tuple[str, str]]:
    """Yield (code, where) for every refusal that the sources construct with a code."""
    for source in sorted(path for package in ("protocol", "server") for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) in RAISERS and node.args:
                for code in ast.walk(node.args[0]):
                    if isinstance(code, ast.Constant) and isinstance(code.value, str):
                        yield code.value, f"{source.relative_to(ROOT)}:{node.lineno}"


def test_every_code_that_is_used_has_a_hint() -> None:
    unknown = [(code, where) for code, where in codes_raised() if code not in CODES]
    assert unknown == []


@pytest.mark.parametrize("code", CODES)
def test_a_hint_is_a_short_sentence(code: str) -> None:
    assert code.isascii()
    assert code == code.lower()
    assert 10 < len(CODES[code]) < 100
    assert not CODES[code].endswith(".")


@pytest.mark.parametrize(
    ("refusal", "strikes", "frame"),
    [
        (BadFrame("a frame must be a map"), True, {"code": "bad_frame", "msg": "a frame must be a map"}),
        (BadMessage("act.rid is missing"), True, {"code": "bad_message", "msg": "act.rid is missing"}),
        (
            Illegal("draw or play", legal=[{"do": "draw"}], left=900, strikes=[1, 20]),
            True,
            {"code": "illegal_action", "msg": "draw or play", "why": "draw or play", "legal": [{"do": "draw"}]}
            | {"left": 900, "strikes": [1, 20]},
        ),
        (Denied("no_room", "no room K7QD here"), False, {"code": "no_room", "msg": "no room K7QD here"}),
        (StaleAnswer("stale", "too late", why="clock"), False, {"code": "stale", "msg": "too late", "why": "clock"}),
        (NotNow("busy", "catching up", 250), False, {"code": "busy", "msg": "catching up", "retry_after": 250}),
    ],
)
def test_refusals_on_the_wire(refusal: Refusal, strikes: bool, frame: Plain) -> None:
    assert refusal.strikes is strikes
    told = plain(refusal.message())
    assert told == {"t": "error", "hint": CODES[frame["code"]], **frame}
    assert str(refusal) == frame["msg"]


def test_a_refusal_answers_its_request_with_a_hint() -> None:
    answer = StaleAnswer("stale", "too late", why="clock").message(7, room="K7QD", rid=3, why="control")
    assert answer == Error("stale", "too late", CODES["stale"], re=7, room="K7QD", rid=3, why="control")
    assert Denied("room_full", "no seat", hint="free one").message().hint == "free one"
    with pytest.raises(KeyError):
        Denied("no_such_code", "").message()

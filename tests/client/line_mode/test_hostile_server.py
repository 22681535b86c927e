"""A server that sends anything: the client says what is wrong, or goes on; it never fails, and prints only text."""

import io
import random
import unicodedata
from collections import Counter
from typing import Any

import pytest
from tests.client.conversations import excerpt, resumed, tapes
from tests.client.line_mode.talk import Talk
from tests.support.spoiling import spoilt

from parlour_client.core.errors import Fault, WrongProtocol, understood
from parlour_client.core.session import Gap
from parlour_client.line_mode import Terminal
from parlour_protocol.codec import CODECS, FROM_SERVER, JSON, Codec
from parlour_protocol.errors import Refusal
from parlour_protocol.messages import Plain
from parlour_protocol.wire import plain, server_message

VISITS, MANY = 300, 60_000
TYPED = ("", "1", "?", "hand", "board", "score", "seats", "r5", "w red", "c otto", "d5", "f d5", "u", "save", "invite")


class Person(Talk):
    """The line mode at a server of the test's, as it runs there but for the socket."""

    def __init__(self, rng: random.Random, codec: Codec) -> None:
        super().__init__(entropy=rng.randbytes)
        self.codec = codec
        self.screen = io.StringIO()
        self.terminal = Terminal(self.screen)

    def read(self, data: Plain) -> None:
        """Take in what is in a frame. Raises Fault, and Gap."""
        try:
            message = server_message(self.codec.decode(self.codec.encode(data), FROM_SERVER))
        except Refusal as refusal:
            raise WrongProtocol(refusal.msg) from None
        if message is not None and self.session.is_news(message):
            for reply in self.session.receive(message):
                self._say(reply)
            with understood(f"a message {message.t!r} of the server"):
                self.dialogue.message(message)
            self._carry_out()

    def type(self, line: str) -> None:
        with understood("what the server has shown"):
            self.commands.line(line)
        self._carry_out()

    def _carry_out(self) -> None:
        for line in self.hear():
            self.terminal.line(line)
        for message in self.sent():
            self._say(message)

    def _say(self, message: Any) -> None:
        self.codec.encode(plain(message))


def visit(rng: random.Random, tape: list[Plain], codec: Codec, spoil: float) -> str:
    """Let somebody hear a tape of which a part is spoilt; return how it ended. Whatever is no Fault comes through."""
    person, ended = Person(rng, codec), "the end"
    try:
        for data in tape:
            try:
                person.read(spoilt(rng, data) if rng.random() < spoil else data)
            except Gap:
                person.session.hello()
                for message in resumed(tape, data.get("seq", 0)):
                    person.read(message)
            if rng.random() < 0.1:
                person.type(rng.choice(TYPED))
    except Fault as fault:
        ended = type(fault).__name__
        person.terminal.line(str(fault))
    shown = person.screen.getvalue().replace("\n", "")
    odd = {char for char in shown if unicodedata.category(char).startswith("C")}
    assert not odd, odd
    return ended


@pytest.mark.parametrize(
    ("game", "visits"),
    [
        ("minesweeper", VISITS),
        pytest.param("uno", VISITS, marks=pytest.mark.long),
        *(pytest.param(game, MANY, marks=pytest.mark.torture) for game in ("uno", "minesweeper")),
    ],
)
def test_a_person_at_a_hostile_server_is_told_so_or_plays_on(game: str, visits: int, seed: int) -> None:
    endings: Counter[str] = Counter()
    for number in range(visits):
        rng = random.Random(f"{seed}/{game}/{number}")
        tape = rng.choice(tapes(game))
        codec = rng.choice(list(CODECS.values()))
        try:
            endings[visit(rng, excerpt(tape, rng), codec, rng.choice((0.01, 0.03, 0.1)))] += 1
        except BaseException as error:
            error.add_note(f"PARLOUR_SEED={seed}, {game}, visit {number}")
            raise
    assert min(endings["the end"], endings["WrongProtocol"]) > visits / 10, endings


@pytest.mark.long
def test_an_honest_tape_is_followed_to_its_end() -> None:
    for game in ("uno", "minesweeper"):
        for tape in tapes(game):
            person = Person(random.Random(1), CODECS[JSON])
            for data in tape:
                person.read(data)
            assert "match is over" in person.screen.getvalue() or "over" not in {data["t"] for data in tape}


@pytest.mark.parametrize("ranks", [{"x": 1}, {"1e9": 1}, {"": 1}])
def test_a_result_for_seats_that_are_no_numbers(ranks: dict[str, int]) -> None:
    tape = next(tape for tape in tapes("uno") if any(data["t"] == "over" for data in tape))
    person = Person(random.Random(1), CODECS[JSON])
    *before, over = tape[: [data["t"] for data in tape].index("over") + 1]
    for data in before:
        person.read(data)
    with pytest.raises(WrongProtocol, match="cannot be understood"):
        person.read({**over, "result": {**over["result"], "ranks": ranks}})

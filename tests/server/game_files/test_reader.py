"""Reading match files: what is no line of one is named, whatever it is."""

import io
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.matches import play, rehashed

from parlour_games.uno.plugin import Uno
from parlour_server.game_files import reader
from parlour_server.game_files.reader import BadFile, lines_of, read, rules
from parlour_server.game_files.verify import verify
from parlour_server.rooms.records import canonical

PLAYED = play("uno", 1)


class Earlier(Uno):
    rules_version = 0


def wrong(lines: list[str]) -> tuple[int, str]:
    with pytest.raises(BadFile) as bad:
        list(read(lines))
    return bad.value.line, bad.value.reason


def with_line(number: int, **changes: Any) -> list[str]:
    """Return the file with fields of a line changed (None: left out), the chain made anew."""
    lines = [*PLAYED.lines]
    fields = json.loads(lines[number - 1]) | changes
    lines[number - 1] = canonical({name: value for name, value in fields.items() if value is not None})
    return rehashed(lines)


def test_a_file_is_read_line_by_line() -> None:
    lines = list(read(f"{line}\n" for line in PLAYED.lines))
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert [line.record.r for line in lines] == [json.loads(line)["r"] for line in PLAYED.lines]
    assert lines[-1].h == PLAYED.digest
    assert lines[0].h == sha256(lines[0].text.encode()).hexdigest()
    assert "h" not in json.loads(lines[0].text)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "cannot be read"),
        ("nonsense", "cannot be read"),
        ("[]", "a frame must be a map"),
        ("[" * 5_000, "cannot be read"),
        ('{"a":' * 30 + "1" + "}" * 30, "nest at most"),
        ('{"n":1,"n":1}', "same key twice"),
        ('{"n":' + "9" * 5_000 + "}", "cannot be read"),
        ('{"n":1.5}', "integers, not 1.5"),
        ('{"n":NaN}', "integers"),
        ('{"n":1,"x":"\\ud800"}', "cannot be read"),
        ("{}", "the number n"),
        ('{"h":"","n":true}', "the number n"),
        ('{"h":"","n":-1}', "the number n"),
        ('{"h": "","n":1}', "not canonical"),
        ('{"n":1,"h":""}', "not canonical"),
        ('{"h":"","n":1}', "there is no record"),
        ('{"h":"","n":1,"r":"magic"}', "there is no record 'magic'"),
        ('{"h":"","n":1,"r":["over"]}', "is not a record"),
        ('{"h":"","n":1,"r":"act"}', "is not a record"),
        ("x" * (reader.MAX_LINE + 1), "longer than"),
    ],
)
def test_what_is_no_line_is_told_in_words(line: str, words: str) -> None:
    number, told = wrong([*PLAYED.lines[:4], line])
    assert number == 5
    assert words in told


def test_the_chain_has_to_fit() -> None:
    lines = [*PLAYED.lines]
    lines[6] = lines[6].replace('"seat":', '"seat":1', 1)
    assert wrong(lines) == (7, "h does not follow from this line and the h before it: the file was changed")


def test_numbers_have_no_gaps_and_time_does_not_go_back() -> None:
    n = json.loads(PLAYED.lines[4])["n"]
    assert wrong(with_line(5, n=n + 1)) == (5, f"n is {n + 1} after {n - 1}; it must be {n}")
    assert wrong(with_line(5, at=10**9))[0] == 6
    assert wrong(with_line(5, at="soon"))[0] == 5


def test_there_is_an_end_to_the_longest_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_LINES", 10)
    assert wrong(PLAYED.lines)[0] == 11


def test_a_file_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text("".join(f"{line}\n" for line in PLAYED.lines))
    assert verify(lines_of(path), PLAYED.digest).ok
    path.write_bytes(b"\xff\xfe\n")
    assert verify(lines_of(path)).wrong == "the line is not text in UTF-8"
    monkeypatch.setattr(reader, "MAX_LINE", 100)
    path.write_text("x" * 1_000)
    assert max(map(len, lines_of(path))) == 102


def test_lines_that_do_not_end_with_a_line_feed_alone_are_refused(tmp_path: Path) -> None:
    path, last = tmp_path / "match.jsonl", len(PLAYED.lines)
    right = "".join(f"{line}\n" for line in PLAYED.lines).encode()
    wrong = {right.replace(b"\n", b"\r\n"): 1, right[:-1]: last, right[:-1] + b"\r\n": last, right + b"\n": last + 1}
    for content, line in wrong.items():
        path.write_bytes(content)
        assert (verify(lines_of(path), PLAYED.digest).ok, verify(lines_of(path)).line) == (False, line)


def test_the_rules_of_an_earlier_version_are_found_where_they_were_left(monkeypatch: pytest.MonkeyPatch) -> None:
    earlier = with_line(1, rules=0)
    assert rules("uno", Uno.rules_version) is not None
    assert rules("uno", 0) is rules("chess", 1) is None
    assert verify(earlier).wrong == "game, rules: version 0 of 'uno' is not known here"
    foreign = verify(with_line(1, game="chess")).wrong
    assert foreign == "game: 'chess' is not installed here; install its package, then try again"
    monkeypatch.setattr(Uno, "under", lambda uno, version: Earlier() if version == 0 else uno)
    assert isinstance(rules("uno", 0), Earlier)
    assert verify(earlier).ok


@given(st.lists(st.text(max_size=40) | st.sampled_from(PLAYED.lines), max_size=6))
def test_whatever_a_file_holds_ends_in_a_verdict(lines: list[str]) -> None:
    verdict = verify(lines)
    assert not verdict.ok
    assert verdict.line is not None
    assert 1 <= verdict.line <= len(lines) + 1


PLAIN = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists, max_leaves=4)


@given(st.data())
def test_whatever_stands_in_a_field_ends_in_a_verdict(data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(PLAYED.lines)))
    name = data.draw(st.sampled_from(sorted(json.loads(PLAYED.lines[number - 1]))))
    forged = with_line(number, **{name: data.draw(PLAIN)})
    verdict = verify(forged, PLAYED.digest)
    assert verdict.ok == (forged == PLAYED.lines)


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []

    def fake(path: Any, **more: Any) -> io.StringIO:
        opened.append((path, more["closefd"]))
        return io.StringIO("one\ntwo\n")

    monkeypatch.setattr(reader, "open", fake, raising=False)
    assert list(lines_of(Path("-"))) == ["one\n", "two\n"]
    assert opened == [(0, False)]

"""Tests of the page's modules that need no browser, run by Node.js."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
import segno
from tests.support.node import evaluate, run

from parlour_client.core.options import seeded
from parlour_client.text.contest import places
from parlour_protocol.messages import StandingsRow
from parlour_protocol.names import is_name

pytestmark = pytest.mark.node
MODULES = Path(__file__).with_name("modules")
WEB = Path(__file__).parents[2] / "server/parlour_server/web"


@pytest.mark.parametrize("name", sorted(file.name for file in MODULES.glob("*.test.mjs")))
def test_modules(node_executable: Path, name: str) -> None:
    said = run(node_executable, "--test", "--test-reporter=tap", MODULES / name)
    passed = re.search(r"^# pass (\d+)$", said, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) > 5


def test_the_page_ranks_a_contest_as_the_client_does(node_executable: Path, seed: int) -> None:
    rng, contests = Random(seed), list[list[StandingsRow]]()
    for bots in (0, 1, 2, 2, 3, 5, 10, 40, 300):
        games = [rng.choice([0, 1, 6, rng.randrange(5_000)]) for _ in range(bots)]
        wins = [rng.choice([0, each, rng.randrange(each + 1)]) for each in games]
        contests.append([row(*each) for each in zip(games, wins, strict=True)])
    contests.append([row(5_000, rng.randrange(2_200, 2_800)) for _ in range(300)])
    contests.append([row(6, 6), row(6, 0)])
    contests.append([row(5, 5), row(5, 0)])
    contests.append([{**row(6, rank), "rank": rank} for rank in (1, 2, 3, 3, 5, 5, 5, 5)])
    told = evaluate(node_executable, WEB / "core/ranking.js", f"{json.dumps(contests)}.map(it.places)")
    for rows, found in zip(contests, told, strict=True):
        for right, one in zip(places(rows), found, strict=True):
            assert (one["first"], one["last"]) == (right.first, right.last)
            assert one["share"] == right.rate
            assert one["within"] == pytest.approx(right.within, abs=1e-12)


def row(games: int, wins: int) -> StandingsRow:
    return {"name": "ada", "kind": "bot", "games": games, "wins": wins, "points": 0}


@pytest.mark.parametrize("length", [17, 32, 53, 78, 106])
def test_qr_codes_are_those_of_a_library(node_executable: Path, length: int) -> None:
    """The links fill their codes: the library pads others with a byte too many."""
    link = ("https://parlour.example/games/r/K7QD?" * 3)[:length]
    code = segno.make(link, error="l", mask=0, mode="byte", boost_error=False, micro=False)
    found = evaluate(node_executable, WEB / "views/room/qr.js", f"it.matrix({json.dumps(link)})")
    assert [[int(dark) for dark in row] for row in found] == [list(row) for row in code.matrix]


def test_guests_have_two_friendly_words_for_a_name(node_executable: Path) -> None:
    lists = evaluate(node_executable, WEB / "core/guest.js", "it.WORDS")
    for first, second in ([words.split("-") for words in each] for each in lists.values()):
        assert len(set(first)) * len(set(second)) > 1_400
        longest = "-".join(max(words, key=len) for words in (first, second))
        assert all(map(is_name, (*first, *second, f"{longest}-99")))
    drawn = "[false, true].map((taken) => it.guestName('de', () => [0, 1, 2], taken))"
    assert evaluate(node_executable, WEB / "core/guest.js", drawn) == ["braver-biber", "braver-biber-12"]


HAND = {"kind": "cards", "name": "hand", "hand": True, "of": "cards", "values": [1, 2], "words": ["1", "2"]}
BACKS = {"kind": "backs", "name": "counts", "of": "cards", "counts": [2, None]}
DICE = {"kind": "cards", "name": "dice", "hand": True, "of": "dice", "values": [6], "words": ["6"]}
TILES = {"kind": "open", "name": "melds", "of": "tiles", "hands": [[], []]}
BOARD = {"kind": "board", "name": "board", "rows": [["", ""]], "owners": [[-1, -1]], "columns": True}
POINTS = {"kind": "seated", "name": "points", "words": ["1", "2"]}


@pytest.mark.parametrize(
    ("before", "after", "heard"),
    [
        (HAND, {**HAND, "values": [1]}, "card"),
        (HAND, {**HAND, "values": [1, 2, 3]}, "draw"),
        (BACKS, {**BACKS, "counts": [2, 1]}, "draw"),
        (DICE, {**DICE, "values": [5]}, "dice"),
        (TILES, {**TILES, "hands": [["a"], []]}, "tile"),
        (BOARD, {**BOARD, "rows": [["X", ""]]}, "disc"),
        (POINTS, {**POINTS, "words": ["1", "3"]}, None),
        (HAND, HAND, None),
    ],
)
def test_the_pieces_that_move_are_heard(node_executable: Path, before: Any, after: Any, heard: str | None) -> None:
    """Other parts of the view, which stay as they are, make no sound."""
    same = [each for each in (BOARD, POINTS) if each["name"] != before["name"]]
    told = ", ".join(json.dumps([*same, each]) for each in (after, before))
    assert evaluate(node_executable, WEB / "games/any/sounds.js", f"it.heard({told})") == heard


def test_a_number_stands_for_the_same_deal_as_in_the_terminal(node_executable: Path) -> None:
    assert evaluate(node_executable, WEB / "core/fair.js", "it.seeded(2 ** 40)") == seeded(2**40)


def test_a_text_in_a_place_a_list_or_a_case_has_the_words_of_the_game(node_executable: Path) -> None:
    listed = "{seat, player} shows {shapes, list, none {nothing} other {#}}{last, select, rock {, then #} other {}}"
    by_seat = "{shapes, seats, none {nothing} other {#}}"
    words = {
        "rps.value.rock": "✊ rock",
        "rps.act.show": "show {shape}",
        "rps.event.shown": listed,
        "rps.event.all": by_seat,
    }
    event = {"seat": 1, "shapes": ["rock", "well", 3], "last": "rock"}
    said = {
        "show ✊ rock": ("act.show", {"shape": "rock"}),
        "show well": ("act.show", {"shape": "well"}),
        "rock shows ✊ rock, well, 3, then ✊ rock": ("event.shown", event),
        "rock shows nothing": ("event.shown", {**event, "shapes": [], "last": "well"}),
        "you ✊ rock, rock 3": ("event.all", {"shapes": ["rock", 3]}),
        "you 3, 4; rock 5": ("event.all", {"shapes": [[3, 4], 5]}),
        "rock 7": ("event.all", {"shapes": {"1": 7}}),
        "nothing": ("event.all", {"shapes": [None, None]}),
    }
    learnt = f"(await import({json.dumps((WEB / 'core/phrases.js').as_uri())})).add({json.dumps(words)})"
    room = '{ game: "rps", seat: 0, name: () => "rock" }'
    all_said = f"{json.dumps([*said.values()])}.map(([key, fields]) => it.own({room}, key, fields))"
    assert evaluate(node_executable, WEB / "games/any/values.js", f"({learnt}, {all_said})") == [*said]

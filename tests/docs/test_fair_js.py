"""docs/fair.mjs, an independent implementation of docs/fairness.md, agrees with the server.

Compared are the published vectors, random inputs, and match files.
"""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.games import vectors
from tests.support.node import ask
from tests.support.sessions import game_files, party, played
from tests.web.test_replay import another_secret, records_of, text

from parlour_games.fair import Fair, commitment
from parlour_games.minesweeper.board import Board, Dealt
from parlour_games.minesweeper.options import Shape, largest_free
from parlour_games.minesweeper.results import Measure
from parlour_protocol.messages import Plain
from parlour_server.rooms.records import canonical

pytestmark = pytest.mark.node
DOCS = Path(__file__).parents[2] / "docs"
DRIVER = Path(__file__).with_name("fair_driver.mjs")
PUBLISHED: dict[str, list[Plain]] = json.loads(vectors.FILE.read_text(encoding="utf-8"))
Question: TypeAlias = tuple[Plain, Any]
"""A question and the expected answer."""

MATCHES: tuple[tuple[str, int, Plain], ...] = (
    ("uno", 2, {"scoring": "single"}),
    ("uno", 3, {"target": 100, "pause": 0}),
    ("uno", 4, {"scoring": "single", "preset": "family"}),
    ("uno", 10, {"scoring": "single", "preset": "chaos"}),
    ("minesweeper", 1, {"first": "any"}),
    ("minesweeper", 1, {"level": "intermediate", "first": "radius"}),
    ("minesweeper", 1, {"no_guess": True, "first": "safe"}),
    ("minesweeper", 3, {"mode": "coop", "lives": 9}),
    ("minesweeper", 2, {"mode": "coop", "lives": 9, "kind": True, "first": "any"}),
    ("minesweeper", 3, {"mode": "race", "penalty": 1_000}),
    ("minesweeper", 2, {"mode": "race", "no_guess": True, "level": "custom", "width": 7, "height": 5, "mines": 5}),
    ("minesweeper", 2, {"mode": "duel"}),
)


def agree(node: Path, questions: list[Question]) -> None:
    answers = ask(node, DRIVER, [asked for asked, _ in questions])
    for (asked, right), answer in zip(questions, answers, strict=True):
        assert answer == right, asked


@pytest.fixture
def run(node_executable: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run fair.mjs as a command."""

    def command(*words: object) -> subprocess.CompletedProcess[str]:
        call = [str(node_executable), str(DOCS / "fair.mjs"), *map(str, words)]
        return subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)

    return command


def test_streams(node_executable: Path) -> None:
    questions: list[Question] = []
    for vector in PUBLISHED["streams"]:
        questions += [
            ({"ask": "commitment", **vector}, vector["commitment"]),
            ({"ask": "key", **vector}, vector["key"]),
            ({"ask": "words", **vector, "count": len(vector["words"])}, vector["words"]),
            ({"ask": "shuffled", **vector, "size": len(vector["shuffled"])}, vector["shuffled"]),
            *(({"ask": "below", **vector, "bounds": [n]}, [drawn]) for n, drawn in vector["below"]),
        ]
    agree(node_executable, questions)


def test_deals(node_executable: Path) -> None:
    uno = PUBLISHED["uno"]
    asked = [{"ask": "deal", **each, "numbers": each["first_card"] == vectors.FACES["numbers"]} for each in uno]
    answers = ask(node_executable, DRIVER, asked)
    for vector, answer in zip(uno, answers, strict=True):
        known = {name: vector[name] for name in ("start", "hands", "first", "pile") if name in vector}
        assert known == {name: answer[name] for name in known}


def test_boards(node_executable: Path) -> None:
    boards = [board for part in ("boards", "no_guess") for board in PUBLISHED[part] if board["attempt"] is not None]
    agree(node_executable, [({"ask": "layout", **board}, board["layout"]) for board in boards])


# --- at random ---

origins = st.builds(
    vectors.Origin,
    secret=st.binary(min_size=32, max_size=32),
    context=st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    nonces=st.lists(st.sampled_from([b"", bytes(32), b"\x7f" * 32]) | st.binary(max_size=40), max_size=10).map(tuple),
)
labels = st.sampled_from(["deck", "start", "reshuffle/1", "mines/12"]) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=8
)


@st.composite
def draws(draw: st.DrawFn) -> list[Question]:
    """Return questions about a stream with the answers of our code."""
    origin, deal, label = draw(origins), draw(st.integers(1, 2**32 - 1)), draw(labels)
    bounds = draw(st.lists(st.integers(1, 2**32 - 1) | st.integers(2**31, 2**31 + 9), max_size=12))
    items = list(range(draw(st.integers(0, 300))))
    stream = Fair(origin.secret, origin.context, origin.nonces).deal(deal)
    words = stream.label(label)
    drawn = [words.below(n) for n in bounds]
    stream.label(label).shuffle(items)
    asked = {**origin.plain(), "deal": deal, "label": label}
    return [
        ({"ask": "commitment", **asked}, commitment(origin.secret)),
        ({"ask": "key", **asked}, stream.key.hex()),
        ({"ask": "below", **asked, "bounds": bounds}, drawn),
        ({"ask": "shuffled", **asked, "size": len(items)}, items),
    ]


@st.composite
def boards(draw: st.DrawFn) -> list[Question]:
    """Return questions about a board with the answers of our code."""
    origin, attempt = draw(origins), draw(st.integers(1, 500))
    width, height = draw(st.integers(2, 40)), draw(st.integers(2, 20))
    promise = draw(st.sampled_from(["any", "safe", "opening", "radius"]))
    most = width * height - largest_free(Shape(width, height, 0), promise)
    shape = Shape(width, height, draw(st.integers(0, max(most, 0))))
    first = draw(st.integers(0, shape.cells - 1))
    layout = sorted(Dealt(origin.fair.deal(1)).mines(shape, promise, first, attempt))
    asked = {"width": width, "height": height, "mines": shape.mines, "promise": promise, "first": first}
    return [
        ({"ask": "layout", **origin.plain(), **asked, "attempt": attempt}, layout),
        ({"ask": "bbbv", **asked, "layout": layout}, Measure(Board(shape, layout)).bbbv),
    ]


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("az09_"), inner, max_size=4),
    max_leaves=12,
)


def test_random_questions(node_executable: Path) -> None:
    questions: list[Question] = []

    @settings(max_examples=250, deadline=None, database=None, phases=[Phase.generate])
    @given(
        asked=draws()
        | boards()
        | anything.map(lambda value: [({"ask": "canonical", "value": value}, canonical(value))])
    )
    def gather(asked: list[Question]) -> None:
        questions.extend(asked)

    gather()
    assert {asked["ask"] for asked, _ in questions} >= {"shuffled", "layout", "canonical"}
    agree(node_executable, questions)


@pytest.mark.parametrize("name", ["uno-1-beacon", "minesweeper-2-beacon"])
def test_randomness_of_a_beacon_is_one_more_nonce(node_executable: Path, name: str) -> None:
    lines = Path(f"tests/server/golden/matches/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    others = [line.replace("00bba", "00bbb") for line in lines]
    sound, changed = ask(node_executable, DRIVER, [{"ask": "check", "text": text(each)} for each in (lines, others)])
    assert any("00bba" in said and "52" * 32 in said for said in sound["said"])
    assert "refused" in changed


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [*MATCHES[::4], *(pytest.param(*each, marks=pytest.mark.long) for n, each in enumerate(MATCHES) if n % 4)],
    ids=str,
)
def test_match_files_are_accepted(node_executable: Path, game: str, seats: int, options: Plain) -> None:
    table = party(game, seats, options, seed=seats)
    table.play(matches=3)
    files = game_files(table.local, table.room)
    digests = [over.digest for over in table.clients[0].overs]
    texts = [text(lines) for lines in files]
    forged = [text(another_secret(records_of(files[0]))), texts[0].replace(":", ": ", 1)]
    checks = [*zip(texts, digests, strict=True), *((each, digests[0]) for each in forged)]
    asked = [{"ask": "check", "text": each, "digest": digest} for each, digest in checks]
    answers = ask(node_executable, DRIVER, asked)
    for answer in answers[: len(texts)]:
        assert "chain: as the digest says" in answer.get("said", answer)
    assert all("refused" in answer for answer in answers[len(texts) :])


@pytest.mark.parametrize(
    ("game", "options"), [("uno", {"scoring": "single"}), pytest.param("minesweeper", {}, marks=pytest.mark.long)]
)
def test_file_with_another_deal_is_rejected(node_executable: Path, game: str, options: Plain) -> None:
    """The chain of a forged file is valid without a digest, but the deal does not match the moves."""
    files = [played(game, 1 if game == "minesweeper" else 2, options, seed)[0] for seed in range(8)]
    asked = [{"ask": "check", "text": text(another_secret(records_of(lines)))} for lines in files]
    refused = [answer.get("refused", "") for answer in ask(node_executable, DRIVER, asked)]
    found = [why for why in refused if "never dealt to it" in why or "the board dealt has 3BV" in why]
    assert len(found) >= 6, refused


def test_command_checks_a_file(run: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path) -> None:
    lines, digest = played("uno", 2, {"scoring": "single"})
    path = tmp_path / "match.jsonl"
    path.write_text(text(lines), encoding="utf-8")
    good = run(path, digest)
    assert (good.returncode, good.stderr) == (0, "")
    told = [line.partition(":")[0] for line in good.stdout.splitlines()]
    assert told == ["chain", "commitment", f"uno {json.loads(lines[0])['context']}"]
    unsure = run(path)
    assert unsure.stdout.startswith("chain: consistent; compare the digest ")
    path.write_text(text([lines[0], *lines[2:]]), encoding="utf-8")
    bad = run(path)
    assert (bad.returncode, bad.stdout, bad.stderr) == (1, "", "line 2: h or form is wrong\n")


def test_command_deals(run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    [stream, *_] = PUBLISHED["streams"]
    nonces = [nonce or "-" for nonce in stream["nonces"]]
    deck = run("deck", stream["secret"], stream["context"], 1, *nonces)
    assert list(map(int, deck.stdout.split())) == stream["shuffled"]
    [board, *_] = PUBLISHED["boards"]
    shape = [board[name] for name in ("width", "height", "mines")]
    y, x = divmod(board["first"], board["width"])
    laid = run("mines", board["secret"], board["context"], "-", *shape, f"{x},{y}", board["promise"], board["attempt"])
    cells = [tuple(map(int, cell.split(","))) for cell in laid.stdout.split()]
    assert [y * board["width"] + x for x, y in cells] == board["layout"]

"""Replays as screens and people get them: through the pipe of a real process."""

from pathlib import Path

import pytest
from tests.server.matches import play
from tests.support.commands import printed

from parlour_client import replays
from parlour_client.cli import frontend
from parlour_client.cli.main import main
from parlour_client.core.errors import Fault, Usage, WrongProtocol
from parlour_protocol.messages import Joined, Over
from parlour_server.game_files.replay import messages

UNO = play("uno", 1)
MINES = play("minesweeper", 16)


@pytest.fixture
def uno(tmp_path: Path) -> Path:
    return _written(tmp_path, UNO.lines)


def _written(folder: Path, lines: list[str]) -> Path:
    path = folder / "match.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_a_file_becomes_the_messages_that_a_viewer_got(uno: Path) -> None:
    for viewer in (None, 0):
        found = replays.read(uno, viewer).messages
        assert found == list(messages(UNO.lines, viewer))
        assert [*map(str, found)] == [*map(str, messages(UNO.lines, viewer))], "fields are in another order"
    assert replays.read(uno, "anna").messages == replays.read(uno, 0).messages


def test_steps_say_where_the_messages_of_each_act_begin(uno: Path) -> None:
    found = replays.read(uno)
    assert isinstance(found.messages[0], Joined)
    assert isinstance(found.messages[-1], Over)
    assert [step.n for step in found.steps] == list(range(1, len(found.steps) + 1))
    starts = [found.after(acts) for acts in range(len(found.steps) + 1)]
    assert starts == sorted(starts)
    assert starts[0] > 1
    assert starts[-1] == found.after(10**6) == len(found.messages)


def test_a_match_in_words(uno: Path) -> None:
    lines = printed("replay", str(uno)).splitlines()
    assert lines[0] == "UNO in room 4RJK, as a spectator saw it."
    at = lines.index("cleo plays wild and names green.")
    assert lines[at - 1].startswith("cleo notes: because 0.7675")
    assert lines[-2] == f"Digest of the match file: {UNO.digest}"
    assert lines[-1].startswith("The secret behind the deals matches its commitment.")


def test_a_match_as_a_seat_saw_it(uno: Path) -> None:
    lines = printed("replay", str(uno), "--as", "anna").splitlines()
    assert lines[0] == "UNO in room 4RJK, as anna, seat 0 saw it."
    assert "You win the round. In hand: bert 98, cleo 22, dora 39. Score: you 159, bert 0, cleo 0, dora 0." in lines
    assert any(line.startswith("Your turn.") for line in lines)
    assert any(line.startswith("anna notes: ") for line in lines)
    assert not any(line.startswith("cleo notes: ") for line in lines)


@pytest.mark.long
def test_a_position_with_its_question(uno: Path) -> None:
    out = printed("replay", str(uno), "--as", "0", "--at", "5")
    assert out.startswith("After 5 of 34 acts:\nRound 1. On top: green 5.")
    assert out.endswith("1 green 6 [g6]\n")
    assert "cleo notes: because 0.7675" in printed("replay", str(uno), "--at", "3")


@pytest.mark.long
def test_a_board_at_a_position_and_at_the_end(tmp_path: Path) -> None:
    mines = _written(tmp_path, MINES.lines)
    assert printed("replay", str(mines), "--as", "0", "--at", "0").count(" . ") > 20
    acts = len(replays.read(mines).steps)
    assert f"Digest of the match file: {MINES.digest}" in printed("replay", str(mines), "--at", str(acts))
    assert f"the match has {acts} acts" in printed("replay", str(mines), "--at", str(acts + 1), code=2)


@pytest.mark.long
def test_what_cannot_be_replayed(uno: Path) -> None:
    with pytest.raises(Usage, match="no player has the name 'zoe'"):
        replays.read(uno, "zoe")
    with pytest.raises(Usage, match="No such file"):
        replays.read(uno.parent / "none")
    uno.write_text(uno.read_text().replace('"rid":2', '"rid":3', 1))
    with pytest.raises(Fault, match="h does not follow"):
        replays.read(uno)
    assert main(["replay", str(uno)]) == 1


@pytest.mark.long
def test_a_match_of_any_game_in_its_own_words(example_games: list[str], tmp_path: Path) -> None:
    for game, said, end in (
        ("goofspiel", "anna has bid.", "all prizes are gone"),
        ("fourinarow", "bert drops a disc at d6.", "there is a line"),
    ):
        path = _written(tmp_path, play(game, 1).lines)
        assert main(["verify", str(path)]) == 0
        out = printed("replay", str(path), "--plain")
        assert said in out
        assert f"The match is over ({end})." in out
        shown = [line for line in printed("replay", str(path), "--as", "0", "--at", "2").splitlines() if line.strip()]
        assert len(shown) == len(set(shown))


@pytest.mark.parametrize("line", ["nonsense", '{"t":"update"}', "{}"])
def test_a_teller_that_cannot_be_understood(line: str) -> None:
    with pytest.raises(WrongProtocol, match="invalid replay"):
        replays._parse([line])


def test_lines_of_the_future_are_passed_over() -> None:
    assert replays._parse(['{"t":"weather"}']).messages == []


@pytest.mark.long
def test_a_terminal_gets_the_screen_unless_lines_are_asked_for(uno: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[Path, str | None]] = []

    async def show(path: Path, viewer: str | None, _: object) -> int:
        shown.append((path, viewer))
        return 0

    monkeypatch.setattr("parlour_client.tui.app.replay", show)
    monkeypatch.setattr(frontend, "on_a_screen", lambda: True)
    assert main(["replay", str(uno), "--as", "anna"]) == 0
    assert shown == [(uno, "anna")]
    assert printed("replay", str(uno), "--plain").startswith("UNO in room 4RJK, as a spectator saw it.")
    printed("replay", str(uno), "--at", "3")
    assert len(shown) == 1


async def test_a_verdict_on_a_file_that_is_right_and_on_others(tmp_path: Path) -> None:
    right = await replays.verdict(_written(tmp_path, UNO.lines))
    assert right.ok
    assert any("deal" in sentence for sentence in right.proved)
    wrong = await replays.verdict(_written(tmp_path, [line.replace('"rid":2', '"rid":3') for line in UNO.lines]))
    assert not wrong.ok
    assert wrong.text.startswith("line ")
    assert not (await replays.verdict(tmp_path / "none")).ok


@pytest.mark.long
async def test_a_review_of_a_seat_and_of_a_file_that_has_none(tmp_path: Path) -> None:
    [player] = await replays.review(_written(tmp_path, UNO.lines), 1)
    assert player["seat"] == 1
    assert player["decisions"]
    with pytest.raises(Fault, match="none"):
        await replays.review(tmp_path / "none", 1)

"""Match files of every version of the rules that is known still fold as they were played.

A file here is never made anew. A change of behaviour raises a game's ``rules_version``, keeps the rules as they were
(``Game.under``) and adds files; the older ones stay as long as their rules do.
"""

from pathlib import Path

import pytest

from parlour_games.registry import games
from parlour_server.game_files.reader import lines_of, read
from parlour_server.game_files.replay import messages
from parlour_server.game_files.verify import verify
from parlour_server.rooms.records import Begun

GOLDEN = Path(__file__).parent / "matches"
DIGESTS = {
    "uno-1-chaos": "43efc6c720cfeae487a6d7fe1f197cc0756635c607c31dbab2b2bbd029d2718e",
    "uno-1-family": "76549bab01404d9a9a5984398015d3a4ee153d9204fe0470d0aa9e531d394534",
    "minesweeper-1-no-guess": "5b10d07f98e96e1f720c0187e91aefe56965186bbaee6d63a971f80910f07289",
    "minesweeper-1-race": "ddbd22007ab70bd03865352f3cb60300444e2d6f9fc6b5f9e7decc09ab7f0a53",
    "minesweeper-1-coop": "ec084a23028a9577371bdf064fba8e868de92fde24d5dc9b5357b927e391a8b7",
    "minesweeper-1-duel": "caeb597506e31d9cea7e15ff25ee2df16675e71174bb3deede938caa2505f3ac",
    "minesweeper-2-race": "03874c3cdff30edfb9da5260e8583f3c2f2474c5ead57f15d6c499af0fce758d",
    "minesweeper-3-kind": "e685fe6f4c3a420af9079a01684c9e5d266a62468f28202bc0a08f3e7dae031b",
    "uno-1-beacon": "8ecd267c3c90e881ef489c7f3aa762e9a16123d1fc60180b54784572a50d74af",
    "minesweeper-2-beacon": "ef9558da2b5edf3cb6f69c194955768128f3a7c81aef11fdc24849d2127952da",
}
"""File, named after game, rules_version and what is played → its digest."""


@pytest.mark.parametrize("name", DIGESTS)
def test_a_golden_file_is_right_and_replayed_for_every_viewer(name: str) -> None:
    verdict = verify(lines_of(GOLDEN / f"{name}.jsonl"), DIGESTS[name])
    assert verdict.ok, verdict
    game, version, _ = name.split("-", 2)
    lines = list(lines_of(GOLDEN / f"{name}.jsonl"))
    begun = next(read(lines)).record
    assert isinstance(begun, Begun)
    assert (begun.game, begun.rules) == (game, int(version))
    for viewer in (None, *range(len(begun.players))):
        told = list(messages(lines, viewer))
        assert (told[0].t, told[-1].t) in (("joined", "over"), ("joined", "left"))


@pytest.mark.parametrize("change", [("00bba", "00bbb"), ('"round":3002', '"round":0'), ("52" * 32, "xy")])
def test_a_changed_beacon_is_found(change: tuple[str, str]) -> None:
    lines = list(lines_of(GOLDEN / "uno-1-beacon.jsonl"))
    verdict = verify(lines)
    assert any("round 3002" in each and "00bba" in each for each in verdict.proved)
    assert any("52" * 32 in each for each in verdict.doubts)
    assert not verify([line.replace(*change) for line in lines]).ok


def test_there_are_files_of_every_version_that_is_known() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == DIGESTS.keys()
    covered = {tuple(name.split("-")[:2]) for name in DIGESTS}
    known = {
        (game.name, str(version))
        for game in games().values()
        for version in range(1, game.rules_version + 1)
        if game.under(version)
    }
    assert known == covered

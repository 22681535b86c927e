"""Matches of all games and modes: another verifier finds their files right, and every change of them wrong."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tests.outsider.audit import audit
from tests.outsider.client import Player, fetch
from tests.outsider.tables import FLAGS, mixture, play, seated
from tests.outsider.tamper import tamperings
from tests.outsider.verifier import Wrong, verdicts
from tests.support.commands import run
from tests.support.server import server_process

pytestmark = pytest.mark.node
AT_ONCE = 20
"""How many tables play at the same time."""


@pytest.mark.parametrize(
    ("number", "ours", "theirs"),
    [pytest.param(7, 100, 3, marks=pytest.mark.long), pytest.param(300, 2_000, 400, marks=pytest.mark.torture)],
)
async def test_another_verifier_finds_all_files_right_and_all_changed_ones_wrong(
    tmp_path: Path, seed: int, number: int, ours: int, theirs: int
) -> None:
    """Play matches and check their files, then changed files: so many here, and so many with ``parlour verify``."""
    rng = Random(seed)
    files: dict[str, str] = {}
    with server_process(tmp_path, *FLAGS, house_bots=True) as server:
        tables = list(islice(mixture(rng), number))
        players = seated(tables, [lambda: server.url], rng)
        for begin in range(0, number, AT_ONCE):
            some = tables[begin : begin + AT_ONCE]
            await play(player for player in players if player.table in some)
        digests = [digest for table in tables for digest in table.digests.values()]
        files = await fetch(server.url, digests)
    figures = audit(players, files)
    print(f"seed {seed}: {figures}; not covered: {Counter(figures.uncovered).most_common()}")
    assert figures.files >= number
    assert figures.clean()
    assert '"level": "error"' not in server.log()
    _spoil(players[0], files)
    _tamper(files, rng, ours, theirs, tmp_path)


def _spoil(player: Player, files: Mapping[str, str]) -> None:
    """The audit notices what it is there to notice."""
    notes = player.notes
    ours = {digest: files[digest] for digest in player.table.digests.values()}
    rid, act = notes.acknowledged.popitem()
    notes.acknowledged[10**6] = act
    notes.sent[rid] = []
    notes.shown.reverse()
    found = audit([player], ours)
    assert (found.lost, found.unknown, found.forgotten) == (1, 1, 1)


def _tamper(files: Mapping[str, str], rng: Random, ours: int, theirs: int, folder: Path) -> None:
    originals = _smallest(files)
    changes = [
        (digest, f"{kind}: {name}", changed)
        for kind, digest in originals.items()
        for name, changed in tamperings(files[digest], rng)
    ]
    tried = rng.sample(changes, min(ours, len(changes)))
    missed = _believed([(name, changed, digest) for digest, name, changed in tried])
    unproved = _believed([(name, changed, None) for _, name, changed in tried])
    asked = rng.sample(tried, min(theirs, len(tried)))
    believed = [name for digest, name, text in asked if _verifies(folder, digest, text)]
    print(
        f"{len(tried)} tamperings of {len(originals)} files: missed with the digest {len(missed)},"
        f" without it {len(unproved)}; by `parlour verify`, with the digest, {len(believed)} of {len(asked)}"
    )
    assert len(tried) >= 92
    assert missed == []
    assert believed == []
    assert all(_verifies(folder, digest, files[digest]) for digest in originals.values())


def _smallest(files: Mapping[str, str]) -> dict[str, str]:
    """Return the digest of the smallest file of each game and mode that has a few acts."""
    smallest: dict[str, tuple[int, str]] = {}
    for digest, text in files.items():
        begun = json.loads(text.partition("\n")[0])
        kind = f"{begun['game']} {begun['options'].get('mode', '')}"
        if text.count('"r":"act"') > 3:
            smallest[kind] = min(smallest.get(kind, (len(text), digest)), (len(text), digest))
    return {kind: digest for kind, (_, digest) in smallest.items()}


def _believed(files: Sequence[tuple[str, str, str | None]]) -> list[str]:
    """Return the names of the files, each with its text and perhaps its digest, that are taken for right."""
    found = verdicts([(text, digest) for _, text, digest in files])
    return [name for (name, *_), each in zip(files, found, strict=True) if not isinstance(each, Wrong)]


def _verifies(folder: Path, digest: str, text: str) -> bool:
    """Return whether ``parlour verify`` takes a file for right."""
    path = folder / "match.jsonl"
    path.write_bytes(text.encode())
    return run("verify", str(path), "--digest", digest).returncode == 0

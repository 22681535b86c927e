"""Matches of all games and modes: another verifier finds their files right, and every change of them wrong."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tests.outsider.audit import audit
from tests.outsider.client import fetch
from tests.outsider.processes import Server, parlour
from tests.outsider.tables import mixture, play, seated
from tests.outsider.tamper import tamperings
from tests.outsider.verifier import Wrong, verify

AT_ONCE = 20
"""How many tables play at the same time."""


async def test_a_few_files(tmp_path: Path, seed: int) -> None:
    await _play_and_check(tmp_path, seed, number=11, sample=6)


@pytest.mark.torture
async def test_three_hundred_files(tmp_path: Path, seed: int) -> None:
    await _play_and_check(tmp_path, seed, number=300, sample=None)


async def _play_and_check(folder: Path, seed: int, *, number: int, sample: int | None) -> None:
    """Play matches and check their files; with a ``sample``, ``parlour verify`` checks only so many changed ones."""
    rng = Random(seed)
    files: dict[str, str] = {}
    async with Server(folder, "server", "--store", f"sqlite:///{folder}/store.db") as server:
        address = f"ws://127.0.0.1:{server.port}"
        tables = list(islice(mixture(rng), number))
        players = seated(tables, [lambda: address], rng)
        for begin in range(0, number, AT_ONCE):
            some = tables[begin : begin + AT_ONCE]
            await play(player for player in players if player.table in some)
        digests = [digest for table in tables for digest in table.digests.values()]
        files = await fetch(address, digests)
        complaints = server.complaints()
    figures = audit(players, files)
    print(f"seed {seed}: {figures}; not covered: {Counter(figures.uncovered).most_common()}")
    assert figures.files >= number
    assert figures.clean()
    assert not complaints
    await _tamper(files, rng, sample, folder)


async def _tamper(files: Mapping[str, str], rng: Random, sample: int | None, folder: Path) -> None:
    smallest: dict[str, tuple[int, str]] = {}
    for digest, text in files.items():
        begun = verify(text).begun
        kind = begun["game"] + begun["options"].get("mode", "")
        if text.count('"r":"act"') > 3:
            smallest[kind] = min(smallest.get(kind, (len(text), digest)), (len(text), digest))
    changes = [
        (digest, f"{kind}: {name}", changed)
        for kind, (_, digest) in smallest.items()
        for name, changed in tamperings(files[digest], rng)
    ]
    missed = [name for digest, name, changed in changes if _believed(changed, digest)]
    unproved = [name for digest, name, changed in changes if _believed(changed, None)]
    theirs = changes if sample is None else rng.sample(changes, sample)
    verdicts = await asyncio.gather(*(_verified(folder, rng.randbytes(8).hex(), *change) for change in theirs))
    believed = [name for (_, name, _), code in zip(theirs, verdicts, strict=True) if not code]
    print(
        f"{len(changes)} tamperings of {len(smallest)} files: missed with the digest {len(missed)},"
        f" without it {len(unproved)}; `parlour verify` with the digest {len(believed)} of {len(theirs)}"
    )
    assert len(changes) >= 92
    assert missed == []
    assert believed == []
    assert not any([await _verified(folder, digest, digest, "", files[digest]) for _, digest in smallest.values()])


def _believed(text: str, digest: str | None) -> bool:
    try:
        verify(text, digest)
    except Wrong:
        return False
    return True


_few = asyncio.Semaphore(4)


async def _verified(folder: Path, name: str, digest: str, _: str, text: str) -> int:
    """Return the exit code of ``parlour verify``."""
    path = folder / f"{name}.jsonl"
    path.write_bytes(text.encode())
    async with _few:
        return await parlour(folder, "verify", str(path), "--digest", digest)

"""``python -m docs.studio``: make all pictures of the README anew, or those that are named."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from docs.studio import round as uno_round
from docs.studio import stills
from docs.studio.png import NoFont, png
from docs.studio.svg import film, still

FOLDER = Path(__file__).parent.parent / "pictures"
STILLS = {
    "start.png": (stills.start, stills.NARROW),
    "uno.png": (stills.uno, stills.WIDE),
    "uno-80x24.png": (stills.uno, stills.NARROW),
    "race.png": (stills.race, stills.WIDE),
    "replay.png": (stills.replay, stills.WIDE),
}
FILMS = {"round.svg": uno_round.shots}


def make(name: str) -> bytes:
    """Return the file of that name. Raises NoFont."""
    if name in FILMS:
        return film(asyncio.run(FILMS[name]())).encode()
    take, size = STILLS[name]
    return png(still(asyncio.run(take(size))))


def main(names: Sequence[str]) -> int:
    """Write the pictures, and return the exit code."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or [*STILLS, *FILMS]:
        try:
            (FOLDER / name).write_bytes(made := make(name))
        except NoFont as fault:
            sys.stderr.write(f"{name}: {fault}\n")
            return 1
        except KeyError:
            sys.stderr.write(f"there is no picture {name!a}, only {', '.join([*STILLS, *FILMS])}\n")
            return 2
        sys.stdout.write(f"{FOLDER / name}: {len(made) / 1e3:,.0f} kB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

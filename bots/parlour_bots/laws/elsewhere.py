"""Play matches in another process, whose sets and hashes are ordered differently.

``python -m parlour_bots.laws.elsewhere GAME FIRST_SEED MATCHES`` prints the digests of the matches as a JSON array.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence

from parlour_bots.laws.checking import Subject
from parlour_bots.loading import find_game
from parlour_protocol.installation import module_command

_SEED = "PYTHONHASHSEED"


def digests(what: str, seeds: Sequence[int]) -> list[str]:
    """Return the digests of the matches of ``seeds`` of the game ``what``, as another process plays them."""
    other = "2" if os.environ.get(_SEED) == "1" else "1"
    played = subprocess.run(
        module_command(__name__, what, str(seeds[0]), str(len(seeds))),
        env={**os.environ, _SEED: other, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[str] = json.loads(played.stdout.splitlines()[-1])
    return found


def main(what: str, first: str, matches: str) -> None:
    """Print the digests of some matches."""
    subject = Subject(find_game(what))
    seeds = range(int(first), int(first) + int(matches))
    sys.stdout.write(f"\n{json.dumps([subject.digest(seed) for seed in seeds])}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

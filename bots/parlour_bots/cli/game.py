"""``parlour game``: create and check games."""

import json as encoding
import sys
from functools import partial
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import Progress

from parlour_bots.laws.checking import MATCHES, LawCheck, Subject
from parlour_bots.laws.elsewhere import digests
from parlour_bots.laws.laws import LAWS, Law
from parlour_bots.loading import find_game
from parlour_bots.tools.scaffold import new_game
from parlour_client.cli.params import Json
from parlour_client.core.errors import OK, Usage
from parlour_client.core.printing import folded_for
from parlour_games.game import Plain
from parlour_games.plural import counted

FAILED = 1
_NAMED = 16


def new(
    name: Annotated[str, Parameter(name="NAME", help="The name of the game and of its package.")],
    /,
    *,
    title: Annotated[str | None, Parameter(help='What people read, such as "Old Maid". Default: the name.')] = None,
) -> int:
    """Create a package with a small working game in the current folder, as a starting point.

    The game is Twentyone, with hidden hands. It brings its tests, a bot, and words in English and German.
    The guide explains each part; its address is printed with the next steps.

    Examples:
    parlour game new mygame
    parlour game new oldmaid --title "Old Maid"
    """
    sys.stdout.write(new_game(name, title))
    return OK


def check(
    what: Annotated[
        str, Parameter(name="GAME", help="An installed game, a package's folder, FILE.py, FILE.py:NAME or MODULE:NAME.")
    ],
    /,
    *,
    matches: Annotated[int, Parameter(help="How many random matches each law is checked in.")] = MATCHES,
    seed: Annotated[int, Parameter(help="The seed of the first match.")] = 0,
    json: Json = False,
) -> int:
    """Check the rules of a game in random matches. Exits with 1 if they break a law.

    Each law is something that servers, clients and bots rely on: equal seeds give equal matches, exactly the listed
    actions are accepted, no view or event shows what its viewer may not know, every match ends. A law that is broken is
    shown with a short match that breaks it.

    Examples:
    parlour game check uno
    parlour game check ./my-game --matches 200
    parlour game check ./rules.py:MyGame --json
    """
    if matches < 1:
        raise Usage(f"--matches must be at least 1, not {matches}")
    game, console = find_game(what), Console(stderr=True)
    seeds = range(seed, seed + matches)
    checked = LawCheck(Subject(game), seeds)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        for law in LAWS:
            task = progress.add_task(f"{law.__name__:<{_NAMED}}", total=matches)
            checked.check(law, partial(progress.advance, task))
            progress.remove_task(task)
    if checked.sound:
        checked.compare(digests(what, seeds))
    data = {
        "game": game.name,
        "rules_version": game.rules_version,
        "matches": matches,
        "seed": seed,
        "sound": checked.sound,
        "laws": [_row(law, checked) for law in LAWS],
        "steps_per_cpu_second": checked.steps_a_second() if checked.sound else None,
    }
    sys.stdout.write(encoding.dumps(data) if json else folded_for(sys.stdout, _text(data, checked), _NAMED + 1))
    sys.stdout.write("\n")
    return OK if checked.sound else FAILED


def _row(law: Law, checked: LawCheck) -> Plain:
    """Return what became of a law; ``kept`` is None if it was not checked."""
    finding = checked.findings.get(law.__name__)
    kept = finding is None if law.__name__ in checked.findings else None
    return {"law": law.__name__, "says": law.__doc__, "kept": kept, "finding": finding and finding.plain()}


def _text(data: Plain, checked: LawCheck) -> str:
    matches = counted(data["matches"], "match", "matches")
    lines = [f"{data['game']}, rules version {data['rules_version']}, each law in {matches}:"]
    for row in data["laws"]:
        verdict = {True: row["says"], False: "BROKEN", None: "not checked"}[row["kept"]]
        lines.append(f"  {row['law']:<{_NAMED}} {verdict}")
        if finding := checked.findings.get(row["law"]):
            lines += [f"    {line}" for line in str(finding).splitlines()]
    speed = data["steps_per_cpu_second"]
    return "\n".join([*lines, f"sound; {speed:,} steps a second of CPU" if checked.sound else "not sound"])

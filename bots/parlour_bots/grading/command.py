"""``parlour contest grade``: grade the submissions in a folder."""

import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from parlour_bots.arena.options import contained_bots
from parlour_bots.grading.course import Course, Grade, StaffScore, grades
from parlour_bots.grading.inputs import CourseSettings, found, load
from parlour_bots.grading.pages import write_pages
from parlour_bots.play.limits import Limits, NotConfined
from parlour_bots.tools.guards import announce
from parlour_bots.tools.progress import ContestProgress
from parlour_client.cli.params import Json
from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, Usage
from parlour_client.core.printing import clean
from parlour_protocol.names import padded, width
from parlour_protocol.standard_output import document

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Characters that begin a formula in a spreadsheet."""


def grade(
    folder: Annotated[Path, Parameter(name="FOLDER", help="The submissions: NAME.py, or a folder NAME with bot.py.")],
    /,
    *,
    against: Annotated[Path, Parameter(help="The staff bots with thresholds and points, a TOML file.")],
    results: Annotated[Path, Parameter(help="The folder that keeps the games and pages.")] = Path("results"),
    jobs: Annotated[int, Parameter(help="Number of processes.")] = 1,
    unconfined: Annotated[
        bool, Parameter(negative="", help="Run submissions with your rights: they can change your files.")
    ] = False,
    as_csv: Annotated[bool, Parameter("--csv", negative="", help="Print comma-separated values.")] = False,
    as_json: Json = False,
) -> int:
    """Grade bots against staff bots on this machine, all on the same deals.

    Only submissions that have changed are played again. A game in which a submission
    makes a fault is lost. Submissions run confined: each sees its own files and those of
    the system, changes none, has no network, and ends with its games. Only Linux can do
    this. index.html in the results folder shows the results.

    Examples:
    parlour contest grade submissions --against staff.toml
    parlour contest grade submissions --against staff.toml --csv >points.csv
    """
    settings = load(against)
    if results.resolve() == folder.resolve():
        raise Usage("--results must be another folder than the submissions")
    course = Course(found(folder), settings, results, against, max(1, jobs))
    _announce(limits := course.limits(confined=not unconfined))
    scores, interrupted = course.scores(), False
    size = sum(score.pairing.games for score in scores)
    with ContestProgress(size, sys.stderr, named=1) as progress, contained_bots():
        try:
            for pairing, won in course.play(scores, limits):
                progress.step([(pairing.submission.name, won)])
        except KeyboardInterrupt:
            interrupted = True
    graded = grades(scores)
    index = write_pages(graded, settings, results)
    if as_json:
        document().write(f"{json.dumps(_plain(graded, settings), ensure_ascii=False)}\n")
    elif as_csv:
        document().write(_csv(graded, settings))
    else:
        sys.stdout.write(_table(graded, settings))
    sys.stderr.write(f"{index}\n")
    return INTERRUPTED_BY_USER if interrupted else OK


def _announce(limits: Limits) -> None:
    """Print which protections are in force. Raises NotConfined, with the way to go on without."""
    try:
        announce(limits)
    except NotConfined as fault:
        raise NotConfined(f"{fault} With --unconfined, submissions run with your rights.") from None


def _plain(graded: Sequence[Grade], settings: CourseSettings) -> dict[str, Any]:
    rows = [
        {"name": each.name, "points": each.points, "staff": [_row(score) for score in each.scores]} for each in graded
    ]
    return {"game": settings.game, "seed": settings.seed, "max_points": settings.most, "submissions": rows}


def _row(score: StaffScore) -> dict[str, Any]:
    low, high = score.interval or (None, None)
    return {
        "name": score.staff.name, "threshold": score.staff.threshold, "points": score.points,
        "games": score.pairing.games, "played": score.played, "new": score.new, "wins": score.wins, "rate": score.rate,
        "low": low, "high": high, "faults": dict(score.faults), "failed": score.failed,
    }  # fmt: skip


def _csv(graded: Sequence[Grade], settings: CourseSettings) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["name", "points", "max_points", "comment"])
    for each in graded:
        comment = "; ".join(score.comment for score in each.scores)
        writer.writerow([_cell(each.name), each.points, settings.most, _cell(comment)])
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _table(graded: Sequence[Grade], settings: CourseSettings) -> str:
    head = ["name", "points", *(f"{staff.name} (from {staff.threshold}%)" for staff in settings.staff)]
    rows = [head, *([clean(each.name), f"{each.points}/{settings.most}", *map(_shown, each.scores)] for each in graded)]
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(padded(cell, size) for cell, size in zip(row, widths, strict=True)).rstrip() for row in rows]
    failed = [f"{clean(each.name)}: {score.failed}" for each in graded for score in each.scores[:1] if score.failed]
    return "".join(f"{line}\n" for line in [*lines, *([""] if failed else []), *failed])


def _shown(score: StaffScore) -> str:
    if score.failed is not None or score.interval is None:
        return "cannot be loaded" if score.failed else "not played"
    low, high = score.interval
    faults = score.faults.total()
    return f"{score.rate:.0%} ({low:.0%} to {high:.0%})" + (f", faults: {faults}" if faults else "")

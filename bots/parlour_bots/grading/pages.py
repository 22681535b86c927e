"""Write the results of a course as static pages: an index, and a page with logs and replays for each submission.

The pages need no server and no scripts. All text is escaped by the XML writer.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote
from xml.etree import ElementTree

from parlour_bots.grading.course import Grade, StaffScore
from parlour_bots.grading.inputs import CourseSettings
from parlour_client.core.errors import Fault, writing
from parlour_client.core.printing import clean
from parlour_client.replays import read, story

_LOG = 64 * 1024
"""Characters of a log on a page."""
_LINE = 400
"""Characters of a line of a replay."""
_BAR = 200
"""Pixels of the scale from 0 to 100 percent."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1f2328;background:#fff}
.wide{overflow-x:auto}
table{border-collapse:collapse}th,td{padding:.3rem .8rem;text-align:left;border-bottom:1px solid #d1d9e0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f6f8fa;padding:1rem;max-height:30rem;overflow:auto}
.n{text-align:right}.ok{color:#116329}.no{color:#a40e26}
@media(prefers-color-scheme:dark){body{color:#f0f6fc;background:#0d1117}pre{background:#151b23}a{color:#4493f8}
.ok{color:#3fb950}.no{color:#ff7b72}}
"""

_Content: TypeAlias = "str | ElementTree.Element"


def write_pages(graded: Sequence[Grade], settings: CourseSettings, results: Path) -> Path:
    """Write the pages of all submissions and the index; return the index. Raises Usage."""
    for grade in graded:
        parts = [part for score in grade.scores for part in _pairing(score, results)]
        back = _e("p", _e("a", "All submissions", href="../index.html"))
        points = _e("p", f"{grade.points} of {settings.most} points")
        _write(results / "submissions" / f"{grade.name}.html", clean(grade.name), [back, points, *parts])
    index = results / "index.html"
    _write(index, "Results", _index(graded, settings))
    return index


def _index(graded: Sequence[Grade], settings: CourseSettings) -> list[_Content]:
    """Return the content of the index."""
    head = [_e("th", "Submission"), _e("th", "Points", Class="n")]
    head += [_e("th", f"{clean(staff.name)}: {staff.points} from {staff.threshold} %") for staff in settings.staff]
    rows = [
        _e(
            "tr",
            _e("td", _e("a", clean(grade.name), href=quote(f"submissions/{grade.name}.html"))),
            _e("td", str(grade.points), Class="n"),
            *(_e("td", *_result(score)) for score in grade.scores),
        )
        for grade in graded
    ]
    about = (
        f"{settings.game}, {settings.deals} deals against each staff bot, each from both seats, seed {settings.seed}. "
        "A bar shows the 95 % interval of the share of games won, the mark is the threshold."
    )
    table = _e("table", _e("thead", _e("tr", *head)), _e("tbody", *rows))
    return [_e("p", about), _e("div", table, Class="wide", tabindex="0", role="region", aria_label="Results")]


def _result(score: StaffScore) -> list[_Content]:
    """Return the result against a staff bot in one cell."""
    if score.failed is not None:
        return [_e("span", "cannot be loaded", Class="no")]
    if score.interval is None:
        return ["not played"]
    verdict = _e("span", f"{score.rate:.0%}", Class="ok" if score.points else "no")
    return [_bar(score), " ", verdict, f" ({score.interval[0]:.0%} to {score.interval[1]:.0%})"]


def _bar(score: StaffScore) -> ElementTree.Element:
    """Return the picture of an interval and its threshold."""
    low, high = (end * _BAR for end in score.interval or (0.0, 0.0))
    at = score.staff.threshold / 100 * _BAR
    grey, colour = "#8b949e", "#16a34a" if score.points else "#d97706"
    return _e(
        "svg",
        _e("path", d=f"M0 8H{_BAR}", stroke=grey, stroke_width="1"),
        _e("path", d=f"M{low:.1f} 8H{high:.1f}", stroke=colour, stroke_width="6"),
        _e("path", d=f"M{at:.1f} 0V16", stroke="currentColor", stroke_width="2"),
        width=str(_BAR), height="16", role="img", aria_label=score.comment,
    )  # fmt: skip


def _pairing(score: StaffScore, results: Path) -> list[_Content]:
    """Return the result, the log and the replay of a pairing."""
    pairing = score.pairing
    found: list[_Content] = [
        _e("h2", clean(score.staff.name)),
        _e("p", *_result(score)),
        _e("p", clean(score.comment)),
    ]
    log = pairing.log(results)
    if log.exists():
        with log.open(encoding="utf-8") as file:
            text = "\n".join(clean(line, _LINE) for line in file.read(_LOG).splitlines())
        found.append(_e("details", _e("summary", "Faults"), _e("pre", text, tabindex="0")))
    for lost in (True, False):
        game = pairing.replay(results, lost=lost)
        if game.exists():
            what = "The first game that was lost" if lost else "The first game"
            link = _e("a", "match file", href=quote(f"../games/{game.name}"))
            text = _transcript(game)
            found.append(_e("details", _e("summary", what), _e("p", link), _e("pre", text, tabindex="0")))
            break
    return found


def _transcript(game: Path) -> str:
    """Return a match in words, cached next to its file because a replay takes a second."""
    kept = game.with_suffix(".txt")
    if not kept.exists():
        try:
            lines = [clean(line, _LINE) for line in story(read(game))]
        except Fault as fault:
            return str(fault)
        with writing(kept):
            kept.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    return kept.read_text(encoding="utf-8")


def _write(path: Path, title: str, content: Sequence[_Content]) -> None:
    """Write a page. Raises Usage."""
    head = _e(
        "head",
        _e("meta", charset="utf-8"),
        _e("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        _e("meta", name="viewport", content="width=device-width"),
        _e("title", title),
        _e("style", _STYLE),
    )
    page = _e("html", head, _e("body", _e("h1", title), *content), lang="en")
    text = ElementTree.tostring(page, encoding="unicode", method="html")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<!doctype html>\n{text}\n", encoding="utf-8", newline="\n")


def _e(tag: str, *content: _Content, **attributes: str) -> ElementTree.Element:
    """Return an element. ``_`` in the names of attributes stands for a hyphen, ``Class`` for ``class``."""
    element = ElementTree.Element(tag, {name.lower().replace("_", "-"): value for name, value in attributes.items()})
    last: ElementTree.Element | None = None
    for each in content:
        if isinstance(each, ElementTree.Element):
            element.append(each)
            last = each
        elif last is None:
            element.text = (element.text or "") + each
        else:
            last.tail = (last.tail or "") + each
    return element

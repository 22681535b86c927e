"""Reviews on a server: who may ask, how far they are, and when they end."""

import json
import os
from pathlib import Path

import pytest
from tests.support.processes import children
from tests.support.waiting import until

from parlour_protocol.errors import Denied, NotNow
from parlour_server.engine import reviews
from parlour_server.engine.reviews import CREDIT, PATIENCE, WAITING, Review, Reviews
from parlour_server.engine.tasks import Tasks
from parlour_server.metrics import Metrics
from parlour_server.rooms.records import canonical

MATCH = Path(__file__).parents[1] / "golden" / "matches" / "uno-1-family.jsonl"
LOG = [
    canonical({name: value for name, value in json.loads(line).items() if name != "h"})
    for line in MATCH.read_text(encoding="utf-8").splitlines()
]
REVIEWER = """
import json, sys, time
asked = json.loads(sys.stdin.readline())
for done in range(3):
    print(json.dumps({"done": done, "of": 2}), flush=True)
{then}
"""
ENDS = """print(json.dumps({"decisions": [{"n": asked["seat"]}], "rounds": [len(asked["lines"])]}))"""
HANGS = """time.sleep(600)"""
DIES_ONCE = f"""
import os, pathlib, signal
died = pathlib.Path(__file__).with_name("died")
if not died.exists():
    died.touch()
    os.kill(os.getpid(), signal.SIGKILL)
{ENDS}
"""


class Desk:
    """Reviews with a clock of the test, and a reviewer that it writes."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.tasks = Tasks(Metrics())
        self.reviews = Reviews(self.tasks, Metrics(), lambda: self.now)
        self._folder = folder
        self._monkeypatch = monkeypatch
        monkeypatch.setenv("PYTHONPATH", str(folder))

    def install(self, then: str) -> None:
        """Install a reviewer of UNO that does ``then`` after its progress."""
        (self._folder / "some_reviewer.py").write_text(REVIEWER.replace("{then}", then))
        self._monkeypatch.setattr(reviews, "reviewers", lambda: {"uno": "some_reviewer"})

    def begin(self, digest: str = "d", seat: int = 1, owner: str = "home") -> Review:
        return self.reviews.begin((digest, seat), LOG, owner)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


async def test_a_review_is_done_once_and_kept(desk: Desk) -> None:
    desk.install(ENDS)
    before = set(children(os.getpid()))
    review = desk.begin()
    assert desk.reviews.find(("d", 1)) is review
    await until(lambda: review.found is not None, every=0)
    assert set(children(os.getpid())) <= before, "the reviewer had not ended"
    assert (review.done, review.of) == (2, 2)
    assert review.found == {"decisions": [{"n": 1}], "rounds": [len(LOG)]}
    assert desk.reviews.find(("d", 1)) is review
    assert desk.reviews.find(("d", 2)) is None


async def test_a_review_that_no_one_asks_about_is_abandoned(desk: Desk) -> None:
    desk.install(ENDS)
    review = desk.begin()
    desk.now = PATIENCE + 1
    await until(lambda: not desk.tasks.running)
    assert review.found is None
    assert desk.reviews.find(("d", 1)) is None


async def test_a_reviewer_that_fails_is_told_and_does_not_stop_the_next(desk: Desk) -> None:
    desk.install("raise RuntimeError")
    failing = desk.begin("first")
    await until(lambda: failing.found is not None)
    assert failing.found == {"refused": "the reviewer has failed"}
    desk.install(ENDS)
    second = desk.begin("second")
    await until(lambda: second.found is not None)
    assert "decisions" in (second.found or {})


async def test_a_reviewer_that_is_killed_is_started_again(desk: Desk) -> None:
    desk.install(DIES_ONCE)
    review = desk.begin()
    await until(lambda: review.found is not None)
    assert review.found == {"decisions": [{"n": 1}], "rounds": [len(LOG)]}


async def test_the_process_ends_with_the_server(desk: Desk) -> None:
    desk.install(HANGS)
    before = set(children(os.getpid()))
    review = desk.begin()
    await until(lambda: review.done == 2)
    assert len(set(children(os.getpid())) - before) == 1
    await desk.tasks.close()
    assert set(children(os.getpid())) <= before
    assert desk.reviews.find(("d", 1)) is None


async def test_what_cannot_be_reviewed_is_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.install(ENDS)
    with pytest.raises(Denied) as refused:
        desk.begin(seat=7)
    assert refused.value.code == "no_review"
    monkeypatch.setattr(reviews, "reviewers", dict)
    with pytest.raises(Denied) as refused:
        desk.begin()
    assert refused.value.code == "no_review"


async def test_an_address_gets_only_its_share(desk: Desk) -> None:
    desk.install(HANGS)
    review = desk.begin()
    await until(lambda: review.done == 2)
    desk.now = CREDIT + 60
    await desk.tasks.close()
    with pytest.raises(NotNow) as refused:
        desk.begin("second")
    assert refused.value.code == "busy"
    assert refused.value.extra["retry_after"] > 0
    desk.begin("second", owner="elsewhere")
    for number in range(WAITING):
        desk.begin(str(number), owner="elsewhere")
    with pytest.raises(NotNow):
        desk.begin("one more", owner="elsewhere")
    await desk.tasks.close()


def test_the_installed_reviewers() -> None:
    assert json.dumps(reviews.reviewers()) == '{"uno": "parlour_bots.tools.review_process"}'

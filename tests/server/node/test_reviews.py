"""Reviews on a server: who may ask, how far they are, and when they end."""

import asyncio
import os
from math import inf
from pathlib import Path

import pytest
from tests.server.matches import play
from tests.support.processes import children
from tests.support.waiting import until

from parlour_games.registry import games
from parlour_protocol.errors import Denied, NotNow
from parlour_protocol.messages import Plain
from parlour_server.metrics import Metrics
from parlour_server.node import budget, reviews
from parlour_server.node.budget import Computing
from parlour_server.node.reviews import ALL_WAITING, PATIENCE, WAITING, ReviewJob, Reviews
from parlour_server.node.tasks import Tasks
from parlour_server.rooms.records import canonical

LOG = play("uno", 1).log
REVIEWER = """
import json, sys, time
asked = json.loads(sys.stdin.readline())
for done in range(3):
    print(json.dumps({"done": done, "of": 2}), flush=True)
{then}
"""
SLOW = """
for done in range(20):
    print(json.dumps({"done": done, "of": 20}), flush=True)
    sys.stdin.readline()
print(json.dumps({"decisions": [], "rounds": []}))
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
        self.step = 0.0
        """By how much the clock goes on whenever it is read."""
        self.slept = 0.0
        self.alone = True
        self.tasks = Tasks(Metrics())
        self.reviews = Reviews(self.tasks, Metrics(), Computing(self._clock, self._sleep, lambda owner: self.alone))
        self._folder = folder
        self._monkeypatch = monkeypatch
        monkeypatch.setenv("PYTHONPATH", str(folder))

    def _clock(self) -> float:
        self.now += self.step
        return self.now

    async def _sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept += seconds
        await asyncio.sleep(0)

    def install(self, then: str) -> None:
        """Install a reviewer of UNO that does ``then`` after its progress."""
        (self._folder / "some_reviewer.py").write_text(REVIEWER.replace("{then}", then))
        self._monkeypatch.setattr(reviews, "reviewers", lambda: {"uno": "some_reviewer"})

    def begin(self, digest: str = "d", seat: int = 1, owner: str = "home") -> ReviewJob:
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


@pytest.mark.parametrize(
    ("options", "reviewed"),
    [
        ({"mode": "solo"}, True),
        ({"mode": "solo", "kind": True}, False),
        ({"mode": "race"}, True),
        ({"mode": "race", "penalty": 1_000}, False),
        ({"mode": "coop"}, False),
        ({"mode": "duel"}, False),
    ],
)
def test_boards_are_reviewed_that_one_player_has_and_a_mine_ends(options: Plain, *, reviewed: bool) -> None:
    game = games()["minesweeper"]
    begun = {"game": game.name, "rules": game.rules_version, "options": options}
    assert (Reviews.refusal([canonical(begun)]) is None) == reviewed


@pytest.mark.parametrize("alone", [True, False])
async def test_an_address_gets_only_its_share_of_a_core_while_others_are_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, alone: bool
) -> None:
    share = 0.01
    monkeypatch.setattr(budget, "COMPUTING_SHARE", share)
    monkeypatch.setattr(reviews, "PATIENCE", inf)
    desk = Desk(tmp_path, monkeypatch)
    desk.install(SLOW)
    desk.alone, desk.step = alone, 0.25
    review = desk.begin()
    await until(lambda: review.found is not None, every=0)
    least = (20 * desk.step - budget.COMPUTING_CREDIT) / share
    assert (desk.now >= least - 1 and desk.slept > 0) is not alone


async def test_an_address_has_one_process_and_others_get_theirs(desk: Desk) -> None:
    desk.install(ENDS)
    begun = [desk.begin(str(number)) for number in range(WAITING + 1)]
    with pytest.raises(NotNow) as refused:
        desk.begin("one more")
    assert refused.value.code == "busy"
    assert refused.value.extra["retry_after"] > 0
    other = desk.begin("other", owner="elsewhere")
    await until(lambda: other.found is not None, every=0)
    assert [review.found is None for review in begun[1:]].count(True) >= WAITING - 1
    for number in range(ALL_WAITING - WAITING):
        desk.begin(f"of {number}", owner=f"address {number}")
    with pytest.raises(NotNow):
        desk.begin("for all", owner="late")
    await desk.tasks.close()


def test_the_installed_reviewers() -> None:
    assert reviews.reviewers() == dict.fromkeys(("minesweeper", "uno"), "parlour_bots.tools.review_process")

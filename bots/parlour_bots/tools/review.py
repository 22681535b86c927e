"""Review a seat of a match file: its decisions beside those of ``search``."""

from collections.abc import Callable
from pathlib import Path

import attrs

from parlour_bots.errors import Mistake
from parlour_bots.play.player import SeatPlayer
from parlour_bots.sdk import Action, BotSpec
from parlour_bots.uno.review import Judgement, Reviewer, RoundReview, rounds, standing
from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_client.replays import Replay, read
from parlour_protocol.messages import Joined, Over, Plain, Update
from parlour_protocol.messages import Turn as Asked

GAME = "uno"
WORLDS = 500
"""Worlds per decision by default."""
JUDGED = ("play", "draw", "pass", "colour", "accept", "challenge")
"""The required decisions. Calls of UNO and catching are optional."""
_NO_WINNER = ("aborted", "expired")
"""Ends of a match that have no winner."""


@attrs.frozen
class SeatReview:
    """The review of one seat. ``rounds`` is empty for a match without a winner."""

    seat: int
    name: str
    judgements: list[Judgement]
    rounds: list[RoundReview]

    def plain(self) -> Plain:
        """Return the review as plain data; probabilities are from 0 to 1."""
        judged = [{**attrs.asdict(each, recurse=False), "mistake": each.mistake} for each in self.judgements]
        by_round = [{**attrs.asdict(each), "luck": each.luck} for each in self.rounds]
        return {"seat": self.seat, "name": self.name, "decisions": judged, "rounds": by_round}


def replays(path: Path, viewer: str | None) -> list[Replay]:
    """Return a match file of UNO as ``viewer``, a seat or a name, saw it. None: as each person saw it.

    Without people it is read as each bot saw it. Raises Usage, Fault.
    """
    found = read(path, viewer)
    joined = _joined(found)
    if joined.game != GAME:
        raise Usage(say("line.review.not_uno", file=path.name, game=joined.game))
    if viewer is not None:
        return [found]
    rows = joined.table["seats"]
    people = [row["seat"] for row in rows if row["kind"] == "human"]
    return [read(path, seat) for seat in people or [row["seat"] for row in rows]]


def decisions(replay: Replay) -> dict[int, tuple[int, Action]]:
    """Return by request id the decisions to judge, with their numbers: not the clock's, nor several cards together."""
    acts = [(step.rid, step.n, step.act) for step in replay.steps if step.act is not None]
    return {rid: (number, act) for rid, number, act in acts if act["do"] in JUDGED and "cards" not in act}


def review(replay: Replay, worlds: int, seed: int, judged: Callable[[], None]) -> SeatReview:
    """Review the seat whose ``replay`` it is. ``judged`` is called after each of its ``decisions``."""
    joined = _joined(replay)
    seat = joined.seat
    assert seat is not None, "a spectator has no decisions"
    reviewer = Reviewer(decisions(replay), worlds, judged)
    player = SeatPlayer(BotSpec("review", lambda: reviewer), seed, _raise)
    before: dict[int, float] = {}
    end = None
    for message in replay.messages:
        player.receive(message)
        if isinstance(message, Update | Asked | Over) and "round" in message.view:
            before.setdefault(message.view["round"], standing(seat, message.view, joined.table["options"]))
        if isinstance(message, Over) and message.result["why"] not in _NO_WINNER:
            end = float(message.result["ranks"][str(seat)] == 1)
    name = next(row["name"] for row in joined.table["seats"] if row["seat"] == seat)
    found = [] if end is None else rounds(before, end, reviewer.judgements)
    return SeatReview(seat, name, reviewer.judgements, found)


def _raise(mistake: Mistake) -> None:
    raise mistake.error or RuntimeError(mistake.what)


def _joined(replay: Replay) -> Joined:
    joined = replay.messages[0]
    assert isinstance(joined, Joined)
    return joined

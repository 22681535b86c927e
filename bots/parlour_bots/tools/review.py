"""Review a seat of a match file: its decisions compared with those of the strongest house bot of the game."""

from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from parlour_bots.errors import Mistake
from parlour_bots.judgement import Judgement, Reviewer
from parlour_bots.minesweeper import review as minesweeper
from parlour_bots.play.player import SeatPlayer
from parlour_bots.sdk import Action, BotSpec
from parlour_bots.uno import review as uno
from parlour_bots.uno.review import RoundReview, rounds, standing
from parlour_client.core.errors import Usage
from parlour_client.core.phrases import say
from parlour_client.replays import Replay, read
from parlour_games.registry import games
from parlour_protocol.messages import Joined, Over, Plain, Update
from parlour_protocol.messages import Turn as Asked

_NO_WINNER = ("aborted", "expired")
"""Ends of a match that have no winner."""


@attrs.frozen
class Judge:
    """What judges the decisions of a game, and which ones."""

    bot: str
    """The house bot that they are compared with."""
    worlds: int
    """Worlds per decision by default."""
    judged: tuple[str, ...]
    """The actions."""
    reviewer: Callable[[Mapping[int, tuple[int, Action]], int, Callable[[], None]], Reviewer]
    """Makes the reviewer of these acts by request id, with this number of worlds; calls the last after each."""


JUDGES = {
    "uno": Judge("search", uno.WORLDS, uno.JUDGED, uno.UnoReviewer),
    "minesweeper": Judge("exact", minesweeper.WORLDS, minesweeper.JUDGED, minesweeper.MinesweeperReviewer),
}
"""By game."""


@attrs.frozen
class SeatReview:
    """The review of one seat. ``rounds`` is empty for a match without a winner or without rounds."""

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
    """Return a match file as ``viewer``, a seat or a name, saw it. None: as each person saw it.

    Without people it is read as each bot saw it. Raises Usage for a match that cannot be reviewed, Fault.
    """
    found = read(path, viewer)
    joined = joined_of(found)
    if joined.game not in JUDGES:
        raise Usage(say("line.review.no_game", file=path.name, game=joined.game, games=", ".join(JUDGES)))
    game = games()[joined.game]
    if not game.reviewable(game.Options(**joined.table["options"])):
        raise Usage(say("line.review.no_board", file=path.name))
    if viewer is not None:
        return [found]
    rows = joined.table["seats"]
    people = [row["seat"] for row in rows if row["kind"] == "human"]
    return [read(path, seat) for seat in people or [row["seat"] for row in rows]]


def decisions(replay: Replay) -> dict[int, tuple[int, Action]]:
    """Return by request id the decisions to judge, with their numbers: not the clock's, nor several cards together."""
    judged = JUDGES[joined_of(replay).game].judged
    acts = [(step.rid, step.n, step.act) for step in replay.steps if step.act is not None]
    return {rid: (number, act) for rid, number, act in acts if act["do"] in judged and "cards" not in act}


def review(replay: Replay, worlds: int | None, seed: int, judged: Callable[[], None]) -> SeatReview:
    """Review the seat whose ``replay`` it is. ``judged`` is called after each of its ``decisions``.

    ``worlds``: per decision; None: as many as is usual in the game.
    """
    joined = joined_of(replay)
    seat = joined.seat
    assert seat is not None, "a spectator has no decisions"
    judge = JUDGES[joined.game]
    reviewer = judge.reviewer(decisions(replay), worlds or judge.worlds, judged)
    player = SeatPlayer(BotSpec("review", lambda: reviewer, joined.game), seed, _raise)
    before: dict[int, float] = {}
    end = None
    for message in replay.messages:
        player.receive(message)
        if isinstance(message, Update | Asked | Over) and "round" in message.view:
            before.setdefault(message.view["round"], standing(seat, message.view, joined.table["options"]))
        if isinstance(message, Over) and message.result["why"] not in _NO_WINNER:
            end = float(message.result["ranks"][str(seat)] == 1)
    name = next(row["name"] for row in joined.table["seats"] if row["seat"] == seat)
    found = rounds(before, end, reviewer.judgements) if before and end is not None else []
    return SeatReview(seat, name, reviewer.judgements, found)


def joined_of(replay: Replay) -> Joined:
    """Return the message with which the viewer came in."""
    joined = replay.messages[0]
    assert isinstance(joined, Joined)
    return joined


def _raise(mistake: Mistake) -> None:
    raise mistake.error or RuntimeError(mistake.what)

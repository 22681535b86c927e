"""The consequences of a finished match, for any store: ratings, profiles, leaderboards, and names that are removed.

The model of the ratings is Bradley–Terry between neighbours in the ranking, by openskill: its Plackett–Luce puts the
third behind two who share the first place level with them. A rating is a belief, ``mu`` give or take ``sigma``. What is
shown is what can be said with confidence: everybody begins at 1500 and rises as its strength is proved.
"""

import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

import attrs
import msgspec

from parlour_games.game import Best
from parlour_games.statistics import Finish, tally
from parlour_protocol.messages import (
    ChainLink,
    DailyRow,
    Kind,
    MissedRow,
    OwnDaily,
    Plain,
    PresetRow,
    ProfileRow,
    RankedName,
    StandingsRow,
)
from parlour_server.directory.identities import DELETED
from parlour_server.persistence import MatchFinished, MatchRow, Rated

RatedMatch: TypeAlias = tuple[int, str, list[tuple[str, str, str | None, int, int]]]
"""When a match ended, in seconds since 1970; its digest; name, kind, style, rank and points of its players."""
Before: TypeAlias = tuple[int, str]
"""A place among matches in the order of their ends: a time and a digest."""
LATEST: Before = 2**62, ""
"""The place after all matches."""
MU, SIGMA = 25.0, 25.0 / 3
"""A new rating, as openskill has it."""
_SCALE, _BASE = 24, 1500
"""The points for one unit of ``mu``; three ``sigma`` below ``mu`` stands a new rating, at the base."""


@attrs.frozen
class Rating:
    """An estimate of a player's strength."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def shown(self) -> int:
        """Return the rating as it is shown."""
        return round(_BASE + _SCALE * (self.mu - 3 * self.sigma))


def updated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings after a match with these ranks, equal ones shared.

    A match in which all come out equal, as people do who play together or alone, says nothing.
    """
    if len(set(ranks)) < 2:
        return list(before)
    from openskill.models import BradleyTerryPart  # a server starts sooner without it

    model = BradleyTerryPart(mu=MU, sigma=SIGMA)
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    return [Rating(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=[float(rank) for rank in ranks])]


Player = tuple[str, str, str, int]
"""Who took part in a match: identity (empty if it was deleted), name, kind, rank."""


@attrs.frozen
class NewRating:
    """A new estimate of a player's strength at a game, with the name and kind it is shown under."""

    who: str
    game: str
    name: str
    kind: str
    rating: Rating

    def row(self) -> tuple[str, str, str, str, float, float, int]:
        """Return it as it is stored: with mu, sigma, and the rating as it is shown."""
        rating = self.rating
        return self.who, self.game, self.name, self.kind, rating.mu, rating.sigma, rating.shown

    def rated(self) -> Rated:
        """Return what a node keeps of it."""
        return Rated(self.who, self.game, self.rating.shown)


def rate(game: str, players: Iterable[Player], before: Mapping[str, Rating]) -> list[NewRating]:
    """Return the ratings that a match changes; ``before`` has those of the players who have one."""
    players = list(players)
    old = [before.get(who, Rating()) if who else Rating() for who, *_ in players]
    after = updated(old, [rank for *_, rank in players])
    return [
        NewRating(who, game, name, kind, new)
        for (who, name, kind, _), was, new in zip(players, old, after, strict=True)
        if who and new != was
    ]


@attrs.frozen
class Counted:
    """One player's row of a finished match, for its profile: under which name, and what is counted."""

    who: str
    name: str
    kind: str
    finish: Finish

    @property
    def key(self) -> str:
        """The name as profiles are found by it."""
        return profile_key(self.name)


def counted(match: MatchFinished, rows: Sequence[MatchRow], ended: int) -> list[Counted]:
    """Return what a match that ended at ``ended``, in seconds since 1970, adds to profiles; nothing if it is void.

    ``rows``: those of the match, without names that are deleted.
    """
    board, ms = (match.time.board, match.time.ms) if match.time and len(rows) == 1 else (None, None)
    return [
        Counted(row.who, row.name, row.kind, Finish(ended, row.rank, len(rows), row.score, board, ms))
        for row in rows
        if row.who and match.rated and not row.house
    ]


def players(rows: Iterable[MatchRow]) -> list[Player]:
    """Return the players of a match who have ratings: all but house bots."""
    return [(row.who, row.name, row.kind, row.rank) for row in rows if not row.house]


def standing_rows(match: MatchFinished, rows: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return what a match adds to standings, of its game and of all."""
    rows = [row for row in rows if not row.house]
    if not match.rated or len({row.rank for row in rows}) < 2:
        return []
    return [
        (game, row.name, row.kind, 1, int(row.rank == 1), row.score, row.style)
        for row in rows
        if row.who
        for game in (match.game, "")
    ]


def meetings(match: MatchFinished, rows: Iterable[Any]) -> list[tuple[str, str, str]]:
    """Return the two bots who met in a match."""
    rows = sorted(rows, key=lambda row: row.seat)
    bots = [row.who for row in rows if row.who and row.kind == "bot" and not row.house]
    return [(match.game, *bots)] if match.rated and len(rows) == len(bots) == 2 else []


def profile_key(name: str) -> str:
    """Return the form of a name by which profiles are found: as identities tell names apart."""
    return name.lower()


def profile_row(game: str, text: str, rating: int | None, now: int) -> ProfileRow:
    """Return what is sent of a stored tally. ``now`` is in seconds since 1970."""
    row = msgspec.convert(tally(text).row(game, now), ProfileRow)
    return row if rating is None else {**row, "rating": rating}


def is_today(day: str) -> bool:
    """Whether it is still that day, UTC."""
    return datetime.now(UTC).date().isoformat() == day


DAILY_ORDER: dict[Best, str] = {"time": "ms", "most": "points DESC, ms", "fewest": "points, ms"}
"""The order of the results of a day in SQL. Time decides between equal points."""


def daily_row(name: str, kind: Kind, ms: int, points: int | None) -> DailyRow:
    """Return a row of the table of a day."""
    row: DailyRow = {"name": name, "kind": kind, "ms": ms}
    return row if points is None else {**row, "points": points}


def own_daily(day: str, mine: Sequence[tuple[str, int | None, int | None]], cleared: Iterable[str]) -> OwnDaily:
    """Return what a name has done: ``mine`` holds room, time and points of its first attempt, if it has played.

    ``cleared``: the days up to ``day`` on which it has finished the board, the last one first.
    """
    wanted, days = date.fromisoformat(day), 0
    for each in map(date.fromisoformat, cleared):
        if not days and each == wanted - timedelta(days=1):
            wanted = each
        if each != wanted:
            break
        wanted, days = wanted - timedelta(days=1), days + 1
    own: OwnDaily = {"played": bool(mine), "days": days}
    for room, ms, points in mine:
        own |= {"room": room}
        own |= {} if ms is None else {"ms": ms}
        own |= {} if points is None else {"points": points}
    return own


def chain_link(n: int, at: int, match: str, over: str | None, hash: str) -> ChainLink:
    """Return a link of the public chain."""
    link: ChainLink = {"n": n, "at": at, "match": match, "hash": hash}
    return link if over is None else {**link, "over": over}


PRESETS, OWN_PRESETS = 200, 20
"""Presets that a server keeps, and that one identity may save."""
CALLS = 30
"""Calls of a webhook in an hour."""
FAULTS = 5
"""Calls in a row that fail until a webhook is switched off."""
MISSED = 20
"""How many matches that ended in their absence a player sees at most."""


def missed(rows: Iterable[tuple[Any, ...]], who: str, now: int) -> list[MissedRow]:
    """Return the matches that ended while ``who`` was away, the latest first.

    ``rows``: digest, room, game, end, whether it is rated, and identity, name, rank and seat of each player.
    """
    found: list[MissedRow] = []
    ordered = sorted(rows, key=lambda row: (-row[3], row[0], row[7], row[8]))
    for (digest, room, game, ended, rated), players in groupby(ordered, key=itemgetter(0, 1, 2, 3, 4)):
        ranked = [(player, name, rank) for *_, player, name, rank, _ in players]
        mine = next((rank for player, _, rank in ranked if player == who), 1)
        names: list[RankedName] = [{"name": name, "rank": rank} for _, name, rank in ranked]
        ago = max(0, now - ended) * 1000
        row: MissedRow = {"digest": digest, "room": room, "game": game, "ago": ago, "rank": mine, "players": names}
        if not rated:
            row["void"] = True
        found.append(row)
    return found


def standing(
    name: str, kind: Kind, games: int, wins: int, points: int, rating: int | None, style: str | None
) -> StandingsRow:
    """Return a row of a leaderboard."""
    row: StandingsRow = {"name": name, "kind": kind, "games": games, "wins": wins, "points": points}
    if rating is not None:
        row["rating"] = rating
    if style is not None:
        row["style"] = style
    return row


RATED_PAGE = 500
"""Matches of a page of rated matches."""


def rated(rows: Iterable[tuple[Any, ...]]) -> tuple[list[RatedMatch], Before | None]:
    """Return the matches of a page, latest first, without players who are deleted; and, of a full page, its last match.

    ``rows``: digest, end, seat, identity, name, kind, style, rank, points of each player.
    """
    found = [
        (
            ended,
            digest,
            [(name, kind, style, rank, score) for _, _, _, who, name, kind, style, rank, score in players if who],
        )
        for (ended, digest), players in groupby(
            sorted(sorted(rows, key=itemgetter(2)), key=itemgetter(1, 0), reverse=True), key=itemgetter(1, 0)
        )
    ]
    return found, found[-1][:2] if len(found) == RATED_PAGE else None


def first_row(after: str | None) -> int:
    """Return how many rows of a ladder come before the page that begins ``after``."""
    return int(after) if after and after.isdecimal() and len(after) < 10 else 0


Place: TypeAlias = tuple[int, int, int, str, str]
"""A place in standings: rating, wins, points, name, kind."""
_PLACE = re.compile(r"(-?\d{1,10}) (\d{1,18}) (-?\d{1,18}) (\w{1,10}) (.{1,100})", re.ASCII)


def after(row: Sequence[Any]) -> str:
    """Return where the page of standings begins that follows this row."""
    name, kind, _, wins, points, rating, _ = row
    return f"{rating} {wins} {points} {kind} {name}"


def place(after: str | None) -> Place | None:
    """Return the place in standings that ``after`` says; None for what says none: the first page is meant."""
    found = _PLACE.fullmatch(after or "")
    if found is None or not -(2**31) <= int(found[1]) < 2**31:
        return None
    return int(found[1]), int(found[2]), int(found[3]), found[5], found[4]


def entrants(plan: str) -> list[str]:
    """Return the identities that take part in a contest."""
    return [entrant["who"] for entrant in json.loads(plan).get("entrants", ())]


def plan_without(plan: str, who: str) -> str:
    """Return a contest's plan in which ``who`` has no name any more."""
    found = json.loads(plan)
    for entrant in found["entrants"]:
        if entrant["who"] == who:
            entrant["name"] = DELETED
    return json.dumps(found)


def this_hour() -> int:
    """Return the number of this hour since 1970."""
    return int(time.time()) // 3_600


def preset_key(name: str) -> str:
    """Return the name of a preset as it is compared."""
    return name.casefold()


def preset(row: tuple[str, str, str, str, str], who: str) -> PresetRow:
    """Return a preset from its row: game, name, identity, its name, rules as JSON."""
    game, name, owner, by, rules = row
    told: Plain = json.loads(rules)
    options, seats, clock = told["options"], told["seats"], told["clock"]
    return {
        "game": game, "name": name, "by": by, "mine": owner == who, "options": options, "seats": seats, "clock": clock
    }  # fmt: skip

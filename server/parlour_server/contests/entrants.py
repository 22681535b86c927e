"""Those who take part in a contest: who is there, who has room for one more table, who plays no more."""

from typing import TYPE_CHECKING

from parlour_server import effects
from parlour_server.contests.contest import Contest
from parlour_server.directory.bot_pool import busy
from parlour_server.rooms.timers import GONE

if TYPE_CHECKING:
    from parlour_server.lobby.lobby import Lobby


def places(lobby: "Lobby", contest: Contest) -> dict[int, int]:
    """Return at how many more tables each entrant that is on offer can sit."""
    found = {}
    for entrant, each in enumerate(contest.plan.entrants):
        offer, distant = lobby.offers.get(each.who), lobby.abroad.bots.get(each.who)
        if offer is not None and contest.plan.game in offer.games:
            found[entrant] = offer.limit - busy(lobby, each.who)
        elif distant is not None and contest.plan.game in distant.games:
            found[entrant] = distant.free
    return found


def out(lobby: "Lobby", contest: Contest) -> set[int]:
    """Return the entrants who play no more: the operator has dropped or banned them."""
    known = lobby.identities
    banned = {
        entrant
        for entrant, each in enumerate(contest.plan.entrants)
        if each.who in known and known.get(each.who).banned
    }
    return contest.dropped | banned


def notice(lobby: "Lobby", contest: Contest, there: dict[int, int], now: int) -> None:
    """Note who has gone and who has come back, and tell it."""
    away = contest.course.away
    if there and len(away) == len(contest.plan.entrants):  # all were cut off: all have the time to come back
        away.update(dict.fromkeys(away, now))
    for entrant, each in enumerate(contest.plan.entrants):
        if entrant in there and entrant in away:
            del away[entrant]
            tell(lobby, "a bot of the contest is back", contest, bot=each.name)
        elif entrant not in there and entrant not in away:
            away[entrant] = now
            tell(lobby, "a bot of the contest has gone", contest, bot=each.name)


def gone(contest: Contest, now: int) -> set[int]:
    """Return the entrants who have been away for too long; nobody when all are: then it is the network's fault."""
    away = contest.course.away
    if len(away) == len(contest.plan.entrants):
        return set()
    return {entrant for entrant, since in away.items() if now - since > GONE}


def tell(lobby: "Lobby", event: str, contest: Contest, **about: object) -> None:
    """Have the server's log tell something of a contest."""
    lobby.want(effects.LogEvent(event, {"contest": contest.plan.name, **about}))

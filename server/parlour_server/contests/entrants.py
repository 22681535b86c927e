"""Entrants: which bots of a contest are available, away, or out of it."""

import attrs

from parlour_server.contests.contest import Contest
from parlour_server.directory.bot_pool import BotPool
from parlour_server.directory.identities import Identities
from parlour_server.effects import Outbox
from parlour_server.rooms.timers import GONE


@attrs.define(eq=False)
class Entrants:
    """What the directory knows of the entrants of contests. An entrant is a number, its index in the plan."""

    _outbox: Outbox
    _identities: Identities
    _bots: BotPool

    def places(self, contest: Contest) -> dict[int, int]:
        """Return in how many more rooms each available entrant can play."""
        found = {}
        for entrant, each in enumerate(contest.plan.entrants):
            places = self._bots.places(each.who, contest.plan.game)
            if places is not None:
                found[entrant] = places
        return found

    def out(self, contest: Contest) -> set[int]:
        """Return the entrants who play no further: those that an admin has dropped or banned."""
        known = self._identities
        banned = {
            entrant
            for entrant, each in enumerate(contest.plan.entrants)
            if each.who in known and known.get(each.who).banned
        }
        return contest.dropped | banned

    def note_presence(self, contest: Contest, there: dict[int, int], now: int) -> None:
        """Note and log which entrants have gone and which have come back. ``there``: those available now."""
        away = contest.course.away
        if there and len(away) == len(contest.plan.entrants):  # all were cut off: all have the time to come back
            away.update(dict.fromkeys(away, now))
        for entrant, each in enumerate(contest.plan.entrants):
            if entrant in there and entrant in away:
                del away[entrant]
                self._outbox.log("a bot of the contest is back", contest=contest.plan.name, bot=each.name)
            elif entrant not in there and entrant not in away:
                away[entrant] = now
                self._outbox.log("a bot of the contest has gone", contest=contest.plan.name, bot=each.name)


def gone(contest: Contest, now: int) -> set[int]:
    """Return the entrants who have been away for too long. If all are away, the network is at fault: return none."""
    away = contest.course.away
    if len(away) == len(contest.plan.entrants):
        return set()
    return {entrant for entrant, since in away.items() if now - since > GONE}

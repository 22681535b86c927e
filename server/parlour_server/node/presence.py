"""Count who and what is on a node, for the metrics."""

from collections import Counter

from parlour_server.lobby.lobby import Lobby
from parlour_server.metrics import Presence


def presence(lobby: Lobby) -> Presence:
    """Return the numbers as they are now."""
    people = [lobby.identities.get(who) for who in lobby.connections.main]
    states = [loaded.room.state for loaded in lobby.rooms.loaded.values()]
    return Presence(
        connections=len(lobby.connections.sessions),
        clients=Counter("house" if person.house else person.kind for person in people),
        rooms=Counter((state.config.game, state.state) for state in states),
        dormant=len(lobby.rooms.dormant),
        identities=len(lobby.identities),
        unplayed=len(lobby.identities.unplayed),
        new_names=lobby.names.counts,
    )

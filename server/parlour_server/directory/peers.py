"""Peers: what this node knows of the other nodes that share its store. A single node has none."""

import attrs

from parlour_protocol.messages import RoomRow

MOST_LOCATIONS = 10_000
"""Rooms of other nodes whose location is remembered."""


@attrs.frozen
class RoomLocation:
    """The node at which a room lives.

    ``url`` is for clients and empty if they cannot reach that node. ``peer`` is for nodes.
    """

    url: str
    peer: str


@attrs.define
class Peers:
    """The other nodes."""

    shared: bool = False
    """Whether there may be other nodes."""
    locations: dict[str, RoomLocation] = attrs.field(factory=dict)
    """The nodes of rooms when they were last looked for."""
    people: set[str] = attrs.field(factory=set)
    """The identities whose last hello was at another living node."""
    rows: dict[str, RoomRow] = attrs.field(factory=dict)
    """The listed rooms of the other nodes."""
    unlisted: dict[str, RoomRow] = attrs.field(factory=dict)
    """The other rooms there, for those who know their code."""
    calls: set[tuple[str, str]] = attrs.field(factory=set)
    """(room, who): bots of other nodes that have a seat here and have not come yet."""
    answered: set[tuple[str, str]] = attrs.field(factory=set)
    """(room, who): bots of this node that were called to other nodes and have been sent."""
    visits: dict[str, tuple[str, str]] = attrs.field(factory=dict)
    """Ticket hash → (who, room), for tickets that were taken from the store for a hello that has arrived."""
    sent: dict[tuple[int, str], str] = attrs.field(factory=dict)
    """(connection, room) → the node to which that client was sent."""
    contests: frozenset[str] = frozenset()
    """The contests that this node holds."""

    def found(self, code: str, location: RoomLocation) -> None:
        """Remember where a room is. The oldest of very many locations is dropped and looked for again when needed."""
        self.locations.pop(code, None)
        self.locations[code] = location
        if len(self.locations) > MOST_LOCATIONS:
            del self.locations[next(iter(self.locations))]

    def holds(self, contest: str) -> bool:
        """Whether this node opens the rooms of a contest."""
        return not self.shared or contest in self.contests

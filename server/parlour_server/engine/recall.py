"""Recall identities that are stored and not in memory, before a message that names them is received."""

from parlour_protocol.errors import NotNow, Refusal
from parlour_protocol.messages import Admin, Hello, Plain
from parlour_server.directory.identities import hashed
from parlour_server.engine.sockets import RETRY_AFTER, Sockets
from parlour_server.lobby.lobby import Lobby
from parlour_server.persistence import Known
from parlour_server.store.base import Store, StoreError


class Recall:
    """Reads the identities that a message names, on a server without other nodes."""

    def __init__(self, lobby: Lobby, store: Store, sockets: Sockets) -> None:
        self._lobby = lobby
        self._store = store
        self._sockets = sockets

    def wanted(self, data: Plain) -> tuple[list[str], list[str]] | None:
        """Return the names and hashed secrets to look for before ``data`` is received; None: nothing."""
        identities, kind = self._lobby.identities, data.get("t")
        if identities.complete or kind not in (Hello.t, Admin.t):
            return None
        name, token = data.get("name"), data.get("token")
        secrets = [each for each in (token, data.get("key")) if isinstance(each, str)] if kind == Hello.t else []
        hashes = [hashed(secret) for secret in secrets if identities.by_secret(secret) is None]
        names = [name] if isinstance(name, str) and (kind == Admin.t or token is None) else []
        names = [each for each in names if identities.by_name(each) is None]
        return (names, hashes) if names or hashes else None

    async def prepare(self, conn: int, data: Plain, now: int) -> Refusal | None:
        """Read what answering ``data`` needs. Returns a refusal if it cannot be answered now."""
        session, wanted = self._lobby.connections.sessions.get(conn), self.wanted(data)
        if session is None or session.gone or wanted is None:
            return None
        session.greeting = data.get("t") == Hello.t and session.who is None
        try:
            await self._read(*wanted, now)
        except StoreError:
            return NotNow("retry", "the store could not be read", RETRY_AFTER)
        finally:
            session.greeting = False
        socket = self._sockets.get(conn)  # a client that has gone may have said hello on a newer socket
        return None if socket is not None and socket.is_open else NotNow("retry", "you have gone", RETRY_AFTER)

    async def _read(self, names: list[str], hashes: list[str], now: int) -> None:
        lobby, loaded = self._lobby, None
        known = Known()
        while loaded is None:
            since = lobby.identities.writes
            known = await self._store.known(names, hashes)
            loaded = lobby.identities.recall(known.identities, since)
        lobby.identities.unplayed |= known.unplayed.intersection(loaded)
        lobby.ratings.changed(rated for rated in known.ratings if rated.who in loaded)
        for who in loaded:
            lobby.guests.left(who, now)

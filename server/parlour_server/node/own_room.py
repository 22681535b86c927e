"""The room that a server keeps open for players who have no code."""

import attrs

from parlour_server.engine.commits import CommitQueue
from parlour_server.engine.room_loader import RoomLoader
from parlour_server.lobby.lobby import Lobby
from parlour_server.store.base import NotStored


@attrs.define(eq=False)
class OwnRoom:
    """Opens the server's own room, and replaces it when it gets old."""

    _lobby: Lobby
    _queue: CommitQueue
    _loader: RoomLoader
    code: str = ""
    """Its code, once it is open."""
    candidates: tuple[str, ...] = ()
    """The stored rooms of this kind."""

    async def open(self, game: str, seats: int, max_age: int = 0) -> str:
        """Return the code of the room for ``game``, opened now if there is none. Raises NotStored.

        A room older than ``max_age`` ms (0: no limit) is replaced unless a seat is taken: retention can remove the
        records of closed rooms only.
        """
        self.code = await self._stored(game, max_age) or await self._new(game, seats)
        return self.code

    async def _stored(self, game: str, max_age: int) -> str | None:
        for code in self.candidates:
            await self._loader.load(code)
            live = self._lobby.rooms.loaded.get(code)
            if live is None or live.room.state.config.game != game:
                continue
            if not max_age or live.room.state.at < max_age or live.room.state.taken():
                return code
            self._queue.put(self._lobby.retire(code, self._queue.now()))
        return None

    async def _new(self, game: str, seats: int) -> str:
        code, wanted = self._lobby.keep_room(game, seats, self._queue.now())
        self._queue.put(wanted)
        await self._queue.settled()
        if code not in self._lobby.rooms.loaded:
            raise NotStored("the server's own room could not be stored; the log says why")
        return code

    def retire_others(self) -> None:
        """Close such rooms of other nodes that this node has taken over, once they are empty."""
        for code, live in list(self._lobby.rooms.loaded.items()):
            other = live.room.state.config.kept and code != self.code
            if other and self.code and not live.room.state.taken() and not live.room.audience.here:
                self._queue.put(self._lobby.retire(code, self._queue.now()))

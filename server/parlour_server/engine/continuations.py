"""Continuations on a server: a finished match goes on in a room for practice, for the client that asked for it."""

import json
from collections.abc import Sequence

import attrs
import structlog

from parlour_protocol.errors import Denied
from parlour_protocol.messages import Continue
from parlour_server.effects import Ask, Effect
from parlour_server.engine.commits import CommitQueue
from parlour_server.engine.compute import ComputationFailed, NotWanted, Worker
from parlour_server.engine.store_queries import StoreQueries
from parlour_server.engine.tasks import Slices
from parlour_server.game_files.pages import MAX_REPLAYED
from parlour_server.lobby.lobby import Lobby

_HINT = "play on where the game is installed: `parlour continue FILE --act N`"

log = structlog.get_logger()


@attrs.define(eq=False)
class Continuations:
    """Reads and replays finished matches, and lets the lobby open the rooms in which they go on."""

    _lobby: Lobby
    _queue: CommitQueue
    _queries: StoreQueries
    _worker: Worker
    _slices: Slices

    async def open(self, ask: Ask, message: Continue) -> Sequence[Effect]:
        """Return the effects of opening the room, which the client then is in. Raises what a reader may raise."""
        lines, owner = await self._queries.lines(ask, message.digest)
        if len(lines) > MAX_REPLAYED:
            long = f"the match file has {len(lines)} lines; at most {MAX_REPLAYED} are replayed here"
            raise Denied("no_replay", long, hint=_HINT)
        begun = json.loads(lines[0])
        self._require_client(ask)
        cast = self._lobby.continuing.cast(ask.conn, message.seat, begun["game"], len(begun["players"]))
        wanted = {"lines": lines, "act": message.act, "seat": message.seat, "code": cast.code, "players": cast.rows}
        try:
            found = await self._worker.continuation(wanted, owner, lambda: self._queries.waits(ask.conn))
        except ComputationFailed as error:
            log.error("a match could not be continued", error=type(error).__name__)
            found = {"refused": "the game failed while its match was replayed"}
        if "refused" in found:
            raise Denied("no_replay", found["refused"], hint=_HINT)
        room = await self._slices.finish(self._lobby.rooms.restoring(found["log"]))
        self._require_client(ask)
        return self._lobby.open_continued(ask, cast, room, found["log"], self._queue.now())

    def _require_client(self, ask: Ask) -> None:
        """Raise NotWanted if the client has gone meanwhile."""
        session = self._lobby.connections.sessions.get(ask.conn)
        if session is None or session.gone:
            raise NotWanted

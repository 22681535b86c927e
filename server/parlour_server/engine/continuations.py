"""Continuations on a server: a finished match goes on in a room for practice, for the client that asked for it."""

import json
from collections.abc import Sequence

import attrs
import structlog

from parlour_protocol.errors import Denied, NotNow, Refusal
from parlour_server.effects import Continue, Effect, Post
from parlour_server.engine.commits import CommitQueue
from parlour_server.engine.compute import ComputationFailed, NotWanted, Worker
from parlour_server.engine.slices import Slices
from parlour_server.engine.sockets import RETRY_AFTER
from parlour_server.engine.store_queries import StoreQueries, refusal_of
from parlour_server.game_files.pages import MAX_REPLAYED
from parlour_server.lobby.lobby import Lobby
from parlour_server.store.base import StoreError

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
    _under_way: set[int] = attrs.field(factory=set, init=False)
    """The connections whose request is under way."""

    async def answer(self, asked: Continue) -> None:
        """Open the room, which the client then is in, or send the refusal."""
        if asked.conn in self._under_way:
            self._queue.put([_refusal(asked, NotNow("busy", "your last continuation is being opened", RETRY_AFTER))])
            return
        self._under_way.add(asked.conn)
        try:
            self._queue.put(await self._opened(asked))
        except NotWanted:
            pass
        except (Refusal, StoreError) as error:
            self._queue.put([_refusal(asked, refusal_of(error))])
        finally:
            self._under_way.discard(asked.conn)

    async def _opened(self, asked: Continue) -> Sequence[Effect]:
        """Return the effects of opening the room. Raises Refusal, StoreError, NotWanted."""
        lines, owner = await self._queries.lines(asked)
        if len(lines) > MAX_REPLAYED:
            long = f"the match file has {len(lines)} lines; at most {MAX_REPLAYED} are replayed here"
            raise Denied("no_replay", long, hint=_HINT)
        begun = json.loads(lines[0])
        self._require_client(asked)
        cast = self._lobby.continuing.cast(asked, begun["game"], len(begun["players"]))
        wanted = {"lines": lines, "act": asked.act, "seat": asked.seat, "code": cast.code, "players": cast.rows}
        try:
            found = await self._worker.continuation(wanted, owner, lambda: self._queries.waits(asked.conn))
        except ComputationFailed as error:
            log.error("a match could not be continued", error=type(error).__name__)
            found = {"refused": "the game failed while its match was replayed"}
        if "refused" in found:
            raise Denied("no_replay", found["refused"], hint=_HINT)
        room = await self._slices.finish(self._lobby.rooms.restoring(found["log"]))
        self._require_client(asked)
        return self._lobby.open_continued(asked, cast, room, found["log"], self._queue.now())

    def _require_client(self, asked: Continue) -> None:
        """Raise NotWanted if the client has gone meanwhile."""
        session = self._lobby.connections.sessions.get(asked.conn)
        if session is None or session.gone:
            raise NotWanted


def _refusal(asked: Continue, refusal: Refusal) -> Post:
    return Post((asked.conn,), refusal.message(re=asked.re))

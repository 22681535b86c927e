"""The tools of the MCP server: ``rooms``, ``sit``, ``start``, ``act``, ``look``, ``leave``.

It keeps no state of an MCP session: each call names its seat. ``act`` and ``look`` return the next decision, or after
``WAIT`` seconds a ``wait`` token, since MCP clients do not wake a model when something happens.
"""

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Sequence
from functools import partial, wraps
from importlib.metadata import version
from typing import Annotated, Any, ParamSpec

import attrs
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BeforeValidator, Field, ValidationError, WithJsonSchema

from parlour_client.client import Client, Seat
from parlour_client.core.errors import Fault, Refused, Usage
from parlour_client.core.options import checked
from parlour_client.core.phrases import explained, not_playable, say
from parlour_client.core.room import LEVELS, LLM, JoinedRoom, Question
from parlour_client.model_seats import Seats, name_of, short_name_of
from parlour_client.text import room_lines
from parlour_client.text.actions import MANY
from parlour_client.text.base import UnclearInput, event_lines, lines_for, option_lines
from parlour_client.text.text_view import answer, legend, numbered, sentences_for, text_view
from parlour_games.game import BadOptions
from parlour_games.options import options_of
from parlour_games.registry import games
from parlour_protocol.messages import Invite, Offer, Plain, RoomRow

WAIT = 20.0
"""Seconds that a call waits for the next decision."""
LONGEST_WHY = 1024
"""Characters of a reason; the rest is cut."""
GLANCE = 1.0
"""Seconds that ``look`` waits without a token: after a new connection, the decision follows the view.

``sit`` waits as long in a room whose match has not begun."""
_BEFORE = "start"
"""Ends the wait token of a room whose match has not begun: the answer to it says what does not change in the match."""
INSTRUCTIONS = """Play games against people and bots. Call sit to take a seat; it returns the seat and the first
decision. Answer each decision with act, which returns the next one. If a result says wait, call look with the same seat
and the wait token, until there is a decision or the match is over. Keep the seat secret: anyone who has it can play."""
_P = ParamSpec("_P")


def _as_text(value: Any) -> str:
    """Return an argument as text. Models send numbers, JSON and null where text is expected."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _if_given(value: Any) -> Any:
    return None if value == "" else value


Text = Annotated[str, BeforeValidator(_as_text)]
"""Text that stays as it is. The SDK reads JSON in text for every other annotation than ``str``."""
SeatName = Annotated[Text, Field(description="The seat: its short name, or the long one that sit returned.")]


class _Server(MCPServer[Any]):  # type: ignore[misc]  # mypy does not follow the extra
    """An MCP server that says in our words which arguments do not fit a tool."""

    async def call_tool(self, name: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return await super().call_tool(name, *args, **kwargs)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                return _refused(_misfit(name, error.__cause__), "bad_arguments")
            raise


def _misfit(tool: str, error: ValidationError) -> str:
    found = []
    for wrong in error.errors(include_url=False):
        field = ".".join(map(str, wrong["loc"]))
        if wrong["type"] == "missing":
            found.append(f"{field} is missing")
        elif wrong["type"].startswith("int"):
            found.append(f"{field} must be a whole number, not {wrong['input']!r:.40}")
        elif wrong["type"].startswith("dict"):
            found.append(f"{field} must be an object, not {wrong['input']!r:.40}")
        else:
            found.append(f"{field} cannot be {wrong['input']!r:.40}: {wrong['msg'].lower()}")
    return f"{tool}: {'; '.join(found)}. Call {tool} again with this corrected"


def make_server(seats: Seats, wait: float = WAIT) -> MCPServer[Any]:
    """Return an MCP server with the tools, for the parlour server of ``seats``."""
    tools = Tools(seats, wait)
    server = _Server("parlour", instructions=INSTRUCTIONS, version=version("parlour"), log_level="ERROR")
    reading = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    acting = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
    repeatable = ToolAnnotations(read_only_hint=False, idempotent_hint=True, open_world_hint=False)
    server.add_tool(_taught(tools.rooms), annotations=reading)
    server.add_tool(_taught(tools.sit), annotations=acting)
    server.add_tool(_taught(tools.start), annotations=acting)
    server.add_tool(_taught(tools.act), annotations=repeatable)
    server.add_tool(_taught(tools.look), annotations=reading)
    server.add_tool(_taught(tools.leave), annotations=repeatable)
    for game in games():
        about = f"The rules and the options of {game}."
        server.resource(f"parlour://rules/{game}", name=f"rules of {game}", description=about)(partial(rules, game))
    server.resource("parlour://rules/{game}", name="rules", description="The rules and the options of a game.")(rules)
    return server


def rules(game: str) -> str:
    """Return how ``game`` is played with its usual options, and which options it has."""
    if game not in games():
        raise ResourceError(f"there is no game {game[:40]!r} here: choose one of {', '.join(games())}")
    found = games()[game]
    how = lines_for(game).how_to(game, attrs.asdict(found.Options()))
    return "\n".join([*how, "", "Options, with their defaults in brackets:", *option_lines(game, options_of(found))])


def _taught(tool: Callable[_P, Awaitable[CallToolResult]]) -> Callable[_P, Awaitable[CallToolResult]]:
    """Return ``tool`` with its faults as errors that the model reads, and its docstring without indentation."""

    @wraps(tool)
    async def called(*args: _P.args, **kwargs: _P.kwargs) -> CallToolResult:
        try:
            return await tool(*args, **kwargs)
        except Refused as refused:
            return _refused(_reason(refused), refused.code)
        except Usage as wrong:
            return _refused(str(wrong), "bad_arguments")
        except Fault as fault:
            return _refused(str(fault), "no_server")

    called.__doc__ = inspect.getdoc(tool)
    return called


def _reason(refused: Refused, game: str | None = None) -> str:
    """Return why the server refuses, and what to do, without words of the protocol."""
    return str(refused) if refused.error is None else explained(refused.error, game)


def _refused(text: str, code: str) -> CallToolResult:
    content, told = [TextContent(type="text", text=text)], {"status": "refused", "code": code}
    return CallToolResult(content=content, structured_content=told, is_error=True)


@attrs.frozen
class Tools:
    """The tools. Their docstrings and parameters are what the model reads."""

    _seats: Seats
    _wait: float

    async def rooms(self) -> CallToolResult:
        """List the open rooms and the games that you can play."""
        found, offers, can = await self._seats.rooms()
        played = _games(can)
        bots = sorted({game for bot in offers for game in bot["games"]})
        lines = [
            *([*map(_room, found)] or ["No room is open."]),
            f"Games with bots to play against: {', '.join(bots) or 'none'}.",
            f"Games: {', '.join(played)}.",
            "Join a room with sit(room=CODE), or open one with sit(game=NAME).",
        ]
        return _result("\n".join(lines), rooms=found, games=played)

    async def sit(
        self,
        room: Annotated[
            Text,
            Field(description="The code of a room to join, such as K7QD, or K7QD-CDFGHJKM where seats take a code."),
        ] = "",
        game: Annotated[Text, Field(description="Without a room: the game to open a room for.")] = "",
        opponents: Annotated[
            int | None,
            BeforeValidator(_if_given),
            WithJsonSchema({"type": "integer", "minimum": 0}),
            Field(
                description="How many bots to play against in a new room. Default: 1, or 0 where the options seat one"
                " player, as on a board of Minesweeper."
            ),
        ] = None,
        options: Annotated[
            dict[str, Any] | None,
            BeforeValidator(_if_given),
            WithJsonSchema({"type": "object"}),
            Field(
                description='Options of the game in a new room. {"scoring": "single"} is a single round of UNO; without'
                ' it a match has many. {"kind": true} is a board of Minesweeper that spares forced guesses,'
                ' {"no_guess": true} one that needs none. The resource parlour://rules/GAME lists all.'
            ),
        ] = None,
        name: Annotated[Text, Field(description="The name to play under.")] = "",
        level: Annotated[
            Text, Field(description=f"How the bots in a new room play: {', '.join(LEVELS)}, or a style of the game.")
        ] = "",
    ) -> CallToolResult:
        """Take a seat in a room, or open a room and play there against bots.

        Returns how the game is played, the seat for all further calls, and the first decision.
        """
        if bool(room) == bool(game):
            raise Usage("sit takes either room, the code of an open room, or game, the name of a game")
        client = await self._seats.player(name or None)
        try:
            if room:
                seat = await client.join(room, style=LLM)
            else:
                seat = await self._opened(client, game, opponents, options or {}, level or None)
        except Fault:
            await self._seats.drop(client)
            raise
        how = lines_for(seat.state.game).how_to(seat.state.game, seat.state.table["options"])
        first = [f"seat: {short_name_of(seat)}", *how]
        wait = min(GLANCE, self._wait) if room and not seat.state.under_way else self._wait
        return await self._next(seat, wait, named=name_of(seat, client), first=first, remind=True)

    async def start(self, seat: SeatName) -> CallToolResult:
        """Begin a match, or the next one, in a room that you host. Returns the first decision.

        In a room where people sit, the match also begins when they are ready.
        """
        taken = await self._seats.seat(seat)
        try:
            await taken.start()
        except Refused as refused:
            raise Refused(refused.code, f"{_reason(refused)} {_awaited(taken.state)}") from None
        return await self._next(taken, remind=True)

    async def act(
        self,
        seat: SeatName,
        rid: Annotated[int, Field(description="The rid of the decision.")],
        answer: Annotated[
            Text,
            WithJsonSchema({"type": ["string", "integer", "object"]}),
            Field(
                description="The number of an answer in the list, its words, words such as d5, or an action in JSON."
            ),
        ],
        why: Annotated[Text, Field(description="Why; shown to all when the match is over.")] = "",
    ) -> CallToolResult:
        """Answer a decision. Returns the next decision, or a wait token after 20 seconds.

        Repeating a call returns the same answer; the move is made only once.
        """
        taken = await self._seats.seat(seat)
        try:
            await taken.act(rid, _meant(taken.state, rid, answer), why[:LONGEST_WHY] or None)
        except UnclearInput as unclear:
            raise Refused("illegal_action", f"{unclear}\n{_decision(taken, [], remind=True)}") from None
        except Refused as refused:
            reason = _reason(refused, taken.state.game)
            if taken.state.stood_in:
                reason += " A stand-in plays for you: look(seat) takes your seat back."
            raise Refused(refused.code, f"{reason}\n{_decision(taken, [], remind=True)}") from None
        return await self._next(taken)

    async def look(
        self, seat: SeatName, wait: Annotated[Text, Field(description="The wait token of the last result.")] = ""
    ) -> CallToolResult:
        """Show the table and the open decision. With a wait token, wait up to 20 seconds for a decision."""
        taken = await self._seats.seat(seat)
        return await self._next(
            taken, self._wait if wait else min(GLANCE, self._wait), remind=not wait or wait.endswith(_BEFORE)
        )

    async def leave(self, seat: SeatName) -> CallToolResult:
        """Give up the seat. During a match a stand-in then plays for you, or you resign if the room has none."""
        taken = await self._seats.seat(seat)
        await taken.leave()
        await self._seats.drop(taken.client)
        return _result(f"You have left {taken.room}.", status="left")

    async def _opened(
        self, client: Client, game: str, opponents: int | None, options: Plain, level: str | None
    ) -> Seat:
        """Open a room and invite a bot for each other seat. Raises Fault."""
        if game not in _games(client.can):
            known = ", ".join(_games(client.can))
            raise Refused("no_game", f"there is no game {game[:40]!r} here: choose one of {known}")
        places = _places(game, options, opponents)
        seat = await client.create(game, options, seats=places, clock=None, style=LLM)
        for _ in range(places - 1):
            await _invited(client, seat.room, level)
        return seat

    async def _next(
        self,
        seat: Seat,
        wait: float | None = None,
        first: Sequence[str] = (),
        named: str | None = None,
        remind: bool = False,
    ) -> CallToolResult:
        """Return the next decision or the result; after the time to wait, what there is.

        ``remind``: say again what does not change from turn to turn.
        """
        try:
            async with asyncio.timeout(self._wait if wait is None else wait):
                await seat.decision()
        except TimeoutError:
            pass
        return _shown(seat, named or short_name_of(seat), first, remind)


async def _invited(client: Client, room: str, level: str | None) -> None:
    """Invite a bot; while the server says that one will be free later, try again. Raises Refused, Fault."""
    loop = asyncio.get_running_loop()
    until = loop.time() + WAIT
    while True:
        try:
            await client.ask(Invite(room, style=level))
        except Refused as refused:
            later = refused.error.retry_after if refused.error else None
            if later is None and level and refused.error:
                raise Refused(refused.code, refused.error.msg) from None  # it names the levels that there are
            if later is None or loop.time() > until:
                raise
            await asyncio.sleep(later / 1000)
        else:
            return


def _shown(seat: Seat, named: str, first: Sequence[str], remind: bool) -> CallToolResult:
    """Return the decision, the result of the match, or a wait token, after the lines ``first``."""
    room = seat.state
    text = [*first, _decision(seat, _happened(seat), remind)]
    if (question := seat.question) is not None:
        more = {"status": "decide", "rid": question.rid, "legal": question.legal, "left": question.left}
        if len(question.legal) <= MANY:
            more["words"] = [sentences_for(room.game).action(room, action) for action in question.legal]
        if names := legend(room):
            more["cards"] = names
    elif room.over is not None:
        more = {"status": "over", "result": room.over.result, "digest": room.over.digest}
    else:
        token = f"{room.code}-{len(seat.events) if room.under_way else _BEFORE}"
        why = "Nothing to decide yet." if room.under_way else _awaited(room)
        text.append(f"wait: {token}. {why} Call look(seat, wait={token!r}).")
        more = {"status": "wait", "wait": token}
    may = [{"rid": offer["rid"], "legal": offer["legal"]} for offer in room.may]
    return _result("\n".join(text), seat=named, room=room.code, **more, **({"may": may} if may else {}))


def _awaited(room: JoinedRoom) -> str:
    """Return which seats of a room are taken, and what begins its next match."""
    table = room.table
    taken, size, host = len(table["seats"]), table.get("size"), table["host"]
    people = any(row["kind"] == "human" for row in table["seats"])
    ways = []
    if table.get("start") == "full" and table["state"] == "waiting":
        ways.append("all seats are taken")
    elif people:
        ways.append("each person is ready")
    if room.seat is not None and room.name(room.seat) == host:
        ways.append("you, the host, call start(seat)")
    elif host is not None:
        ways.append(f"the host, {host}, starts it")
    seats = f"{taken}{'' if size is None else f' of {size}'} seats are taken."
    return f"{seats} The next match begins when {' or '.join(ways)}." if ways else seats


def _happened(seat: Seat) -> list[str]:
    """Return lines about the events since the last answer; only the last round if there were several."""
    room, events = seat.state, seat.events
    begun = [n for n, event in enumerate(events) if "round" in event]
    last = begun[-1] if len(begun) > 1 else 0
    kept = [event for event in events[:last] if event["e"] == "control"]
    earlier = [say("line.view.earlier", n=last - len(kept))] if last else []
    before, after = (event_lines(attrs.evolve(room, events=each)) for each in (kept, events[last:]))
    return [*before, *earlier, *after]


def _decision(seat: Seat, happened: Sequence[str], remind: bool) -> str:
    """Return what has ``happened``, what is on the table, the open decision, and what else may be done, in words."""
    room, question = seat.state, seat.question
    untimed = room.question and attrs.evolve(room.question, left=None)  # what is left now is said below
    lines = [text_view(attrs.evolve(room, question=untimed), happened, remind=remind)]
    if room.over is not None:
        lines += [*room_lines.result(room, room.over), *lines_for(room.game).review(room, room.over)]
        return "\n".join([*lines, f"{_awaited(room)} Or play elsewhere with sit."])
    if question is not None:
        left = "" if question.left is None else f", {max(1, question.left // 1000)} seconds left"
        how = f" Answer with act(seat, rid={question.rid}, answer=...)." if remind else ""
        lines.append(f"rid: {question.rid}{left}.{how}")
    return "\n".join([*lines, *(_offered(room, offer) for offer in room.may)])


def _offered(room: JoinedRoom, offer: Offer) -> str:
    """Return what else may be done now, and how; an answer to the open decision may end it."""
    when = f"Before you answer rid {room.question.rid}" if room.question else "Now"
    how = f"act(seat, rid={offer['rid']}, answer=...)"
    return f"{when} you may also choose, with {how}: {', '.join(numbered(room, offer['legal']))}"


def _meant(room: JoinedRoom, rid: int, text: str) -> int | Plain:
    """Return the action that ``text`` stands for. Raises UnclearInput.

    For a decision that is not open any index will do: the server repeats what it answered before, or refuses.
    """
    legal = next((offer["legal"] for offer in room.may if offer["rid"] == rid), None)
    if legal is not None:
        return answer(attrs.evolve(room, question=Question(rid, legal, None)), text)
    if room.question is None or room.question.rid != rid:
        return 0
    return answer(room, text)


def _places(game: str, options: Plain, opponents: int | None) -> int:
    """Return the number of seats of a new room; sets the options that this number needs. Raises Usage."""
    rules = games()[game]
    if game == "minesweeper" and opponents:
        options.setdefault("mode", "race")
    try:
        least, most = rules.seats(checked(rules, options))
    except BadOptions as error:
        raise Usage(not_playable(error, game)) from None
    wanted = max(least, min(2, most)) if opponents is None else opponents + 1
    if not least <= wanted <= most:
        raise Usage(
            f"{game} with these options has {least} to {most} seats: choose {least - 1} to {most - 1} opponents"
        )
    return wanted


def _room(row: RoomRow) -> str:
    inside = f"{row['taken']} of {row['seats']} seats taken"
    return f"Room {row['room']}: {', '.join([row['game'], row['state'], inside, *room_lines.played(row)])}."


def _games(can: Sequence[str]) -> list[str]:
    return [game for game in games() if game in can]


def _result(text: str, **more: Any) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=more)


async def run(url: str, port: int | None, host: str) -> None:
    """Serve until standard input ends, or over HTTP on ``port`` until interrupted.

    Raises BrokenPipeError if standard output has no reader.
    """
    async with Seats(url) as seats:
        server = make_server(seats)
        if port is None:
            try:
                await server.run_stdio_async()
            except ExceptionGroup as group:
                if group.split(BrokenPipeError)[1] is not None:
                    raise
                raise BrokenPipeError("the client has gone") from group
        else:
            await server.run_streamable_http_async(host=host, port=port, json_response=True, stateless_http=True)

"""Refusals: what went wrong, whose fault it is and what to do about it.

::

    Refusal
    ├── ProtocolViolation  the client violated SPEC.md; gives a strike
    │   ├── BadFrame           bad_frame: not a map in the socket's encoding, or over a limit
    │   ├── BadMessage         bad_message: a field is missing, of the wrong type or out of range
    │   └── Illegal            illegal_action: the game's rules forbid the action; the decision stays open
    ├── Denied             valid but not possible: wrong room, name taken, not the host …
    ├── StaleAnswer        stale, no_such_rid: the decision is closed or was never open
    └── NotNow             too_much, rate_limited, busy, retry: try again after ``retry_after`` ms

``CODES`` holds every code with its hint; SPEC.md shows the same table.
"""

from typing import Any

from parlour_protocol.messages import Error, Id

GOING_AWAY = 1001
"""The server stops."""
INTERNAL = 1011
"""The server failed in a room in which the client is."""
TRY_AGAIN = 1013
"""The server could not store what it was about to send."""
REPLACED = 4001
"""The same identity has connected again."""
SHUT_OUT = 4003
"""The identity is banned or deleted."""
POLICY = 4008
"""The client broke the protocol too often, or sent no hello."""


CODES: dict[str, str] = {
    "bad_frame": "send one map per frame, in the subprotocol's encoding, within `limits` of welcome",
    "bad_message": "fix what `msg` names; SPEC.md has a table of the fields of each message",
    "unknown_type": "this server does not know this message; your client may be newer than the server",
    "hello_first": "send hello before anything else",
    "greeted": "a socket sends hello once; open another one to use another name",
    "bad_name": "use 1 to 20 letters of one script, digits, - or _, and begin with a letter or digit",
    "name_taken": "choose another name, or send its key; 3 minutes after a guest has left, its name is free",
    "bad_token": "send hello without it to get a new identity; nothing was changed",
    "bad_key": "send hello with the right key, or with another name",
    "key_required": "create a key for your name with `parlour identity`, then send hello with it",
    "bad_ticket": "a ticket works once, for a short time; join again to get another",
    "banned": "only the admin or host who banned you can let you in again",
    "muted": "you can play and watch, but not chat",
    "no_game": "`can` of welcome lists the games of this server",
    "bad_options": "fix what `msg` names; SPEC.md has a table of the options of each game",
    "no_room": "check the code; `list` shows the open rooms",
    "not_here": "join the room first",
    "room_full": "join as a spectator, or choose another room",
    "no_watching": "this room has no spectators; join as a player",
    "seat_code": "ask a player for the code for the seats, or join as a spectator",
    "wrong_kind": "this room does not seat your kind; choose another room",
    "too_many_rooms": "leave a room first",
    "not_host": "ask the host, whom `table` names",
    "wrong_state": "`why` says what prevents it; wait for that to change",
    "not_seated": "take a seat first: `join` as a player",
    "no_such_name": "`table` lists the people in the room",
    "no_bot": "`list` shows the bots that can be invited, what they play and whether they are free",
    "no_contest": "ask the admin for the name of the contest",
    "no_file": "only finished matches have a match file; send the digest from `over`",
    "no_replay": "replay the match file where the game is installed: `parlour replay FILE`",
    "preset_taken": "choose another name; only its owner can replace or remove a preset",
    "no_review": "review the match file where the game's bots are installed: `parlour review FILE`",
    "not_admin": "send the admin token, which is in the server's data folder",
    "no_webhooks": "the admin of the server can allow webhooks: `parlour serve --webhooks`",
    "bad_webhook": "give the http:// or https:// address of a public host, such as ntfy.sh",
    "no_beacon": "create the room without `beacon`; a nonce in `ready` keeps the server from choosing the deal",
    "bad_beacon": "stop `parlour beacon`; matches no longer wait for its rounds",
    "no_such_rid": "answer a decision of this room by its rid",
    "stale": "this decision is closed; wait for the next turn",
    "illegal_action": "the decision is still open: answer it again",
    "too_much": "advance the match, or wait; nothing was changed",
    "rate_limited": "slow down; nothing was changed",
    "busy": "the server is catching up; nothing was changed",
    "retry": "nothing was done: the server could not store the request, or cannot load the room yet; try again",
    "drain": "the server is stopping; reconnect in a minute",
    "internal": "the server has logged the error; try again, or use another room",
}


class Refusal(Exception):
    """A request that is refused. ``extra`` holds more fields of the error; a ``hint`` in it replaces the code's."""

    strikes = False

    def __init__(self, code: str, msg: str, **extra: Any) -> None:
        super().__init__(msg)
        self.code = code
        self.msg = msg
        self.extra = extra

    def message(self, re: Id | None = None, **more: Any) -> Error:
        """Return the ``error`` message that answers request ``re``."""
        return Error(code=self.code, msg=self.msg, re=re, **{"hint": CODES[self.code], **self.extra, **more})


class ProtocolViolation(Refusal):
    """The client violated SPEC.md."""

    strikes = True


class BadFrame(ProtocolViolation):
    """The frame is not a map in the socket's encoding, or exceeds a limit."""

    def __init__(self, msg: str) -> None:
        super().__init__("bad_frame", msg)


class BadMessage(ProtocolViolation):
    """A field is missing, of the wrong type or out of range."""

    def __init__(self, msg: str) -> None:
        super().__init__("bad_message", msg)


class Illegal(ProtocolViolation):
    """The game's rules forbid the action; the decision stays open."""

    def __init__(self, msg: str, **extra: Any) -> None:
        super().__init__("illegal_action", msg, why=msg, **extra)


class Denied(Refusal):
    """The request is valid, but not possible here or now."""


class StaleAnswer(Refusal):
    """The decision is closed, or was never open."""


class NotNow(Refusal):
    """The server cannot process the request now; nothing was changed."""

    def __init__(self, code: str, msg: str, retry_after: int) -> None:
        super().__init__(code, msg, retry_after=retry_after)

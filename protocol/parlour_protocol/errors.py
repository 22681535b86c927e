"""The tree of refusals. Each says whose fault it was, what was wrong and what to do next.

::

    Refusal
    ├── Broken         the client broke SPEC.md; counts a strike
    │   ├── BadFrame       bad_frame: not a map in the socket's encoding, or out of bounds
    │   ├── BadMessage     bad_message: a field is missing, of the wrong type or out of range
    │   └── Illegal        illegal_action: the game's rules forbid it; the decision stays open
    ├── Denied         understood but not possible: wrong room, name taken, not the host …
    ├── Late           stale, no_such_rid: the decision is not open (any more)
    └── NotNow         the server's side: rate_limited, busy, retry; try again after ``retry_after`` ms

``CODES`` lists every code with its hint; SPEC.md prints that table.
"""

from typing import Any

from parlour_protocol.messages import Error, Id

CODES: dict[str, str] = {
    "bad_frame": "send one map per frame, in the subprotocol's encoding, within `limits` of welcome",
    "bad_message": "mend what `msg` names; SPEC.md has a table of the fields of each message",
    "unknown_type": "this server does not know this message; it may be newer than the server",
    "hello_first": "greet with hello before anything else",
    "greeted": "a socket says hello once; open another one to be somebody else",
    "bad_name": "1 to 20 letters a–z, digits, - or _, beginning with a letter or digit",
    "name_taken": "choose another, or present its token or key; a guest's is free when its socket and seats are gone",
    "bad_token": "say hello without it to be somebody new; nothing was changed",
    "bad_key": "say hello with the right key, or with another name",
    "key_required": "make a key for your name, once, with `parlour identity`; then say hello with it",
    "bad_ticket": "a ticket works once, for a short time; join again to get another",
    "banned": "the operator or host has shut you out",
    "muted": "you may not talk here for now",
    "no_game": "the games of this server are among `can` of welcome",
    "bad_options": "mend what `msg` names; SPEC.md has a table of the options of each game",
    "no_room": "check the code; `list` shows the open rooms",
    "not_here": "join the room first",
    "room_full": "join as a spectator, or choose another room",
    "no_watching": "this room has no spectators; join as a player",
    "wrong_kind": "this room does not seat your kind; choose another room",
    "too_many_rooms": "leave a room first",
    "not_host": "only the host may do that",
    "wrong_state": "wait for the room to come to that",
    "not_seated": "only seated players may do that",
    "no_such_name": "the names are in the table",
    "no_bot": "`list` shows the bots that may be invited, what they play and whether they are free",
    "no_contest": "ask the operator what the contest is called",
    "no_file": "game files are there for finished matches, by the digest in `over`",
    "not_admin": "the operator's token is in the server's data folder",
    "no_such_rid": "answer a rid that was given to you in this room",
    "stale": "this decision is closed; wait for the next turn",
    "illegal_action": "the decision is still open: answer it again",
    "rate_limited": "slow down; nothing was changed",
    "busy": "the server is catching up; nothing was changed",
    "retry": "the server could not store that; it was not done; try again",
    "drain": "the server is about to stop; come back a little later",
    "internal": "this is the server's fault, and it has been logged",
}


class Refusal(Exception):
    """Something will not be done. ``extra``: more fields of the error; a ``hint`` among them replaces the code's."""

    strikes = False

    def __init__(self, code: str, msg: str, **extra: Any) -> None:
        super().__init__(msg)
        self.code = code
        self.msg = msg
        self.extra = extra

    def message(self, re: Id | None = None, **more: Any) -> Error:
        """Return the error message that tells it, as the answer to request ``re``."""
        return Error(code=self.code, msg=self.msg, re=re, **{"hint": CODES[self.code], **self.extra, **more})


class Broken(Refusal):
    """The client did what SPEC.md forbids."""

    strikes = True


class BadFrame(Broken):
    """The frame is not a map in the encoding of this socket, or it is out of bounds."""

    def __init__(self, msg: str) -> None:
        super().__init__("bad_frame", msg)


class BadMessage(Broken):
    """A field is missing, of the wrong type or out of range."""

    def __init__(self, msg: str) -> None:
        super().__init__("bad_message", msg)


class Illegal(Broken):
    """The rules forbid this action; the decision stays open."""

    def __init__(self, msg: str, **extra: Any) -> None:
        super().__init__("illegal_action", msg, why=msg, **extra)


class Denied(Refusal):
    """Understood, but not possible here and now."""


class Late(Refusal):
    """The decision is not open (any more)."""


class NotNow(Refusal):
    """The server cannot do it just now; nothing was changed."""

    def __init__(self, code: str, msg: str, retry_after: int) -> None:
        super().__init__(code, msg, retry_after=retry_after)

"""The verbs of the ``parlour`` command, and where each is implemented. Importing this module loads none of them."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple


class Verb(NamedTuple):
    """A verb is a function, a group of verbs, or both.

    The parameters of a function become options, its docstring becomes its help, and what follows a line ``Examples:``
    ends the help. It returns its exit code, or None for 0, or raises a Fault.
    """

    summary: str
    function: str = ""
    """``module:function``; empty for a group that does nothing without one of its verbs."""
    verbs: Mapping[str, str] = {}
    """Name → ``module:function`` of the verbs in the group."""
    settings: str = ""
    """``module:name`` of the cyclopts configuration that fills in options which are not given."""


_STORE = "parlour_server.settings:STORE"

VERBS = {
    "serve": Verb(
        "Host a server for people and bots.",
        "parlour_server.cli.serve:serve",
        {"settings": "parlour_server.cli.serve:settings"},
        "parlour_server.settings:SERVE",
    ),
    "backup": Verb("Back up a server's store while it runs.", "parlour_server.cli.backup:backup", {}, _STORE),
    "restore": Verb("Put a backup in the place of a server's store.", "parlour_server.cli.backup:restore", {}, _STORE),
    "play": Verb("Play on a private server, with bots or alone.", "parlour_bots.hosting.practice:play"),
    "create": Verb("Create a room on a server and take a seat.", "parlour_client.cli.rooms:create"),
    "join": Verb("Take a seat in a room and play.", "parlour_client.cli.rooms:join"),
    "watch": Verb("Watch a room without playing.", "parlour_client.cli.rooms:watch"),
    "start": Verb("Open the start screen, as parlour alone does.", "parlour_client.cli.rooms:start"),
    "rooms": Verb("List the open rooms of a server.", "parlour_client.cli.rooms:rooms"),
    "presets": Verb(
        "Save the rules of your group on a server, and list what is saved.",
        "parlour_client.cli.presets:presets",
        {"save": "parlour_client.cli.presets:save", "remove": "parlour_client.cli.presets:remove"},
    ),
    "webhook": Verb(
        "Be notified when it is your turn and you are away.",
        "parlour_client.cli.players:webhook",
        {
            "set": "parlour_client.cli.players:set_",
            "test": "parlour_client.cli.players:try_",
            "remove": "parlour_client.cli.players:remove",
        },
    ),
    "identity": Verb("Reserve names with a key.", "parlour_client.cli.identity:identity"),
    "bot": Verb(
        "Write, check, run and list bots.",
        verbs={
            "new": "parlour_bots.cli.bot:new",
            "run": "parlour_bots.cli.bot:run",
            "exec": "parlour_bots.cli.bot:exec_",
            "check": "parlour_bots.cli.bot:check",
            "ask": "parlour_bots.cli.bot:ask",
            "list": "parlour_bots.cli.bot:list_",
        },
    ),
    "game": Verb(
        "Write and check games.",
        verbs={"new": "parlour_bots.cli.game:new", "check": "parlour_bots.cli.game:check"},
    ),
    "mcp": Verb("Let language models play, by the Model Context Protocol.", "parlour_client.cli.mcp:mcp"),
    "arena": Verb("Play bots against each other to find the better one.", "parlour_bots.arena.cli.arena:arena"),
    "load": Verb("Measure how much load a server can take.", "parlour_bots.load.command:load"),
    "contest": Verb(
        "Run contests between the bots on a server.",
        verbs={
            "start": "parlour_client.cli.contest:start",
            "stop": "parlour_client.cli.contest:stop",
            "resume": "parlour_client.cli.contest:resume",
            "drop": "parlour_client.cli.contest:drop",
            "results": "parlour_client.cli.contest:results",
            "grade": "parlour_bots.grading.command:grade",
        },
    ),
    "standings": Verb("Show the standings of a server or a contest.", "parlour_client.cli.contest:standings"),
    "daily": Verb("Play the board or the cards of the day.", "parlour_client.cli.players:daily"),
    "profile": Verb("Show best times, wins and streaks of a name.", "parlour_client.cli.players:profile"),
    "admin": Verb(
        "Moderate a server.",
        verbs={
            "ban": "parlour_client.cli.admin:ban",
            "unban": "parlour_client.cli.admin:unban",
            "mute": "parlour_client.cli.admin:mute",
            "unmute": "parlour_client.cli.admin:unmute",
            "delete": "parlour_client.cli.admin:delete",
            "close": "parlour_client.cli.admin:close",
            "drain": "parlour_client.cli.admin:drain",
        },
    ),
    "beacon": Verb(
        "Refused: servers no longer take rounds of a public beacon.",
        verbs={
            "follow": "parlour_client.cli.admin:follow",
            "fetch": "parlour_client.cli.admin:fetch",
            "give": "parlour_client.cli.admin:give",
        },
    ),
    "demo": Verb("Watch bots play a whole match over real sockets.", "parlour_bots.hosting.demo:demo"),
    "games": Verb(
        "List finished matches and get their files.",
        "parlour_server.cli.matches:games",
        {"export": "parlour_server.cli.matches:export", "fetch": "parlour_client.cli.matches:fetch"},
        _STORE,
    ),
    "replay": Verb("Replay a match from its file.", "parlour_client.cli.matches:replay"),
    "review": Verb("Review the decisions of a match of UNO.", "parlour_bots.cli.review:review"),
    "continue": Verb("Play on from any act of a saved match.", "parlour_bots.hosting.continued:continue_"),
    "verify": Verb("Verify a match file: deals, moves and result.", "parlour_server.cli.matches:verify", {}, _STORE),
    "chain": Verb("Check the public chain of a server's matches.", "parlour_client.cli.matches:chain"),
    "doctor": Verb("Check this machine, or a remote server, for problems.", "parlour_client.cli.doctor:doctor"),
    "completion": Verb("Print a script that completes commands.", "parlour_client.cli.completion:completion"),
    "protocol": Verb("Print the protocol's specification or JSON Schema.", "parlour_client.cli.rooms:protocol"),
}

ALIASES = {"menu": "start", "tournament": "contest", "matches": "games"}

ENGLISH = {
    "serve",
    "backup",
    "restore",
    "bot",
    "game",
    "mcp",
    "arena",
    "beacon",
    "load",
    "demo",
    "verify",
    "doctor",
    "completion",
    "protocol",
}
"""Verbs for operators and programs: they speak English. The others speak the language of the user."""

CHECKUP = Verb("Check this machine as a host.", "parlour_server.cli.doctor:checkup", {}, _STORE)
"""The checks of the server for ``parlour doctor``."""
HOST = "parlour_bots.hosting.child_server:at_home"
PRACTICE = "parlour_bots.hosting.practice:at_home"
CONTINUATION = "parlour_bots.hosting.continued:at_home"
SERVING = "parlour_bots.hosting.child_server:serving"
"""What the client uses of the bots' package, which is above it: servers on this machine."""


def load(target: str) -> Any:
    """Import and return ``module:name``."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)

"""The verbs of the ``parlour`` command, and where each is implemented. Importing this module loads none of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple


class Values(NamedTuple):
    """In the annotation of a parameter: values that shells complete. Others may be valid, too."""

    of: Callable[[], Iterable[str]]


class Verb(NamedTuple):
    """A verb is a function, a group of verbs, or both.

    The parameters of a function become options, its docstring becomes its help, and what follows a line ``Examples:``
    ends the help. It returns its exit code, or None for 0, or raises a Fault.
    """

    summary: str
    function: str = ""
    """``module:function``; empty for a group that does nothing without one of its verbs."""
    verbs: Mapping[str, "str | Verb"] = {}
    """Name → the verbs in the group, or their ``module:function``."""
    settings: str = ""
    """``module:name`` of the cyclopts configuration that fills in options which are not given."""
    heading: str = ""
    """Where ``parlour --help`` lists the verb. Without a heading only ``parlour help all`` does."""
    english: bool = False
    """Whether it is for operators and programs. The others speak the language of the user."""


PLAY, HOST, STUDY = HEADINGS = ("Play", "Host", "Build and study")
_STORE = "parlour_server.settings:STORE"


def _of(module: str, *functions: str) -> dict[str, str | Verb]:
    """Return verbs that are functions of a module. A ``_`` at the end of a name is not part of the verb."""
    return {name.rstrip("_"): f"{module}:{name}" for name in functions}


VERBS = {
    "play": Verb(
        "Play UNO or Minesweeper now, with bots or alone.", "parlour_bots.hosting.practice:play", heading=PLAY
    ),
    "join": Verb("Take a seat in a room.", "parlour_client.cli.rooms:join", heading=PLAY),
    "watch": Verb("Watch a room without playing.", "parlour_client.cli.rooms:watch", heading=PLAY),
    "daily": Verb("Play the board or the cards of the day.", "parlour_client.cli.players:daily", heading=PLAY),
    "rooms": Verb("List the open rooms of a server.", "parlour_client.cli.rooms:rooms", heading=PLAY),
    "replay": Verb("Watch a match again from its file.", "parlour_client.cli.matches:replay", heading=PLAY),
    "profile": Verb("Show best times, wins and streaks.", "parlour_client.cli.players:profile", heading=PLAY),
    "host": Verb("Open a room for friends, and play in it.", "parlour_client.cli.rooms:host", heading=HOST),
    "serve": Verb(
        "Run a server for people and bots.",
        "parlour_server.cli.serve:serve",
        {"settings": Verb("", "parlour_server.cli.serve:settings", english=True)},
        "parlour_server.settings:SERVE",
        HOST,
        english=True,
    ),
    "server": Verb(
        "Back up, restore, moderate and measure a server.",
        verbs={
            "backup": Verb("", "parlour_server.cli.backup:backup", settings=_STORE, english=True),
            "restore": Verb("", "parlour_server.cli.backup:restore", settings=_STORE, english=True),
            "load": Verb("", "parlour_bots.cli.load:load", english=True),
            **_of("parlour_client.cli.admin", "ban", "unban", "mute", "unmute", "delete", "close", "drain"),
        },
        heading=HOST,
    ),
    "contest": Verb(
        "Run contests between the bots on a server.",
        verbs={
            **_of("parlour_client.cli.contest", "start", "stop", "resume", "drop", "results"),
            "why": "parlour_bots.arena.losses:why",
            "grade": "parlour_bots.grading.command:grade",
        },
        heading=HOST,
    ),
    "doctor": Verb(
        "Check this machine or a server; say where files are.",
        "parlour_client.cli.doctor:doctor",
        heading=HOST,
        english=True,
    ),
    "bot": Verb(
        "Write, check, run and list bots.",
        verbs=_of("parlour_bots.cli.bot", "new", "run", "exec_", "check", "ask", "list_"),
        heading=STUDY,
        english=True,
    ),
    "arena": Verb(
        "Play bots against each other to find the better one.",
        "parlour_bots.arena.command:arena",
        heading=STUDY,
        english=True,
    ),
    "game": Verb(
        "Write and check games.", verbs=_of("parlour_bots.cli.game", "new", "check"), heading=STUDY, english=True
    ),
    "review": Verb("Review the decisions of a match.", "parlour_bots.cli.bot:review", heading=STUDY),
    "verify": Verb(
        "Verify a match file: deals, moves and result.",
        "parlour_server.cli.matches:verify",
        settings=_STORE,
        heading=STUDY,
        english=True,
    ),
    "start": Verb("Open the start screen, as parlour alone does.", "parlour_client.cli.rooms:start"),
    "rules": Verb("List the options of each game.", "parlour_client.cli.presets:rules"),
    "create": Verb("Create a room on a server and take a seat.", "parlour_client.cli.rooms:create"),
    "presets": Verb(
        "Save the rules of your group on a server, and list what is saved.",
        "parlour_client.cli.presets:presets",
        _of("parlour_client.cli.presets", "save", "remove"),
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
    "matches": Verb(
        "List finished matches and get their files.",
        "parlour_server.cli.matches:games",
        {"export": "parlour_server.cli.matches:export", "fetch": "parlour_client.cli.matches:fetch"},
        _STORE,
        STUDY,
    ),
    "continue": Verb("Play on from any act of a saved match.", "parlour_bots.hosting.continued:continue_"),
    "standings": Verb("Show the standings of a server or a contest.", "parlour_client.cli.contest:standings"),
    "chain": Verb("Check the public chain of a server's matches.", "parlour_client.cli.matches:chain"),
    "mcp": Verb(
        "Let language models play over the Model Context Protocol.", "parlour_client.cli.frontend:mcp", english=True
    ),
    "demo": Verb("Watch bots play a whole match over real sockets.", "parlour_bots.hosting.demo:demo", english=True),
    "completion": Verb(
        "Print a script that completes commands.", "parlour_client.cli.completion:completion", english=True
    ),
    "protocol": Verb(
        "Print the protocol's specification or JSON Schema.", "parlour_client.cli.rooms:protocol", english=True
    ),
    "beacon": Verb(
        "Refused: servers no longer use rounds of a public beacon.",
        verbs=_of("parlour_client.cli.admin", "follow", "fetch", "give"),
        english=True,
    ),
}

ALIASES = {
    "menu": ("start",),
    "tournament": ("contest",),
    "games": ("matches",),
    "admin": ("server",),
    "backup": ("server", "backup"),
    "restore": ("server", "restore"),
    "load": ("server", "load"),
}
"""Former names, which keep working."""
FORMER_SERVER = "--url"
"""The former name of ``--server``, which keeps working. Help and completion do not show it."""

CHECKUP = Verb("Check this machine as a host.", "parlour_server.cli.doctor:checkup", {}, _STORE)
"""The checks of the server for ``parlour doctor``."""
HOSTING = "parlour_bots.hosting.child_server:at_home"
PRACTICE = "parlour_bots.hosting.practice:at_home"
CONTINUATION = "parlour_bots.hosting.continued:at_home"
SERVING = "parlour_bots.hosting.child_server:serving"
"""What the client uses of the bots' package, which is above it: servers on this machine."""


def find(words: Sequence[str]) -> tuple[list[str], Verb, list[str]]:
    """Return the path of the verb that ``words`` begin with, the verb, and the other words. Raises KeyError."""
    word, *rest = words
    path, rest = [word], rest
    if word in ALIASES:
        path, rest = list(ALIASES[word][:1]), [*ALIASES[word][1:], *rest]
    verb = VERBS[path[0]]
    while rest and rest[0] in verb.verbs:
        inner = verb.verbs[rest[0]]
        path.append(rest.pop(0))
        verb = inner if isinstance(inner, Verb) else Verb("", inner, settings=verb.settings, english=verb.english)
    return path, verb, rest


def nearest(word: str) -> str | None:
    """Return the verb that is written most like ``word``, with the group it is in: ``matches export`` for exprot."""
    from difflib import get_close_matches

    inner = {name: f"{group} {name}" for group, verb in VERBS.items() for name in verb.verbs}
    found = {**inner, **{name: name for name in (*VERBS, *ALIASES, "--version")}}
    near = get_close_matches(word, found, n=1)
    return found[near[0]] if near else None


def load(target: str) -> Any:
    """Import and return ``module:name``."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)

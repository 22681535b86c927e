"""What is public stays: names, commands, flags, JSON, protocol, files, tables, metrics, settings and Python API.

Each list is a file in ``tests/public``, one fact a line. A fact may be added, but none may go or change; records and
digests may not even gain. ``PARLOUR_GOLDEN=write pytest tests/test_public.py`` rewrites the files: read the difference.
``docs/api.md`` describes the same in prose.
"""

import inspect
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from hashlib import sha256
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict
from urllib.request import urlopen

import attrs
import pytest
from cyclopts import App
from cyclopts.config import Toml
from docs import manual
from prometheus_client.parser import text_string_to_metric_families
from tests.bots.laws import variants
from tests.support.server import ServerProcess, environment, server_process
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import parlour_bots
from parlour_bots import boards, cards, testing, typed
from parlour_bots.laws import Laws
from parlour_client import client
from parlour_client.cli.verbs import ALIASES, VERBS
from parlour_client.core.errors import Fault
from parlour_client.storage.settings import Settings
from parlour_games import fair, layout, options
from parlour_games.game import Game
from parlour_protocol.codec import SUBPROTOCOLS
from parlour_protocol.converter import fields, is_class
from parlour_protocol.errors import CODES
from parlour_server import local
from parlour_server.game_files.decisions import Answered
from parlour_server.rooms.records import ROOM_VERSION, Record
from parlour_server.store import schema as shared_tables
from parlour_server.store.postgres import schema as postgresql

HERE = Path(__file__).parent
PINS = HERE / "public"
ROOT = HERE.parent
API = ROOT / "docs" / "api.md"
RL = "parlour_bots.rl."
SOURCES = [ROOT / name / f"parlour_{name}" for name in ("protocol", "games", "server", "client", "bots")]
GAME_FILE = HERE / "server" / "golden" / "matches" / "uno-1-family.jsonl"
GROUPS = ("parlour.games", "parlour.bots", "parlour.widgets")
KEYED = {".scores", ".race.scores", ".errors"}
"""Maps in the output of a command whose keys are data: names of players, codes of errors."""
NULLABLE = {".winner", ".race.winner", ".growth", ".memory", ".laws[].finding", ".laws[].kept", ".steps_per_cpu_second"}
"""What is null in some runs: places are shared, memory cannot be measured."""


def check(pins: str, facts: Iterable[str], *, exact: bool = False) -> None:
    """Fail if a pinned fact is missing, or if ``exact`` and there is one more."""
    file, found = PINS / f"{pins}.txt", set(facts)
    if os.environ.get("PARLOUR_GOLDEN") == "write":
        file.write_text("".join(f"{fact}\n" for fact in sorted(found)), encoding="utf-8")
    pinned = set(file.read_text(encoding="utf-8").splitlines())
    assert sorted(pinned - found) == [], "public facts are missing or changed"
    assert not exact or sorted(found - pinned) == [], "public facts are added"


def parlour() -> Callable[[list[str]], int]:
    """Return the function behind the command ``parlour``."""
    (script,) = entry_points(group="console_scripts", name="parlour")
    main: Callable[[list[str]], int] = script.load()
    return main


def test_entry_points() -> None:
    found = [entry for group in GROUPS for entry in entry_points(group=group)]
    assert all(callable(entry.load()) for entry in found)
    assert callable(parlour())
    check("entry_points", ["console_scripts parlour", *(f"{entry.group} {entry.name}" for entry in found)])


def test_rules_versions() -> None:
    found = [f"{entry.name} rules_version {entry.load().rules_version}" for entry in entry_points(group=GROUPS[0])]
    check("rules", [*found, f"ROOM_VERSION {ROOM_VERSION}"])


def test_manual_page() -> None:
    if os.environ.get("PARLOUR_GOLDEN") == "write":
        manual.PAGE.write_text(manual.page(), encoding="utf-8", newline="\n")
    assert manual.PAGE.read_text(encoding="utf-8") == manual.page(), "write it again with PARLOUR_GOLDEN=write"


class Called(BaseException):
    """Carries the app that was about to read a command line."""


@pytest.fixture
def app_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., App]:
    """What returns the app with which a function would read its command line."""

    def stop(self: App, *_: Any, **__: Any) -> None:
        raise Called(self)

    def app_of(function: Callable[..., object], *positional: object, **named: object) -> App:
        with pytest.raises(Called) as caught:
            function(*positional, **named)
        app: App = caught.value.args[0]
        return app

    monkeypatch.setattr(App, "__call__", stop)
    return app_of


def commands(app: App, path: str) -> Iterator[str]:
    """Yield all that can be typed after ``path``: verbs, parameters, their choices and defaults."""
    yield path
    if app.default_command is not None:
        yield from parameters(app, path)
    for name in app:
        if name not in {*app.help_flags, *app.version_flags}:
            yield from commands(app[name], f"{path} {name}")


def parameters(app: App, path: str) -> Iterator[str]:
    """Yield the parameters of a command, and in one fact those that it requires: one more would break its callers."""
    arguments = [each for each in app.assemble_argument_collection(parse_docstring=False) if each.name != "*"]
    yield f"{path} requires {', '.join(each.name for each in arguments if each.required) or 'nothing'}"
    for argument in arguments:
        info = argument.field_info
        positional = argument.index is not None
        place = f"#{argument.index}{'…' if info.kind is info.VAR_POSITIONAL else ''} " if positional else ""
        about = f"{path} {place}{argument.name}"
        default = "required" if argument.required else "" if info.default is info.empty else repr(info.default)
        yield f"{about}: {kind(argument.hint)} {default}".rstrip()
        yield from (f"{path} {name}" for name in argument.names[1:])
        yield from (f"{about} may be {choice}" for choice in choices(argument.hint))
        yield from (f"{about} from {variable}" for variable in argument.parameter.env_var or ())


def test_commands_and_their_parameters(app_of: Callable[..., App], capsys: pytest.CaptureFixture[str]) -> None:
    main = parlour()
    assert main(["help", "all"]) == 0
    verbs = re.findall(r"^  ([a-z]+) +\S", capsys.readouterr().out, re.MULTILINE)
    assert verbs
    found: list[str] = []
    for verb in [*verbs, *ALIASES]:
        found += commands(app_of(main, [verb]), f"parlour {verb}")
    found += commands(app_of(parlour_bots.run, len, argv=[]), "python BOT.py")
    check("commands", found)


def test_settings_of_a_server_from_environment_and_file(
    app_of: Callable[..., App], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each flag of ``parlour serve`` is a variable and a key of the TOML file, too."""
    app = app_of(parlour(), ["serve"])
    (toml,) = (each for each in app.config if isinstance(each, Toml))
    assert Path(toml.path).parts[-2:] == ("parlour", "parlour.toml")
    facts = [f"client.toml {field.name}" for field in attrs.fields(Settings)]
    for argument in app.assemble_argument_collection(parse_docstring=False):
        if argument.name == "*":
            continue
        name, default = argument.name.removeprefix("--"), argument.field_info.default
        value = not default if isinstance(default, bool) else "debug" if name == "log-level" else "9"
        variable, file = f"PARLOUR_{name.upper().replace('-', '_')}", tmp_path / f"{name}.toml"
        with monkeypatch.context() as patch:
            patch.setenv(variable, str(value))
            facts += [variable for _ in given(app)]
        file.write_text(f"[serve]\n{name} = {json.dumps(value)}\n", encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(toml, "path", str(file))
            facts += [f"parlour.toml [serve] {name}" for _ in given(app)]
    check("settings", facts)


def given(app: App) -> dict[str, Any]:
    """Return what is set although nothing is typed."""
    _, bound, _ = app.parse_args([], exit_on_error=False, print_error=False)
    return bound.arguments


def test_environment_variables() -> None:
    """The product reads them: each is a word in its sources."""
    texts = (file.read_text(encoding="utf-8") for source in SOURCES for file in source.rglob("*.py"))
    check("environment", {name for text in texts for name in re.findall(r"\bPARLOUR_[A-Z_]*[A-Z]\b", text)})


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main = parlour()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"127.0.0.1:{taken.getsockname()[1]}"
    assert main(["--version"]) == 0
    assert main(["verify", str(broken)]) == 1
    assert main(["nonesuch"]) == 2
    assert main(["verify", str(tmp_path / "none")]) == 2
    assert main(["rooms", "--server", nobody]) == 3
    assert main(["bot", "run", "exec:false", "--seed", "1", "--strict"]) == 7
    assert {1, 2, 3, 4, 5, 6, 7} <= set(codes(Fault))


def codes(fault: type[Fault]) -> Iterator[int]:
    yield fault.exit_code
    for each in fault.__subclasses__():
        yield from codes(each)


class Shapes:
    """The shapes of what commands print with ``--json``."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.facts: list[str] = []
        self._capsys = capsys
        self._main = parlour()

    def __call__(self, about: str, *words: str, code: int = 0) -> None:
        """Run the command ``about`` with further ``words``, and take note of the shape of what it prints."""
        self.facts += (f"{about}: {fact}" for fact in shape(self.found([*about.split(), *words], code)))

    def found(self, words: list[str], code: int = 0) -> Any:
        """Run a command and return what it prints."""
        self._capsys.readouterr()
        assert self._main([*words, "--json"]) == code, self._capsys.readouterr().err
        return json.loads(self._capsys.readouterr().out)


def shape(value: Any, path: str = "") -> Iterator[str]:
    yield f"{path or '.'} {'any' if path in NULLABLE else type(value).__name__}"
    if isinstance(value, dict):
        for key, each in value.items():
            yield from shape(each, f"{path}.{'*' if path in KEYED else key}")
    elif isinstance(value, list):
        for each in value:
            yield from shape(each, f"{path}[]")


def test_json_of_commands_without_a_server(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    told = Shapes(capsys)
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("{}\n", encoding="utf-8")
    told("bot list")
    told("bot run painfirst --seed 1")
    told("bot run painfirst --seed 1 --arena 2")
    told("bot check painfirst")
    told("game check", "uno", "--matches", "1")
    told("game check", f"{variants.__name__}:SendsTuples", "--matches", "1", code=1)
    told("arena uno painfirst random --games 4 --seed 1 --jobs 1")
    told("arena minesweeper article adjacency --games 3 --level beginner --seed 1")
    told("demo", "--folder", str(tmp_path))
    told("identity maria")
    told("identity --list")
    told("identity --forget maria --yes")
    told("verify", str(GAME_FILE))
    told("verify --digest", "0" * 64, str(wrong), code=1)
    check("json_local", told.facts)


def say(connection: ClientConnection, message: dict[str, Any], answer: str) -> Any:
    """Send a message, and return the next one of the type ``answer``."""
    connection.send(json.dumps(message))
    while (found := json.loads(connection.recv(timeout=30)))["t"] != answer:
        pass
    return found


def farewell(connection: ClientConnection) -> int | None:
    """Return the code with which the server closes."""
    with suppress(ConnectionClosed):
        while True:
            connection.recv(timeout=30)
    return connection.close_code


@pytest.fixture
def sockets(server: ServerProcess) -> Iterator[ExitStack]:
    """Where sockets are entered that are to be closed in the end. Two bots are on offer."""
    with ExitStack() as stack:
        for name in ("robo", "tick"):
            words = ("bot", "run", "random", "--offer", "1", "--name", name, "--server", server.url)
            command = (Path(sys.executable).parent / "parlour", *words)
            bot = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment(server.folder))
            stack.callback(bot.wait)
            stack.callback(bot.send_signal, signal.SIGINT)
        yield stack


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with server_process(tmp_path) as server:
        yield server


def test_what_a_server_says_and_keeps(
    server: ServerProcess,
    sockets: ExitStack,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("PARLOUR_ADMIN", server.admin)
    monkeypatch.setenv("PARLOUR_SERVER", server.url)
    told, main = Shapes(capsys), parlour()
    hello = {"t": "hello", "name": "anna", "kind": "human"}
    first, anna = (sockets.enter_context(connect(server.url, proxy=None)) for _ in range(2))
    token = say(first, hello, "welcome")["token"]
    say(anna, {**hello, "token": token}, "welcome")
    assert farewell(first) == 4001
    say(anna, {"t": "join", "room": server.room}, "joined")
    told("rooms")
    assert main(["contest", "start", "cup", "--games", "1", "--option", "scoring=single", "--option", "breath=0"]) == 0
    while told.found(["standings", "--contest", "cup"])["contest"]["state"] != "finished":
        pass
    told("standings --contest cup")
    told("contest results cup")
    told("standings")
    told("standings --game uno")
    told("games", "--store", f"sqlite:///{server.store}")
    told("doctor", "--url", server.url)
    told("admin mute anna")
    told("load --rooms 1 --seconds 0.2 --seats 2")
    families = set(metrics(server.url))
    told("admin ban anna")
    assert farewell(anna) == 4003
    stranger, last = (sockets.enter_context(connect(server.url, proxy=None)) for _ in range(2))
    for _ in range(21):
        stranger.send("no message")
    assert farewell(stranger) == 4008
    say(last, {"t": "hello", "name": "zoe", "kind": "human"}, "welcome")
    told("admin close", server.room)
    told("admin drain")
    assert farewell(last) == 1001
    assert server.wait() == 0
    check("json_server", told.facts)
    check("metrics", families)
    check("sqlite", sqlite_columns(server.store))


def metrics(url: str) -> Iterator[str]:
    """Yield the metrics of a server, their types and those labels that there are already."""
    with urlopen(f"{url.replace('ws', 'http', 1)}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    for family in text_string_to_metric_families(text):
        for sample in family.samples or ():
            labels = ",".join(sorted(sample.labels))
            yield f"{sample.name}{{{labels}}} {family.type}"


def test_metrics_that_hosts_are_told_of() -> None:
    document = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    check("metrics_documented", re.findall(r"^\| `([a-z_{},]+)` \|", document, re.MULTILINE))


def sqlite_columns(file: Path) -> Iterator[str]:
    with closing(sqlite3.connect(file)) as db:
        yield f"user_version {db.execute('PRAGMA user_version').fetchone()[0]}"
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for name, *rest in db.execute('SELECT name, type, "notnull", pk FROM pragma_table_info(?)', (table,)):
                yield f"{table}.{name} {' '.join(map(str, rest))}"


def test_tables_of_postgresql() -> None:
    """The statements that make the tables, as they are sent."""
    modules = shared_tables, postgresql
    text = "".join(each for module in modules for each in vars(module).values() if isinstance(each, str))
    tables = re.findall(r"CREATE TABLE (\w+) \(((?:[^()]|\([^()]*\))*)\)", text)
    columns = [f"{table}.{column}" for table, body in tables for column in re.split(r",\s+(?![^()]*\))", body.strip())]
    functions = [f"function {name}" for name in re.findall(r"CREATE (?:OR REPLACE )?FUNCTION (\w+)", text)]
    check("postgresql", [*(" ".join(each.split()) for each in columns), *functions, f"version {postgresql.VERSION}"])


def kind(hint: Any) -> str:
    """Return a type in words that do not depend on where its classes are defined."""
    if get_origin(hint) is Annotated:
        return kind(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        return " | ".join(sorted(map(kind, get_args(hint))))
    if get_origin(hint) is Literal:
        return "one of"
    if get_origin(hint) is not None:
        return f"{get_origin(hint).__name__}[{', '.join(map(kind, get_args(hint)))}]"
    if is_typeddict(hint):
        return f"{{{', '.join(f'{name}: {kind(each)}' for name, each in get_type_hints(hint).items())}}}"
    if is_class(hint):
        return f"{{{', '.join(f'{field.name}: {kind(field.type)}' for field in fields(hint))}}}"
    return getattr(hint, "__name__", str(hint))


def choices(hint: Any) -> Iterator[str]:
    """Yield the values of all literals in a type."""
    if get_origin(hint) is Literal:
        yield from map(str, get_args(hint))
    else:
        for each in get_args(hint):
            yield from choices(each)


def test_records() -> None:
    facts = []
    for cls in get_args(Record):
        facts.append(cls.r)
        for field in fields(cls):
            default = "" if field.required else f" = {field.default!r}"
            facts.append(f"{cls.r}.{field.name}: {kind(field.type)}{default}")
            facts += (f"{cls.r}.{field.name} may be {choice}" for choice in choices(field.type))
    check("records", facts, exact=True)


def test_game_file(capsys: pytest.CaptureFixture[str]) -> None:
    head, *_, last = map(json.loads, GAME_FILE.read_text(encoding="utf-8").splitlines())
    assert parlour()(["verify", str(GAME_FILE), "--json"]) == 0
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["digest"] == last["h"]
    first = [f"first line {fact}" for fact in shape({**head, "options": {}})]
    end = [f"last line {fact}" for fact in shape({**last, "stats": {}})]
    check("game_file", [*first, *end, f"digest {verdict['digest']}"], exact=True)


def test_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    """Messages, actions, events and options, as their JSON Schema has them."""
    assert parlour()(["protocol", "--schema"]) == 0
    definitions = json.loads(capsys.readouterr().out)["$defs"]
    wire = {name: each for name, each in definitions.items() if not name[0].isupper()}
    check("protocol", (fact for name, each in wire.items() for fact in leaves(each, name, definitions)))


def leaves(schema: Any, path: str, definitions: dict[str, Any]) -> Iterator[str]:
    """Yield each word of a schema with its place, but no description; what only has a name of ours is written out.

    What a server always sends may become more. What it requires of a client may not, and is one fact.
    """
    if isinstance(schema, dict):
        name = schema.get("$ref", "").removeprefix("#/$defs/")
        found = definitions[name] if name[:1].isupper() else schema
        if "properties" in found and not path.startswith("server.") and ".event" not in path:
            yield f"{path} requires {', '.join(sorted(found.get('required', ()))) or 'nothing'}"
            found = {key: each for key, each in found.items() if key != "required"}
        for key, each in found.items():
            if key not in ("description", "title") or not isinstance(each, str):
                yield from leaves(each, path if key == "properties" else f"{path}.{key}", definitions)
    elif isinstance(schema, list):
        for each in schema:
            yield from leaves(each, f"{path}[]", definitions)
    else:
        yield f"{path} {json.dumps(schema)}"


def test_codes_and_subprotocols(capsys: pytest.CaptureFixture[str]) -> None:
    assert parlour()(["protocol"]) == 0
    closes = re.findall(r"^\| (\d{4}) \| (`\w+`)?", capsys.readouterr().out, re.MULTILINE)
    facts = [f"close {code} {reason}".strip() for code, reason in closes]
    facts += [*(f"error {code}" for code in CODES), *(f"subprotocol {name}" for name in SUBPROTOCOLS)]
    check("codes", facts)


def signature(function: Any, name: str) -> Iterator[str]:
    """Yield the parameters of a function; those by position with their places, those that must be given once more."""
    parameters = [each for each in inspect.signature(function).parameters.values() if each.name != "self"]
    yield f"{name}()"
    for place, each in enumerate(parameters):
        default = "" if each.default is each.empty else f" = {each.default!r}"
        by_place = f"#{place} " if each.kind is not each.KEYWORD_ONLY else ""
        yield f"{name}({by_place}{each.name}{' = …' if ' at 0x' in default or '<class' in default else default})"
    required = [each.name for each in parameters if each.default is each.empty]
    yield f"{name}() requires {', '.join(required) or 'nothing'}"


def members(cls: type, name: str) -> Iterator[str]:
    """Yield the public members of a class, and of its methods the signatures."""
    hints = [each for base in reversed(cls.__mro__) for each in inspect.get_annotations(base)]
    yield from (f"{name}.{each}" for each in hints if not each.startswith("_"))
    for each, member in inspect.getmembers(cls, inspect.isfunction):
        if not each.startswith("_"):
            yield from signature(member, f"{name}.{each}")


def test_python() -> None:
    facts = [*members(parlour_bots.Bot, "parlour_bots.Bot"), *members(parlour_bots.Turn, "parlour_bots.Turn")]
    facts += signature(parlour_bots.Turn, "parlour_bots.Turn")
    facts += signature(parlour_bots.run, "parlour_bots.run")
    facts += signature(testing.check_bot, "parlour_bots.testing.check_bot")
    facts += signature(testing.check_env, "parlour_bots.testing.check_env")
    for helper in (cards.colour, cards.symbol, cards.name, cards.points, cards.fits, boards.numbers, boards.neighbours):
        facts += signature(helper, f"{helper.__module__}.{helper.__name__}")
    for name in (name for name in vars(typed) if name.startswith(("Uno", "Minesweeper"))):
        facts += (f"parlour_bots.typed.{name}.{field}" for field in getattr(vars(typed)[name], "__annotations__", [""]))
    facts += members(Game, "parlour_games.game.Game")
    facts += members(Laws, "parlour_bots.laws.Laws")
    for random in (fair.Fair, fair.Stream, fair.Words):
        facts += members(random, f"parlour_games.fair.{random.__name__}")
    for made in (options.option, options.OneOf, options.Between, options.Switch):
        facts += signature(made, f"parlour_games.options.{made.__name__}")
    facts += signature(layout.Shown, "parlour_games.layout.Shown")
    own = [each for each in vars(local).values() if inspect.isclass(each) and each.__module__ == local.__name__]
    for cls in own:
        facts += members(cls, f"parlour_server.local.{cls.__name__}")
    facts += signature(local.Local, "parlour_server.local.Local")
    for cls in (client.Client, client.Seat, client.Decision):
        name = f"parlour_client.client.{cls.__name__}"
        facts += members(cls, name)
        properties = [each for each, member in vars(cls).items() if isinstance(member, property)]
        facts += (f"{name}.{each}" for each in properties if not each.startswith("_"))
    facts += signature(client.Client, "parlour_client.client.Client")
    facts += (f"parlour_client.client.{name}" for name in client.__all__)
    facts += (f"parlour_server.local.Local.{name}" for name in vars(local.Local()) if not name.startswith("_"))
    check("python", facts)


def test_decisions() -> None:
    """The columns of a table; in a line of JSON ``rank``, ``score`` and ``why`` are in ``result``."""
    columns = attrs.fields(Answered)
    check("decisions", (f"{field.name}: {getattr(field.type, '__name__', field.type)}" for field in columns))


def test_abstract_methods_of_games() -> None:
    """One more would break every game there is."""
    check("games_must_have", sorted(Game.__abstractmethods__), exact=True)


@pytest.mark.rl
def test_environments() -> None:
    environments = import_module("parlour_bots.rl")
    facts = [*members(environments.Encoding, f"{RL}Encoding")]  # the members of the others are their libraries'
    for name in environments.__all__:
        facts += signature(getattr(environments, name), RL + name)
    assert {name for name in documented() if name.startswith(RL)} == {f"{RL}{name}" for name in environments.__all__}
    check("python_rl", facts)


def test_names_in_the_document_can_be_imported() -> None:
    names = [name for name in documented() if not name.startswith(RL.rstrip("."))]
    assert names
    assert [name for name in names if not importable(name)] == []


def test_document_lists_all_verbs_and_those_with_json() -> None:
    text = API.read_text(encoding="utf-8")
    table = text[text.index("| verb | what it does |") : text.index("`parlour VERB --help` lists")]
    assert set(re.findall(r"`(\w+)`", table)) == set(VERBS)
    flag = text[text.index("These commands have the flag") : text.index("and the verbs of `server` that moderate")]
    pinned = (PINS / "commands.txt").read_text(encoding="utf-8")
    moderate = {f"server {name}" for name in VERBS["server"].verbs} - {"server load"}
    found = set(re.findall(r"^parlour (.+) --json: ", pinned, re.M)) - moderate
    with_flag = {name for name in found if name.split()[0] in VERBS}
    assert set(re.findall(r"`([a-z ]+)`", flag)) == with_flag


def documented() -> list[str]:
    """Return the dotted names in the document."""
    return re.findall(r"`(parlour_\w+(?:\.\w+)*)`", API.read_text(encoding="utf-8"))


def importable(name: str) -> bool:
    """Whether a dotted name is a module, or a member of one or of its classes."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            if not (hasattr(found, part) or part in getattr(found, "__annotations__", {})):
                return False
            found = getattr(found, part, None)
        return True
    return False


def test_releases_in_the_changelog() -> None:
    """New lines belong to [Unreleased]; git may merge them into the release that was made meanwhile."""
    _, *releases = re.split(r"^## (?=\[\d)", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE)
    check("changelog", (f"{text.splitlines()[0]} {sha256(text.strip().encode()).hexdigest()}" for text in releases))


def test_promises_link_to_the_tests_that_hold_them() -> None:
    promises = re.findall(r"^\| (?!promise|-)(.+) \| (.+) \|$", (ROOT / "SECURITY.md").read_text("utf-8"), re.MULTILINE)
    assert len(promises) > 10
    for promise, links in promises:
        tests = re.findall(r"\[(\w+)\]\(([^)]+)\)", links)
        assert tests, promise
        for name, file in tests:
            assert re.search(rf"^(?:async )?def {name}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE), name

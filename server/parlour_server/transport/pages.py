"""Serve the files of the web page over plain HTTP.

Files of this package, those that games bring and generated modules are served; no path can reach any other. The start
page is at ``/`` and ``/r/CODE``, all other files are at ``/web/VERSION/NAME``. VERSION is a hash of all files, so that
browsers may cache them forever; they revalidate the start page each time, which is answered with 304 if it is
unchanged. At ``/r/CODE`` it names the game that a listed room shows, so that the page loads its parts early. Browsers
get it with status 404 where nothing is. All links in the page are relative, so that a proxy may serve it under a
prefix, unless the server knows the prefix: then the page also works at the prefix without a slash. ``/worker.js``, the
service worker that starts the page without a network, is beside the start page: it could not answer for it from a
folder below.

Generated are ``GAMES``, which maps each game to its ``seats`` and its ``options`` for the form for a new room,
``LAYOUTS``, which says how fields of views are shown, and the
phrases of the page, ``phrases/LANGUAGE/PART.js``: the page itself, its lobby, the refusals, each game with what the
page says of it. ``.more`` of the page and of each game is what a first view does without. A game without phrases in a
language is shown in the first one.
"""

import gzip
import http
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from hashlib import sha256
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeAlias

import attrs
import structlog

from parlour_games.registry import AnyGame, games
from parlour_protocol.messages import DEFAULT_CLOCK
from parlour_protocol.phrases import LANGUAGES, table
from parlour_server.directory.room_creation import form, layout
from parlour_server.effects import place

Headers: TypeAlias = Mapping[str, str]
GameOf: TypeAlias = Callable[[str], str | None]
"""Returns the game that a room shows, by its code, if anyone may know it."""

REQUEST_HEADERS = ("If-None-Match", "Accept-Encoding", "Accept")
"""The request headers that matter here."""
MAX_FILE = 64 * 1024
"""Bytes of the largest file."""
_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types parlour-worker",
    )
)
"""The page may load its own files and connect to its own host. Nothing in it is parsed as HTML; its one trusted type
names the script of the worker. It does not follow ``redirect`` to other nodes, which this policy forbids: its own node
relays their rooms."""
ALWAYS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Vary": "Accept-Encoding",
}
HOME, _ICON, _WORKER = "index.html", "icon.svg", "shell/worker.js"
_FOR_EVER = "public, max-age=31536000, immutable"
_ROOM = re.compile("/[rR]/([A-Za-z0-9]{1,16})(/?)")
_DEEPEST = 4
"""Slashes in a path below the root at which browsers get the page as an answer that nothing is there."""
_PLACE = "web/VERSION/"
"""How the first file writes the folder of all others."""
_GAME = '<meta name="game" content="">'
"""How the first file writes the game of a room that is not known."""
OF_ROOMS = ("views/room/room.js", "views/room/side.js", "core/pace.js")
"""Modules that every room needs."""
_HEAD_END = "</head>"
_COMMENT = re.compile(rb"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
"""A comment on lines of its own, for readers and the type checker: a fifth of what scripts would transfer."""


@attrs.frozen
class PageAnswer:
    """What goes back: the status, all headers but those of the connection, and the body."""

    status: http.HTTPStatus
    headers: dict[str, str]
    body: bytes = b""


@attrs.frozen
class ServedFile:
    """One file as it is served. ``kind``: its Content-Type."""

    kind: str
    content: bytes
    etag: str
    cache: str

    @cached_property
    def plain(self) -> bytes:
        """The content without comments on lines of their own, which are removed when it is first asked for."""
        return _COMMENT.sub(b"", self.content) if self.kind == _TYPES["js"] else self.content

    @cached_property
    def packed(self) -> bytes:
        """The content, compressed when it is first asked for."""
        return gzip.compress(self.plain, mtime=0)

    @classmethod
    def of(cls, name: str, content: bytes, cache: str) -> "ServedFile":
        """Return the file ``name``. Raises LookupError for a type that is not served, ValueError for one too large."""
        kind = content_type(name)
        if kind is None:
            raise LookupError(f"{name} is of no type that is served")
        if len(content) > MAX_FILE:
            raise ValueError(f"{name} has {len(content)} bytes: at most {MAX_FILE} are served")
        return cls(kind, content, f'"{_hash(content)}"', cache)

    def answer(self, headers: Headers, *, body: bool) -> PageAnswer:
        """Return this file as ``headers`` ask for it; without its ``body`` for HEAD."""
        told = {**ALWAYS, "Cache-Control": self.cache, "ETag": self.etag}
        if self.etag in headers.get("If-None-Match", "").replace("W/", "").replace(" ", "").split(","):
            return PageAnswer(http.HTTPStatus.NOT_MODIFIED, told)
        packs = "gzip" in re.split(r"[,;\s]+", headers.get("Accept-Encoding", ""))
        content = self.packed if packs else self.plain
        told |= {"Content-Type": self.kind, "Content-Length": str(len(content))}
        if packs:
            told["Content-Encoding"] = "gzip"
        return PageAnswer(http.HTTPStatus.OK, told, content if body else b"")


class Pages:
    """The files of the web page, by path."""

    def __init__(self, contents: Mapping[str, bytes], games: Collection[str] = ()) -> None:
        """``contents``: the files by name, ``index.html`` among them. ``games``: those that rooms may play."""
        self.version = _hash(b"".join(name.encode() + contents[name] for name in sorted(contents)))
        rest = {name: content for name, content in contents.items() if name != HOME}
        self._files = {
            f"/web/{self.version}/{name}": ServedFile.of(name, content, _FOR_EVER) for name, content in rest.items()
        }
        self._home, self._games = contents[HOME], frozenset(games)
        self._beginnings: dict[tuple[str, str | None], ServedFile] = {}
        """The first file as it was served, by the way from its path to the folder of the page, and the game."""
        self._beginning("", None)
        for path, name in (("/favicon.ico", _ICON), ("/worker.js", _WORKER)):
            if name in rest:
                self._files[path] = ServedFile.of(name, rest[name], "no-cache")

    def answer(
        self, method: str, path: str, headers: Headers, game_of: GameOf = lambda code: None, prefix: str = ""
    ) -> PageAnswer:
        """Answer a request for ``path``, which has no query. ``headers``: those of REQUEST_HEADERS that there are.

        ``prefix``: the absolute path of the page's folder as browsers see it, with a slash at the end; empty: unknown.
        """
        file = self._find(path, game_of, prefix)
        if file is None:
            return self._not_found(method, path, headers, prefix)
        if method not in ("GET", "HEAD"):
            return _told(http.HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD.\n", Allow="GET, HEAD")
        return file.answer(headers, body=method == "GET")

    def _not_found(self, method: str, path: str, headers: Headers, prefix: str) -> PageAnswer:
        """Answer a request for nothing: with the page, which says so, if a browser would show it."""
        depth = path.count("/") - 1
        if "text/html" not in headers.get("Accept", "") or not 0 <= depth <= _DEEPEST:
            return _told(http.HTTPStatus.NOT_FOUND, "There is no such page here.\n")
        unconditional = {name: value for name, value in headers.items() if name != "If-None-Match"}
        answer = self._beginning(prefix or "../" * depth, None).answer(unconditional, body=method == "GET")
        return attrs.evolve(answer, status=http.HTTPStatus.NOT_FOUND)

    def _find(self, path: str, game_of: GameOf, prefix: str) -> ServedFile | None:
        if path == "/":
            return self._beginning(prefix, None)
        if room := _ROOM.fullmatch(path):
            game = game_of(room[1].upper())
            return self._beginning(prefix or f"../{'../' if room[2] else ''}", game if game in self._games else "")
        return self._files.get(path)

    def _beginning(self, up: str, game: str | None) -> ServedFile:
        """Return the first file for a path from which ``up`` leads to the page's folder.

        ``game``: what the room there shows, empty if no one may know it; None: no room is there.
        """
        if (up, game) not in self._beginnings:
            early = () if game is None else OF_ROOMS
            links = [f'<link rel="modulepreload" href="{_PLACE}{name}">\n' for name in early]
            named = self._home.replace(_GAME.encode(), _GAME.replace('""', f'"{escape(game or "")}"').encode())
            named = named.replace(_HEAD_END.encode(), "".join([*links, _HEAD_END]).encode())
            place = f"{escape(up)}{_PLACE}".replace("VERSION", self.version)
            self._beginnings[up, game] = ServedFile.of(HOME, named.replace(_PLACE.encode(), place.encode()), "no-cache")
        return self._beginnings[up, game]


def content_type(name: str) -> str | None:
    """Return the Content-Type of the file ``name``, or None if such files are not served."""
    return _TYPES.get(name.rpartition(".")[2])


def _told(status: http.HTTPStatus, text: str, **more: str) -> PageAnswer:
    content = text.encode()
    kind = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(content))}
    return PageAnswer(status, {**ALWAYS, **kind, **more}, content)


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


_PACKAGES = ("parlour_protocol.phrases", "parlour_server.phrases")
_MORE = (
    *("event", "option", "rules", "manual", "refusal"),
    *("any", "ended", "entry", "form", "help", "menu", "panel", "practice", "profile", "replay", "result", "review"),
    "standings",
)
_PARTS = {"lobby": "lobby", **dict.fromkeys(_MORE, "more")}
"""The parts of the phrases of the page and of a game that a table does without at first."""


def phrase_modules(games: Mapping[str, AnyGame]) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the source of each module."""
    for language in LANGUAGES:
        own = {key: words for package in _PACKAGES for key, words in table(package, language).items()}
        tables = {name: table(game.phrases, language) if game.phrases else {} for name, game in games.items()}
        for name, words in tables.items():
            yield from _parts(language, name, {**_taken(own, f"page.{name}."), **words})
        _taken(own, "webhook.")  # the server says these itself
        yield _module(language, "refusals", _taken(own, "refusal."))
        called = {f"{name}.{key}" for name in games for key in ("name", "summary")}
        titles = {key: each for words in tables.values() for key, each in words.items() if key in called}
        yield from _parts(language, "page", {**own, **titles})


def _taken(phrases: dict[str, str], beginning: str) -> dict[str, str]:
    """Remove and return the phrases whose keys have this beginning."""
    return {key: phrases.pop(key) for key in list(phrases) if key.startswith(beginning)}


def _parts(language: str, name: str, phrases: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    parts: dict[str, dict[str, str]] = {name: {}, f"{name}.more": {}}
    for key, words in phrases.items():
        part = _PARTS.get(key.partition(".")[2].partition(".")[0])
        parts.setdefault(f"{name}.{part}" if part else name, {})[key] = words
    for part, found in parts.items():
        yield _module(language, part, found)


def _module(language: str, part: str, phrases: Mapping[str, str]) -> tuple[str, bytes]:
    source = f"export default {json.dumps(phrases, ensure_ascii=False, separators=(',', ':'))};\n"
    return f"phrases/{language}/{part}.js", source.encode()


log = structlog.get_logger()


def offered(games: Mapping[str, AnyGame]) -> bytes:
    """Return the source of the module."""
    options = {name: source for name, game in games.items() if (source := _source(name, game))}
    shown = ", ".join(f"{_json(name)}: {source}" for name, source in options.items())
    return f"export const GAMES = {{{shown}}};\nexport const CLOCK = {_json(DEFAULT_CLOCK)};\n".encode()


def _source(name: str, game: AnyGame) -> str:
    try:
        return _json(form(game))
    except Exception as error:  # a game of others may raise anything; all else on the page works without its form
        log.error("a game has no form on the web page", game=name, error=type(error).__name__, where=place(error))
        return ""


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def layouts(games: Mapping[str, AnyGame]) -> bytes:
    """Return the source of the module with the layouts that games declare, by game and field of the view."""
    found = {name: layout(game) for name, game in games.items() if game.layout}
    return f"export const LAYOUTS = {_json(found)};\n".encode()


FORM_OPTIONS = "views/form_options.js"
"""A module that is not in the folder: the options of the form for a new room."""
LAYOUTS = "games/any/layouts.js"
"""Another one: how the fields of views are shown."""
_META = '<meta name="{}" content="">'
"""A place in the first file: of the games with a module of their own, and of the languages by their own names."""


def pages() -> Pages:
    """Read all files and return the web page."""
    found = dict(_contents(files("parlour_server").joinpath("web")))
    brought = dict(_brought(games()))
    for name, content in {"games": " ".join(brought), "languages": _json(LANGUAGES)}.items():
        empty = _META.format(name)
        found[HOME] = found[HOME].replace(empty.encode(), empty.replace('""', f'"{escape(content)}"').encode())
    for contents in brought.values():
        found = {**contents, **found}
    made = {FORM_OPTIONS: offered(games()), LAYOUTS: layouts(games()), **dict(phrase_modules(games()))}
    return Pages({**found, **made}, games())


def _brought(games: Mapping[str, AnyGame]) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield each game that brings files for the page, and the files, unless they cannot be served."""
    for name, game in games.items():
        try:
            contents = dict(_contents(files(game.page), f"games/{name}/")) if game.page else {}
            for file, content in contents.items():
                ServedFile.of(file, content, cache="")
        except Exception as error:  # a package of others may lack anything
            log.error("a game has no module on the web page", game=name, error=type(error).__name__, where=place(error))
        else:
            if f"games/{name}/widget.js" in contents:
                yield name, contents


def _contents(folder: Traversable, place: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield each file in ``folder`` and the folders below that may be served: its path from there, and its content."""
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _contents(entry, f"{place}{entry.name}/")
        elif content_type(entry.name):
            yield place + entry.name, entry.read_bytes()

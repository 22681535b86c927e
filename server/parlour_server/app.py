"""Run a server from its settings: store, lobby, node, gateway, house bots."""

import asyncio
import gc
import json
import os
import secrets
import shutil
import signal
import ssl
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import structlog

from parlour_games.registry import broken_games, games
from parlour_protocol.standard_output import qr
from parlour_server import ssh, system
from parlour_server.children import keep_house_bots
from parlour_server.lobby.lobby import Lobby
from parlour_server.metrics import Metrics
from parlour_server.node import retention
from parlour_server.node.heartbeat import Heartbeat
from parlour_server.node.node import Node
from parlour_server.node.tasks import Tasks
from parlour_server.node.webhook_calls import Caller
from parlour_server.settings import LOOPBACK, BadSettings, ServerSettings, data_folder
from parlour_server.store import open_store
from parlour_server.store.base import POSTGRES, Store, without_password
from parlour_server.transport import listening
from parlour_server.transport.gateway import Gateway
from parlour_server.transport.listening import in_url, is_everywhere, is_loopback, renew, tls


def beside(store_url: str, suffix: str) -> Path:
    """Return the path of a store's file with this suffix: next to a SQLite store, else in the data folder."""
    shared = store_url.startswith(POSTGRES)  # each node has files of its own
    store = data_folder() / "parlour" if shared else Path(store_url.removeprefix("sqlite:///")).expanduser()
    return store.with_suffix(suffix)


def admin_file(store_url: str) -> Path:
    """Return the file of the admin token."""
    return beside(store_url, ".admin")


def ssh_key_file(store_url: str) -> Path:
    """Return the file of the host key for ssh."""
    return beside(store_url, ".ssh")


def admin_token(store_url: str) -> str:
    """Return the admin token, which is created at the first start, mode 0600. Raises BadSettings."""
    path = admin_file(store_url)
    try:
        token = path.read_text(encoding="utf-8").strip() if path.exists() else ""
        if not token:
            token = secrets.token_hex(24)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            path.chmod(0o600)
            path.write_text(token + "\n", encoding="utf-8", newline="\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path}, the admin token, cannot be used: {error}") from error
    return token


OWN_ROOM = ("uno", 10)
"""The game and the number of seats of the server's own room."""
RETRY_AFTER = 2_000
"""Milliseconds after which clients may look for a server that was stopped."""

RETRY_AFTER_MOVE = 500
"""Milliseconds after which clients may come back to another node, which has taken over the rooms."""

ROWS_BELOW = 4
"""Rows of a terminal below the invitation: for a line of the log, which is long, and the cursor."""

log = structlog.get_logger()


def run(settings: ServerSettings) -> Coroutine[Any, Any, None]:
    """Open the store, and return what serves until stopped. Both raise StoreError or BadSettings.

    It may take long to migrate an old store. No event loop runs meanwhile, so that Ctrl-C ends it.
    """
    context = tls(settings)
    ssh.check(settings)
    return _run(settings, open_store(settings.store_url(), settings.member()), context)


async def _run(settings: ServerSettings, store: Store, context: ssl.SSLContext | None) -> None:
    url = settings.store_url()
    admin = admin_token(url)
    metrics = Metrics()
    name = f"parlour {version('parlour')}"
    for game, why in broken_games().items():
        log.error("an installed game cannot be used", game=game, reason=why)
    lobby = Lobby(games(), os.urandom, settings, server=name, admin=admin, wall=lambda: time.time_ns() // 1_000_000)
    caller = None if lobby.webhooks is None else Caller(lobby.webhooks)
    node = Node(lobby, store, metrics, caller=caller, page=_page(settings))
    gateway = Gateway(metrics, node)
    await node.start()
    system.tune_garbage_collection()
    async with AsyncExitStack() as stack:
        keep = partial(_keep, stack, node.tasks)
        gc.callbacks.append(metrics.collecting)
        stack.callback(gc.callbacks.remove, metrics.collecting)
        try:
            server = await stack.enter_async_context(gateway.listen(settings.bind, settings.port, context))
        except OSError as error:
            unix = settings.has_socket_file
            where = settings.bind if unix else f"{in_url(settings.bind)}:{settings.port}"
            other = "Name another file" if unix else "Try --port 0"
            raise BadSettings(f"cannot listen on {where}: {error.strerror or error}. {other}") from error
        port: int = 0 if settings.has_socket_file else server.sockets[0].getsockname()[1]
        store.introduce(settings.public_url, settings.peer_url or addresses(settings, port)[-1])
        open_room = node.own_room.open
        if node.routing:  # the lease is renewed until the node has stopped: its last commits must go through
            heartbeat = Heartbeat(lobby, store, node.routing, node.own_room, node.stopping)
            await heartbeat.beat()  # reading the index may have taken most of the lease
            keep(heartbeat.run)
            open_room = heartbeat.open_own_room
        stack.push_async_callback(node.stop, RETRY_AFTER_MOVE if store.shared else RETRY_AFTER)
        if settings.house_bots:
            keep(await _house_bots(stack, gateway, lobby, metrics, port))
        by_ssh = await ssh.visitors(
            stack, gateway, settings, ssh_key_file(url), _reached_at(settings, port)[-1], metrics
        )
        ssh_port = None
        if by_ssh:
            serve_visitors, ssh_port = by_ssh
            lobby.reception.ssh_port = ssh_port
            keep(serve_visitors)
        _stop_on_signals(node.stopping, settings, context)
        if gateway.limit < system.FEW_CONNECTIONS:
            log.warning("the system allows few connections", connections=gateway.limit, next=system.MORE_FILES)
        room = await open_room(*OWN_ROOM, settings.keep_days * retention.DAY * 1_000)
        keep(partial(system.collect_while_quiet, lambda: len(node.sockets)))
        used = lobby.rooms.used
        keep(partial(retention.keep, settings.keep_days, store, used.difference_update, used, lobby.identities))
        if settings.ready_json:
            _stop_with_stdin(node.stopping)
            ready = {"url": addresses(settings, port)[0], "pid": os.getpid(), "admin": admin, "room": room}
            _print(json.dumps(ready | ({} if ssh_port is None else {"ssh": ssh_port})))
        else:
            rows = shutil.get_terminal_size().lines if sys.stdout.isatty() else None
            _print(invitation(settings, port, room, rows, ssh_port))
        log.info("serving", port=port, store=without_password(url), room=room, admin=str(admin_file(url)))
        system.notify(system.READY, f"STATUS=Serving at {addresses(settings, port)[0]}")
        keep(system.stay_watched)
        await node.stopping.wait()
        system.notify(system.STOPPING)
        log.info("stopping")


def _reached_at(settings: ServerSettings, port: int) -> list[str]:
    """Return the URLs by which clients reach the server."""
    return [settings.public_url] if settings.public_url else addresses(settings, port)


def addresses(settings: ServerSettings, port: int) -> list[str]:
    """Return the URLs at which the server listens, that for this machine first; its public one for a Unix socket."""
    return listening.addresses(settings.bind, port, "ws" if settings.tls_cert is None else "wss") or [
        settings.public_url
    ]


def invitation(
    settings: ServerSettings, port: int, room: str, rows: int | None = None, ssh_port: int | None = None
) -> str:
    """Return the text that a host sends to friends. ``rows``: how many the terminal has, if it is one."""
    alone = is_loopback(settings.bind) and not settings.public_url
    urls = _reached_at(settings, port)
    by_ssh = [] if ssh_port is None else ssh.commands(settings, ssh_port, room)
    web = [f"{url.replace('ws', 'http', 1).rstrip('/')}/r/{room}" for url in urls] if settings.web else []
    reachable = not alone and not (urls[-1].count("//localhost:") and is_everywhere(settings.bind))
    lines = ["parlour is open. Room " + room + " is waiting; join from a terminal:", ""]
    lines += [f"  parlour join {room} --server {url}" for url in urls]
    if web:
        lines += ["", "or in a browser:", "", *(f"  {link}" for link in web)]
    if by_ssh:
        lines += ["", "or by ssh, without an installation:", "", *(f"  {command}" for command in by_ssh)]
    end = []
    if not alone and not reachable:
        end += ["", "This machine has no network: only it can connect. See: parlour doctor"]
    if alone:
        end += ["", "Only this machine can connect. For the local network: parlour serve --lan"]
    if settings.require_key:
        end += ["", "Everybody needs a key here. Create one for your name, once: parlour identity"]
    end += ["", "Ctrl-C stops the server; all matches continue when it starts again."]
    if not web or not reachable:
        return "\n".join([*lines, *end])
    code = qr(web[-1]).split("\n")  # above the text, which stays in sight
    whole = [*code, "", *lines, *end]
    short = [f"Room {room} is waiting: parlour join {room} --server {urls[-1]}", f"or in a browser: {web[-1]}"]
    short += [f"or by ssh: {command}" for command in by_ssh[-1:]]
    short = [*code, *short, *filter(None, end)]
    if rows is None or len(whole) + ROWS_BELOW <= rows:
        return "\n".join(whole)
    least = len(short) + ROWS_BELOW
    if least <= rows:
        return "\n".join(short)
    return "\n".join([*lines, "", f"Its QR code, for phones, needs a terminal of at least {least} lines.", *end])


def _page(settings: ServerSettings) -> str:
    """Return where clients find the web page; empty: it is off, or its port is not known before."""
    if not settings.web or not (settings.public_url or settings.port):
        return ""
    return _reached_at(settings, settings.port)[-1].replace("ws", "http", 1).rstrip("/")


async def _house_bots(
    stack: AsyncExitStack, gateway: Gateway, lobby: Lobby, metrics: Metrics, port: int
) -> Callable[[], Awaitable[None]]:
    """Return what runs the house bots: under TLS and at a Unix socket by a listener of their own, on loopback."""
    settings = lobby.settings
    host = LOOPBACK if is_everywhere(settings.bind) else settings.bind
    if settings.tls_cert is not None or settings.has_socket_file:
        own = await stack.enter_async_context(gateway.listen(LOOPBACK, 0))
        host, port = own.sockets[0].getsockname()
    node = settings.member().name if lobby.peers.shared else ""
    url = f"ws://{in_url(host)}:{port}"
    return partial(keep_house_bots, url, lobby.bots.expect, metrics, settings, node)


def _keep(stack: AsyncExitStack, tasks: Tasks, work: Callable[[], Awaitable[None]]) -> None:
    """Do ``work`` until the stack is closed; if it fails, again."""
    stack.push_async_callback(_cancel, asyncio.get_running_loop().create_task(tasks.keep(work)))


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def _stop_on_signals(stop: asyncio.Event, settings: ServerSettings, context: ssl.SSLContext | None) -> None:
    """Stop on SIGINT and SIGTERM. SIGHUP reads a renewed certificate; without one it stops, too."""
    loop = asyncio.get_running_loop()
    actions = dict.fromkeys((signal.SIGINT, signal.SIGTERM), stop.set)
    if hasattr(signal, "SIGHUP"):
        actions[signal.SIGHUP] = stop.set if context is None else partial(_renew, settings, context)
    for name, action in actions.items():
        try:
            loop.add_signal_handler(name, action)
        except NotImplementedError:  # on Windows
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop.set))


def _renew(settings: ServerSettings, context: ssl.SSLContext) -> None:
    try:
        renew(context, settings)
    except BadSettings as error:
        log.error("the renewed certificate cannot be used; the old one stays", reason=str(error))
    else:
        log.info("the certificate was read again")


def _stop_with_stdin(stop: asyncio.Event) -> None:
    """Stop when the parent process closes our stdin, also by dying."""
    loop = asyncio.get_running_loop()
    stdin = sys.stdin.fileno()

    def watch() -> None:
        while os.read(stdin, 1024):  # a buffered read would hold a lock that the interpreter needs at exit
            pass
        loop.call_soon_threadsafe(stop.set)

    threading.Thread(target=watch, daemon=True, name="stdin").start()


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()

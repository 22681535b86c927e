"""Verbs about finished matches: fetch their files, replay them, and check the public chain of a server."""

import asyncio
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from parlour_client.cli import film as film_of_match
from parlour_client.cli import frontend
from parlour_client.cli.film import FilmOptions
from parlour_client.cli.params import Json, Look, Plain, Server
from parlour_client.core import queries
from parlour_client.core.errors import OK, Fault, Usage, understood, writing
from parlour_client.core.phrases import say
from parlour_client.core.printing import LONGEST_COMPLAINT, tell, tell_json
from parlour_client.core.queries import ask, visiting
from parlour_client.core.url import DEFAULT_URL
from parlour_client.play.download import Download
from parlour_client.replays import position, read, story
from parlour_games import chain as public
from parlour_games.chain import BrokenChain, CheckedChain, Link
from parlour_protocol.messages import Chain, ChainLink

_DIGEST = re.compile("[0-9a-f]{64}")


def fetch(
    digest: Annotated[str, Parameter(help="The digest shown at the end of the match.")],
    /,
    *,
    server: Server = DEFAULT_URL,
    to: Annotated[
        Path | None,
        Parameter(
            help="The file to write. Default: named after the match, in the folder parlour/games of the platform's"
            " data, such as ~/.local/share/parlour/games."
        ),
    ] = None,
) -> int:
    """Download the file of a finished match from a server. An existing file is never overwritten.

    Examples:
    parlour matches fetch DIGEST --server parlour.example.org
    parlour matches fetch DIGEST --to match.jsonl
    """
    if not _DIGEST.fullmatch(digest):
        raise Usage(say("fault.no_digest", said=ascii(digest[:70])))
    download = Download(digest, to)
    asyncio.run(_fetch(server, download))
    tell(download.write())
    return OK


async def _fetch(server: str, download: Download) -> None:
    async with visiting(server) as connection:
        while not download.done:
            download.take(await ask(connection, download.ask()))


def replay(
    file: Annotated[Path, Parameter(allow_leading_hyphen=True, help="The match file; - is standard input.")],
    /,
    *,
    viewer: Annotated[str | None, Parameter("--as", help="A seat or a name. Default: a spectator.")] = None,
    at: Annotated[int | None, Parameter(help="Print only the position after this many acts.")] = None,
    film: FilmOptions = FilmOptions(),  # noqa: B008 - frozen
    look: Look = None,
    plain: Plain = False,
) -> int:
    """Replay a match from its file, with the notes that bots left. A terminal shows it on the game screen.

    A film shows what the viewer could see. Pauses between acts are those of the match, but at most two seconds.

    Examples:
    parlour replay uno-8f31c2a90b17.jsonl
    parlour replay uno-8f31c2a90b17.jsonl --plain | less
    parlour replay uno-8f31c2a90b17.jsonl --as anna
    parlour replay uno-8f31c2a90b17.jsonl --as 0 --at 20
    parlour replay uno-8f31c2a90b17.jsonl --as anna --round 2 --svg round.svg
    parlour replay uno-8f31c2a90b17.jsonl --cast match.cast --size 100x30
    """
    if film.wanted:
        return film_of_match.write(file, viewer, at, look, film)
    frontend.use_look(look)
    if at is None and not plain and frontend.on_a_screen():
        from parlour_client.tui.app import replay as show  # line mode does without the screens

        return asyncio.run(show(file, viewer, frontend.continuing))
    found = read(file, viewer)
    tell(story(found) if at is None else position(found, at), LONGEST_COMPLAINT)
    return OK


_SHOWN = 5
"""Matches under way that are listed, the oldest first."""


def chain(
    *,
    server: Server = DEFAULT_URL,
    save: Annotated[
        Path | None, Parameter(help="A file of links: check that the chain continues it, and add what is new.")
    ] = None,
    match: Annotated[
        list[Path] | None, Parameter(negative="", help="A match file that must be in the chain. Repeatable.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Check the public chain of a server: each match that has begun there, and each that is over.

    A server that drops a match or changes its record cannot hide it from those who have
    saved the chain before. Check match files with `parlour verify`, too.

    Examples:
    parlour chain --server parlour.example.org --save chain.jsonl
    parlour chain --match match.jsonl
    """
    found = CheckedChain()
    saved = _saved(save) if save else []
    _add(found, saved, str(save))
    new = asyncio.run(queries.asked(server, Chain(max(0, len(saved) - 1)))).links
    if saved and (not new or _link(new[0], server) != found.head):
        raise Fault(say("fault.chain.changed", server=server, path=save, n=len(saved)))
    new = new[1:] if saved else new
    _add(found, new, server)
    matches = [_found(found, path, server) for path in match or []]
    if save and new:
        with writing(save), save.open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{json.dumps(each)}\n" for each in new)
    if as_json:
        tell_json(_plain(server, found, matches))
    else:
        tell(_lines(server, found, matches))
    return OK


def _saved(path: Path) -> list[ChainLink]:
    if not path.exists():
        return []
    try:
        return [msgspec.json.decode(line, type=ChainLink) for line in path.read_bytes().splitlines()]
    except (OSError, msgspec.DecodeError) as error:
        raise Usage(say("fault.chain.unread", path=path, why=error)) from None


def _add(chain: CheckedChain, links: list[ChainLink], where: str) -> None:
    try:
        for each in links:
            chain.add(_link(each, where))
    except BrokenChain as broken:
        raise Fault(say("fault.chain.broken", where=where, n=broken.n, why=broken.why)) from None


def _link(row: ChainLink, where: str) -> Link:
    with understood(where):
        return Link(row["n"], row["at"], row["match"], row.get("over"), row["hash"])


def _found(chain: CheckedChain, path: Path, server: str) -> tuple[Path, Link, Link]:
    """Return the links of the match in a file. Raises Fault if they are missing or differ, Usage for another file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        begun, ended = json.loads(lines[0]), json.loads(lines[-1])
        name = public.match_id(begun["commit"], begun["context"], begun["nonces"])
        over = public.over(ended["h"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise Usage(say("fault.chain.no_match", path=path, why=error)) from None
    if begun.get("deal"):
        raise Usage(say("fault.chain.chosen", path=path))
    first, last = chain.begun.get(name), chain.over.get(name)
    if first is None or last is None:
        raise Fault(say("fault.chain.missing", path=path, server=server))
    if last.over != over:
        raise Fault(say("fault.chain.other", path=path, n=last.n))
    return path, first, last


def _plain(server: str, chain: CheckedChain, matches: list[tuple[Path, Link, Link]]) -> dict[str, Any]:
    head = chain.head
    return {
        "server": server,
        "links": head.n if head else 0,
        "hash": head.hash if head else public.START,
        "begun": len(chain.begun),
        "over": len(chain.over),
        "under_way": [{"n": each.n, "at": each.at, "match": each.match} for each in chain.under_way],
        "matches": [{"file": str(path), "begun": first.n, "over": last.n} for path, first, last in matches],
    }


def _time(link: Link) -> str:
    """Return when a link was added, in local time."""
    with understood(f"link {link.n}"):
        return datetime.fromtimestamp(link.at, tz=UTC).astimezone().isoformat(" ", "minutes")


def _lines(server: str, chain: CheckedChain, matches: list[tuple[Path, Link, Link]]) -> list[str]:
    if chain.head is None:
        return [say("line.chain.empty", server=server)]
    open_ = chain.under_way
    said = [say("line.chain.links", server=server, links=chain.head.n, begun=len(chain.begun), open=len(open_))]
    said += [say("line.chain.open", n=each.n, at=_time(each)) for each in open_[:_SHOWN]]
    said += [say("line.chain.match", path=path, first=first.n, last=last.n) for path, first, last in matches]
    return [*said, say("line.chain.head", n=chain.head.n, hash=chain.head.hash)]

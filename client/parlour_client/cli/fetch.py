"""``parlour games fetch``: download the file of a finished match."""

import asyncio
import re
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from parlour_client.cli.params import Server
from parlour_client.core.errors import OK, Usage
from parlour_client.core.phrases import say
from parlour_client.core.queries import ask, visiting
from parlour_client.core.sanitize import clean
from parlour_client.core.url import DEFAULT_URL
from parlour_client.play.download import Download

_DIGEST = re.compile("[0-9a-f]{64}")


def fetch(
    digest: Annotated[str, Parameter(help="The digest shown at the end of the match.")],
    /,
    *,
    server: Server = DEFAULT_URL,
    to: Annotated[Path | None, Parameter(help="The file to write. Default: named after the match.")] = None,
) -> int:
    """Download the file of a finished match from a server. An existing file is never overwritten.

    Examples:
    parlour games fetch DIGEST --server parlour.example.org
    parlour games fetch DIGEST --to match.jsonl
    """
    if not _DIGEST.fullmatch(digest):
        raise Usage(say("fault.no_digest", said=ascii(digest[:70])))
    download = Download(digest, to)
    asyncio.run(_fetch(server, download))
    sys.stdout.writelines(f"{clean(line)}\n" for line in download.write())
    return OK


async def _fetch(server: str, download: Download) -> None:
    async with visiting(server) as connection:
        while not download.done:
            download.take(await ask(connection, download.ask()))

"""``parlour doctor``."""

import json
import sys
from collections.abc import Iterator
from typing import Annotated

import attrs
from cyclopts import Parameter

from parlour_client.cli.params import Json
from parlour_client.core.errors import OK, Fault
from parlour_client.core.sanitize import clean_all
from parlour_client.doctor.findings import Finding, summary, tell


def doctor(
    *,
    url: Annotated[str | None, Parameter(help="Look at this server from here: a URL, host or host:port.")] = None,
    port: Annotated[int | None, Parameter(help="The port to host on. Default: that of parlour serve.")] = None,
    store: Annotated[str | None, Parameter(help="The store to host with. Default: that of parlour serve.")] = None,
    as_json: Json = False,
) -> int:
    """Look whether this machine can play and host, or whether a server can be reached from here. Changes nothing.

    Each check is one line: ok, warn or fail, what was found, and what to do next. The exit code is 1 if one failed.

    Examples:
    parlour doctor
    parlour doctor --url wss://games.example.org
    parlour doctor --store sqlite:////srv/games.db --port 8000
    parlour doctor --json | jq -r '.checks[] | select(.status != "ok") | .next'
    """
    found = tell(_all(url, port, store), quiet=as_json)
    well = all(finding.status != "fail" for finding in found)
    if as_json:
        checks = [attrs.asdict(finding) for finding in found]
        sys.stdout.write(json.dumps(clean_all({"ok": well, "checks": checks})) + "\n")
    else:
        sys.stdout.write(summary(found) + "\n")
    return OK if well else Fault.exit_code


def _all(url: str | None, port: int | None, store: str | None) -> Iterator[Finding]:
    from parlour_client.doctor.local import here

    yield from here()
    if url is not None:
        from parlour_client.doctor.remote import outside

        yield from outside(url)
        return
    from parlour_client.doctor.hosting import hosting

    words = [("--port", port), ("--store", store)]
    yield from hosting([part for name, value in words if value is not None for part in (name, str(value))])

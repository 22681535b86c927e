"""``parlour doctor``: check this machine or a remote server."""

from collections.abc import Iterator
from typing import Annotated

import attrs
from cyclopts import Parameter

from parlour_client.cli import local_checks
from parlour_client.cli.app import app_of, run
from parlour_client.cli.local_checks import Finding, report, summary
from parlour_client.cli.params import Json
from parlour_client.cli.verbs import CHECKUP, FORMER_SERVER, SERVING, load
from parlour_client.core.errors import OK, Fault
from parlour_client.core.printing import tell, tell_json


def doctor(
    *,
    server: Annotated[
        str | None,
        Parameter(name="--server", alias=FORMER_SERVER, help="Check this server instead: a URL, host or host:port."),
    ] = None,
    port: Annotated[int | None, Parameter(help="The port to host on. Default: that of parlour serve.")] = None,
    store: Annotated[str | None, Parameter(help="The store to host with. Default: that of parlour serve.")] = None,
    as_json: Json = False,
) -> int:
    """Check whether this machine can play and host, or whether it can reach a server. Nothing is changed.

    Each check prints one line: ok, warn or fail, what was found, and what to do next. The exit code is 1 if a check
    failed.

    Examples:
    parlour doctor
    parlour doctor --server wss://games.example.org
    parlour doctor --store sqlite:////srv/games.db --port 8000
    parlour doctor --json | jq -r '.checks[] | select(.status != "ok") | .next'
    """
    findings = report(_all(server, port, store), quiet=as_json)
    ok = all(finding.status != "fail" for finding in findings)
    if as_json:
        tell_json({"ok": ok, "checks": [attrs.asdict(finding) for finding in findings]})
    else:
        tell([summary(findings)])
    return OK if ok else Fault.exit_code


def _all(server: str | None, port: int | None, store: str | None) -> Iterator[Finding]:
    yield from local_checks.here()
    if server is not None:
        from parlour_client.cli import server_checks  # loads the HTTP and TLS modules

        yield from server_checks.outside(server)
        return
    options = [("--port", port), ("--store", store)]
    words = [part for name, value in options if value is not None for part in (name, str(value))]
    yield from local_checks.hosting(
        lambda: run(app_of("parlour doctor", CHECKUP), words), lambda: load(SERVING)("--no-house-bots")
    )

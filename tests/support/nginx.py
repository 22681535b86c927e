"""Run nginx with servers of a test's own."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.groups import program
from tests.support.ports import is_open
from tests.support.processes import otherwise
from tests.support.server import STOPS_WITHIN
from tests.support.waiting import wait_until

ROOT = "user root;" if hasattr(os, "geteuid") and os.geteuid() == 0 else ""
"""Without it, its workers could not read the folders of tests."""
CONFIGURATION = """
{root} daemon off; pid {folder}/pid; error_log stderr; events {{ }}
http {{
    access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
    uwsgi_temp_path {folder}; scgi_temp_path {folder};
    proxy_http_version 1.1;
    {servers}
}}
"""


@contextmanager
def nginx(folder: Path, port: int, servers: str) -> Iterator[None]:
    """Run nginx with its files in ``folder`` while in the context; one of its ``servers`` listens on ``port``."""
    file, log = folder / "nginx.conf", folder / "nginx.log"
    file.write_text(CONFIGURATION.format(root=ROOT, folder=folder, servers=servers))
    call = [str(program("nginx")), "-p", str(folder), "-c", str(file), "-e", "stderr"]
    with log.open("wb") as out:
        process = subprocess.Popen(call, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    with otherwise(f"kill {process.pid}"):
        try:
            wait_until(lambda: is_open(port) or process.poll() is not None)
            assert process.poll() is None, log.read_text()
            yield
        finally:
            process.terminate()
            process.wait(STOPS_WITHIN)

"""The health check of the image: exit with 0 if the server at PARLOUR_PORT is healthy, with TLS or without.

It runs every few seconds without bytecode, so it imports little.
"""

import os
import socket
import sys

TIMEOUT = 2.0
"""Seconds for an answer, with and without TLS each."""
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def is_healthy(port: int, tls: bool) -> bool:
    """Ask the server. Raises OSError if it gives no answer."""
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as connection:
        talk = _encrypted(connection) if tls else connection
        with talk, talk.makefile("rb") as answer:
            talk.sendall(REQUEST)
            return answer.readline().split()[1:2] == [b"200"]


def _encrypted(connection: socket.socket) -> socket.socket:
    import ssl  # slow to import

    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # the certificate names the public host
    return context.wrap_socket(connection)


def main() -> int:
    """Return the exit code."""
    for tls in (False, True):
        try:
            if is_healthy(int(os.environ.get("PARLOUR_PORT") or 7777), tls):
                return 0
        except OSError:
            continue
    return 1


if __name__ == "__main__":
    sys.exit(main())

"""WebSocket close codes with which a server ends a connection (SPEC.md lists them with what a client does next)."""

GOING_AWAY = 1001
"""The server stops."""
INTERNAL = 1011
"""The server failed in a room in which the client is."""
TRY_AGAIN = 1013
"""The server could not store what it was about to send."""
REPLACED = 4001
"""The same identity has connected again."""
SHUT_OUT = 4003
"""The identity is banned or deleted."""
POLICY = 4008
"""The client broke the protocol too often, or sent no hello."""

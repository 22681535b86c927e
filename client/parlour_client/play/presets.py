"""The presets of a server, asked for under a temporary name and changed under one's own."""

from parlour_client.core import queries
from parlour_client.core.connection import Connection
from parlour_client.storage.credentials import held
from parlour_protocol.messages import PresetRow, Presets

_PATIENCE = 10.0


async def offered(server: str) -> list[PresetRow] | None:
    """Return the presets of a server; None if it keeps none. Raises Fault."""
    async with queries.visiting(server) as connection:
        if "presets" not in connection.can:
            return None
        return (await queries.ask(connection, Presets())).presets


async def changed(server: str, name: str, key: str | None, change: Presets) -> list[PresetRow]:
    """Save or remove a preset as ``name``; return those of its game then. Raises Fault."""
    with held(server, name) as credentials:
        session = credentials.session(None, key)
        async with Connection(server, session, patience=_PATIENCE) as connection:
            return (await queries.ask(connection, change)).presets

"""The admin token of a server, in a file of its own."""

import secrets
from pathlib import Path

from parlour_server.settings import BadSettings, data_folder
from parlour_server.store.urls import POSTGRES


def admin_file(store_url: str) -> Path:
    """Return the file of the admin token: beside a SQLite store, else in the data folder."""
    shared = store_url.startswith(POSTGRES)  # each node has a token of its own
    store = data_folder() / "parlour" if shared else Path(store_url.removeprefix("sqlite:///")).expanduser()
    return store.with_suffix(".admin")


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

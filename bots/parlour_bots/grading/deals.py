"""The secret seed of a course, so that no submission can compute the deals."""

import hmac
import secrets
from pathlib import Path

from parlour_client.core.errors import writing
from parlour_client.storage.private_files import read, write

_BYTES = 16


def seed_of_deals(results: Path, seed: int) -> int:
    """Return the seed of all games. Raises Usage.

    It is derived from ``seed``, that of the settings, and from a secret in ``results``, which the first grading
    creates. From the seed of the settings alone, a submission could compute all hands.
    """
    file = results / "secret"
    secret = read(file)
    if not secret:
        secret = secrets.token_hex(_BYTES)
        with writing(file):
            results.mkdir(parents=True, exist_ok=True)
            write(file, secret)
    return int.from_bytes(hmac.digest(secret.encode(), str(seed).encode(), "sha256")[:_BYTES])

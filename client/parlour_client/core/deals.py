"""Chosen deals: what ``create`` asks for so that a room plays a known deal."""

from hashlib import sha256

from parlour_protocol.messages import Deal


def seeded(seed: int) -> Deal:
    """Return the deal that ``seed`` stands for, the same on every machine: S is SHA-256("parlour-seed/1/" ‖ seed)."""
    return {"secret": sha256(f"parlour-seed/1/{seed}".encode()).hexdigest(), "context": f"seed/{seed}", "nonces": []}

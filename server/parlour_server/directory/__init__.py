"""Connections, sessions, identities and the index of rooms. No I/O. May import ``rooms`` and below."""

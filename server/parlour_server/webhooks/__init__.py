"""Webhooks: which addresses a server may call for its players, what it sends them, and how."""

"""Rooms and the lobby: every decision of the server, without I/O and without a clock."""

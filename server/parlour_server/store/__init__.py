"""Stores: SQLite for one server, PostgreSQL for several nodes. May import persistence and rooms."""

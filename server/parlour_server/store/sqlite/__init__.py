"""The store of one node, in a SQLite file."""

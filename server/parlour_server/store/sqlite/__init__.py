"""The store of one node, in an SQLite file."""

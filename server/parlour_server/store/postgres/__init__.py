"""The store of several nodes, in PostgreSQL."""

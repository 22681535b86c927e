"""Connection, session, room state and what else every client needs. Imports no other subpackage."""

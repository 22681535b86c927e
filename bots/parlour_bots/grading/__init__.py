"""Grade submissions of a course against a ladder of staff bots."""

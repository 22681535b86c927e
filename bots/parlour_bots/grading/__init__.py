"""Grade submissions of a course against staff bots."""

"""Read, replay and verify the files of finished matches. May import ``rooms`` and what is below."""

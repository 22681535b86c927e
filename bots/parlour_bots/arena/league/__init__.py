"""Contests between bots in games for several seats: schedules, games, ratings. May not import the other arena."""

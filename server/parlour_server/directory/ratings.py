"""Ratings: the strength of identities at games, as the store has computed it."""

from collections.abc import Callable, Iterable

from parlour_server.persistence import Rated
from parlour_server.rooms import audience


class Ratings:
    """The ratings of the identities that may play here."""

    def __init__(self, games: Iterable[str], may_exist: Callable[[str], bool]) -> None:
        self._games = games
        self._may_exist = may_exist
        self._ratings: dict[tuple[str, str], int] = {}

    @property
    def table(self) -> audience.Ratings:
        """Return all ratings by (identity, game). The mapping stays current."""
        return self._ratings

    def changed(self, changes: Iterable[Rated]) -> None:
        """Take in ratings from the store, except those of identities that can never come back."""
        self._ratings |= {(change.who, change.game): change.rating for change in changes if self._may_exist(change.who)}

    def of(self, who: str, game: str) -> int | None:
        """Return the rating of ``who`` at ``game``."""
        return self._ratings.get((who, game))

    def forget(self, who: str) -> None:
        """Forget the ratings of ``who``."""
        for game in self._games:
            self._ratings.pop((who, game), None)

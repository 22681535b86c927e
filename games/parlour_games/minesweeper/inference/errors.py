"""Errors of inference. After either, the engine stays usable: its next ``read`` starts from scratch."""


class Impossible(ValueError):
    """The position is invalid: no placement of the mines fits the open cells."""


class TooLarge(ValueError):
    """A component has more cells, or needs more work to count, than the caller allows."""

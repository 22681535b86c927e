"""The tag of a Struct as a class variable."""

from msgspec import Struct


class Tag:
    """The tag with which a Struct is encoded, read from its class or from an instance."""

    def __get__(self, _: Struct | None, cls: type[Struct]) -> str:
        """Return the tag of ``cls``."""
        return str(cls.__struct_config__.tag)

"""What all commands of ours have in common on the command line."""

from cyclopts import App


def app(name: str, text: str, examples: str, *, boxes: bool = True) -> App:
    """Return a command whose help is plain text and ends with examples as they can be copied.

    Ctrl-C and faults are left to whoever runs it. ``boxes``: what there is stands in tables.
    """
    return App(
        name=name,
        help=text,
        help_format="plaintext",
        help_formatter="default" if boxes else "plain",
        help_epilogue=examples,
        version_flags=[],
        suppress_keyboard_interrupt=False,
    )

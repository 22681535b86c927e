"""The ``parlour`` command: find the verb, load it, run it, and turn what ends it into an exit code.

Functions import what only some commands need, so that help and completion answer quickly.
"""

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from parlour_client.cli.verbs import HEADINGS, VERBS, find, nearest
from parlour_client.core.errors import INTERRUPTED_BY_USER, OK, Fault, Usage, in_words
from parlour_protocol.installation import run_module_if_child
from parlour_protocol.standard_output import replace_unencodable


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    run_module_if_child()
    words = list(sys.argv[1:] if arguments is None else arguments)
    replace_unencodable()
    try:
        code = _main(words)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return INTERRUPTED_BY_USER
    except BrokenPipeError:
        _discard_output()  # its reader is gone
        return OK
    except Fault as fault:
        _complain(*(str(fault).splitlines() if fault.has_lines else [str(fault)]))
        return fault.exit_code
    except UnicodeEncodeError as error:
        if not "\udc80" <= error.object[error.start] <= "\udcff":  # in place of bytes that are no text
            raise
        from parlour_client.core.phrases import say

        _complain(say("fault.undecoded", encoding=sys.getfilesystemencoding()))
        return Usage.exit_code
    except OSError as error:
        if error.errno is None:  # not from the system
            raise
        _complain(in_words(error))
        _finish_output()
        return Usage.exit_code


def _main(words: list[str]) -> int:
    words = words or _default()
    match words:
        case ["--help" | "-h" | "help"]:
            sys.stdout.write(_overview())
            return OK
        case ["help", "all"]:
            sys.stdout.write(_overview(all_=True))
            return OK
        case ["help", "rules", *rest]:
            words = ["rules", *rest]
        case ["help", *rest]:
            words = [*rest, "--help"]
        case ["--version" | "-V", *_]:
            sys.stdout.write(_versions())
            return OK
        case [word, *_] if word.startswith("--"):
            words = ["start", *words]  # options alone are those of the start screen
    try:
        path, verb, rest = find(words)
    except KeyError:
        near = nearest(words[0])
        meant = f" Did you mean {near}?" if near else ""
        raise Usage(f"There is no verb {ascii(words[0][:40])[1:-1]}.{meant} See: parlour --help") from None
    with _loading():
        from parlour_client.cli.app import app_of, run
        from parlour_client.storage import settings

        command = app_of(" ".join(["parlour", *path]), verb)
    if not verb.english:
        settings.speak_to_user()
    result = run(command, rest)
    return result if isinstance(result, int) else OK


@contextmanager
def _loading() -> Iterator[None]:
    """Load modules without looking for garbage in them, then or later. That took a tenth of the time to start."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _default() -> list[str]:
    from parlour_client.cli.frontend import on_a_screen

    return ["start" if on_a_screen() else "--help"]


def _overview(*, all_: bool = False) -> str:
    """Return the page of help: the verbs with a heading, or all of them."""
    lines = ["Usage: parlour [VERB] [OPTIONS]   (parlour alone opens the start screen)", ""]
    for heading in [*HEADINGS, *([""] if all_ else [])]:
        lines.append(heading or "More")
        lines += (f"  {name:<10}  {verb.summary}" for name, verb in VERBS.items() if verb.heading == heading)
    return "\n".join([*lines, "More: parlour help VERB, help rules (the options of each game), help all", ""])


def _versions() -> str:
    """Return the versions of parlour, Python, the system and the libraries, as a report of a problem needs them."""
    import platform
    import re
    from importlib.metadata import PackageNotFoundError, requires, version

    libraries = []
    for line in requires("parlour") or ():
        name, _, condition = line.partition(";")
        name = re.split(r"[^\w.-]", name.strip())[0]
        if "extra" not in condition:
            with suppress(PackageNotFoundError):  # not for this system
                libraries.append(f"{name} {version(name)}")
    python = f"{platform.python_implementation()} {platform.python_version()}, {platform.platform()}"
    return f"parlour {version('parlour')}\n{python}\n{', '.join(libraries)}\n"


def _finish_output() -> None:
    """Write what is left of the output, if possible."""
    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()


def _discard_output() -> None:
    """Keep the flush at exit from failing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _complain(*lines: str) -> None:
    from parlour_client.core.printing import LONGEST_COMPLAINT, clean, marked_for

    told = "\n".join(clean(line, LONGEST_COMPLAINT) for line in lines)
    sys.stderr.write(f"{marked_for(sys.stderr, f'parlour: {told}', 'parlour:')}\n")


if __name__ == "__main__":
    sys.exit(main())

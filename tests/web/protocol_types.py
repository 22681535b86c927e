"""Translates the schema of the protocol to TypeScript, for the type check of the page.

Regenerate the declarations after a change of the messages with
``python -m tests.web.protocol_types > server/page_types/protocol.d.ts``.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from parlour_protocol.messages import Plain
from parlour_protocol.schema import schema

_HEAD = """\
// The messages of protocol version 1. Generated from their schema by tests/web/protocol_types.py: do not edit.

declare namespace Protocol {
  /** An object whose fields a game defines. */
  type Plain = Record<string, any>;
"""


def declarations() -> str:
    """Return the declarations of all messages as the text of a file."""
    return _HEAD + "".join(_declared(name, each) for name, each in schema()["$defs"].items()) + "}\n"


def _declared(name: str, what: Plain) -> str:
    words = f"  /** {what['description']} */\n" if "description" in what else ""
    return f"{words}  type {_named(name)} = {_type(what)};\n"


def _named(name: str) -> str:
    return re.sub(r"(?:^|\.)(.)", lambda found: found[1].upper(), name)


def _type(what: Plain) -> str:
    for keyword, said in what.items():
        if keyword in _KEYWORDS:
            return _KEYWORDS[keyword](said)
    if what.get("type") == "object":
        return _object(what)
    if what.get("type") == "array":
        items = [_type(each) for each in what.get("prefixItems", ())]
        return f"[{', '.join(items)}]" if items else f"Array<{_type(what['items'])}>"
    return {"integer": "number", None: "any"}.get(what.get("type"), str(what.get("type")))


def _object(what: Plain) -> str:
    if "properties" not in what:
        return f"Record<string, {_type(what['additionalProperties'])}>" if "additionalProperties" in what else "Plain"
    needed = what.get("required", ())
    fields = [f"{name}{'' if name in needed else '?'}: {_type(each)}" for name, each in what["properties"].items()]
    return f"{{ {'; '.join(fields)} }}"


def _any_of(types: list[Plain]) -> str:
    return " | ".join(_type(each) for each in types)


_KEYWORDS: dict[str, Callable[[Any], str]] = {
    "$ref": lambda said: _named(said.removeprefix("#/$defs/")),
    "const": json.dumps,
    "enum": lambda said: " | ".join(map(json.dumps, said)),
    "anyOf": _any_of,
    "oneOf": _any_of,
}


if __name__ == "__main__":
    print(declarations(), end="")

"""Play with a language model behind an OpenAI-compatible chat endpoint: ``llm:MODEL@BASE_URL``.

The model reads each turn as text. An answer that is not legal is refused once, with the reason; after a second one a
random legal action is played. Both are counted in ``usage``. Needs the extra ``llm``.
"""

import os
import re
import weakref
from collections import Counter
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

import attrs

from parlour_bots.boards import untouched
from parlour_bots.errors import BadChoice, Broken, Late, SourceLine
from parlour_bots.play.foreign import answer_to, text_of
from parlour_bots.sdk import Answer, BotSpec, Choice, Turn
from parlour_client.core.printing import clean
from parlour_client.core.room import LLM
from parlour_protocol.installation import extra_hint
from parlour_protocol.messages import Plain

KEY = "PARLOUR_LLM_KEY"
"""The environment variable with the key of the endpoint. It is never shown."""
TIMEOUT = 60.0
"""Seconds for a reply."""
TRIES = 2
_MILLION = 1_000_000
_NAMED = re.compile(r"(?P<model>.+?)@(?P<url>https?://\S+)")
_ANSWER = re.compile(r"answer\s*:\s*(.+)", re.IGNORECASE)
_RULES = (
    "You are playing {game}. Each message shows what has happened and what you see. Think briefly, then end your reply "
    "with one line: ANSWER: and your answer, which is a number of the list, or a move as described."
)
_SHOWN = 300


@attrs.define(eq=False)
class LanguageModel:
    """A bot that asks a language model, for one match."""

    model: str
    url: str
    timeout: float = TIMEOUT
    price_in: float = 0.0
    """Dollars for a million tokens that the model reads."""
    price_out: float = 0.0
    """Dollars for a million tokens that the model writes."""
    usage: Counter[str] = attrs.field(factory=Counter, init=False)
    """``decisions``, answers that were ``illegal`` at first, ``fallbacks``, ``tokens_in``, ``tokens_out``, and the
    ``cost`` in millionths of a dollar."""
    _client: Any = attrs.field(default=None, init=False, repr=False)

    @property
    def place(self) -> SourceLine:
        """The location of its mistakes."""
        return SourceLine(f"llm:{self.model}@{self.url}", "")

    def play(self, turn: Turn) -> Choice:
        """Return the model's answer. Raises Late, Broken."""
        self.usage["decisions"] += 1
        chat = [
            {"role": "system", "content": _RULES.format(game=turn.game)},
            {"role": "user", "content": text_of(turn)},
        ]
        for number in range(TRIES):
            reply = self._reply(chat)
            try:
                return answer_to(turn, _answer(reply)), clean(reply, _SHOWN)
            except BadChoice as refused:
                self.usage["illegal"] += number == 0
                why = f"This is not possible: {refused}. Answer again."
                chat += [{"role": "assistant", "content": reply}, {"role": "user", "content": why}]
        self.usage["fallbacks"] += 1
        answer: Answer = turn.rng.choice(range(len(turn.legal)) if turn.legal else untouched(turn.view))
        return answer, "fallback: two answers were not legal"

    def _reply(self, chat: list[Plain]) -> str:
        """Send ``chat`` and return the text of the reply. Raises Late, Broken."""
        import httpx  # the extra llm

        if self._client is None:
            self._client = _opened(self.url, self.timeout)
            weakref.finalize(self, self._client.close)
        try:
            response = self._client.post(f"{self.url}/chat/completions", json={"model": self.model, "messages": chat})
        except httpx.TimeoutException:
            raise Late(f"no reply of {self.url} within {self.timeout:g} s") from None
        except httpx.HTTPError as error:
            raise Broken(f"{self.url} cannot be reached: {type(error).__name__}") from None
        if response.status_code != 200:
            raise Broken(
                f"{self.url} answers with HTTP {response.status_code}. {_ADVICE.get(response.status_code, '')}"
            )
        try:
            data = response.json()
            text: str = data["choices"][0]["message"]["content"] or ""
        except (ValueError, LookupError, TypeError):
            raise Broken(
                f"{self.url} does not answer like a chat endpoint. Is it the base URL, such as .../v1?"
            ) from None
        self._count(data.get("usage") or {})
        return text

    def _count(self, usage: Plain) -> None:
        read, written = (int(usage.get(name) or 0) for name in ("prompt_tokens", "completion_tokens"))
        self.usage["tokens_in"] += read
        self.usage["tokens_out"] += written
        self.usage["cost"] += round(read * self.price_in + written * self.price_out)


_ADVICE = {
    401: f"Set the key in {KEY}",
    403: f"Set the key in {KEY}",
    404: "Check the name of the model and the base URL, such as https://host/v1",
    429: "Ask less often, or raise the limit of the account",
}


def bot_spec(named: str, game: str) -> BotSpec:
    """Return the bot that ``named``, MODEL@BASE_URL, names. Raises ValueError, LookupError."""
    match = _NAMED.fullmatch(named)
    if match is None or not urlsplit(match["url"]).hostname:
        raise ValueError("write it as llm:MODEL@BASE_URL, such as llm:qwen3@http://localhost:11434/v1")
    if find_spec("httpx") is None:
        raise LookupError(f"it needs the package httpx. {extra_hint('llm')}")
    make: Callable[..., LanguageModel] = partial(LanguageModel, match["model"], match["url"].rstrip("/"))
    return BotSpec(match["model"].rpartition("/")[2], make, game, external=True, style=LLM)


def _opened(url: str, timeout: float) -> Any:
    """Return a client for the endpoint. It alone holds the key, so that no traceback shows it."""
    import httpx  # of the extra llm

    headers = {"Authorization": f"Bearer {key}"} if (key := os.environ.get(KEY)) else {}
    return httpx.Client(headers=headers, timeout=timeout, verify=url.startswith("https:"))


def _answer(reply: str) -> str:
    """Return the answer in a reply: what follows the last ``ANSWER:``, else the last line."""
    lines = [line for line in reply.splitlines() if line.strip()] or [""]
    named = _ANSWER.findall(reply)
    return str(named[-1] if named else lines[-1]).strip().strip("`*. ")

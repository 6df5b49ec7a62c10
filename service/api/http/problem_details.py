"""Problem details (RFC 9457): the JSON of an error, and the exception that becomes one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from service.rules.sentences import ENGLISH, Words, capitalized, fill_in, flat

if TYPE_CHECKING:
    from service.api.http.causes import Cause

MEDIA_TYPE = "application/problem+json"

PROBLEMS = "/problems/"
"""The path of the pages that explain problems; the code of a problem follows."""

_WRITTEN = {"arrow": "Arrow", "json": "JSON", "players": "player's", "uri": "URI"}
"""How words of codes are written in titles, if otherwise."""


class Problem(Exception):
    """An error response: its cause, the values in the sentence about it, and extra headers."""

    def __init__(
        self, cause: Cause, values: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(cause, values)
        self.cause, self.values, self.headers = cause, values, headers or {}

    def detail(self, words: Words = ENGLISH) -> str:
        """What is wrong, in the language of `words`."""
        return fill_in(self.cause.template, self.values, words)

    def body(self, instance: str, words: Words = ENGLISH) -> dict[str, Any]:
        """The problem details; `instance` is the path of the request as a URI reference."""
        return problem_body(self.cause, self.detail(words), instance, words, self.values)

    def __str__(self) -> str:
        return self.detail()


def problem_body(
    cause: Cause, detail: str, instance: str, words: Words, values: Mapping[str, Any]
) -> dict[str, Any]:
    """Problem details with `values` beside the members that RFC 9457 names."""
    return {
        "type": PROBLEMS + cause.code,
        "title": title(cause, words),
        "status": int(cause.status),
        "detail": detail,
        "instance": instance,
        **flat(values),
    }


def title(cause: Cause, words: Words = ENGLISH) -> str:
    """The code of `cause` in words."""
    said = (_WRITTEN.get(word, word) for word in cause.code.split("-"))
    return words.text(capitalized(" ".join(said)))

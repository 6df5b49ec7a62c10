"""The language of a response: that one of those there are which its client prefers.

A sentence becomes text where `words` is called. Only then does the response say its language, and
that caches have to tell languages apart: all other responses cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from flask import Flask, current_app, has_request_context, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from service.rules.variant import Variant
from service.texts import ENGLISH, Language, Languages, languages

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

_LANGUAGE = "dice_scoring.language"
"""Where the WSGI environment holds the language of the response, once it has text."""

_OF_APP = "languages"
"""The extension of an app that has its languages."""

_OWN = languages()


def register(app: Flask, variants: Iterable[Variant]) -> None:
    """Lets `app` respond in the languages of the service, with the texts of `variants`."""
    app.extensions[_OF_APP] = languages([*variants])


def words() -> Language:
    """The language of the response to the current request; English outside of requests."""
    if not has_request_context():
        return ENGLISH
    environ = request.environ
    language: Language | None = environ.get(_LANGUAGE)
    if language is None:
        known = current_app.extensions.get(_OF_APP, _OWN)
        accepted = environ.get("HTTP_ACCEPT_LANGUAGE", "")
        language = environ[_LANGUAGE] = preferred(accepted, known)
    return language


def say_language(environ: WSGIEnvironment, status: str, headers: list[tuple[str, str]]) -> None:
    """Adds the language of a response that has text, if any, to its `headers`."""
    language: Language | None = environ.get(_LANGUAGE)
    if language is not None:
        vary(headers, "Accept-Language")
        if not status.startswith("304"):  # RFC 9110, 15.4.5
            headers.append(("Content-Language", language.code))


def vary(headers: list[tuple[str, str]], name: str) -> None:
    """Says in `headers` that the response depends on the header `name` of the request."""
    for place, (own, value) in enumerate(headers):
        if own.lower() == "vary":
            headers[place] = (own, f"{value}, {name}")
            return
    headers.append(("Vary", name))


def tagged(tag: str) -> str:
    """The entity tag of a response in the language of the response: each has its own.

    `tag` is that of the same content in any language.
    """
    code = words().code
    return tag if code == ENGLISH.code else f"{tag}-{code}"


def translated(english: str) -> str:
    """The text that means the same as `english` in the language of the response."""
    return words().text(english)


def preferred(accepted: str, known: Languages = _OWN) -> Language:
    """The language that a header Accept-Language prefers among those `known`; otherwise English."""
    return next((known[code] for code in _codes(accepted) if code in known), ENGLISH)


def headers(language: Language) -> list[tuple[str, str]]:
    """The headers of a response without a `Vary`, whose text is in `language`."""
    return [("Content-Language", language.code), ("Vary", "Accept-Language")]


@lru_cache(1 << 8)  # clients send the same header each time, and few differ
def _codes(accepted: str) -> tuple[str, ...]:
    """The languages in the header Accept-Language, the preferred ones first (RFC 4647, 3.4).

    `LanguageAccept.best_match` would give English to who sends `de-AT, en;q=0.5`.
    """
    ranges = parse_accept_header(accepted, LanguageAccept)
    return tuple(name.partition("-")[0].lower() for name, quality in ranges if quality > 0)

"""The language of a response: that one of those there are which its client prefers.

A sentence becomes text where `words` is called. Only then does the response say its language, and
that caches have to tell languages apart: all other responses cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from http import HTTPStatus

from flask import Flask, Response, after_this_request, current_app, g, has_request_context, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from service.rules.variant import Variant
from service.texts import ENGLISH, Language, Languages, languages

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
    language: Language | None = g.get("language")
    if language is None:
        known = current_app.extensions.get(_OF_APP, _OWN)
        accepted = request.environ.get("HTTP_ACCEPT_LANGUAGE", "")
        language = g.language = preferred(accepted, known)
        after_this_request(_say_language)
    return language


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


def _say_language(response: Response) -> Response:
    varies = [*response.headers.getlist("Vary"), "Accept-Language"]
    response.headers["Vary"] = ", ".join(varies)  # `response.vary` takes twice as long
    if response.status_code != HTTPStatus.NOT_MODIFIED:  # RFC 9110, 15.4.5
        response.headers["Content-Language"] = words().code
    return response

"""The pages to which the types of problems lead."""

from __future__ import annotations

import html
import re

import pytest

from service.api.http.causes import Cause
from service.api.http.problem_details import title
from service.rules.breaches import Breach
from service.rules.variant import OTHER_LANGUAGES
from service.texts import ENGLISH, languages
from tests.live import Reply, Service
from tests.problems import problem

LANGUAGES = ("en", *OTHER_LANGUAGES)


def page(service: Service, path: str, **headers: str) -> Reply:
    """The response at `path`, which the contract doesn't have."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return service.ask_unchecked("GET", path, headers=named)


def texts(reply: Reply) -> list[str]:
    """The texts on a page, in order."""
    body = reply.body.decode().partition("<main>")[2]
    return [html.unescape(text) for text in re.split("<[^>]*>", body) if text.strip()]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("cause", Cause, ids=lambda cause: cause.code)
def test_pages(service: Service, cause: Cause, language: str) -> None:
    """The type of each problem is the path of a page with its status, what it means and what to
    do, in the client's language.
    """
    words = languages()[language]
    of_example = cause.problem(**cause.example)
    reply = page(service, of_example.body("")["type"], Accept_Language=language)
    assert (reply.status, reply.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert reply.headers["Content-Language"] == language
    assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
    heading, *shown = texts(reply)
    assert heading == title(cause, words)
    rows = dict(zip(shown[0:6:2], shown[1:6:2], strict=True))
    assert rows == {
        words.text("Status"): f"{int(cause.status)} {cause.status.phrase}",
        words.text("What it means"): of_example.detail(words),
        words.text("What to do"): words.text(cause.remedy),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_violations(service: Service, language: str) -> None:
    """The page about invalid bodies has the code of every violation."""
    shown = texts(page(service, "/problems/invalid", Accept_Language=language))
    assert [text for text in shown if text in {breach.code for breach in Breach}] == [
        breach.code for breach in Breach
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_list(service: Service, language: str) -> None:
    """The list has a link to each page."""
    reply = page(service, "/problems", Accept_Language=language)
    links = re.findall('<a href="(.+?)">(.+?)</a>', reply.body.decode())
    words = languages()[language]
    assert [(path, html.unescape(text)) for path, text in links] == [
        (f"/problems/{cause.code}", title(cause, words)) for cause in Cause
    ]


def test_no_page(service: Service) -> None:
    """There is no page of a code that no problem has, and pages are HTML."""
    detail = Cause.NOT_FOUND.problem().detail(ENGLISH)
    reply = page(service, "/problems/no-such-code")
    assert (reply.status, reply.json) == (404, problem(404, detail, "/problems/no-such-code"))
    assert page(service, "/problems/invalid", Accept="application/json").status == 406


def test_caches(service: Service) -> None:
    """A page has an ETag of its own in each language, and tells caches so."""
    replies = [page(service, "/problems/invalid", Accept_Language=each) for each in LANGUAGES]
    tags = [reply.headers["ETag"] for reply in replies]
    assert len({*tags}) == len(LANGUAGES)
    for reply, tag, language in zip(replies, tags, LANGUAGES, strict=True):
        assert "Accept-Language" in reply.headers["Vary"]
        again = page(service, "/problems/invalid", Accept_Language=language, If_None_Match=tag)
        assert again.status == 304

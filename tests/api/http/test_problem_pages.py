"""The pages that `type` of a problem leads to, in both languages."""

from __future__ import annotations

import re
from html import unescape

import pytest

from service.api.http.causes import Cause
from tests.api.operations.posting import EVALUATE, send
from tests.live import Reply, Service

ALL = "/problems"
VARY = "Accept-Encoding, Accept-Language"

CODES = [cause.code for cause in Cause]
PATHS = [ALL, *(f"{ALL}/{code}" for code in CODES)]

NOT_JSON = {
    "en": """
<html lang="en">
<title>Not JSON</title>
<h1>Not JSON</h1>
<dt>What it says, for example</dt>
<dd>The body is not valid JSON: Expecting property name enclosed in double quotes, at line 1, \
column 2.</dd>
<dt>What to do</dt>
<dd>Send JSON as RFC 8259 defines it, without NaN and with each key once in an object.</dd>
<dt>Status</dt>
<dd>400 Bad Request</dd>
<dt>Code</dt>
<dd><code>not-json</code></dd>
<p><a href="/problems">All problems</a></p>
""",
    "de": """
<html lang="de">
<title>Kein JSON</title>
<h1>Kein JSON</h1>
<dt>Was es zum Beispiel sagt</dt>
<dd>Der Inhalt ist kein gültiges JSON: Expecting property name enclosed in double quotes, at line \
1, column 2.</dd>
<dt>Was zu tun ist</dt>
<dd>Sende JSON, wie RFC 8259 es definiert, ohne NaN und mit jedem Schlüssel nur einmal im Objekt.\
</dd>
<dt>Status</dt>
<dd>400 Bad Request</dd>
<dt>Code</dt>
<dd><code>not-json</code></dd>
<p><a href="/problems">Alle Fehler</a></p>
""",
}
"""The lines with texts of that page, by language."""


@pytest.fixture(params=["en", "de"])
def language(request: pytest.FixtureRequest) -> str:
    """Each language."""
    found: str = request.param
    return found


def texts(page: Reply) -> str:
    """The lines of a page with texts, or its language."""
    shown = re.findall(r"^<(?:html lang|title|h\d|dt|dd|p)\b.*", page.body.decode(), re.MULTILINE)
    return "".join(f"\n{line}" for line in shown) + "\n"


def test_a_page(service: Service, language: str) -> None:
    """A page says what a problem means, what to do, its status and its code."""
    page = service.get(f"{ALL}/not-json", Accept_Language=language)
    assert texts(page) == NOT_JSON[language]


@pytest.mark.parametrize("path", PATHS)
def test_every_page(service: Service, language: str, path: str) -> None:
    """Each page is HTML in the client's language, without scripts, and its policy allows none. It
    names what to do.
    """
    page = service.get(path, Accept_Language=language)
    assert page.status == 200
    named = {name: page.headers[name] for name in ("Content-Type", "Content-Language", "Vary")}
    assert named == {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Language": language,
        "Vary": VARY,
    }
    assert page.headers["Content-Security-Policy"] == (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    html = page.body.decode()
    assert f'<html lang="{language}">' in html
    assert re.search(r"<script| style=| on\w+=|https?:|src=", html) is None
    titles = re.findall(r"<(?:title|h1)>(.+?)</", html)
    assert titles[0] == titles[1]
    remedy = {"en": "<dt>What to do</dt>\n<dd>.", "de": "<dt>Was zu tun ist</dt>\n<dd>."}[language]
    assert bool(re.search(remedy, html)) == (path != ALL)


def test_the_list(service: Service, language: str) -> None:
    """The list leads to the page of each problem, by the title of that page."""
    html = service.get(ALL, Accept_Language=language).body.decode()
    links = re.findall(r'<dt><a href="(.+?)">(.+?)</a></dt>\n<dd>(.+?)</dd>', html)
    assert [path for path, _, _ in links] == PATHS[1:]
    for path, title, said in links:
        page = service.get(path, Accept_Language=language).body.decode()
        assert f"<h1>{title}</h1>" in page
        assert f"<dd>{said}</dd>" in page


def test_violations(service: Service, language: str) -> None:
    """The page of `invalid` has the code of each violation, and its text with names of values."""
    html = service.get(f"{ALL}/invalid", Accept_Language=language).body.decode()
    found = dict(re.findall(r"<dt><code>(\w+)</code></dt>\n<dd>(.+?)</dd>", html))
    assert unescape(found["too_long"]) == {
        "en": "must be a string of up to {maximum} characters",
        "de": "muss eine Zeichenkette aus höchstens {maximum} Zeichen sein",
    }[language]  # fmt: skip
    body = send(service, b"{}").json
    assert [error["code"] for error in body["errors"]] == ["missing"]
    assert found["missing"] == {"en": "is missing", "de": "fehlt"}[language]


def test_a_type_leads_to_a_page(service: Service, language: str) -> None:
    """The `type` of a problem is the path of its page, which has the same title."""
    headers = {"Content-Type": "application/json", "Accept-Language": language}
    problem = service.ask("POST", EVALUATE, b"{", headers).json
    page = service.get(problem["type"], Accept_Language=language)
    assert page.status == 200
    assert f"<h1>{problem['title']}</h1>" in page.body.decode()

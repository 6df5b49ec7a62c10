"""The pages that `type` of a problem leads to (RFC 9457, 3.1.1): what it means, and what to do."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Response, abort
from markupsafe import Markup, escape

from service.api.http.bodies import require_acceptable
from service.api.http.causes import Cause
from service.api.http.conditional import Constant
from service.api.http.languages import words
from service.api.http.problem_details import PROBLEMS, title
from service.api.http.request_id import TracedFlask
from service.rules.breaches import Breach
from service.rules.sentences import outline
from service.texts import Language

HTML = "text/html"

MEANING = "What it means"
EXAMPLE = "What it says, for example"
REMEDY = "What to do"
STATUS = "Status"
CODE = "Code"
ALL = "All problems"
VIOLATIONS = "What can be wrong with a value"
TEXTS = (MEANING, EXAMPLE, REMEDY, STATUS, CODE, ALL, VIOLATIONS)
"""The words of the pages."""

_ALL, _ONE = PROBLEMS.rstrip("/"), f"{PROBLEMS}<code>"

_PAGE = Markup(
    '<!doctype html>\n<html lang="{language}">\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
    "<style>:root{{color-scheme:light dark}}body{{font:1.1em/1.5 system-ui,sans-serif;"
    "max-width:44em;margin:2em auto;padding:0 1em;overflow-wrap:anywhere;"
    "color:light-dark(#23211c,#ece9df);background:light-dark(#f5f2ea,#151714)}}"
    "a{{color:light-dark(#1f5b49,#8fd0b2)}}h1,h2{{line-height:1.2}}"
    "dt{{margin-top:1em;font-weight:bold}}dd{{margin:0}}"
    "code{{background:light-dark(#e6e0d2,#2b2e28);padding:.1em .3em;border-radius:.2em}}</style>\n"
    "<main>\n<h1>{title}</h1>\n{body}</main>\n"
)
_ITEM = Markup("<dt>{}</dt>\n<dd>{}</dd>\n")
_LIST = Markup("<dl>\n{}</dl>\n")
_LINK = Markup('<a href="{}">{}</a>')
_CODE = Markup("<code>{}</code>")
_SECTION = Markup("<h2>{}</h2>\n{}")
PROTECTION = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
}


def register(app: TracedFlask) -> None:
    """Adds the page of each problem to `app`, and their list at `/problems`."""
    causes = {cause.code: cause for cause in Cause}
    made: dict[tuple[str, str], Constant] = {}

    def respond(code: str) -> Response:
        said = words()
        constant = made.get((said.code, code))
        if constant is None:
            page = _page(causes[code], said) if code else _index(said)
            constant = made[said.code, code] = Constant(page.encode(), f"{HTML}; charset=utf-8")
        response = constant.respond()
        response.headers.update(PROTECTION)
        return response

    for path in (_ALL, _ONE):
        app.query["GET", path] = None

    @app.get(_ALL)
    def problem_list() -> Response:
        require_acceptable(HTML)
        return respond("")

    @app.get(_ONE)
    def problem_page(code: str) -> Response:
        if code not in causes:
            abort(404)
        require_acceptable(HTML)
        return respond(code)


def _page(cause: Cause, said: Language) -> Markup:
    """The page of `cause`."""
    rows = [
        (EXAMPLE if cause.example else MEANING, cause.problem(**cause.example).detail(said)),
        (REMEDY, _with_names(said.text(cause.remedy))),
        (STATUS, f"{int(cause.status)} {cause.status.phrase}"),
        (CODE, _CODE.format(cause.code)),
    ]
    body = _listed((said.text(name), row) for name, row in rows)
    if cause is Cause.INVALID:
        breaches = _listed((_CODE.format(each.code), outline(each.value, said)) for each in Breach)
        body += _SECTION.format(said.text(VIOLATIONS), breaches)
    up = _LINK.format(_ALL, said.text(ALL))
    return _filled(title(cause, said), body + Markup("<p>{}</p>\n").format(up), said)


def _with_names(text: str) -> Markup:
    """`text` with the names between its backticks as code."""
    return Markup("").join(
        _CODE.format(part) if place % 2 else escape(part)
        for place, part in enumerate(text.split("`"))
    )


def _listed(items: Iterable[tuple[str, str]]) -> Markup:
    return _LIST.format(Markup("").join(_ITEM.format(*each) for each in items))


def _index(said: Language) -> Markup:
    """The list of all problems."""
    listed = _listed(
        (
            _LINK.format(PROBLEMS + cause.code, title(cause, said)),
            cause.problem(**cause.example).detail(said),
        )
        for cause in Cause
    )
    return _filled(said.text(ALL), listed, said)


def _filled(heading: str, body: Markup, said: Language) -> Markup:
    return _PAGE.format(language=said.code, title=heading, body=body)

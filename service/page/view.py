"""`/play` and the files that it loads. Nothing in them comes from another host."""

from __future__ import annotations

import mimetypes
import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Flask, Response, abort

from service.api.http.bodies import require_acceptable
from service.api.http.constant import LONG_LIVED, REVALIDATE, Constant

STATIC = Path(__file__).parent / "static"

SERVED = (".css", ".js", ".svg")
"""The endings of the files that browsers may load."""

_COMMENTS = re.compile(
    r"^[ ]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)\n|^[ ]+|^\n|(?<=[;,{}])[ ]+// [^\n\"'`]*$",
    re.DOTALL | re.MULTILINE,
)
"""Comments on lines of their own or at the end of a line, and how lines are indented; they are a
sixth of what browsers would load. No text in the files goes over several lines, and a comment at
the end of a line has no quotation marks, so that nothing in a text is taken for one."""

_LINE_END = re.compile(r"(?<=[;,{}(\[])\n|\n(?=[})\].?:&|])")
"""The ends of lines after which a script goes on in any case, or before a sign that goes on. A
brace at the end of a line closes a block: an object has a comma or a semicolon behind it."""

_LITERAL = (
    r'"(?:[^"\\\n]|\\.)*"'
    r"|`(?:[^`$\n]|\$(?!\{)|\$\{[^`{}\n]*\})*`"
    r"|/(?! )(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/"
)
"""A string, a template without another one in it, or a regular expression of a script. What is
divided has a space on both sides."""

_LITERALS = re.compile(_LITERAL)

_SPACED = re.compile(
    rf"({_LITERAL})|[ ]*([{{}}()\[\],;:=?<>&|*])[ ]*|(?<=[\w)\]\"`])[ ]([+-])[ ](?=[\w(\"`])"
)
"""A literal of a script, or a sign outside of literals with needless spaces around it. There is a
space between two signs that would be one."""

_NEEDLESS = re.compile(r"\s*([{};>])\s*|(?<=[:,])\s+|(?<=[ (:,-])0(?=\.\d)")
"""White space that means nothing in styles, and zeros."""

_PROTECTION = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
"""The headers that protect the page, which holds the tokens of sessions. Nothing in it is inline,
and no other site can frame it or keep a handle of its window."""


def register(app: Flask) -> None:
    """Adds the page and its files to `app`.

    The files are in a folder that is named for the digest of all of them, so that modules import
    each other by relative paths, and browsers can keep them.
    """
    names = {_name(each) for each in STATIC.rglob("*") if each.suffix in SERVED}
    version = _digest(names)
    files = cache(_file)
    text = (STATIC / "index.html").read_text().replace('"play/', f'"play/{version}/')
    page = Constant(text.encode(), "text/html; charset=utf-8")

    @app.get("/play")
    def play() -> Response:
        require_acceptable("text/html")
        response = page.respond()
        response.headers.update(_PROTECTION)
        return response

    @app.get("/play/<folder>/<path:name>")
    def file(folder: str, name: str) -> Response:
        if name not in names:
            abort(404)
        return files(name).respond(LONG_LIVED if folder == version else REVALIDATE)


def _name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


def _file(name: str) -> Constant:
    path = STATIC / name
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    text = path.read_text()
    if path.parent.name != "vendor":
        text = _COMMENTS.sub("", text)
        # No loop in a script has an empty body, so a semicolon before a brace means nothing.
        if path.suffix == ".css":
            text = _NEEDLESS.sub(r"\1", text).replace(";}", "}")
        elif path.suffix == ".js":
            lines = "\n".join(_tight(line) for line in text.split("\n"))
            text = _LINE_END.sub("", lines).replace(";}", "}")
    return Constant(text.encode(), media_type)


def _tight(line: str) -> str:
    """A line of a script without the spaces that mean nothing. A line on which a template has
    another one in it stays as it is.
    """
    if "`" in _LITERALS.sub("", line):
        return line
    return _SPACED.sub(lambda found: found[1] or found[2] or found[3], line)


def _digest(names: set[str]) -> str:
    """The digest of all names and contents, and of this module, which says what of them is sent."""
    sources = {name: STATIC / name for name in sorted(names)} | {"": Path(__file__)}
    parts = (f"{name} {sha256(path.read_bytes()).hexdigest()}\n" for name, path in sources.items())
    return sha256("".join(parts).encode()).hexdigest()[:16]

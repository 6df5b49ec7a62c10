"""Paths where there is nothing: what the client may have meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from urllib.parse import quote

from flask import Response, request
from werkzeug.exceptions import NotFound

from service.api.http.causes import Cause
from service.api.http.problem_details import Problem
from service.api.http.problems import problem_response
from service.api.http.request_id import TracedFlask


def register(app: TracedFlask, variants: str, operations: Mapping[str, Sequence[str]]) -> None:
    """Makes `app` lead from a path with a trailing slash to that without, if there is something.

    Below the path `variants`, it says which variants there are, and which operations one has:
    `operations` has their names by variant.
    """

    @app.errorhandler(NotFound)
    def missing(_: NotFound) -> Response:
        path = request.path
        if path.endswith("/") and app.is_route(path[:-1]):
            return _without_slash(path)
        if path.startswith(f"{variants}/"):
            variant = path.removeprefix(f"{variants}/").split("/")[0]
            return problem_response(_unknown(variant, operations))
        return problem_response(Cause.NOT_FOUND.problem())


def _without_slash(path: str) -> Response:
    """A redirect, for the same method (308). It is relative, for proxies that add a prefix."""
    query = request.environ["QUERY_STRING"]
    place = f"../{quote(path.split('/')[-2])}{query and f'?{query}'}"
    response = Response(status=HTTPStatus.PERMANENT_REDIRECT, headers={"Location": place})
    del response.headers["Content-Type"]
    return response


def _unknown(variant: str, operations: Mapping[str, Sequence[str]]) -> Problem:
    if variant in operations:
        return Cause.NO_SUCH_OPERATION.problem(variant=variant, allowed=operations[variant])
    return Cause.NO_SUCH_VARIANT.problem(allowed=[*operations])

"""The views: the catalogue, and every operation of every variant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from urllib.parse import quote

import orjson
from flask import Response, request
from werkzeug.exceptions import NotFound

from service.api import catalogue
from service.api.batch import view
from service.api.batch.batch import Batch
from service.api.batch.queue import BatchQueue
from service.api.http.bodies import (
    JSON,
    empty_response,
    json_response,
    read_json,
    require_acceptable,
)
from service.api.http.causes import Cause
from service.api.http.conditional import Constant
from service.api.http.languages import words
from service.api.http.problems import problem_response
from service.api.http.request_id import TracedFlask
from service.api.http.work import Work, leave_loop
from service.api.operations.operation import Answer, Offered, Operation
from service.metrics.declared import HANDS
from service.rules.variant import Variant

View = Callable[[], Response]


def register(
    app: TracedFlask,
    variants: Iterable[Variant],
    operations: Sequence[Operation],
    batches: Sequence[Batch],
    max_body_bytes: int,
    queue: BatchQueue,
) -> None:
    """Adds every route that doesn't concern the contract to `app`, and says what work they are."""
    variants = list(variants)
    offered: list[Offered] = [*operations, *batches]
    listing = partial(catalogue.listing, variants, offered)
    app.add_url_rule(catalogue.PATH, "list_variants", _fixed(listing), methods=["GET"])
    entries = {each.id: _fixed(partial(catalogue.entry, each, offered)) for each in variants}
    app.add_url_rule(
        f"{catalogue.PATH}/<variant>", "describe_variant", _described(entries), methods=["GET"]
    )
    for operation in operations:
        app.add_url_rule(
            operation.path, operation.path, _asked(operation, max_body_bytes), methods=["POST"]
        )
        if operation.advises:
            app.work["POST", operation.path] = Work.ADVICE
    app.brief_paths = frozenset(each.path for each in operations if each.brief is not None)
    for batch in batches:
        app.add_url_rule(batch.path, batch.path, view.view(batch, queue), methods=["POST"])
        app.work["POST", batch.path] = Work.BATCH
        app.query["POST", batch.path] = batch.parameters
    names = {
        variant.id: [each.name for each in offered if each.variant is variant]
        for variant in variants
    }
    _say_what_is_missing(app, names)


def _fixed(make: Callable[[], Answer]) -> View:
    """A view of what `make` returns, which never changes in any language while the service runs."""
    constants = {words().code: Constant(orjson.dumps(make()), JSON)}  # not within a request

    def view() -> Response:
        require_acceptable()
        code = words().code
        if code not in constants:
            constants[code] = Constant(orjson.dumps(make()), JSON)
        return constants[code].respond()

    return view


def _described(entries: Mapping[str, View]) -> Callable[[str], Response]:
    """A view of the entry of each variant, by its id."""

    def view(variant: str) -> Response:
        if variant not in entries:
            raise NotFound
        return entries[variant]()

    return view


def _asked(operation: Operation, max_body_bytes: int) -> View:
    evaluated = HANDS.of(operation.variant.id) if operation.evaluates else None

    def view() -> Response:
        require_acceptable()
        given = operation.read(read_json(max_body_bytes))
        if operation.brief is not None and not operation.brief(given):
            leave_loop()
        answer = operation.answer(given)
        if evaluated is not None:
            evaluated.add()
        return json_response(answer)

    return view


def _say_what_is_missing(app: TracedFlask, operations: Mapping[str, Sequence[str]]) -> None:
    """Says, at a path where there is nothing, what the client may have meant: the path without a
    slash at its end, another variant, or another of its `operations`.
    """

    @app.errorhandler(NotFound)
    def missing(_: NotFound) -> Response:
        path = request.path
        if path.endswith("/") and app.is_route(path[:-1]):
            query = request.environ["QUERY_STRING"]
            # for the same method, and relative, for proxies that add a prefix
            place = f"../{quote(path.split('/')[-2])}{query and f'?{query}'}"
            return empty_response(HTTPStatus.PERMANENT_REDIRECT, {"Location": place})
        problem = Cause.NOT_FOUND.problem()
        if path.startswith(f"{catalogue.PATH}/"):
            variant = path.split("/")[3]
            problem = Cause.NO_SUCH_VARIANT.problem(allowed=[*operations])
            if allowed := operations.get(variant):
                problem = Cause.NO_SUCH_OPERATION.problem(variant=variant, allowed=allowed)
        return problem_response(problem)

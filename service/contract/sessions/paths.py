"""What the contract says of sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from apispec import APISpec
from marshmallow import Schema

from service.api.http.bodies import JSON
from service.api.http.problems import MEDIA_TYPE as PROBLEM
from service.api.sessions import answers
from service.api.sessions.requests import NewSession
from service.api.sessions.views import MAX_KEY_LENGTH, MAX_WAIT
from service.contract.parts import identifier, references, response, response_name
from service.contract.sessions import actions, schemas
from service.contract.sessions.examples import NO_ACTION, NO_VARIANT, Worked, examples, no_variant
from service.rules.variant import Variant

SCHEME = "token"

REFUSALS = {
    HTTPStatus.UNAUTHORIZED: "There is no token.",
    HTTPStatus.FORBIDDEN: "The token is none of this session's, or doesn't allow this.",
    HTTPStatus.NOT_FOUND: "There is no such session, or not any more.",
    HTTPStatus.CONFLICT: "The session can't take this: an idempotency key that was used for "
    "another action, or a session written by a newer release.",
    HTTPStatus.PRECONDITION_FAILED: "If-Match names no version in quotes, or another one than the "
    "session is at: another number, or the same number in a history that the store has lost.",
    HTTPStatus.PRECONDITION_REQUIRED: "If-Match is missing.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The store of sessions can't be used now, or too many act in "
    "the session at once. Nothing was done, unless `detail` says that it is not known.",
}
"""The statuses that only sessions have."""

CREATE = (
    "A game in steps, kept by the service until it expires. The answer holds "
    "the tokens, this once: the table's, which acts for everyone, and one for each player. Where "
    "the service rolls the dice, it commits itself to its seed now and shows it when the game is "
    "over. House rules and players hold to the end."
)

ACT = (
    "One of the `actions` that the session lists, with a value within its bounds for each field "
    "that is listed with it. `player` may be left out where only one can act. If-Match names the "
    "version that the client has seen, so of several clients that act at once one does; with an "
    "Idempotency-Key a request can be sent again safely, and is answered as it was the first time."
)

READ = (
    "The session as the token's player may see it: nobody else's hidden dice. With `wait` and "
    "If-None-Match the answer is held back until the session changes, or 304 when the wait is over "
    "(at once, with Retry-After, while too many wait)."
)


def declare(spec: APISpec, variants: Sequence[Variant[Any]]) -> None:
    """Adds all of sessions to `spec`."""
    spec.components.security_scheme(
        SCHEME,
        {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from the answer that made the session.",
        },
    )
    for status, description in REFUSALS.items():
        content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
        spec.components.response(response_name(status), response(description, content, _of(status)))
    for header, description in (
        ("Location", "The path of the session."),
        ("Retry-After", "Seconds to wait before asking again."),
        ("WWW-Authenticate", "Bearer."),
    ):
        name = header.replace("-", "")
        spec.components.header(name, {"schema": {"type": "string"}, "description": description})
    _declare_paths(spec, variants)


def _of(status: HTTPStatus) -> dict[str, Any]:
    """The headers of a refusal."""
    name = {
        HTTPStatus.UNAUTHORIZED: "WWW-Authenticate",
        HTTPStatus.SERVICE_UNAVAILABLE: "Retry-After",
        HTTPStatus.PRECONDITION_FAILED: "ETag",
    }.get(status)
    return _header(name) if name else {}


def _header(name: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name.replace('-', '')}"}}


def _declare_paths(spec: APISpec, variants: Sequence[Variant[Any]]) -> None:
    path = answers.PATH
    one = f"{path}/{{session_id}}"
    spec.path(path, operations={"post": _create(variants)})
    spec.path(one, operations={"get": _read(variants), "delete": _delete()})
    spec.path(f"{one}/actions", operations={"post": _act(spec, variants)})
    spec.path(f"{one}/events", operations={"get": _events(variants)})


def _seen(variants: Sequence[Variant[Any]], examples: Mapping[str, Any]) -> dict[str, Any]:
    """A session as an answer."""
    parts = [schemas.session(variant) for variant in variants]
    return {JSON: {"schema": _one_of(variants, parts), "examples": examples}}


def _operation(
    name: str, summary: str, description: str, *refusals: HTTPStatus, token: bool = True
) -> dict[str, Any]:
    """An operation with what all of sessions have."""
    statuses = [*refusals, HTTPStatus.NOT_ACCEPTABLE, HTTPStatus.SERVICE_UNAVAILABLE]
    if token:
        statuses += [
            HTTPStatus.UNAUTHORIZED,
            HTTPStatus.FORBIDDEN,
            HTTPStatus.NOT_FOUND,
            HTTPStatus.CONFLICT,
        ]
    return {
        "operationId": name,
        "tags": ["sessions"],
        "summary": summary,
        "description": description,
        "parameters": [SESSION_ID, "RequestId"] if token else ["RequestId"],
        **({"security": [{SCHEME: []}]} if token else {}),
        "responses": references(*sorted(statuses)),
    }


SESSION_ID = {
    "in": "path",
    "name": "session_id",
    "required": True,
    "schema": schemas.ID,
}

BODY = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
"""What can be wrong with any body."""


def _create(variants: Sequence[Variant[Any]]) -> dict[str, Any]:
    made = _operation("create_session", "A new session", CREATE, *BODY, token=False)
    new = NewSession(variants)
    worked = {identifier(variant): Worked(variant).creation() for variant in variants}
    requests = examples({name: request for name, (request, _) in worked.items()})
    answers = examples({name: answer for name, (_, answer) in worked.items()})
    answered = _one_of(variants, [schemas.new_session(variant) for variant in variants])
    asked = _one_of(variants, [type(schema) for schema in new.schemas.values()])
    made["requestBody"] = {
        "required": True,
        "content": {JSON: {"schema": asked, "examples": requests}},
    }
    created = {JSON: {"schema": answered, "examples": answers}}
    headers = {**_header("ETag"), **_header("Location")}
    refused = {
        "schema": {"$ref": "#/components/schemas/Problem"},
        "examples": {"no_variant": {"value": no_variant(new), "x-request": NO_VARIANT}},
    }
    made["responses"] = {
        "201": {**response("The session, with its tokens.", created, headers), "links": _links()},
        **made["responses"],
        "422": response("The body breaks the schema or the rules.", {PROBLEM: refused}),
    }
    return made


def _read(variants: Sequence[Variant[Any]]) -> dict[str, Any]:
    read = _operation("read_session", "A session", READ, HTTPStatus.UNPROCESSABLE_ENTITY)
    wait = {
        "in": "query",
        "name": "wait",
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_WAIT, "default": 0},
        "description": "Seconds to hold the answer back while If-None-Match still holds.",
    }
    had = {
        "in": "header",
        "name": "If-None-Match",
        "schema": {"type": "string"},
        "description": "The ETag that this token got; 304 while it still holds. Where the game "
        'hides nothing, the number of the version alone, `"7"`, does as well.',
    }
    read["parameters"] += [had, wait]
    begun = {identifier(variant): Worked(variant).read() for variant in variants[:1]}
    seen = _seen(variants, examples(begun))
    read["responses"] = {
        "200": {**response("The session.", seen, _header("ETag")), "links": _links()},
        "304": response("The client's copy is still valid.", {}, _header("ETag")),
        **read["responses"],
    }
    return read


def _act(spec: APISpec, variants: Sequence[Variant[Any]]) -> dict[str, Any]:
    spec.components.schema("Action", actions.request(variants))
    refusals = (HTTPStatus.PRECONDITION_FAILED, HTTPStatus.PRECONDITION_REQUIRED)
    act = _operation("act", "Do something", ACT, *BODY, *refusals)
    act["parameters"] += [
        {
            "in": "header",
            "name": "If-Match",
            "required": True,
            "schema": {"type": "string"},
            "description": "The ETag of the session as the client has seen it, or the number of "
            'its version in quotes, `"7"`, for that version whatever it holds; `*` for any.',
        },
        {
            "in": "header",
            "name": "Idempotency-Key",
            "schema": {"type": "string", "pattern": f"^[!-~]{{1,{MAX_KEY_LENGTH}}}$"},
            "description": "A new one for each action, to send it again safely.",
        },
    ]
    schema = {"$ref": "#/components/schemas/Action"}
    worked = {identifier(variant): Worked(variant) for variant in variants}
    requests = examples({name: each.action() for name, each in worked.items()})
    seen = _seen(variants, examples({name: each.done() for name, each in worked.items()}))
    act["requestBody"] = {
        "required": True,
        "content": {JSON: {"schema": schema, "examples": requests}},
    }
    illegal = {
        PROBLEM: {
            "schema": schemas.illegal_action(variants),
            "examples": {
                name: {"value": each.refused(), "x-request": NO_ACTION}
                for name, each in worked.items()
            },
        }
    }
    act["responses"] = {
        "200": {**response("The session after it.", seen, _header("ETag")), "links": _links()},
        **act["responses"],
        "422": response("The action isn't legal now; nothing was done.", illegal),
    }
    return act


def _events(variants: Sequence[Variant[Any]]) -> dict[str, Any]:
    events = _operation(
        "list_events",
        "All that happened in a session",
        "From the first event on, one for each version, without what is hidden from this token. "
        "Once the game is over it holds all that `python -m service verify` takes.",
    )
    schema = _one_of(variants, [schemas.history(variant) for variant in variants])
    begun = {identifier(variant): Worked(variant).events() for variant in variants[:1]}
    content = {JSON: {"schema": schema, "examples": examples(begun)}}
    answer = response("The history.", content, _header("ETag"))
    events["responses"] = {"200": answer, **events["responses"]}
    return events


def _delete() -> dict[str, Any]:
    delete = _operation(
        "delete_session", "Forget a session", "For good; only the table's token can."
    )
    delete["responses"] = {"204": response("It is forgotten.", {}), **delete["responses"]}
    return delete


def _links() -> dict[str, Any]:
    """From a session to all that can be done with it."""
    there = {"session_id": "$response.body#/id"}
    return {
        "read": {"operationId": "read_session", "parameters": there},
        "act": {
            "operationId": "act",
            "parameters": {**there, "If-Match": "$response.header.ETag"},
            "requestBody": {
                "action": "$response.body#/actions/0/action",
                "player": "$response.body#/actions/0/player",
            },
        },
        "events": {"operationId": "list_events", "parameters": there},
        "delete": {"operationId": "delete_session", "parameters": there},
    }


def _one_of(variants: Sequence[Variant[Any]], parts: Sequence[type[Schema]]) -> dict[str, Any]:
    """One of the schemas of all variants, told apart by `variant`."""
    mapping = {
        variant.id: f"#/components/schemas/{part.__name__}"
        for variant, part in zip(variants, parts, strict=True)
    }
    return {
        "anyOf": [*parts],
        "discriminator": {"propertyName": "variant", "mapping": mapping},
    }

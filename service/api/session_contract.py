"""What the contract says of sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from apispec import APISpec

from service.api import session_answers, session_schemas
from service.api.body import JSON
from service.api.contract_parts import identifier, references, response, response_name
from service.api.problems import MEDIA_TYPE as PROBLEM
from service.api.session_actions import ACTIONS
from service.api.session_requests import NewSession
from service.api.sessions import MAX_KEY_LENGTH, MAX_WAIT
from service.dice.variant import Variant
from service.sessions.keeper import Made, Seen
from service.sessions.session import Terms, begun
from service.sessions.tokens import hashed

SCHEME = "token"

REFUSALS = {
    HTTPStatus.UNAUTHORIZED: "There is no token.",
    HTTPStatus.FORBIDDEN: "The token is none of this session's, or doesn't allow this.",
    HTTPStatus.NOT_FOUND: "There is no such session, or not any more.",
    HTTPStatus.CONFLICT: "The session can't take this: an idempotency key that was used for "
    "another action, or a session written by a newer release.",
    HTTPStatus.PRECONDITION_FAILED: "The session is at another version than If-Match names.",
    HTTPStatus.PRECONDITION_REQUIRED: "If-Match is missing.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The store of sessions can't be reached.",
}
"""The statuses that only sessions have."""

CREATE = (
    "A game in steps, kept by the service until nobody has acted in it for a day. The answer holds "
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
    path = session_answers.PATH
    one = f"{path}/{{session_id}}"
    seen = {JSON: {"schema": _one_of([session_schemas.session(each) for each in variants])}}
    spec.path(path, operations={"post": _create(variants)})
    spec.path(one, operations={"get": _read(seen), "delete": _delete()})
    spec.path(f"{one}/actions", operations={"post": _act(spec, seen)})
    spec.path(f"{one}/events", operations={"get": _events()})


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
    "schema": session_schemas.ID,
}

BODY = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.UNPROCESSABLE_ENTITY,
)
"""What can be wrong with any body."""


def _create(variants: Sequence[Variant[Any]]) -> dict[str, Any]:
    made = _operation("create_session", "A new session", CREATE, *BODY, token=False)
    new = NewSession(variants)
    examples = {identifier(variant): _example(variant) for variant in variants}
    requests = {name: {"value": request} for name, (request, _) in examples.items()}
    answers = {name: {"value": answer} for name, (_, answer) in examples.items()}
    created = {
        JSON: {
            "schema": _one_of([session_schemas.new_session(variant) for variant in variants]),
            "examples": answers,
        }
    }
    made["requestBody"] = {
        "required": True,
        "content": {
            JSON: {"schema": _one_of([*new.schemas.values()]), "examples": requests},
        },
    }
    headers = {**_header("ETag"), **_header("Location")}
    made["responses"] = {
        "201": {**response("The session, with its tokens.", created, headers), "links": _links()},
        **made["responses"],
    }
    return made


def _read(seen: Mapping[str, Any]) -> dict[str, Any]:
    read = _operation("read_session", "A session", READ, HTTPStatus.UNPROCESSABLE_ENTITY)
    wait = {
        "in": "query",
        "name": "wait",
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_WAIT, "default": 0},
        "description": "Seconds to hold the answer back while If-None-Match still holds.",
    }
    read["parameters"] += ["IfNoneMatch", wait]
    read["responses"] = {
        "200": response("The session.", seen, _header("ETag")),
        "304": response("What the client has still holds.", {}, _header("ETag")),
        **read["responses"],
    }
    return read


def _act(spec: APISpec, seen: Mapping[str, Any]) -> dict[str, Any]:
    spec.components.schema("Action", _action())
    spec.components.schema(
        "IllegalAction",
        {
            "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {
                    "type": "object",
                    "required": ["actions"],
                    "properties": {
                        "actions": {
                            "type": "array",
                            "items": {"$ref": "#/components/schemas/LegalAction"},
                            "description": "What is legal now.",
                        }
                    },
                },
            ]
        },
    )
    refusals = (HTTPStatus.PRECONDITION_FAILED, HTTPStatus.PRECONDITION_REQUIRED)
    act = _operation("act", "Do something", ACT, *BODY, *refusals)
    act["parameters"] += [
        {
            "in": "header",
            "name": "If-Match",
            "required": True,
            "schema": {"type": "string"},
            "description": "The ETag of the session as the client has seen it; `*` for any.",
        },
        {
            "in": "header",
            "name": "Idempotency-Key",
            "schema": {"type": "string", "pattern": f"^[!-~]{{1,{MAX_KEY_LENGTH}}}$"},
            "description": "A new one for each action, to send it again safely.",
        },
    ]
    schema = {"$ref": "#/components/schemas/Action"}
    act["requestBody"] = {"required": True, "content": {JSON: {"schema": schema}}}
    illegal = {PROBLEM: {"schema": {"$ref": "#/components/schemas/IllegalAction"}}}
    act["responses"] = {
        "200": response("The session after it.", seen, _header("ETag")),
        **act["responses"],
        "422": response("The action isn't legal now; nothing was done.", illegal),
    }
    return act


def _events() -> dict[str, Any]:
    events = _operation(
        "list_events",
        "All that happened in a session",
        "From the first event on, one for each version, without what is hidden from this token. "
        "Once the game is over it holds all that `python -m service verify` takes.",
    )
    content = {JSON: {"schema": session_schemas.HISTORY}}
    answer = response("The history.", content, _header("ETag"))
    events["responses"] = {"200": answer, **events["responses"]}
    return events


def _delete() -> dict[str, Any]:
    delete = _operation(
        "delete_session", "Forget a session", "For good; only the table's token can."
    )
    delete["responses"] = {"204": response("It is forgotten.", {}), **delete["responses"]}
    return delete


def _action() -> dict[str, Any]:
    """What can be sent as an action, over all games."""
    values: dict[str, Any] = {}
    for action in ACTIONS.values():
        values.update(action.values)
    meanings = "\n".join(f"- `{name}`: {action.meaning}" for name, action in ACTIONS.items())
    return {
        "type": "object",
        "required": ["action"],
        "properties": {
            "action": {"type": "string", "enum": [*ACTIONS], "description": meanings},
            "player": {
                "type": "string",
                "minLength": 1,
                "maxLength": 64,
                "description": "Whose action it is; may be left out where only one can act.",
            },
            **values,
            "dice": {
                "type": "array",
                "items": {"type": ["integer", "string"]},
                "description": "What was rolled, in sessions whose dice are typed in: all dice "
                "after the roll, kept ones in their places; of cards, those that were rolled.",
            },
        },
        "additionalProperties": False,
    }


def _links() -> dict[str, Any]:
    """From a new session to all that can be done with it."""
    there = {"session_id": "$response.body#/id"}
    return {
        "read": {"operationId": "read_session", "parameters": there},
        "act": {
            "operationId": "act",
            "parameters": {**there, "If-Match": "$response.header.ETag"},
            "requestBody": {"action": "$response.body#/actions/0/action"},
        },
        "events": {"operationId": "list_events", "parameters": there},
        "delete": {"operationId": "delete_session", "parameters": there},
    }


def _one_of(schemas: Sequence[Any]) -> dict[str, Any]:
    """One of the schemas of all variants, told apart by `variant`."""
    return {"anyOf": [*schemas]}


def _example(variant: Variant[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A request for a session of `variant`, and its answer if the secrets are all zeros."""
    least, most = variant.players
    players = [f"player {place}" for place in range(1, 1 + max(least, min(2, most or 2)))]
    request = {"variant": variant.id, "players": players, "seed": "luck"}
    tokens = ["0" * 43 for _ in range(len(players) + 1)]
    terms = Terms(
        id="0" * 22,
        variant=variant,
        players=tuple(players),
        rules=variant.default_rules,
        seed=bytes(32),
        client_seed="luck",
        tokens=tuple(map(hashed, tokens)),
        created_at=1_767_225_600_000,
        seconds=86_400,
    )
    position, _ = begun(terms)
    seen = Seen(terms, position, None, position.at + terms.seconds * 1000)
    return request, session_answers.made(
        Made(seen, tokens[0], dict(zip(players, tokens[1:], strict=True)))
    )

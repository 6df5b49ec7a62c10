"""The paths of sessions, for the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.api.http.bodies import JSON
from service.api.http.problems import MEDIA_TYPE as PROBLEM
from service.api.operations.operation import ADVISE, REVIEW, Operation
from service.api.schemas import shapes
from service.api.sessions import answers
from service.api.sessions.requests import NewSession
from service.api.sessions.views import MAX_KEY_LENGTH, MAX_WAIT, MIN_CREATION_KEY_LENGTH
from service.contract.parts import (
    IF_NONE_MATCH,
    PROBLEM_SCHEMA,
    REFUSED,
    REQUEST_ID_PARAMETER,
    example_answers,
    identifier,
    response,
)
from service.contract.sessions import actions, problems, schemas
from service.contract.sessions.examples import (
    ExampleSession,
    examples,
    no_variant,
)
from service.contract.tags import SESSIONS
from service.rules.variant import Variant

SCHEME = "token"

CREATE = (
    "Starts a game, which the service keeps until it expires. The response contains the "
    "tokens, and no response to another request does: the table's, which can act for every "
    "player, and one for each player. If the service rolls the dice, it commits to a seed now and "
    "reveals it when the game is over. The players and the house rules can't be changed later. A "
    "request with an Idempotency-Key can safely be sent again: it creates one session, and the "
    "response is the same, with the same tokens."
)

CREATION_KEY = (
    f"A new random key for each session, of at least {MIN_CREATION_KEY_LENGTH} characters, such as "
    "a random UUID, and never a counter or a name. With it, the request can safely be sent again "
    "for a day. Keep it as secret as the tokens: whoever knows the key and the body gets them."
)

ACT = (
    "Send one of the session's `actions`, with a value that its schema allows for each of its "
    "other fields. `player` is optional: by default a player who can perform the action acts, "
    "preferably the token's own. If-Match names the `version` that the client has seen, so that "
    "only one of several simultaneous actions succeeds. A request with an Idempotency-Key can "
    "safely be sent again: it is performed once, and the response is the same."
)

READ = (
    "Returns the session as the token's player may see it, without the hidden dice of others. "
    "With `wait` and If-None-Match, the response is delayed until the session changes. If it "
    "doesn't change, the status is 304 after the wait, or earlier if the service stops."
)


ADVICE = (
    "Returns what `advise` returns for the decision that has to be made now, if the session was "
    "created with `advice`: true. It uses nothing but what the token may see: for a decision on "
    "hidden dice, only the player who sees them gets advice. All options are listed."
)


REVIEWS = (
    "Returns what `review` returns for the turns of each player, from the history: of a game that "
    "is over, or at any time with the table token. Only score cards have reviews."
)


SECURITY_SCHEME = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token from the response that created the session.",
}

HEADERS = {
    "Location": "The path of the session.",
    "RateLimit": "The units that are left, `r`, and the seconds until there are more, `t`.",
    "RateLimit-Policy": "The units, `q`, in a window of `w` seconds.",
    "Retry-After": "Seconds to wait before the next attempt.",
    "WWW-Authenticate": "The scheme of authentication: Bearer.",
}
"""The headers of responses that only some have."""


def session_paths(new: NewSession, operations: Sequence[Operation]) -> dict[str, Any]:
    """The paths of sessions; `operations` are those of all variants."""
    variants = [*new.schemas]
    one = f"{answers.PATH}/{{session_id}}"
    made: dict[str, Any] = {
        answers.PATH: {"post": _create(new)},
        one: {"get": _read(variants), "delete": _delete()},
        f"{one}/actions": {"post": _act(variants)},
        f"{one}/events": {"get": _events(variants)},
    }
    advise = [operation for operation in operations if operation.name == ADVISE]
    review = [operation for operation in operations if operation.name == REVIEW]
    if advise:
        made[f"{one}/advice"] = {"get": _advice(advise)}
    if review:
        made[f"{one}/review"] = {"get": _review(review)}
    return made


def _header(name: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name.replace('-', '')}"}}


def _seen(examples: Mapping[str, Any]) -> dict[str, Any]:
    """A response with a session."""
    return {JSON: {"schema": schemas.SESSION, "examples": examples}}


def _operation(name: str, summary: str, description: str, *, token: bool = True) -> dict[str, Any]:
    """An operation with the parts that all operations of sessions have."""
    return {
        "operationId": name,
        "tags": [SESSIONS],
        "summary": summary,
        "description": description,
        "parameters": [SESSION_ID, REQUEST_ID_PARAMETER] if token else [REQUEST_ID_PARAMETER],
        **({"security": [{SCHEME: []}]} if token else {}),
    }


SESSION_ID = {
    "in": "path",
    "name": "session_id",
    "required": True,
    "schema": answers.ID,
}


def _create(new: NewSession) -> dict[str, Any]:
    made = _operation(
        "createSession",
        "Create a session: start a game",
        CREATE,
        token=False,
    )
    key = _idempotency_key(CREATION_KEY, MIN_CREATION_KEY_LENGTH)
    made["parameters"] = [key, *made["parameters"]]
    worked = {identifier(variant): ExampleSession(variant).creation() for variant in new.schemas}
    requests = examples({name: request for name, (request, _) in worked.items()})
    answers = examples({name: answer for name, (_, answer) in worked.items()})
    made["requestBody"] = {
        "required": True,
        "content": {JSON: {"schema": schemas.SESSION_REQUEST, "examples": requests}},
    }
    created = {JSON: {"schema": schemas.NEW_SESSION, "examples": answers}}
    headers = {**_header("ETag"), **_header("Location")}
    refused = {
        "schema": PROBLEM_SCHEMA,
        "examples": {"no_variant": {"value": no_variant(new)}},
    }
    responses = {
        "201": {
            **response("The new session, with its tokens.", created, headers),
            "links": _links(),
        },
        **problems.creating(),
        "422": response(REFUSED, {PROBLEM: refused}),
    }
    return {**made, "responses": dict(sorted(responses.items()))}


def _idempotency_key(description: str, least: int = 1) -> dict[str, Any]:
    """The header with a key of at least `least` characters."""
    return {
        "in": "header",
        "name": "Idempotency-Key",
        "schema": {"type": "string", "pattern": f"^[!-~]{{{least},{MAX_KEY_LENGTH}}}$"},
        "description": description,
    }


def _if_match(*, required: bool = False) -> dict[str, Any]:
    """The header with the version that a change applies to."""
    return {
        "in": "header",
        "name": "If-Match",
        **({"required": True} if required else {}),
        "schema": {"type": "string"},
        "description": "The `version` of the session as the client has seen it, in quotes: "
        '`"7"`; or `*` for any. The ETag works too, unless a proxy that compresses has changed it.',
    }


def _read(variants: Sequence[Variant]) -> dict[str, Any]:
    read = _operation(
        "readSession",
        "Get the state of a session, or wait for it to change",
        READ,
    )
    wait = {
        "in": "query",
        "name": "wait",
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_WAIT, "default": 0},
        "description": "The most seconds to wait for a change, while the ETag in If-None-Match "
        "is current.",
    }
    had = {
        "in": "header",
        "name": "If-None-Match",
        "schema": {"type": "string"},
        "description": "The ETag that the client got with this token. If it is current, the status "
        'is 304. If the game hides nothing, the version in quotes, `"7"`, works too.',
    }
    read["parameters"] += [had, wait]
    begun = {identifier(variant): ExampleSession(variant).read() for variant in variants[:1]}
    seen = _seen(examples(begun))
    responses = {
        "200": {**response("The session.", seen, _header("ETag")), "links": _links()},
        "304": _current(),
        **problems.reading(problems.SESSION),
        "422": response("`wait` is invalid.", problems.refused_wait()),
    }
    return {**read, "responses": dict(sorted(responses.items()))}


def _act(variants: Sequence[Variant]) -> dict[str, Any]:
    act = _operation("actInSession", "Perform an action: roll, bet, score", ACT)
    act["parameters"] += [
        _if_match(required=True),
        _idempotency_key(
            "A new key for each action, so that the request can safely be sent again."
        ),
    ]
    worked = {identifier(variant): ExampleSession(variant) for variant in variants}
    requests = examples({name: each.action() for name, each in worked.items()})
    seen = _seen(examples({name: each.done() for name, each in worked.items()}))
    act["requestBody"] = {
        "required": True,
        "content": {JSON: {"schema": actions.ACTION, "examples": requests}},
    }
    illegal = {
        PROBLEM: {
            "schema": schemas.ILLEGAL_ACTION,
            "examples": {
                identifier(variant): {"value": ExampleSession(variant).refused()}
                for variant in variants[:1]
            },
        }
    }
    responses = {
        "200": {
            **response("The session after the action.", seen, _header("ETag")),
            "links": _links(),
        },
        **problems.acting(),
        "422": response("The action isn't legal now; nothing was done.", illegal),
    }
    return {**act, "responses": dict(sorted(responses.items()))}


def _events(variants: Sequence[Variant]) -> dict[str, Any]:
    events = _operation(
        "listSessionEvents",
        "List everything that happened in a session",
        "Returns one event for each version, from the first, without dice that are hidden from "
        "this token. Once the game is over, the response is all that `python -m service verify` "
        "needs.",
    )
    begun = {identifier(variant): ExampleSession(variant).events() for variant in variants[:1]}
    content = {JSON: {"schema": schemas.SESSION_HISTORY, "examples": examples(begun)}}
    events["parameters"] += [IF_NONE_MATCH]
    events["responses"] = {
        "200": response("The history.", content, _header("ETag")),
        "304": _current(),
        **problems.reading(problems.EVENTS),
    }
    return events


def _advice(advise: Sequence[Operation]) -> dict[str, Any]:
    """The GET of advice; `advise` are the operations of that name."""
    read = _operation("adviseSession", "Get advice for the decision to be made now", ADVICE)
    names = {each.variant.id: each.response.schema["title"] for each in advise}
    first = advise[0]
    _, worked, _ = example_answers(first, first.run)
    schema = shapes.one_of("SessionAdvice", "variant", names)
    content = {JSON: {"schema": schema, "examples": worked}}
    read["parameters"] += [IF_NONE_MATCH]
    read["responses"] = {
        "200": response("The advice.", content, _header("ETag")),
        "304": _current(),
        **problems.advising(),
    }
    return read


def _review(review: Sequence[Operation]) -> dict[str, Any]:
    """The GET of reviews; `review` are the operations of that name."""
    read = _operation("reviewSession", "Get what each choice cost", REVIEWS)
    names = {each.variant.id: each.response.schema["title"] for each in review}
    of_player = shapes.one_of("Review", "variant", names)
    schema = shapes.record(
        "SessionReview",
        {"players": shapes.by_player(of_player)("The review of each player.")},
    )
    worked = [each for own in review for each in example_answers(own, own.run)[1].values()]
    players = {f"player {seat}": each["value"] for seat, each in enumerate(worked[-1:], start=1)}
    shown = examples({"last_box": {"players": players}})
    content = {JSON: {"schema": schema, "examples": shown}}
    read["parameters"] += [IF_NONE_MATCH]
    read["responses"] = {
        "200": response("The reviews.", content, _header("ETag")),
        "304": _current(),
        **problems.reviewing(),
    }
    return read


def _current() -> dict[str, Any]:
    """The response if the client's copy is current."""
    return response("The client's copy is current.", {}, _header("ETag"))


def _delete() -> dict[str, Any]:
    delete = _operation("deleteSession", "Delete a session", "Permanent. Requires the table token.")
    delete["parameters"] += [_if_match()]
    deleted = response("The session was deleted.", {})
    delete["responses"] = {"204": deleted, **problems.deleting()}
    return delete


def _links() -> dict[str, Any]:
    """Links from a session to its operations."""
    there = {"session_id": "$response.body#/id"}
    return {
        "read": {"operationId": "readSession", "parameters": there},
        "act": {
            "operationId": "actInSession",
            "parameters": {**there, "If-Match": '"{$response.body#/version}"'},
        },
        "events": {"operationId": "listSessionEvents", "parameters": there},
        "delete": {"operationId": "deleteSession", "parameters": there},
    }

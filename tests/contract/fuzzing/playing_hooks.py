"""Hooks of schemathesis that play: each session's token, and the legal actions.

Both come from responses: links can't put a token into the Authorization header, nor values into an
action whose bounds are only known later in the game.

Nothing is random here. Hypothesis starts many scenarios like earlier ones, and silently gives up
the whole phase if the same start then offers different steps.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import uuid4

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

from service.api.sessions.requests import MAX_WAIT
from tests.contract.fuzzing.deleted_session import DeletedSession
from tests.contract.fuzzing.protocol import DEEP, DEEP_DONE, DONE, STORE, TRIED
from tests.contract.session_requests import any_action

ACT = "actInSession"
CREATE = "createSession"
READ = "readSession"
DELETE = "deleteSession"
LONGEST_WAIT = 1
"""Seconds; a longer wait would only take longer."""

NOBODYS = "nobody's"
"""A token that no session has."""

_LINKED = re.compile(r'"\d+"').fullmatch
"""A version in quotes, as links take it from an answer."""

_tried: set[str] = set()
_done: Counter[str] = Counter()
_tokens: dict[str, str] = {}


@dataclass(frozen=True)
class Known:
    """What a client knows of a session from the last response."""

    version: int
    legal: list[dict[str, Any]]


_known: dict[str, Known] = {}
_deleted = DeletedSession(os.environ[STORE])


def _session(case: schemathesis.Case[Any]) -> str:
    """The id of the session in `case`, "" for none."""
    return str((case.path_parameters or {}).get("session_id", ""))


@schemathesis.auth(refresh_interval=None)
class TableToken:
    """The table token of sessions created in this run; an invalid token for others."""

    def get(self, case: schemathesis.Case[Any], _: schemathesis.AuthContext) -> str | None:
        """The token to send, None if the operation takes none."""
        session = _session(case)
        return _tokens.get(session, NOBODYS) if session else None

    def set(self, case: schemathesis.Case[Any], token: str, _: schemathesis.AuthContext) -> None:
        """Puts the token where the contract says."""
        case.headers["Authorization"] = f"Bearer {token}"


def _operation(case: schemathesis.Case[Any]) -> str:
    """The id of the operation of `case`, "" if it is tried with another method."""
    own = case.method.upper() == case.operation.method.upper()
    return str(case.operation.definition.raw.get("operationId", "")) if own else ""


def _by_links(case: schemathesis.Case[Any]) -> bool:
    """Whether `case` is a step of a scenario."""
    return case.meta is not None and case.meta.phase.name == TestPhase.STATEFUL


@schemathesis.hook
def before_call(
    _: schemathesis.HookContext, case: schemathesis.Case[Any], __: dict[str, Any]
) -> None:
    """Gives the action of a link its values, and shortens long waits.

    A scenario begins with a session of its own, so its key is a new one: Hypothesis tries the same
    few keys and bodies again and again. Nobody changes a session during a wait here. A session that
    is about to be deleted is copied until the next call.
    """
    _deleted.forget()
    operation, wait = _operation(case), (case.query or {}).get("wait")
    if operation == DELETE:
        _deleted.copy(_session(case))
    if operation == READ and type(wait) is int and LONGEST_WAIT < wait <= MAX_WAIT:
        case.query["wait"] = LONGEST_WAIT
    sound = case.meta is not None and case.meta.generation.mode.is_positive
    if operation == CREATE and _by_links(case) and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid4())
    if operation == ACT and sound and isinstance(case.body, dict):
        _make_legal(case)


def _make_legal(case: schemathesis.Case[Any]) -> None:
    """Turns a valid action into one that is legal now, which few would be by chance.

    Links name an action and its player, from the list in the response that they lead from, and its
    version; the bounds of the action's values are in that list, out of a link's reach. Scenarios
    follow old responses as often as the latest one: the action becomes one of the latest, as a
    client with that response would send, so that the response doesn't depend on dice. Actions with
    more than a player, and versions that no link gave, are left unchanged: they come too late.
    """
    known = _known.get(_session(case), Known(0, []))
    body: Any = case.body
    linked = set(body) == {"action", "player"}
    if not known.legal or ("player" in body and not linked):
        return
    seed = [known.version, case.headers.get("X-Request-ID"), body]
    chance = Random(json.dumps(seed, default=str))
    same = [each for each in known.legal if linked and body.items() <= each.items()]
    case.body = any_action(chance, same or known.legal)
    if _LINKED(str(case.headers.get("If-Match", ""))):
        case.headers["If-Match"] = f'"{known.version}"'


def broken(case: schemathesis.Case[Any]) -> bool:
    """Whether the body of `case` was generated to violate its schema."""
    body = case.meta.components.get(ParameterLocation.BODY) if case.meta else None
    return body is not None and body.mode.is_negative


@schemathesis.hook
def after_call(
    _: schemathesis.HookContext, case: schemathesis.Case[Any], response: schemathesis.Response
) -> None:
    """Remembers the response of a session, and restores a deleted one.

    The check ignored_auth repeats successful requests without a token and with an invalid one, and
    expects them to be refused (401, 403). For a deleted session the service can't know whether a
    token is invalid (404). So the session exists while the checks run, and is deleted before the
    next call.
    """
    name = _operation(case)
    if (name, response.status_code) == (DELETE, 204):
        _deleted.put_back()
    if (name, response.status_code) not in ((CREATE, 201), (ACT, 200), (READ, 200)):
        return
    session = json.loads(response.content)
    if name == CREATE:
        _tokens[session["id"]] = session["tokens"]["table"]
    _known[session["id"]] = Known(session["version"], session["actions"])
    if name == ACT and _by_links(case):
        _done[session["id"]] += 1


@schemathesis.check
def counts_what_was_tried(
    context: schemathesis.CheckContext, _: schemathesis.Response, __: schemathesis.Case[Any]
) -> None:
    """Never fails: records for which operations the check ignored_auth has tried invalid tokens."""
    _tried.update(context.auth_enforced_operations or ())


def print_summary() -> None:
    """Prints how many actions were performed."""
    print(f"{_done.total()} {DONE}, the most in one session {max(_done.values(), default=0)}")
    print(f"{sum(count >= DEEP for count in _done.values())} {DEEP_DONE}")
    print(f"{sum(label.startswith('DELETE ') for label in _tried)} {TRIED}")

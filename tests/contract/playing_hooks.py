"""What schemathesis needs to know to play: each session's token, and what is legal in it.

Both are what the service answered: links can't carry a token into the Authorization header, nor
values for an action whose bounds are only known once the game has come so far.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation

from service.api.sessions import MAX_WAIT
from tests.contract.sessions_asked import any_action

ACT = "act"
READ = "read_session"
LONGEST_WAIT = 1
"""Seconds; a longer wait would only take longer."""

DONE = "actions were done in sessions that were made here"
"""What is printed in the end after how many."""

_done: list[str] = []
_tokens: dict[str, str] = {}
_legal: dict[str, list[dict[str, Any]]] = {}
_random = Random(20261121)


def _session(case: schemathesis.Case[Any]) -> str:
    """The id of the session that `case` is about, "" for none."""
    return str((case.path_parameters or {}).get("session_id", ""))


@schemathesis.auth(refresh_interval=None)
class TableToken:
    """The table's token of sessions that were made in this run; a token of nobody's for others."""

    def get(self, case: schemathesis.Case[Any], _: schemathesis.AuthContext) -> str | None:
        """The token to send, None where the operation takes none."""
        session = _session(case)
        return _tokens.get(session, "nobody's") if session else None

    def set(self, case: schemathesis.Case[Any], token: str, _: schemathesis.AuthContext) -> None:
        """Puts the token where the contract says."""
        case.headers["Authorization"] = f"Bearer {token}"


def _operation(case: schemathesis.Case[Any]) -> str:
    """The id of the operation of `case`, "" where it is tried with another method."""
    own = case.method.upper() == case.operation.method.upper()
    return str(case.operation.definition.raw.get("operationId", "")) if own else ""


@schemathesis.hook
def before_call(
    _: schemathesis.HookContext, case: schemathesis.Case[Any], __: dict[str, Any]
) -> None:
    """Gives an action that a link led to the values that it takes, within their bounds.

    A sound action that names nobody becomes one that is legal: few would be by chance. Nobody
    changes a session that is waited for here, so long waits are cut short.
    """
    legal = _legal.get(_session(case), [])
    operation, wait = _operation(case), (case.query or {}).get("wait")
    if operation == READ and type(wait) is int and LONGEST_WAIT < wait <= MAX_WAIT:
        case.query["wait"] = LONGEST_WAIT
    if operation != ACT:
        return
    body = case.body
    if isinstance(body, dict) and set(body) == {"action", "player"}:
        legal = [each for each in legal if body.items() <= each.items()]
    elif broken(case) or not isinstance(body, dict) or "player" in body:
        return
    if legal:
        case.body = any_action(_random, legal)


def broken(case: schemathesis.Case[Any]) -> bool:
    """Whether the body of `case` is made to break its schema."""
    body = case.meta.components.get(ParameterLocation.BODY) if case.meta else None
    return body is not None and body.mode.is_negative


@schemathesis.hook
def after_call(
    _: schemathesis.HookContext, case: schemathesis.Case[Any], response: schemathesis.Response
) -> None:
    """Remembers what a session answered."""
    name = _operation(case)
    if name == "create_session" and response.status_code == 201:
        made = json.loads(response.content)
        _tokens[made["id"]] = made["tokens"]["table"]
        _legal[made["id"]] = made["actions"]
    elif name in (ACT, READ) and response.status_code == 200:
        told = json.loads(response.content)
        _legal[told["id"]] = told["actions"]
        if name == ACT and told["id"] in _tokens:
            _done.append(told["id"])


def tell() -> None:
    """Prints how many actions were done."""
    print(f"{len(_done)} {DONE}, {len(set(_done))} of {len(_tokens)}")

"""Reads the contract for tests."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path
from typing import Any

from service.variants import own_variants, variants

Contract = dict[str, Any]

SESSIONS = "/v1/sessions"

JSON = "application/json"
PROBLEM = "application/problem+json"
NDJSON = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"


def read_contract() -> Contract:
    """The contract of all games that the test finds; callers must not change it."""
    return _contract(frozenset(variants()))


@cache
def _contract(games: Set[str]) -> Contract:
    made: Contract = json.loads(_text(games))
    return made


def _text(games: Set[str]) -> bytes:
    root = Path(__file__).parents[2]
    if games == own_variants().keys():
        return (root / "service/contract/openapi.json").read_bytes()
    program = (
        "import sys; from service.contract.write import contract_of; "
        "from service.variants import variants; "
        "sys.stdout.buffer.write(contract_of(variants().values(), 'json'))"
    )
    writing = [sys.executable, "-c", program]  # in a process of its own: threads come here at once
    return subprocess.run(writing, cwd=root, capture_output=True, check=True).stdout


def operations(contract: Contract) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every operation with its path and method."""
    for path, methods in contract["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def of_sessions(contract: Contract) -> dict[str, dict[str, Any]]:
    """The operations of sessions, by id."""
    return {
        operation["operationId"]: operation
        for path, _, operation in operations(contract)
        if path.startswith(SESSIONS)
    }


def answer(contract: Contract, operation: dict[str, Any], status: int) -> dict[str, Any]:
    """The response of `operation` with `status`."""
    said: dict[str, Any] = operation["responses"][str(status)]
    return found(contract, said)


def found(contract: Contract, part: dict[str, Any]) -> dict[str, Any]:
    """`part`, or the component that it refers to."""
    while "$ref" in part:
        _, _, kind, name = part["$ref"].split("/")
        part = contract["components"][kind][name]
    return part

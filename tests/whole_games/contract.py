"""openapi.yaml as validators, each compiled once: thousands of answers a second are judged."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson
from jsonschema_rs import Draft202012Validator

from tests.contract.checker import Validator, contract_checker


def of_variant(variant: str, name: str) -> Validator:
    """The validator of the schema that `variant` has for `name`, such as `Session`."""
    return contract_checker().component(
        "".join(word.capitalize() for word in variant.split("-")) + name
    )


@cache
def _of_shape(written: bytes) -> Validator:
    return Draft202012Validator(orjson.loads(written))


def check_action(body: Mapping[str, Any], listed: Mapping[str, Any]) -> None:
    """Fails unless `body` is an action of the contract, and as the list bounds it."""
    contract_checker().component("Action").validate(body)
    for name, value in body.items():
        if name not in ("action", "player"):
            _of_shape(orjson.dumps(listed[name])).validate(value)

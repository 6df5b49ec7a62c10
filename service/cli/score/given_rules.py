"""House rules as someone writes them at the command line."""

from __future__ import annotations

from typing import Any

from service.cli.score.not_done import NotDone
from service.kinds.columnar import Columnar
from service.rules.house_rules import options, read_rules
from service.rules.violations import InvalidInput
from service.strict_json import InvalidJson, decode


def given_rules(variant: Columnar, text: str) -> Any:
    """The house rules of `variant` that `text`, a JSON object, gives; defaults for the rest.

    Raises `NotDone` naming everything wrong, with what would be right.
    """
    try:
        given = decode(text.encode(errors="surrogateescape"))
    except InvalidJson as error:
        raise NotDone(f"--house-rules is no JSON: {error}") from None
    if not isinstance(given, dict):
        raise NotDone('--house-rules must be a JSON object, such as {"name": true}')
    try:
        return read_rules(variant.house_rules, given)
    except InvalidInput as refused:
        known = {option.name for option in options(variant.house_rules)}
        told = [
            f"{name if name in known else repr(name)} {violation.detail}"
            for violation in refused.violations
            for name in violation.path
        ]
        raise NotDone(f"--house-rules: {'; '.join(told)}") from None

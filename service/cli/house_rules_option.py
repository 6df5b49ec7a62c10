"""The option `--house-rules`."""

from __future__ import annotations

from typing import Any

from service.cli.command_error import CommandError
from service.rules.house_rules import options, read_rules
from service.rules.variant import Variant
from service.rules.violations import InvalidInput
from service.strict_json import InvalidJson, decode


def parse_house_rules(variant: Variant[Any], text: str) -> Any:
    """Parses `text`, a JSON object, as house rules of `variant`; the rest have their defaults.

    Raises `CommandError` listing everything that is wrong.
    """
    try:
        settings = decode(text.encode(errors="surrogateescape"))
    except InvalidJson as error:
        raise CommandError(f"--house-rules is not valid JSON: {error}") from None
    if not isinstance(settings, dict):
        raise CommandError('--house-rules must be a JSON object, such as {"name": true}')
    try:
        return read_rules(variant.house_rules, settings)
    except InvalidInput as refused:
        known = {option.name for option in options(variant.house_rules)}
        details = [
            f"{name if name in known else repr(name)} {violation.detail}"
            for violation in refused.violations
            for name in violation.path
        ]
        raise CommandError(f"--house-rules: {'; '.join(details)}") from None

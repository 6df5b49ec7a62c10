"""Reasons in what games return, for tests that assert their texts."""

from __future__ import annotations

from typing import Any

from service.rules.reasons import TEXTS, spoken


def said(value: Any) -> Any:
    """`value` with the English text of each reason in place of the reason."""
    if isinstance(value, list | tuple):
        return type(value)([said(item) for item in value])
    if not isinstance(value, dict):
        return value
    made: dict[str, Any] = {}
    for name, part in value.items():
        if name not in TEXTS:
            made[name] = said(part)
        elif part:
            made[TEXTS[name]] = spoken(part)
    return made

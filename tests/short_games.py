"""House rules by which games of each kind are short, whatever games there are."""

from __future__ import annotations

from typing import Any

from service.rules.variant import Variant

_SHORT: dict[str, dict[str, Any]] = {
    "ranking": {"rounds": 3},
    "community": {"starting_chips": 40},
    "layout": {"turns": 2},
    "scorecard": {},
}

_FEW_CHIPS = {"starting_chips": 5}
"""What shortens a game for chips that can't be bounded in rounds."""


def short_rules(variant: Variant) -> dict[str, Any]:
    """House rules of `variant` by which its games are short."""
    wanted = _SHORT[variant.kind]
    given = {name: value for name, value in wanted.items() if name in variant.rule_names}
    if wanted and not given:
        return {name: value for name, value in _FEW_CHIPS.items() if name in variant.rule_names}
    return given

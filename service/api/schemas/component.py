"""The names of the schemas of variants, and of kinds of variants, in the contract."""

from __future__ import annotations

from typing import Any

from service.rules.variant import Variant


def component(variant: Variant[Any], part: str) -> str:
    """The name of a schema of `variant` in the contract: `PokerDiceEvaluateRequest`."""
    return "".join(word.capitalize() for word in variant.id.split("-")) + part


def component_of_kind(variant: Variant[Any], part: str) -> str:
    """The name of a schema that all variants of the kind share: `RankingPhase`."""
    return variant.kind.capitalize() + part

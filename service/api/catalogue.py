"""The catalogue: what a client needs to draw a variant's screens without reading its rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from service.api.batch.batch import Batch
from service.api.operations.operation import Answer, Operation
from service.api.operations.registry import API_KINDS
from service.rules.house_rules import options
from service.rules.variant import Variant

PATH = "/v1/variants"

Offered = Operation | Batch
"""The operations of a variant."""


def listing(variants: Iterable[Variant[Any]], offered: Iterable[Offered]) -> Answer:
    """The list of all variants."""
    offered = list(offered)
    return {"variants": [_summary(variant, offered) for variant in variants]}


def entry(variant: Variant[Any], offered: Iterable[Offered]) -> Answer:
    """The entry of one variant."""
    least, most = variant.players
    return {
        **_summary(variant, offered),
        "dice": _dice(variant),
        "rolls": variant.rolls,
        "players": {"min": least, "max": most},
        **API_KINDS.of(variant).entry(variant),
        "house_rules": [
            {
                "name": option.name,
                "type": option.type,
                "choices": option.choices,
                "nullable": option.nullable,
                "default": option.default,
                "minimum": option.minimum,
                "maximum": option.maximum,
                "step": option.step,
                "meaning": option.meaning,
                "clause": option.clause,
            }
            for option in options(variant.house_rules)
        ],
        "rules": [{"clause": clause, "text": text} for clause, text in variant.clauses.items()],
    }


def _summary(variant: Variant[Any], offered: Iterable[Offered]) -> Answer:
    return {
        "id": variant.id,
        "name": variant.name,
        "summary": variant.summary,
        "kind": variant.kind,
        "links": {
            "self": f"{PATH}/{variant.id}",
            **{
                operation.name: operation.path
                for operation in offered
                if operation.variant is variant
            },
        },
    }


def _dice(variant: Variant[Any]) -> Answer:
    dice = variant.dice
    return {
        "count": dice.count,
        "faces": dice.faces,
        "suits": [{"letter": suit.letter, "name": suit.name} for suit in dice.suits],
        "names": dice.names,
        "colours": dice.colours,
        "notation": dice.how_written,
    }

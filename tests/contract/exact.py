"""The contract with the exact shapes that generators of clients don't take.

Lines, streams and house rules in a query are texts in the contract; here they have the schema of
their content. Lists whose first item or length is special, and scores that no step describes, are
plain in the contract; here they are exact.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from service.api.operations.operation import BatchColumns
from service.api.operations.registry import API_KINDS
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.variant import Layout
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Variant
from service.variants import variants
from tests.contract.openapi import ARROW, JSON, NDJSON, Contract


def exact(contract: Contract) -> Contract:
    """A copy of `contract` with the exact shapes."""
    made: Contract = json.loads(json.dumps(contract))
    schemas = made["components"]["schemas"]
    for variant in variants().values():
        batch = made["paths"][f"/v1/variants/{variant.id}/batch"]["post"]
        own = named_for(variant, schemas)
        request, answer = batch["requestBody"]["content"], batch["responses"]["200"]["content"]
        for content in (request, answer):
            content[NDJSON]["schema"] = content[NDJSON]["schema"]["contentSchema"]
        columns = API_KINDS.of(variant).columns(variant)
        if isinstance(columns, BatchColumns):
            request[ARROW]["schema"] = _table({"dice": _arrow_dice(columns)})
            answer[ARROW]["schema"] = _table(_columns(own))
        for parameter in batch["parameters"]:
            if parameter.get("name") == "house_rules":
                schema = parameter.pop("schema")["contentSchema"]
                parameter["content"] = {JSON: {"schema": schema}}
        _exact_shapes(variant, own)
    return made


def named_for(variant: Variant, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """The `schemas` of `variant` without its name: `EvaluateRequest`."""
    prefix = "".join(map(str.capitalize, variant.id.split("-")))
    return {
        name.removeprefix(prefix): schema
        for name, schema in schemas.items()
        if name.startswith(prefix)
    }


def _arrow_dice(columns: BatchColumns) -> dict[str, Any]:
    """The column of hands in an Arrow stream."""
    dice, sizes = columns.variant.dice, columns.variant.hand_sizes
    shape: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": dice.faces}
    if dice.suits:
        shape = {"type": "integer", "minimum": 0, "maximum": len(dice.notation) - 1}
    elif dice.names:
        shape = {"type": "string", "enum": [*dice.names]}
    hand = {"type": "array", "items": shape, "minItems": min(sizes), "maxItems": max(sizes)}
    return {"type": "array", "items": hand}


def _columns(schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    """The columns of the response to a batch."""
    if "BatchScores" in schemas:
        scores: Mapping[str, Any] = schemas["BatchScores"]["properties"]
        return scores
    answer = schemas["BatchAnswer"]["properties"]
    return {name: answer[name] for name in answer.keys() - {"variant", "count", "house_rules"}}


def _table(columns: Mapping[str, Any]) -> dict[str, Any]:
    """An Arrow stream, as an object of its columns."""
    return {
        "type": "object",
        "properties": columns,
        "required": [*columns],
        "additionalProperties": False,
    }


def _exact_shapes(variant: Variant, schemas: Mapping[str, Any]) -> None:
    """Makes the shapes of `variant` exact."""
    if isinstance(variant, Layout):
        for name in ("EvaluateRequest", "RankPlayer", "ScoreRequest"):
            rolls = schemas[name]["properties"]["rolls"]
            rolls["prefixItems"] = [{**rolls["items"], "minItems": variant.dice.count}]
    if isinstance(variant, CommunityRanking):
        for name in ("EvaluateRequest", "AdviseRequest"):
            _sized(schemas[name]["properties"]["community"], variant.stages)
        advise = schemas["AdviseRequest"]
        advise["dependentSchemas"] = {
            "pot": _only_with("pot", "to_call"),
            "to_call": _only_with("to_call", "pot"),
        }
        _sized(schemas["Hand"]["oneOf"][0], variant.hand_sizes)
    if isinstance(variant, ScoreCard):
        for name in ("Scores", "Card", "CardSoFar", "BatchScores"):
            for box, possible in variant.possible.items():
                score = schemas[name]["properties"][box]
                score = score.get("items", score)
                score["enum"] = [*possible, *([None] if "null" in score["type"] else [])]


def _only_with(name: str, other: str) -> dict[str, Any]:
    """Allows a number as the field `name` only with one as the `other`; null is no number."""
    number = {"type": "integer"}
    return {
        "if": {"properties": {name: number}, "required": [name]},
        "then": {"properties": {other: number}, "required": [other]},
    }


def _sized(listed: dict[str, Any], sizes: Sequence[int]) -> None:
    """Allows only lists of one of `sizes`."""
    listed["anyOf"] = [{"minItems": size, "maxItems": size} for size in sizes]

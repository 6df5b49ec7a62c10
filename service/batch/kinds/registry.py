"""The outcomes of every variant whose hands can be answered in columns, by its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from service.batch.kinds import community, ranking, scorecard
from service.batch.outcomes import Outcomes
from service.kinds.layout.variant import Layout
from service.kinds.registry import ByKind
from service.rules.house_rules import read_rules
from service.rules.variant import Variant
from service.variants import variants


class KindInColumns(Protocol):
    """The module of a kind. `BOXES` is True if the columns are the boxes of a score card."""

    BOXES: bool

    def outcomes(self, variant: Any, rules: Any) -> Outcomes:
        """The outcomes of `variant` under the house `rules`."""


BATCH_KINDS = ByKind[KindInColumns | None](
    __name__,
    ranking=ranking,
    community=community,
    scorecard=scorecard,
    layout=None,  # layouts are searched for, each by itself
)

_made: dict[tuple[Variant[Any], tuple[bool, ...]], Outcomes] = {}


def outcomes_of(variant: Any, rules: Any) -> Outcomes:
    """The outcomes of `variant` under `rules`; built once for all rules with the same outcomes.

    Raises `ValueError` for a variant whose hands can't be answered in columns.
    """
    kind = BATCH_KINDS.of(variant)
    if kind is None:
        raise ValueError(f"hands of {variant.id} have no answers in columns")
    key = variant, tuple(getattr(rules, switch) for switch in variant.switches)
    try:
        return _made[key]
    except KeyError:
        return _made.setdefault(key, kind.outcomes(variant, rules))


def named_outcomes(name: str, house_rules: Mapping[str, Any], *, boxes: bool) -> Outcomes:
    """The outcomes of the variant called `name`.

    Its columns must be the boxes of a score card if `boxes` is True, and must not if it is False.
    Raises `ValueError` for any other variant, and `InvalidInput` naming all invalid house rules.
    """
    offered = {
        variant.id: variant
        for variant in variants().values()
        if (kind := BATCH_KINDS.of(variant)) and boxes == kind.BOXES
    }
    variant = _chosen(name, offered)
    return outcomes_of(variant, read_rules(variant.house_rules, house_rules))


def in_tables() -> Mapping[str, Variant[Any]]:
    """The variants whose hands or turns are scored in tables, by their names."""
    return {
        variant.id: variant
        for variant in variants().values()
        if BATCH_KINDS.of(variant) or isinstance(variant, Layout)
    }


def table_game(name: str, house_rules: Mapping[str, Any]) -> tuple[Variant[Any], Any]:
    """The variant called `name`, and its rules with these `house_rules`, to score tables by.

    Raises `ValueError` for a variant that isn't scored in tables, and `InvalidInput` naming all
    invalid house rules.
    """
    variant = _chosen(name, in_tables())
    return variant, read_rules(variant.house_rules, house_rules)


def _chosen(name: str, offered: Mapping[str, Variant[Any]]) -> Variant[Any]:
    if name not in offered:
        raise ValueError(f"{name!r} is not one of {', '.join(offered)}")
    return offered[name]

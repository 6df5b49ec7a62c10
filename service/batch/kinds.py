"""The outcomes of the hands of each kind of game: of rolls, of suited hands, and on score cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from service.batch.outcomes import Column, Outcomes
from service.batch.roll_kernel import roll_kernel
from service.batch.suited_kernel import SuitedKernel
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.variant import Layout
from service.kinds.ranking.hand_table import BestOf, HandTable
from service.kinds.ranking.variant import AnyRanking, Ranking
from service.kinds.registry import ByKind
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.house_rules import read_rules
from service.rules.variant import Variant
from service.variants import variants

_IN_A_BYTE = 128
"""The most ranks whose positions fit in an int8."""


def _ranked(variant: Ranking, rules: Any) -> Outcomes:
    """An outcome for each roll: its rank and its strength."""
    kernel = roll_kernel(variant.dice)
    table = variant.table(rules)
    hands = [table.hand(roll) for roll in kernel.rolls]
    columns = _rank_columns(
        variant, [hand.rank.id for hand in hands], [hand.strength for hand in hands]
    )
    return Outcomes(
        variant,
        variant.dice,
        variant.hand_sizes,
        columns,
        boxes=False,
        of=kernel.numbers,
        check=variant.dice.check_numbers,
    )


def _community(variant: CommunityRanking, rules: Any) -> Outcomes:
    """An outcome for each strength of pocket and community dice together."""
    hands = sorted({hand.strength: hand for hand in variant.table(rules)}.items())
    columns = _rank_columns(
        variant, [hand.rank.id for _, hand in hands], [strength for strength, _ in hands]
    )
    return Outcomes(
        variant,
        variant.dice,
        variant.hand_sizes,
        columns,
        boxes=False,
        of=suited_kernel(variant, rules).strengths,
        check=variant.check,
    )


def _score_card(variant: ScoreCard, rules: Any) -> Outcomes:
    """An outcome for each roll: what it is worth in each box."""
    kernel = roll_kernel(variant.dice)
    scores = [variant.scores(roll, rules) for roll in kernel.rolls]
    return Outcomes(
        variant,
        variant.dice,
        variant.hand_sizes,
        tuple(
            Column(box.id, np.array([0, *(score[box.id] for score in scores)], np.int16))
            for box in variant.boxes
        ),
        boxes=True,
        of=kernel.numbers,
        check=variant.dice.check_numbers,
    )


def _rank_columns(
    variant: AnyRanking, ranks: Sequence[str], strengths: Sequence[int]
) -> tuple[Column, Column]:
    """The columns `rank` and `strength`, by the number of the outcome."""
    words = tuple(rank.id for rank in variant.ranks)
    places = [0, *(words.index(rank) for rank in ranks)]
    held = np.int8 if len(words) <= _IN_A_BYTE else np.int16
    return (
        Column("rank", np.array(places, held), words),
        Column("strength", np.array([0, *strengths], np.int32)),
    )


def suited_kernel(variant: CommunityRanking, rules: Any) -> SuitedKernel:
    """The kernel of `variant` under `rules`; built once for all rules with the same hands."""
    return _suited(variant.best_of(rules), variant.table(rules), variant.dice)


@cache
def _suited(best_of: BestOf, table: HandTable, dice: Dice) -> SuitedKernel:
    return SuitedKernel(best_of, table, dice)


OUTCOMES = ByKind[Callable[[Any, Any], Outcomes] | None](
    __name__,
    ranking=_ranked,
    community=_community,
    scorecard=_score_card,
    layout=None,  # layouts are searched for, each by itself
)

_made: dict[tuple[Variant, tuple[bool, ...]], Outcomes] = {}


def outcomes_of(variant: Any, rules: Any) -> Outcomes:
    """The outcomes of `variant` under `rules`; built once for all rules with the same outcomes.

    Raises `ValueError` for a variant whose hands can't be answered in columns.
    """
    make = OUTCOMES.of(variant)
    if make is None:
        raise ValueError(f"hands of {variant.id} have no answers in columns")
    key = variant, tuple(getattr(rules, switch) for switch in variant.switches)
    try:
        return _made[key]
    except KeyError:
        return _made.setdefault(key, make(variant, rules))


def named_outcomes(name: str, house_rules: Mapping[str, Any], *, boxes: bool) -> Outcomes:
    """The outcomes of the variant called `name`.

    Its columns must be the boxes of a score card if `boxes` is True, and must not if it is False.
    Raises `ValueError` for any other variant, and `InvalidInput` naming all invalid house rules.
    """
    offered = {
        variant.id: variant
        for variant in variants().values()
        if OUTCOMES.of(variant) and boxes == isinstance(variant, ScoreCard)
    }
    variant = _chosen(name, offered)
    return outcomes_of(variant, read_rules(variant.house_rules, house_rules))


def in_tables() -> Mapping[str, Variant]:
    """The variants whose hands or turns are scored in tables, by their names."""
    return {
        variant.id: variant
        for variant in variants().values()
        if OUTCOMES.of(variant) or isinstance(variant, Layout)
    }


def table_game(name: str, house_rules: Mapping[str, Any]) -> tuple[Variant, Any]:
    """The variant called `name`, and its rules with these `house_rules`, to score tables by.

    Raises `ValueError` for a variant that isn't scored in tables, and `InvalidInput` naming all
    invalid house rules.
    """
    variant = _chosen(name, in_tables())
    return variant, read_rules(variant.house_rules, house_rules)


def _chosen(name: str, offered: Mapping[str, Variant]) -> Variant:
    if name not in offered:
        raise ValueError(f"{name!r} is not one of {', '.join(offered)}")
    return offered[name]

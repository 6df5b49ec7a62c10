"""A whole turn in one step, with its final dice or with points alone (G4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from service.engine.actions import ActionKind, Value
from service.engine.parameters import OneOf, Points
from service.kinds.scorecard.card import BoxEntry, Card
from service.kinds.scorecard.known_rules import ZEROS_LAST
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import Breach
from service.rules.dice import whole_number
from service.rules.house_rules import HouseRules
from service.rules.reasons import Because, Reason
from service.rules.violations import InvalidInput, Violation

WRITE = ActionKind(
    "write",
    "writes a whole turn instead of its first roll, where players type in their dice",
    {
        "box": Value(OneOf, "an open box of the card"),
        "points": Value(Points, "points that the box can have, if no dice are given"),
    },
    dice="the final dice of the turn, if no points are given",
    instead="points",
)


def written_turn(
    variant: ScoreCard, rules: HouseRules, card: Card, entry: BoxEntry, points: object
) -> Card:
    """The card after a turn: `points` in the box of `entry`, or if they are None its dice (G4).

    Raises `InvalidInput` for points that the box can't have, and for a zero that is refused (D17).
    """
    if points is None:
        wrong = variant.refused_zero(entry, rules, card.open_boxes, crossed_out=False)
        if wrong:
            raise InvalidInput(Violation(("box",), wrong))
        return variant.written(card, entry, rules)
    number, possible = whole_number(points), reachable(variant, rules, card, entry.box)
    if number not in possible:
        detail = Breach.IMPOSSIBLE_POINTS(numbers=possible)
        raise InvalidInput(Violation(("points",), detail))
    return variant.with_score(card, entry, number, rules)


def reachable(variant: ScoreCard, rules: HouseRules, card: Card, box: str) -> list[int]:
    """The points that a turn can bring in an open box of `card`: those of each roll, and a zero
    unless it is refused for every roll (D12, D17, G4).
    """
    rolls, open_boxes = variant.rolls_of_dice, card.open_boxes
    no_zero = ZEROS_LAST.of(rules) and all(
        variant.must_score(dice, rules, open_boxes) for dice in rolls
    )
    return [*([] if no_zero else [0]), *_scored(variant, rules, box)]


@lru_cache(maxsize=256)
def _scored(variant: ScoreCard, rules: HouseRules, box: str) -> Sequence[int]:
    """What rolls bring in a box, but for zero. A joker brings no other points than other rolls."""
    return sorted({variant.box_scores(dice, rules)[box] for dice in variant.rolls_of_dice} - {0})


def points_written(variant: ScoreCard, player: str, box: str, points: int) -> Because:
    """Why a box has `points`, of which no dice are known."""
    reason = Reason.POINTS_WRITTEN(player=player, points=points, box=box)
    return variant.because(WRITE.name, reason)

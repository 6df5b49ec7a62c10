"""Checks of the description of a layout."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

from service.kinds.layout.lines import BASES, DOUBLING, WITH_FURTHER, LineHands
from service.kinds.layout.solver.best import Mode
from service.rules.field_types import require
from service.rules.house_rules import HouseRules, KnownRule, options

OPENINGS = ("jacks_or_better", "none")
"""What the first roll may have to hold."""

_CHOICES = {"layout": tuple(mode.value for mode in Mode), "opening": OPENINGS}

MAX_USES = 4
"""The most hands that a house rule may let a die count in."""


_READ = (
    KnownRule("repeated_cards", default=False),
    KnownRule("max_uses", default=2, minimum=2),
    KnownRule("turns", default=None, minimum=1),
    KnownRule("target_score", default=None, minimum=1),
)


def check_options(rules: type[HouseRules]) -> None:
    """Raises `Mistake` for house rules, which have every option of `LayoutRules`, out of bounds."""
    by_name = {option.name: option for option in options(rules)}
    for name, words in _CHOICES.items():
        require(
            by_name[name].choices and {*by_name[name].choices} <= {*words},
            f"house_rules: {name} must be a choice of some or all of: {', '.join(words)}",
        )
    for known in _READ:
        wanted = known.wanted(by_name[known.name])
        require(not wanted, f"house_rules: {known.name} must be {wanted}")
    require(
        (by_name["max_uses"].maximum or 0) <= MAX_USES,
        f"house_rules: max_uses must have a maximum of {MAX_USES} or less",
    )
    require(
        by_name["turns"].default is not None or by_name["target_score"].default is not None,
        "house_rules: turns or target_score must have a default, or a game would never end",
    )


def check_hands(hands: LineHands) -> None:
    """Raises `Mistake` for hands out of order, and for what `Line` would ignore."""
    by_name = {field.name: getattr(hands, field.name) for field in fields(hands)}
    for higher, hand in pairwise(by_name.values()):
        above = f"hands: {hand.id} must not have more points than the hand before it"
        require(hand.points <= higher.points, above)
    for name, hand in by_name.items():
        require(
            not hand.further or name in WITH_FURTHER,
            f"hands: {hand.id} must have no further points: it can't have further cards",
        )
        require(
            not hand.doubles or name in DOUBLING,
            f"hands: {hand.id} must have no doubles: only {', '.join(DOUBLING)} can double",
        )
    require(
        len({hand.id for hand in by_name.values()}) == len(by_name),
        "hands: must have different ids",
    )


def most_points(hands: LineHands, lots: int) -> int:
    """A bound on the points of hands that have `lots` dice together; a shared die counts in each.

    No hand has more points per die than its base has, or than a further card.
    """
    each = 0
    for field in fields(hands):
        hand = getattr(hands, field.name)
        base = hand.points * (2 if hand.doubles else 1)
        each = max(each, -(-base // BASES[field.name]), hand.further)
    return each * lots

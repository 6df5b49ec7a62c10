"""The mistakes in the description of a layout, a sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise

from service.kinds.layout.lines import BASES, DOUBLING, WITH_FURTHER, LineHands
from service.kinds.layout.solver.best import Mode
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


def option_mistakes(rules: type[HouseRules]) -> Iterator[str]:
    """The mistakes in the house rules, which must have every option of `LayoutRules`."""
    by_name = {option.name: option for option in options(rules)}
    for name, words in _CHOICES.items():
        if not by_name[name].choices or not {*by_name[name].choices} <= {*words}:
            yield f"{name} must be a choice of some or all of: {', '.join(words)}"
    for known in _READ:
        wanted = known.wanted(by_name[known.name])
        if wanted:
            yield f"{known.name} must be {wanted}"
    if (by_name["max_uses"].maximum or 0) > MAX_USES:
        yield f"max_uses must have a maximum of {MAX_USES} or less"
    if by_name["turns"].default is None and by_name["target_score"].default is None:
        yield "turns or target_score must have a default, or a game would never end"


def hand_mistakes(hands: LineHands) -> Iterator[str]:
    """The mistakes in single hands: their order, and what `Line` would ignore."""
    in_order = [(field.name, getattr(hands, field.name)) for field in fields(hands)]
    for (_, higher), (_, hand) in pairwise(in_order):
        if hand.points > higher.points:
            yield f"{hand.id} must not have more points than the hand before it"
    for name, hand in in_order:
        if hand.further and name not in WITH_FURTHER:
            yield f"{hand.id} must have no further points: it can't have further cards"
        if hand.doubles and name not in DOUBLING:
            yield f"{hand.id} must have no doubles: only {', '.join(DOUBLING)} can double"
    ids = {hand.id for _, hand in in_order}
    if len(ids) < len(in_order):
        yield "must have different ids"


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

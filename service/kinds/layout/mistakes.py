"""The mistakes in the description of a layout, a sentence each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from service.kinds.layout.lines import BASES, DOUBLING, WITH_FURTHER, LineHands
from service.kinds.layout.solver.best import Mode
from service.rules.dice import MAX_FACES
from service.rules.house_rules import HouseRules, options

OPENINGS = ("jacks_or_better", "none")
"""What the first roll may have to hold."""

_CHOICES = {"layout": tuple(mode.value for mode in Mode), "opening": OPENINGS}
_MAX_USES = range(2, 5)


def option_mistakes(rules: type[HouseRules]) -> Iterator[str]:
    """The mistakes in the house rules, which must have every option of `LayoutRules`."""
    by_name = {option.name: option for option in options(rules)}
    for name, words in _CHOICES.items():
        if not by_name[name].choices or not set(by_name[name].choices) <= set(words):
            yield f"{name} must be a choice of some or all of: {', '.join(words)}"
    if by_name["repeated_cards"].type != "boolean":
        yield "repeated_cards must be a switch"
    uses = by_name["max_uses"]
    if uses.nullable or uses.minimum not in _MAX_USES or uses.maximum not in _MAX_USES:
        yield "max_uses must be an amount from 2 to 4 that is never null"
    ends = by_name["turns"], by_name["target_score"]
    for option in ends:
        if option.type != "integer" or not option.minimum or option.minimum < 1:
            yield f"{option.name} must be an amount of 1 or more"
    if all(option.default is None for option in ends):
        yield "turns or target_score must have a default, or a game would never end"


def hand_mistakes(hands: LineHands) -> Iterator[str]:
    """The mistakes in single hands: their words, points, and what `Line` would ignore."""
    least = None
    for field in fields(hands):
        hand = getattr(hands, field.name)
        if not hand.needs.strip():
            yield f"{hand.id} must say what it needs"
        if hand.points < 1:
            yield f"{hand.id} must have 1 point or more, not {hand.points}"
        if least is not None and hand.points > least:
            yield f"{hand.id} must not have more points than the hand before it"
        least = hand.points
        if hand.further < 0:
            yield f"further points of {hand.id} must be 0 or more, not {hand.further}"
        if hand.further and field.name not in WITH_FURTHER:
            yield f"{hand.id} has further points, but can't have further cards"
        if hand.doubles and field.name not in DOUBLING:
            yield f"{hand.id} has doubles, but only {', '.join(DOUBLING)} can double"


def risk_mistakes(faces: Sequence[int]) -> Iterator[str]:
    """The mistakes in the faces of the risk die."""
    if len(faces) > MAX_FACES or any(face < 0 for face in faces):
        yield f"must be at most {MAX_FACES} numbers from 0, which is a blank"
    if len(set(faces)) < 2:
        yield "must have two different faces or more: with one, all throws to begin would tie"


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

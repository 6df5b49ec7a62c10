"""A layout as JSON: its hands with the reasons for their points, and the grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.kinds.layout.cards import Turn
from service.kinds.layout.read_lines import DIRECTIONS
from service.kinds.layout.variant import LaidHand, Layout, LayoutRules, grid_of


def hands_json(variant: Layout, turn: Turn, hands: Sequence[LaidHand]) -> list[dict[str, Any]]:
    """`hands` with their cards, points and reasons (R9), and where their first dice lie (R26)."""
    return [
        {
            "hand": hand.line.hand.id,
            "dice": hand.dice,
            "cards": variant.dice.cards_of(turn, hand.dice),
            "points": hand.line.points,
            "first_roll": hand.line.first_roll,
            "reason": hand.line.reason,
            "clause": hand.line.hand.clause,
            **_place(hand),
        }
        for hand in hands
    ]


def grid_json(
    variant: Layout, turn: Turn, hands: Sequence[LaidHand], rules: LayoutRules
) -> list[dict[str, Any]] | None:
    """Where each die of `hands` lies (R26); None where hands run in any direction (R27)."""
    if rules.max_uses > 2:
        return None
    return [
        {
            "die": die,
            "card": variant.dice.cards_of(turn, [die])[0],
            "row": row,
            "column": column,
        }
        for die, row, column in grid_of(hands)
    ]


def _place(hand: LaidHand) -> dict[str, Any]:
    if hand.segment is None:
        return {"direction": None, "row": None, "column": None}
    row, column = hand.segment.cells()[0]
    return {"direction": DIRECTIONS[not hand.segment.across], "row": row, "column": column}

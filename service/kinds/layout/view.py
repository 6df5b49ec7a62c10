"""Layouts as JSON: their hands and grid, the current turn of a game, and its places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service.kinds.final_places import places_json
from service.kinds.layout.card_roll import Faces, blanks, shown
from service.kinds.layout.cards import Turn
from service.kinds.layout.played import Because, LaidHand, grid_of
from service.kinds.layout.read_lines import DIRECTIONS
from service.kinds.layout.state import LaidTurn, LayoutState
from service.kinds.layout.variant import Layout, LayoutRules
from service.rules.places import in_places


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's final total, and whether a super royal has won them the game."""

    id: str
    total: int
    super_royal: bool


def turn_json(variant: Layout, rules: LayoutRules, state: LayoutState) -> dict[str, Any]:
    """The rolls of a turn, what the dice show, and the layout once there is one (R3, R4)."""
    faces = shown(state.rolls)
    return {
        "rolls": state.rolls,
        "dice": faces,
        "blanks": blanks(faces),
        "rolls_left": state.rolls_left(variant.rolls),
        "opened": True if state.rolls else None,
        "laid": None if state.laid is None else _laid_json(variant, rules, state.rolls, state.laid),
    }


def _laid_json(
    variant: Layout, rules: LayoutRules, rolls: Sequence[Faces], laid: LaidTurn
) -> dict[str, Any]:
    """A layout with the points of its hands, and those of the best one (R32)."""
    turn = variant.read_rolls(rolls)
    hands = laid.laid_hands(variant)
    return {
        "points": laid.points,
        "hands": hands_json(variant, turn, hands),
        "grid": grid_json(variant, turn, hands, rules),
        "all_dice_bonus": laid.bonus,
        "best_points": laid.best_points,
        "proven": laid.proven,
        **({} if laid.proven else {"upper_bound": laid.upper_bound}),
    }


def final_places(standings: Sequence[Standing], because: Because) -> list[dict[str, Any]]:
    """The places by total (R5), with a super royal first (R9), each with its reason."""
    ahead = max(standing.total for standing in standings) + 1

    def beats(stronger: Standing, weaker: Standing) -> str:
        if stronger.super_royal:
            return because("super_royal", "A super royal wins the game at once")
        high, low = stronger.total, weaker.total
        return because("end", f"A total of {high} is {high - low} more than {low}")

    def last(lowest: tuple[Standing, ...], alone: bool) -> str:
        total = lowest[0].total
        if not alone:
            return f"The lowest total here: {total}."
        if len(lowest) > 1:
            return because("end", f"A total of {total} each; equal totals share the place")
        return f"A total of {total}, and nobody else to compare with."

    places = in_places(
        standings,
        strength=lambda standing: standing.total + ahead * standing.super_royal,
        beats=beats,
        last=last,
    )
    return places_json(places, lambda standing: standing.total)


def compared(laid: LaidTurn) -> str:
    """A sentence on what a layout is worth, and whether there is a better one."""
    points, best = laid.points, laid.best_points
    if points < best:
        return f"The layout is worth {points} points; there is one with {best}"
    if laid.proven:
        return f"The layout is worth {points} points, and none is worth more"
    return f"The layout is worth {points} points, and none is known that is worth more"


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
            **place_json(hand),
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


def place_json(hand: LaidHand) -> dict[str, Any]:
    """Where the first die of `hand` lies, and in which direction the hand runs (R26, R27)."""
    if hand.segment is None:
        return {"direction": None, "row": None, "column": None}
    row, column = hand.segment.cells()[0]
    return {"direction": DIRECTIONS[not hand.segment.across], "row": row, "column": column}

"""The state of a game of layouts, and what everyone sees of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from service.engine.game import News
from service.engine.starting import Starting
from service.kinds.layout.card_roll import Faces, blanks, shown
from service.kinds.layout.cards import BLANK, Turn
from service.kinds.layout.lines import Line
from service.kinds.layout.own_layout import DIRECTIONS
from service.kinds.layout.played import Because, LaidHand, Played, grid_of
from service.kinds.layout.solver.grid import Segment
from service.kinds.layout.variant import Layout, LayoutRules
from service.rules.places import in_places, places_json

StoredHand = tuple[str, int, bool, tuple[int, ...], tuple[bool, int, int, int] | None]
"""A hand of a layout: its id, its further cards, whether it counts twice, its dice, and their place
with the fields of a `Segment`."""


@dataclass(frozen=True, slots=True)
class LaidTurn:
    """A layout whose points are fixed; `points` include `bonus`.

    `best_points` are those of the best layout known, `upper_bound` what no layout exceeds.
    """

    points: int
    bonus: int
    best_points: int
    upper_bound: int
    hands: tuple[StoredHand, ...]

    @classmethod
    def of(cls, played: Played) -> LaidTurn:
        """The layout of `played`."""
        hands: list[StoredHand] = [
            (
                hand.line.hand.id,
                hand.line.further,
                hand.line.first_roll,
                hand.dice,
                None if hand.segment is None else _stored(hand.segment),
            )
            for hand in played.hands
        ]
        return cls(
            played.points, played.bonus, played.best_points, played.upper_bound, tuple(hands)
        )

    @classmethod
    def restore(cls, stored: Mapping[str, Any]) -> LaidTurn:
        """The layout from its stored JSON, which has lists instead of tuples."""
        hands: list[StoredHand] = [
            (hand, further, first_roll, tuple(dice), None if segment is None else tuple(segment))
            for hand, further, first_roll, dice, segment in stored["hands"]
        ]
        return cls(**{**stored, "hands": tuple(hands)})

    @property
    def proven(self) -> bool:
        """Whether it is proven that no layout has more than `best_points` (R32)."""
        return self.best_points == self.upper_bound

    def laid_hands(self, variant: Layout) -> list[LaidHand]:
        """The hands of the layout."""
        hands = {hand.id: hand for hand in variant.all_hands}
        return [
            LaidHand(
                Line.of(hands[hand], further, first_roll),
                dice,
                None if segment is None else Segment(*segment),
            )
            for hand, further, first_roll, dice, segment in self.hands
        ]


@dataclass(frozen=True, slots=True)
class LayoutState:
    """The state of a game.

    `starting` has the throws to decide who begins, until that is known; `begins` is the seat of the
    player who does. `totals` are by seat. `played` counts the turns that ended. `rolls` are those
    of the current turn, and `laid` is its layout. (A turn that doesn't open ends at once, so it is
    never current.) Both stay if they ended the game.
    """

    starting: Starting | None
    begins: int
    totals: tuple[int, ...]
    played: int
    rolls: tuple[Faces, ...]
    laid: LaidTurn | None
    winners: tuple[str, ...]
    news: tuple[News, ...]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.winners)

    def rolls_left(self, most: int) -> int:
        """How many rolls of `most` are left in this turn (R3)."""
        if self.laid is not None or (self.rolls and BLANK not in shown(self.rolls)):
            return 0
        return most - len(self.rolls)

    @property
    def deadline(self) -> None:
        """No clock runs."""
        return

    @classmethod
    def restore(cls, stored: Mapping[str, Any]) -> LayoutState:
        """The state from its stored JSON, which has lists instead of tuples."""
        laid = stored["laid"]
        starting = stored["starting"]
        return cls(
            starting=Starting.restore(starting["throws"]) if starting else None,
            begins=stored["begins"],
            totals=tuple(stored["totals"]),
            played=stored["played"],
            rolls=tuple([tuple(roll) for roll in stored["rolls"]]),
            laid=None if laid is None else LaidTurn.restore(laid),
            winners=tuple(stored["winners"]),
            news=tuple(stored["news"]),
        )


def _stored(segment: Segment) -> tuple[bool, int, int, int]:
    return segment.across, segment.at, segment.start, segment.end


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
        {"die": die, "card": variant.dice.cards_of(turn, [die])[0], "row": row, "column": column}
        for die, row, column in grid_of(hands)
    ]


def place_json(hand: LaidHand) -> dict[str, Any]:
    """Where the first die of `hand` lies, and in which direction the hand runs (R26, R27)."""
    if hand.segment is None:
        return {"direction": None, "row": None, "column": None}
    row, column = hand.segment.cells()[0]
    return {"direction": DIRECTIONS[not hand.segment.across], "row": row, "column": column}

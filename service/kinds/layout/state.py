"""The state of a game of layouts: only what the rest can be computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.engine.game import News
from service.engine.starting import Starting
from service.kinds.layout.card_roll import Faces, shown
from service.kinds.layout.cards import BLANK
from service.kinds.layout.lines import Line
from service.kinds.layout.played import LaidHand, Played
from service.kinds.layout.solver.grid import Segment
from service.kinds.layout.variant import Layout

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

"""What is remembered between the steps of a game of layouts: as little as tells the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.dice.crossword.cards import BLANK
from service.dice.crossword.grid import Segment
from service.dice.crossword.lines import Line
from service.dice.layout import LaidHand, Layout, Played
from service.games.card_roll import Faces, shown
from service.games.game import News

StoredHand = tuple[str, int, bool, tuple[int, ...], tuple[bool, int, int, int] | None]
"""A hand that was laid: its id, its further cards, whether it was doubled, its dice, and where they
lie, as a `Segment` says it."""


@dataclass(frozen=True, slots=True)
class Throws:
    """Throws of the risk die for who begins (R2).

    `among` are those who can still begin, in the order they sit; the one who begins once it is a
    single player. `values` are the latest throws; one of `among` who isn't there has yet to throw.
    """

    among: tuple[str, ...]
    values: Mapping[str, int]

    @property
    def beginner(self) -> str | None:
        """Who begins, once that is known."""
        return self.among[0] if len(self.among) == 1 else None

    @property
    def next(self) -> str | None:
        """Who throws next; None once it is known who begins."""
        if self.beginner is not None:
            return None
        return next(player for player in self.among if player not in self.values)

    def thrown(self, player: str, value: int) -> Throws:
        """With the throw of `player`. Once all have thrown those who share the highest go on."""
        values = {**self.values, player: value}
        if any(other not in values for other in self.among):
            return Throws(self.among, values)
        highest = max(values[other] for other in self.among)
        left = tuple([other for other in self.among if values[other] == highest])
        if len(left) > 1:
            values = {other: thrown for other, thrown in values.items() if other not in left}
        return Throws(left, values)


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

    @property
    def proven(self) -> bool:
        """Whether it is certain that no layout has more than `best_points` (R32)."""
        return self.best_points == self.upper_bound

    def laid_hands(self, variant: Layout) -> list[LaidHand]:
        """The hands as they were laid."""
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
    """A game of layouts.

    `totals` in the order the players sit, `played` is how many turns have ended in all. `rolls` are
    those of a turn that opened, as one that doesn't is over at once; `laid` is its layout. Both are
    kept if they ended the game.
    """

    throws: Throws
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
        """How often a player who may roll `most` times may still roll in this turn (R3)."""
        if self.laid is not None or (self.rolls and BLANK not in shown(self.rolls)):
            return 0
        return most - len(self.rolls)

    @property
    def deadline(self) -> None:
        """No clock runs."""
        return

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> LayoutState:
        """The state whose fields were written as JSON: lists where it has tuples."""
        laid = stored["laid"]
        throws = stored["throws"]
        return cls(
            throws=Throws(tuple(throws["among"]), throws["values"]),
            totals=tuple(stored["totals"]),
            played=stored["played"],
            rolls=tuple([tuple(roll) for roll in stored["rolls"]]),
            laid=None if laid is None else _laid(laid),
            winners=tuple(stored["winners"]),
            news=tuple(stored["news"]),
        )


def _stored(segment: Segment) -> tuple[bool, int, int, int]:
    return segment.across, segment.at, segment.start, segment.end


def _laid(stored: Mapping[str, Any]) -> LaidTurn:
    hands: list[StoredHand] = [
        (hand, further, first_roll, tuple(dice), None if segment is None else tuple(segment))
        for hand, further, first_roll, dice, segment in stored["hands"]
    ]
    return LaidTurn(**{**stored, "hands": tuple(hands)})

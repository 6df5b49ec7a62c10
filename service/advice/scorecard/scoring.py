"""What decides the best play of a score card under its house rules: a `Scoring`, and its key."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from service.advice.lattice import Lattice, lattice
from service.kinds.scorecard.boxes import UpperBox
from service.kinds.scorecard.card import ZEROS_LAST, Card
from service.kinds.scorecard.variant import ScoreCard
from service.rules.breaches import TooMuch
from service.rules.house_rules import HouseRules
from service.rules.sentences import Sentence


@dataclass(frozen=True)
class Position:
    """What matters of a card between turns.

    `upper_used` and `lower_used` are bit masks of used boxes, bit 0 for the first box of the
    section. `upper` is the sum of the upper section, at most the highest threshold. `armed` says
    that repeats earn their bonus now.
    """

    upper_used: int = 0
    upper: int = 0
    lower_used: int = 0
    armed: bool = False


def open_boxes(boxes: int, used: int) -> list[int]:
    """The places of the open boxes of a section with so many boxes, by its used boxes as bits."""
    return [box for box in range(boxes) if not used >> box & 1]


EMPTY = Position()
"""The position of an empty card."""


VERSION = 2
"""Part of every key. A release that lays tables out differently, or solves them differently, must
increase it.
"""

MAX_KEEPS = 10_000
"""The most keeps of dice that advice is worked out for; six dice have 924."""


class TooLarge(Exception):
    """Raised for a game or a position with more states or more keeps than advice is made for."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, eq=False)
class Repeating:
    """What a repeat does, if it does anything under the house rules (D10, D15).

    `box` is the place of the repeated box in the lower section. `rolled` says of each roll whether
    it is a repeat once that box is used; `face` is the face whose upper box must be used before a
    roll is a joker. `fills` has, for the place of each lower box that a joker fills, the score of
    each roll there; it is empty without jokers.
    """

    box: int
    bonus: int
    rolled: NDArray[np.bool_]
    face: NDArray[np.intp]
    fills: dict[int, NDArray[np.float64]]

    @cached_property
    def earned(self) -> NDArray[np.float64]:
        """The bonus of each roll once the repeated box has a score."""
        return np.where(self.rolled, float(self.bonus), 0.0)


@dataclass(frozen=True, eq=False)
class Scoring:
    """What a score card and its house rules say about points.

    Rolls are in the order of `lattice.rolls`. `upper` and `lower` are the names of the boxes in
    either section, and `numbers` the faces of the upper ones. `scores` has a row for each lower
    box, with the score of each roll. `shown` has a row for each upper box: how many dice of each
    roll show its number. `tiers` are the thresholds and points of the upper bonus. `zeros_last`: a
    zero may be written only if a roll scores in no open box (D17).
    """

    lattice: Lattice
    rolls: int
    upper: tuple[str, ...]
    lower: tuple[str, ...]
    numbers: tuple[int, ...]
    shown: NDArray[np.intp]
    scores: NDArray[np.float64]
    tiers: tuple[tuple[int, int], ...]
    repeating: Repeating | None
    zeros_last: bool = False

    @cached_property
    def boxes(self) -> tuple[str, ...]:
        """The names of all boxes, upper boxes first."""
        return self.upper + self.lower

    @property
    def top(self) -> int:
        """The highest threshold of the upper bonus: a higher sum earns no more."""
        return self.tiers[-1][0] if self.tiers else 0

    @property
    def arms(self) -> bool:
        """Whether it matters if the repeated box has a score."""
        return self.repeating is not None and self.repeating.bonus > 0

    def position(self, card: Card) -> Position:
        """The position of `card`."""
        upper_used = lower_used = upper = 0
        scores = card.scores
        for place, box in enumerate(self.upper):
            score = scores[box]
            if score is not None:
                upper_used |= 1 << place
                upper += score
        for place, box in enumerate(self.lower):
            if scores[box] is not None:
                lower_used |= 1 << place
        repeating = self.repeating
        armed = bool(repeating and repeating.bonus and scores[self.lower[repeating.box]])
        return Position(upper_used, min(upper, self.top), lower_used, armed)

    @cached_property
    def without_bonus(self) -> Scoring:
        """The same without the upper bonus."""
        return replace(self, tiers=()) if self.tiers else self

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """The score of each roll in each box, upper boxes first: the shape (boxes, rolls)."""
        numbers = np.array(self.numbers, np.float64)[:, None]
        return np.concatenate([numbers * self.shown, self.scores])

    @property
    def columns(self) -> int:
        """The number of states after a box: one for each number of dice that an upper box counts.

        A lower box only has two: after a zero, and after a score.
        """
        return self.lattice.count + 1

    @cached_property
    def cells(self) -> NDArray[np.intp]:
        """The state after each box with each roll, in the shape of `points`.

        States are numbered box by box, `columns` for each.
        """
        column = np.concatenate([self.shown, (self.scores > 0).astype(np.intp)])
        return column + self.columns * np.arange(len(self.boxes))[:, None]

    @cached_property
    def key(self) -> str:
        """The key of the table: a hexadecimal hash of everything that decides its figures.

        House rules that don't change the best play, such as `turn_seconds`, don't change the key.
        """
        repeating = self.repeating
        decisive = {
            "version": VERSION,
            "dice": (self.lattice.count, self.lattice.faces, self.rolls),
            "upper": self.numbers,
            "lower": self.scores.tolist(),
            "tiers": self.tiers,
            "repeating": repeating
            and (
                repeating.box,
                repeating.bonus,
                repeating.rolled.tolist(),
                repeating.face.tolist(),
                sorted((box, scores.tolist()) for box, scores in repeating.fills.items()),
            ),
            **({"zeros_last": True} if self.zeros_last else {}),
        }
        return sha256(json.dumps(decisive).encode()).hexdigest()[:32]


def scoring(variant: ScoreCard, rules: HouseRules) -> Scoring:
    """What `variant` scores under `rules`; the last few are remembered.

    Raises `TooLarge` for a variant with more than `MAX_KEEPS` different keeps of dice.
    """
    matters = [*variant.switches]
    if ZEROS_LAST.name in variant.rule_names:
        matters.append(ZEROS_LAST.name)
    if variant.repeats:
        matters += [variant.repeats.bonus, variant.repeats.joker]
    return _scoring(variant, type(rules)(**{name: getattr(rules, name) for name in matters}))


@lru_cache(maxsize=64)
def _scoring(variant: ScoreCard, rules: HouseRules) -> Scoring:
    count, faces = variant.dice.count, variant.dice.faces
    if Lattice.size(count, faces) > MAX_KEEPS:
        raise TooLarge(TooMuch.KEEPS(count=count))
    dice = lattice(count, faces)
    upper = [box for box in variant.boxes if isinstance(box, UpperBox)]
    lower = [box for box in variant.boxes if not isinstance(box, UpperBox)]
    every_score = [variant.box_scores(roll, rules) for roll in dice.rolls]
    shown = [[roll.count(box.number) for roll in dice.rolls] for box in upper]
    scores = [[of_roll[box.id] for of_roll in every_score] for box in lower]
    return Scoring(
        dice,
        variant.rolls,
        tuple(box.id for box in upper),
        tuple(box.id for box in lower),
        tuple(box.number for box in upper),
        np.array(shown, np.intp).reshape(len(upper), len(dice.rolls)),
        np.array(scores, np.float64).reshape(len(lower), len(dice.rolls)),
        tuple(sorted(variant.upper_bonus.tiers.items())) if variant.upper_bonus else (),
        _repeating(variant, rules, dice),
        ZEROS_LAST.of(rules),
    )


def _repeating(variant: ScoreCard, rules: HouseRules, dice: Lattice) -> Repeating | None:
    """What repeats do under `rules`; None if they do nothing."""
    repeats = variant.repeats
    if repeats is None or not (repeats.points(rules) or getattr(rules, repeats.joker)):
        return None
    lower = [box for box in variant.boxes if not isinstance(box, UpperBox)]
    fills = repeats.fills if getattr(rules, repeats.joker) else ()
    rolled = [repeats.rolled(roll) for roll in dice.rolls]
    return Repeating(
        lower.index(repeats.box),
        repeats.points(rules),
        np.array(rolled),
        np.array([roll[0] for roll in dice.rolls], np.intp),
        {
            lower.index(box): np.array(
                [
                    box.points.of(roll, roll) if repeat else 0
                    for roll, repeat in zip(dice.rolls, rolled, strict=True)
                ],
                np.float64,
            )
            for box in fills
        },
    )

"""The description of a score card: its mistakes, and what each roll scores in each box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import comb
from typing import ClassVar

from service.kinds.scorecard.boxes import (
    Box,
    Fixed,
    LowerBox,
    SumOfAll,
    SumOfPattern,
    UpperBonus,
    UpperBox,
)
from service.kinds.scorecard.card import RESERVED, Repeats
from service.rules.dice import Dice
from service.rules.foreign import reason
from service.rules.house_rules import KnownRule, RulesT
from service.rules.variant import MAX_OUTCOMES, Mistake, Variant, text_mistakes

MAX_POINTS = 32_767
"""The most points of a box: batches hold them in 16 bits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreCardDescription(Variant[RulesT]):
    """The description of a score card, checked, and what follows from it for every roll.

    `boxes` are in card order.

    `order` and `tie` are the clauses for who wins and for equal totals. `clock` names the house
    rule with the seconds of a turn, if there is one. `throw_to_begin`: the highest throw of all the
    dice begins, not the first player listed.
    """

    kind: ClassVar[str] = "scorecard"
    step_words: ClassVar[frozenset[str]] = frozenset(("begin", "cross_out", "end", "time_up"))

    dice: Dice
    boxes: tuple[Box, ...]
    order: str
    tie: str
    upper_bonus: UpperBonus | None = None
    repeats: Repeats | None = None
    clock: str | None = None
    throw_to_begin: bool = False

    @property
    def hand_sizes(self) -> Sequence[int]:
        """How many dice a hand has."""
        return (self.dice.count,)

    def kind_mistakes(self) -> Iterator[Mistake]:
        """The mistakes in boxes, bonuses and repeats, then in the scores that follow from them.

        If there are too many rolls or scorings, nothing else is checked.
        """
        rolls = comb(self.dice.count + self.dice.faces - 1, self.dice.count)
        if rolls > MAX_OUTCOMES:
            yield "dice", f"{rolls} different rolls are more than the allowed {MAX_OUTCOMES}"
            return
        too_many = [*self.scoring_mistakes("boxes", rolls, len(self.boxes), self.switches)]
        if too_many:
            yield from too_many
            return
        mistakes = [*self._own_mistakes(), *self._box_mistakes()]
        if self.upper_bonus:
            mistakes += self._bonus_mistakes(self.upper_bonus)
        if self.repeats:
            mistakes += self._repeat_mistakes(self.repeats)
        yield from mistakes or [*self._foreign_mistakes()] or self._score_mistakes()

    def _own_mistakes(self) -> Iterator[Mistake]:
        """The mistakes in what concerns the whole card."""
        if self.dice.suits:
            yield "dice", "must have no suits on a score card"
        if self.dice.names and self.throw_to_begin:
            yield "throw_to_begin", "faces with names have no sum, so no throw is the highest"
        for name in ("order", "tie"):
            yield from self.clause_mistakes(name, "it", getattr(self, name))
        if self.clock:
            yield from self.rule_mistakes("clock", "it", self.clock, "integer")
            seconds = KnownRule(self.clock, default=None, minimum=1)
            yield from self.known_rule_mistakes("clock", seconds)

    def _box_mistakes(self) -> Iterator[Mistake]:
        """The mistakes in single boxes, before any roll is scored."""
        if not self.boxes:
            yield "boxes", "there must be one or more"
        yield from self.id_mistakes("boxes", [box.id for box in self.boxes])
        for box in self.boxes:
            yield from self.clause_mistakes("boxes", box.id, box.clause)
            if isinstance(box, UpperBox):
                if not 1 <= box.number <= self.dice.faces:
                    yield "boxes", f"{box.id} is for {box.number}, which is not a face"
                continue
            if not box.needs.strip():
                yield "boxes", f"{box.id} must say in needs what fills it"
            for rule in box.also:
                yield from self.rule_mistakes("boxes", box.id, rule, "boolean")
            for pattern in box.patterns:
                yield from self.pattern_mistakes("boxes", box.id, pattern, self.dice.count)

    def _foreign_mistakes(self) -> Iterator[Mistake]:
        """The mistakes of patterns from outside, tried with every roll, then those of points."""
        lower = [box for box in self.boxes if isinstance(box, LowerBox)]
        wrong = [
            mistake
            for box in lower
            for pattern in box.patterns
            for mistake in self.foreign_mistakes("boxes", box.id, pattern, self.dice.count)
        ]
        if wrong:
            yield from wrong
            return
        for box in lower:
            if type(box.points) not in (Fixed, SumOfAll, SumOfPattern):
                yield from self._points_mistakes(box)

    def _points_mistakes(self, box: LowerBox) -> Iterator[Mistake]:
        """The mistakes of points from outside, which can raise and return anything."""
        try:
            words: object = box.points.words
            fixed: object = box.points.fixed
            given: list[object] = [*self._points_of(box)]
        except Exception as error:
            yield "boxes", f"the points of {box.id} raise {reason(error)}"
            return
        if not isinstance(words, str) or not words.strip():
            yield "boxes", f"the points of {box.id} must have words, not {words!r:.80}"
        else:
            yield from text_mistakes("boxes", words)
        wrong = [points for points in given if type(points) is not int]
        if wrong:
            yield "boxes", _must_give(box, wrong[0])
        elif fixed is not None and (type(fixed) is not int or {*given} - {fixed}):
            other = next((points for points in given if points != fixed), fixed)
            yield (
                "boxes",
                f"the points of {box.id} are fixed at {fixed!r:.80}, but a roll gives {other}",
            )

    def _points_of(self, box: LowerBox) -> Iterator[int]:
        """The points of every roll that fills `box` under any house rules, or as a joker."""
        for dice in self.rolls_of_dice:
            for match in filter(None, [pattern.match(dice) for pattern in box.patterns]):
                yield box.points.of(dice, match.making)
            if self.repeats and box in self.repeats.fills and self.repeats.rolled(dice):
                yield box.points.of(dice, dice)

    def _score_mistakes(self) -> Iterator[Mistake]:
        """Boxes that no roll fills, or that give anything but whole points within range."""
        every_score = self._every_score
        for box in self.boxes:
            if isinstance(box, LowerBox) and not any(map(box.pattern.match, self.rolls_of_dice)):
                yield "boxes", f"no roll fills {box.id}"
                continue
            scores = {roll[box.id] for roll in every_score}
            if self.repeats and box in self.repeats.fills and isinstance(box, LowerBox):
                jokers = filter(self.repeats.rolled, self.rolls_of_dice)
                scores |= {box.points.of(dice, dice) for dice in jokers}
            wrong = [score for score in scores if type(score) is not int]
            wrong += [score for score in scores if score not in range(MAX_POINTS + 1)]
            if wrong or not any(scores):
                yield "boxes", _must_give(box, (wrong or [0])[0])

    def _bonus_mistakes(self, bonus: UpperBonus) -> Iterator[Mistake]:
        """The mistakes in the bonus of the upper section."""
        yield from self.clause_mistakes("upper_bonus", "it", bonus.clause)
        thresholds, points = [*bonus.tiers], [*bonus.tiers.values()]
        if not thresholds or thresholds != sorted(thresholds) or points != sorted(set(points)):
            yield "upper_bonus", "thresholds must rise, and so must their points"
        most = sum(box.number for box in self.upper_boxes) * self.dice.count
        if any(each < 1 for each in points):
            yield "upper_bonus", "each tier must give 1 or more points"
        if any(not 1 <= threshold <= most for threshold in thresholds):
            yield "upper_bonus", f"the thresholds must be from 1 to {most}"

    def _repeat_mistakes(self, repeats: Repeats) -> Iterator[Mistake]:
        """The mistakes in the house rules for repeated rolls."""
        yield from self.id_mistakes("repeats", [*(box.id for box in self.boxes), repeats.counter])
        for clause in (repeats.clause, repeats.used):
            yield from self.clause_mistakes("repeats", "it", clause)
        for name in (repeats.box.id, repeats.counter):
            if name in RESERVED:
                yield "repeats", f"{name!r} is the name of another field"
        yield from self.rule_mistakes("repeats", "bonus", repeats.bonus, "integer")
        yield from self.known_rule_mistakes("repeats", KnownRule(repeats.bonus, default=0))
        yield from self.rule_mistakes("repeats", "joker", repeats.joker, "boolean")
        for box in (repeats.box, *repeats.fills):
            if box not in self.boxes:
                yield "repeats", f"{box.id} is not one of the boxes"

    def needs(self, box: Box) -> str:
        """What a roll must show to fill `box`, in words."""
        if isinstance(box, UpperBox):
            return f"dice that show {self.dice.written_faces[box.number - 1]}"
        return box.needs

    @cached_property
    def possible(self) -> Mapping[str, tuple[int, ...]]:
        """For every box in card order the scores that some roll gives there, and 0."""
        every_score = self._every_score
        return {
            box.id: tuple(sorted({0} | {scores[box.id] for scores in every_score}))
            for box in self.boxes
        }

    @cached_property
    def switches(self) -> tuple[str, ...]:
        """The house rules that change what a roll scores."""
        also = (box.also for box in self.boxes if isinstance(box, LowerBox))
        return tuple(sorted({rule for rules in also for rule in rules}))

    def box_scores(self, dice: Sequence[int], rules: RulesT) -> Mapping[str, int]:
        """What `dice` score in every box, in card order; computed once for each roll.

        Raises `InvalidInput` for impossible dice.
        """
        ordered = tuple(sorted(dice))
        key = ordered, tuple([getattr(rules, rule) for rule in self.switches])
        try:
            return self._scored[key]
        except KeyError:
            numbers = self.dice.read_numbers(ordered, self.dice.count)
            scores = {box.id: box.score(numbers, rules) for box in self.boxes}
            return self._scored.setdefault(key, scores)

    @cached_property
    def upper_boxes(self) -> tuple[UpperBox, ...]:
        """The boxes of the upper section."""
        return tuple(box for box in self.boxes if isinstance(box, UpperBox))

    @cached_property
    def rolls_of_dice(self) -> tuple[tuple[int, ...], ...]:
        """Every roll of all the dice, sorted; each once."""
        faces = range(1, self.dice.faces + 1)
        return tuple(combinations_with_replacement(faces, self.dice.count))

    @cached_property
    def _scored(self) -> dict[tuple[tuple[int, ...], tuple[bool, ...]], Mapping[str, int]]:
        """The scores so far, by roll and values of `switches`."""
        return {}

    @property
    def _every_score(self) -> Sequence[Mapping[str, int]]:
        """The scores of every roll under every choice of `switches`."""
        settings = [
            self.house_rules(**dict(zip(self.switches, values, strict=True)))
            for values in product((False, True), repeat=len(self.switches))
        ]
        return [self.box_scores(dice, rules) for dice in self.rolls_of_dice for rules in settings]


def _must_give(box: Box, points: object) -> str:
    """The sentence for a box that gives other `points` than it may."""
    return f"{box.id} must give a whole number of points from 1 to {MAX_POINTS}, not {points!r:.80}"

"""The description of a score card: its mistakes, and what each roll scores in each box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import comb
from typing import Annotated, ClassVar

from service.kinds.scorecard.boxes import Box, LowerBox, UpperBonus, UpperBox
from service.kinds.scorecard.card import Repeats
from service.rules.dice import Dice
from service.rules.field_types import DIFFERENT_IDS, Amount, Clause, Must, require
from service.rules.house_rules import HouseRules, KnownRule
from service.rules.variant import MAX_OUTCOMES, Variant, matches_of, trying

MAX_POINTS = 32_767
"""The most points of a box: batches hold them in 16 bits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreCardDescription(Variant):
    """The description of a score card, checked, and what follows from it for every roll.

    `boxes` are in card order.

    `order` and `tie` are the clauses for who wins and for equal totals. `clock` names the house
    rule with the seconds of a turn, if there is one. `throw_to_begin`: the highest throw of all the
    dice begins, not the first player listed.
    """

    kind: ClassVar[str] = "scorecard"
    step_words: ClassVar[frozenset[str]] = frozenset(("begin", "cross_out", "end", "time_up"))

    dice: Dice
    boxes: Annotated[tuple[Box, ...], DIFFERENT_IDS, Must("one or more", lambda boxes, _: boxes)]
    order: Clause
    tie: Clause
    upper_bonus: UpperBonus | None = None
    repeats: Repeats | None = None
    clock: Amount | None = None
    throw_to_begin: bool = False

    @property
    def hand_sizes(self) -> Sequence[int]:
        """How many dice a hand has."""
        return (self.dice.count,)

    def check_kind(self) -> None:
        """Raises `Mistake` for too much work, for contradictions, and for wrong scores."""
        rolls = comb(self.dice.count + self.dice.faces - 1, self.dice.count)
        too_many = f"dice: {rolls} different rolls are more than the allowed {MAX_OUTCOMES}"
        require(rolls <= MAX_OUTCOMES, too_many)
        self.check_scorings("boxes", rolls, len(self.boxes), self.switches)
        require(not self.dice.suits, "dice: must have no suits on a score card")
        require(
            not (self.dice.names and self.throw_to_begin),
            "throw_to_begin: faces with names have no sum, so no throw is the highest",
        )
        if self.clock:
            self.check_known_rule("clock", KnownRule(self.clock, default=None, minimum=1))
        if self.upper_bonus:
            tiers = self.upper_bonus.tiers
            thresholds, points = [*tiers], [*tiers.values()]
            most = sum(box.number for box in self.upper_boxes) * self.dice.count
            require(
                thresholds == sorted(thresholds) and points == sorted({*points}) and points,
                "upper_bonus: its thresholds must rise, and so must their points",
            )
            require(thresholds[-1] <= most, f"upper_bonus: its thresholds must be at most {most}")
        if self.repeats:
            self._check_repeats(self.repeats)
        for box in self.boxes:
            if isinstance(box, LowerBox):
                with trying(f"boxes: {box.id}"):
                    self._check_scores(box)

    def _check_repeats(self, repeats: Repeats) -> None:
        """Raises `Mistake` if `repeats` don't fit the house rules and the boxes of the card."""
        self.check_known_rule("repeats", KnownRule(repeats.bonus, default=0))
        require(
            {repeats.box.id, *(box.id for box in repeats.fills)} <= {box.id for box in self.boxes},
            "repeats: its box, and those that it fills, must be boxes of the card",
        )
        require(
            all(box.id != repeats.counter for box in self.boxes),
            f"repeats: its counter {repeats.counter!r} is the id of a box",
        )

    def _check_scores(self, box: LowerBox) -> None:
        """Raises `Mistake` unless `box` gives whole points within range for each roll."""
        made = [
            each for pattern in box.patterns for each in matches_of(pattern, self.rolls_of_dice)
        ]
        given = [box.points.of(dice, match.making) for dice, match in made]
        if self.repeats and box in self.repeats.fills:
            jokers = filter(self.repeats.rolled, self.rolls_of_dice)
            given += [box.points.of(dice, dice) for dice in jokers]
        wrong = [each for each in given if type(each) is not int or not 0 <= each <= MAX_POINTS]
        require(
            not wrong and any(given),
            f"its points must be whole numbers up to {MAX_POINTS}, and more than 0 for some roll, "
            f"not {(wrong or [0])[0]!r:.80}",
        )
        fixed = box.points.fixed
        require(
            fixed is None or (type(fixed) is int and {*given} == {fixed}),
            f"its points can't be fixed at {fixed!r:.80}: rolls give others",
        )
        self.check_words(box.points.words)

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

    def box_scores(self, dice: Sequence[int], rules: HouseRules) -> Mapping[str, int]:
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

"""Variants played on a score card: the description, and scoring, filling and ranking cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import comb
from typing import Annotated, ClassVar

from service.kinds.scorecard.boxes import Box, LowerBox, UpperBonus, UpperBox
from service.kinds.scorecard.card import (
    KNOWN_RULES,
    THROW_TO_BEGIN,
    ZEROS_LAST,
    BoxEntry,
    Card,
    Entrant,
    Repeats,
    ScoredPlayer,
    Totals,
    read_card,
)
from service.rules.breaches import Breach
from service.rules.dice import Dice
from service.rules.field_types import DIFFERENT_IDS, Clause, Must, OneLine, require
from service.rules.house_rules import HouseRules, KnownRule
from service.rules.places import Place, in_places
from service.rules.reasons import Because, Reason
from service.rules.sentences import Sentence
from service.rules.variant import LEFT, MAX_OUTCOMES, Variant, matches_of, trying
from service.rules.violations import ON_HOUSE_RULES, Violation, refuse

MAX_POINTS = 32_767
"""The most points of a box: batches hold them in 16 bits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreCard(Variant):
    """A variant played on a card whose boxes are each used once; `boxes` are in card order.

    `order` and `tie` are the clauses for who wins and for equal totals. `throw_to_begin`: the
    highest throw begins, not the first player listed, unless a house rule of that name decides it.
    `strengths` has the mean total of each strength of the service's players, and its standard
    deviation, as measured under default rules.
    """

    kind: ClassVar[str] = "scorecard"
    step_words: ClassVar[frozenset[str]] = Variant.step_words | {
        "begin",
        "cross_out",
        "end",
        "write",
    }

    known_rules: ClassVar[tuple[KnownRule, ...]] = KNOWN_RULES

    dice: Dice
    boxes: Annotated[tuple[Box, ...], DIFFERENT_IDS, Must("one or more", lambda boxes, _: boxes)]
    order: Clause
    tie: Clause
    upper_bonus: UpperBonus | None = None
    repeats: Repeats | None = None
    throw_to_begin: bool = False
    strengths: Mapping[OneLine, tuple[float, float]] = field(default_factory=dict)

    @property
    def hand_sizes(self) -> Sequence[int]:
        """How many dice a hand has."""
        return (self.dice.count,)

    @property
    def may_throw(self) -> bool:
        """Whether there are games in which players throw to decide who begins."""
        return self.throw_to_begin or THROW_TO_BEGIN.name in self.rule_names

    def throws(self, rules: HouseRules) -> bool:
        """Whether the highest throw begins under `rules` (D17, Y2)."""
        return bool(getattr(rules, THROW_TO_BEGIN.name, self.throw_to_begin))

    def check_kind(self) -> None:
        """Raises `Mistake` for too much work, for contradictions, and for wrong scores."""
        rolls = comb(self.dice.count + self.dice.faces - 1, self.dice.count)
        too_many = f"dice: {rolls} different rolls are more than the allowed {MAX_OUTCOMES}"
        require(rolls <= MAX_OUTCOMES, too_many)
        self.check_scorings("boxes", rolls, len(self.boxes), self.switches)
        require(not self.dice.suits, "dice: must have no suits on a score card")
        for known in self.known_rules:
            self.check_known_rule("house_rules", known)
        require(
            not (self.dice.names and self.may_throw),
            "throw_to_begin: faces with names have no sum, so no throw is the highest",
        )
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

    @cached_property
    def possible(self) -> Mapping[str, tuple[int, ...]]:
        """For every box in card order the scores that some roll gives there, and 0."""
        settings = [
            self.house_rules(**dict(zip(self.switches, values, strict=True)))
            for values in product((False, True), repeat=len(self.switches))
        ]
        scored = [self.box_scores(dice, rules) for dice in self.rolls_of_dice for rules in settings]
        return {
            box.id: tuple(sorted({0, *(each[box.id] for each in scored)})) for box in self.boxes
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

    def scores(
        self, dice: Sequence[int], rules: HouseRules, open_boxes: Collection[str] | None = None
    ) -> dict[str, int]:
        """The scores of a roll in each of `open_boxes` (None: all), in card order.

        Raises `InvalidInput` for impossible dice.
        """
        scores = self.box_scores(dice, rules)
        if open_boxes is None:
            return dict(scores)
        joker: Mapping[str, int] = {}
        if self.repeats:
            joker = self.repeats.joker_scores(dice, rules, open_boxes, self.upper_boxes)
        return {box: score for box, score in {**scores, **joker}.items() if box in open_boxes}

    def best_box(self, scores: Mapping[str, int]) -> str:
        """The box with the highest of `scores`; of several, the first in card order."""
        return max(scores, key=scores.__getitem__)

    def total(self, card: Card, rules: HouseRules) -> Totals:
        """Adds up `card`. Raises `InvalidInput` for too many repeats."""
        self.check_card(card, rules)
        return self.added_up(card, rules)

    def check_card(self, card: Card, rules: HouseRules) -> None:
        """Raises `InvalidInput` for more repeats than `card` can have."""
        refuse(self.repeat_violations(card, rules, ("card",)))

    def added_up(self, card: Card, rules: HouseRules) -> Totals:
        """Adds up a card that is known to be valid."""
        scores = card.scores
        upper = sum([scores[box.id] or 0 for box in self.upper_boxes])
        lower = sum([score or 0 for score in scores.values()]) - upper
        bonus = self.upper_bonus.points(upper) if self.upper_bonus else 0
        repeats = card.repeated * self.repeats.points(rules) if self.repeats else 0
        return Totals(card, upper, bonus, lower, repeats)

    def play(self, card: Card, entry: BoxEntry, rules: HouseRules) -> Card:
        """The card after writing `entry` into it.

        Raises `InvalidInput` if the box is already used, for a zero that `rules` refuse, and for
        too many repeats.
        """
        self.check_entry(card, entry, rules)
        return self.written(card, entry, rules)

    def check_entry(self, card: Card, entry: BoxEntry, rules: HouseRules) -> None:
        """Raises what `play` raises."""
        violations = self.repeat_violations(card, rules, ("card",))
        open_boxes = card.open_boxes
        if entry.box not in open_boxes:
            used = Breach.BOX_USED(score=card.scores[entry.box], allowed=list(open_boxes))
            violations.append(Violation(("turn", "box"), used))
        elif wrong := self.refused_zero(entry, rules, open_boxes, crossed_out=False):
            violations.append(Violation(("turn", "box"), wrong, ON_HOUSE_RULES))
        refuse(violations)

    def must_score(
        self, dice: Sequence[int], rules: HouseRules, open_boxes: Collection[str]
    ) -> tuple[str, ...]:
        """Those of `open_boxes` in which `dice` score if `rules` refuse zeros while there are any,
        else none (D17).
        """
        if not ZEROS_LAST.of(rules):
            return ()
        return tuple(box for box, score in self.scores(dice, rules, open_boxes).items() if score)

    def refused_zero(
        self, entry: BoxEntry, rules: HouseRules, open_boxes: Collection[str], crossed_out: bool
    ) -> Sentence | None:
        """What is wrong if `entry` brings a zero in one of `open_boxes` that `rules` refuse (D17).

        If it is `crossed_out`, it brings a zero whatever the dice.
        """
        must = self.must_score(entry.dice, rules, open_boxes)
        if not must or (entry.box in must and not crossed_out):
            return None
        clause = self.rule_clauses[ZEROS_LAST.name]
        return Breach.ZERO_REFUSED(allowed=list(must), clause=clause)

    def written(self, card: Card, entry: BoxEntry, rules: HouseRules) -> Card:
        """The card after writing `entry` into an open box of it (D2, Y3)."""
        score = self.scores(entry.dice, rules, card.open_boxes)[entry.box]
        return self.with_score(card, entry, score, rules)

    def crossed_out(self, card: Card, entry: BoxEntry, rules: HouseRules) -> Card:
        """The card with a zero in an open box, whatever the dice.

        They still count as a repeat. A turn without a roll has no dice.
        """
        return self.with_score(card, entry, 0, rules)

    def with_score(self, card: Card, entry: BoxEntry, score: int, rules: HouseRules) -> Card:
        """The card with `score` in the box, and one more repeat if the dice are one."""
        repeats = self.repeats
        more = repeats and repeats.earned(entry.dice, rules, card.scores[repeats.box.id])
        return Card({**card.scores, entry.box: score}, card.repeated + bool(more))

    def rank(self, players: Sequence[Entrant], rules: HouseRules) -> list[Place[ScoredPlayer]]:
        """The places of `players` by their totals; equal totals share a place.

        Raises `InvalidInput` for a card with too many repeats.
        """
        self.check_cards(players, rules)
        return self.placed(
            [ScoredPlayer(player.id, self.added_up(player.card, rules)) for player in players]
        )

    def check_cards(self, players: Sequence[Entrant], rules: HouseRules) -> None:
        """Raises `InvalidInput` for each card with too many repeats."""
        refuse(
            violation
            for index, player in enumerate(players)
            for violation in self.repeat_violations(player.card, rules, ("players", index, "card"))
        )

    def placed(self, players: Sequence[ScoredPlayer]) -> list[Place[ScoredPlayer]]:
        """The places of `players` by their totals, and those who left the game last (G2)."""

        def total(player: ScoredPlayer) -> int:
            return player.totals.total

        def beats(high: ScoredPlayer, low: ScoredPlayer) -> Because:
            if high.stayed > low.stayed:
                return self.because(LEFT, Reason.STAYED(player=low.id))
            most, next_ = total(high), total(low)
            return Reason.TOTAL.because(
                total=most, ahead=most - next_, next=next_, clause=self.order
            )

        return in_places(
            players,
            strength=lambda player: (player.stayed, total(player)),
            beats=beats,
            lowest=lambda player: Reason.LOWEST_TOTAL.because(total=total(player)),
            tied=lambda player: Reason.EQUAL_TOTALS.because(total=total(player), clause=self.tie),
            alone=lambda player: Reason.ONLY_TOTAL.because(total=total(player)),
        )

    def read_card(self, written: object) -> Card:
        """Parses a card. Raises `InvalidInput` for unknown boxes and impossible scores."""
        return read_card(written, self.possible, self.repeats.counter if self.repeats else None)

    def repeat_violations(
        self, card: Card, rules: HouseRules, path: tuple[str | int, ...]
    ) -> list[Violation]:
        """The violations in the count of repeats on `card`."""
        repeats = self.repeats
        if repeats is None or not card.repeated:
            return []
        where = (*path, repeats.counter)
        if not repeats.points(rules):
            why = Breach.NO_REPEATS(house_rule=repeats.bonus, clause=repeats.clause)
            return [Violation(where, why, ON_HOUSE_RULES)]
        room = repeats.room(
            card.scores,
            self.rolls_of_dice,
            lambda dice: {
                **self.box_scores(dice, rules),
                **repeats.joker_scores(dice, rules, card.open_boxes, self.upper_boxes),
            },
        )
        if card.repeated > room:
            why = Breach.TOO_MANY_REPEATS(maximum=room, box=repeats.box.id, clause=repeats.clause)
            return [Violation(where, why, ON_HOUSE_RULES)]
        return []

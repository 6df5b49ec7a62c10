"""Variants played on a score card: what a roll is worth in each box, and what a card adds up to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import ClassVar

from service.dice.equipment import whole_number
from service.dice.house_rules import HouseRules
from service.dice.patterns import Pattern
from service.dice.places import Place, in_places
from service.dice.refusal import Fault, Refused
from service.dice.variant import RulesT, Variant


@dataclass(frozen=True)
class UpperBox:
    """A box of the upper section: the sum of the dice that show `number`."""

    id: str
    number: int
    clause: str

    @property
    def needs(self) -> str:
        """What a roll must show to fill the box, in words."""
        return f"dice that show {self.number}"

    def score(self, dice: Sequence[int], _: HouseRules) -> int:
        """The points of `dice` in this box, under any house rules."""
        return self.number * dice.count(self.number)


@dataclass(frozen=True)
class LowerBox:
    """A box of the lower section: `points` for dice that make `pattern`.

    `points` None stands for the sum of all dice. `also` holds further patterns that fill the box
    under a house rule, by its name.
    """

    id: str
    pattern: Pattern
    points: int | None
    needs: str
    clause: str
    also: Mapping[str, Pattern] = field(default_factory=dict)

    def score(self, dice: Sequence[int], rules: HouseRules) -> int:
        """The points of `dice` in this box; 0 if they don't fill it."""
        also = [pattern for rule, pattern in self.also.items() if getattr(rules, rule)]
        patterns = [self.pattern, *also]
        return self.worth(dice) if any(p.made_by(dice) for p in patterns) else 0

    def worth(self, dice: Sequence[int]) -> int:
        """What the box gives for `dice` that fill it."""
        return sum(dice) if self.points is None else self.points


Box = UpperBox | LowerBox


@dataclass(frozen=True)
class UpperBonus:
    """`points` for an upper section that reaches `threshold`."""

    threshold: int
    points: int
    clause: str


@dataclass(frozen=True)
class Repeats:
    """House rules for a further roll of what `box` needs, once that box is used.

    `bonus` names the house rule with the points for each while the box holds a score; the card
    counts them as `counter`. `joker` names the one that lets such a roll fill the boxes `fills`
    at full value when its own upper box is used too.
    """

    box: str
    counter: str
    bonus: str
    joker: str
    fills: tuple[str, ...]
    clause: str


@dataclass(frozen=True)
class Card:
    """A score card: for every box in card order its score, None while it is open.

    `repeated` counts the rolls that earned the bonus of `Repeats`.
    """

    scores: Mapping[str, int | None]
    repeated: int = 0

    @property
    def open_boxes(self) -> tuple[str, ...]:
        """The boxes not used yet, in card order."""
        return tuple(box for box, score in self.scores.items() if score is None)


@dataclass(frozen=True)
class Totals:
    """A card added up: `upper` without its `bonus`; `repeats` are points for repeated rolls."""

    card: Card
    upper: int
    bonus: int
    lower: int
    repeats: int

    @property
    def total(self) -> int:
        """All points on the card."""
        return self.upper + self.bonus + self.lower + self.repeats


@dataclass(frozen=True)
class Turn:
    """A finished turn: the dice as they lie, and the box to write them in."""

    dice: tuple[int, ...]
    box: str


@dataclass(frozen=True)
class Entrant:
    """A player with a card."""

    id: str
    card: Card


@dataclass(frozen=True)
class ScoredPlayer:
    """A player with what the card adds up to."""

    id: str
    totals: Totals


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreCard(Variant[RulesT]):
    """A variant played on a card whose `boxes`, in card order, are each used once.

    `order` and `tie` are the clauses for who wins and for equal totals.
    """

    kind: ClassVar[str] = "scorecard"

    boxes: tuple[Box, ...]
    upper_bonus: UpperBonus
    order: str
    tie: str
    repeats: Repeats | None = None
    _known: dict[tuple[tuple[int, ...], tuple[bool, ...]], Mapping[str, int]] = field(
        default_factory=dict, init=False
    )

    def scores(
        self,
        dice: Sequence[int],
        rules: RulesT,
        open_boxes: Collection[str] | None = None,
    ) -> dict[str, int]:
        """What a roll of plain dice is worth in each of `open_boxes` (None: all), in card order.

        Raises `Refused` for dice that can't be.
        """
        scores = self._scores(tuple(sorted(dice)), rules)
        if open_boxes is None:
            return dict(scores)
        return {
            box: score
            for box, score in {**scores, **self._joker(dice, rules, open_boxes)}.items()
            if box in open_boxes
        }

    def total(self, card: Card, rules: RulesT, path: tuple[str | int, ...] = ("card",)) -> Totals:
        """What `card` adds up to. Raises `Refused`, below `path`, for repeats it can't hold."""
        faults = self._repeat_faults(card, rules, path)
        if faults:
            raise Refused(*faults)
        upper = sum(card.scores[box.id] or 0 for box in self.boxes if isinstance(box, UpperBox))
        lower = sum(card.scores[box.id] or 0 for box in self.boxes if isinstance(box, LowerBox))
        bonus = self.upper_bonus.points if upper >= self.upper_bonus.threshold else 0
        return Totals(card, upper, bonus, lower, card.repeated * self._repeat_bonus(rules))

    def play(self, card: Card, turn: Turn, rules: RulesT) -> Card:
        """The card after writing `turn` into it. Raises `Refused` if the box is used already."""
        faults = self._repeat_faults(card, rules, ("card",))
        open_boxes = card.open_boxes
        if turn.box not in open_boxes:
            free = f"open are {', '.join(open_boxes)}" if open_boxes else "the card is full"
            faults.append(
                Fault(
                    ("turn", "box"),
                    f"is used already, for {card.scores[turn.box]}; {free}",
                )
            )
        if faults:
            raise Refused(*faults)
        score = self.scores(turn.dice, rules, open_boxes)[turn.box]
        earns = (
            self.repeats is not None
            and self._repeat_bonus(rules) > 0
            and bool(card.scores[self.repeats.box])
            and self._is_repeat(turn.dice)
        )
        return Card({**card.scores, turn.box: score}, card.repeated + earns)

    def rank(self, players: Sequence[Entrant], rules: RulesT) -> list[Place[ScoredPlayer]]:
        """The places of `players` by the total of their cards, equal totals sharing a place."""
        return in_places(
            [
                ScoredPlayer(
                    player.id,
                    self.total(player.card, rules, ("players", index, "card")),
                )
                for index, player in enumerate(players)
            ],
            strength=lambda player: player.totals.total,
            beats=self._beats,
            last=self._last,
        )

    def read_card(self, written: object) -> Card:
        """The card that a mapping of boxes to scores is; boxes left out are open.

        Raises `Refused` naming every unknown box and every score that no roll gives.
        """
        if not isinstance(written, dict):
            raise Refused(Fault((), "must be an object of boxes and scores"))
        counter = self.repeats.counter if self.repeats else None
        faults = [
            Fault(
                (name,),
                f"is not a box of this card; boxes are {', '.join(self.possible)}",
            )
            for name in written
            if name not in self.possible and name != counter
        ]
        scores: dict[str, int | None] = {}
        for box, possible in self.possible.items():
            score = whole_number(written.get(box))
            scores[box] = score
            if score not in possible and written.get(box) is not None:
                faults.append(
                    Fault(
                        (box,),
                        "must be a score that a roll can give there "
                        f"({', '.join(map(str, possible))}), or null while the box is open",
                    )
                )
        repeated = whole_number(written.get(counter, 0)) if counter else 0
        if repeated is None or not 0 <= repeated < len(self.boxes):
            faults.append(Fault((str(counter),), f"must be between 0 and {len(self.boxes) - 1}"))
        if faults:
            raise Refused(*faults)
        return Card(scores, repeated or 0)

    @cached_property
    def possible(self) -> Mapping[str, tuple[int, ...]]:
        """For every box in card order the scores that some roll gives there, and the zero."""
        settings = [
            dict(zip(self._switches, choice, strict=True))
            for choice in product((False, True), repeat=len(self._switches))
        ]
        rolls = [
            self._scores(dice, self.house_rules(**setting))
            for dice in combinations_with_replacement(
                range(1, self.dice.faces + 1), self.dice.count
            )
            for setting in settings
        ]
        return {box.id: tuple(sorted({0} | {roll[box.id] for roll in rolls})) for box in self.boxes}

    @cached_property
    def _switches(self) -> tuple[str, ...]:
        """The house rules that change what a roll scores."""
        also = (box.also for box in self.boxes if isinstance(box, LowerBox))
        return tuple(sorted({rule for rules in also for rule in rules}))

    def _scores(self, dice: tuple[int, ...], rules: RulesT) -> Mapping[str, int]:
        """What sorted `dice` are worth in every box, remembered: there are few rolls."""
        key = dice, tuple([getattr(rules, rule) for rule in self._switches])
        try:
            return self._known[key]
        except KeyError:
            numbers = self.dice.read_numbers(dice, self.dice.count)
            scores = {box.id: box.score(numbers, rules) for box in self.boxes}
            return self._known.setdefault(key, scores)

    def _is_repeat(self, dice: Sequence[int]) -> bool:
        """Whether `dice` fill the box that repeats are counted for."""
        return self.repeats is not None and any(
            box.pattern.made_by(dice)
            for box in self.boxes
            if isinstance(box, LowerBox) and box.id == self.repeats.box
        )

    def _joker(
        self, dice: Sequence[int], rules: RulesT, open_boxes: Collection[str]
    ) -> Mapping[str, int]:
        """The boxes that `dice` fill as a joker, at full value."""
        if (
            self.repeats is None
            or not getattr(rules, self.repeats.joker)
            or self.repeats.box in open_boxes
            or not self._is_repeat(dice)
        ):
            return {}
        fills = self.repeats.fills
        own = [box for box in self.boxes if isinstance(box, UpperBox) and box.number == dice[0]]
        if any(box.id in open_boxes for box in own):
            return {}
        return {
            box.id: box.worth(dice)
            for box in self.boxes
            if isinstance(box, LowerBox) and box.id in fills
        }

    def _repeat_bonus(self, rules: RulesT) -> int:
        return getattr(rules, self.repeats.bonus) if self.repeats else 0

    def _repeat_faults(self, card: Card, rules: RulesT, path: tuple[str | int, ...]) -> list[Fault]:
        """What is wrong with the count of repeated rolls on `card`."""
        if not card.repeated or self.repeats is None:
            return []
        where = (*path, self.repeats.counter)
        if not self._repeat_bonus(rules):
            return [
                Fault(
                    where,
                    f"must be 0 without the house rule {self.repeats.bonus} "
                    f"({self.repeats.clause})",
                )
            ]
        room = self._room_for_repeats(card, rules)
        if card.repeated > room:
            return [
                Fault(
                    where,
                    f"must be at most {room}: a roll counts only while {self.repeats.box} holds "
                    f"a score, and stands in another used box ({self.repeats.clause})",
                )
            ]
        return []

    def _room_for_repeats(self, card: Card, rules: RulesT) -> int:
        """How many used boxes hold a score that a repeated roll may have been written for."""
        if self.repeats is None or not card.scores[self.repeats.box]:
            return 0
        rolls = [
            dice
            for number in range(1, self.dice.faces + 1)
            if self._is_repeat(dice := (number,) * self.dice.count)
        ]
        worth: dict[str, set[int]] = {box.id: {0} for box in self.boxes}
        for dice in rolls:
            joker = self._joker(dice, rules, ()) if getattr(rules, self.repeats.joker) else {}
            for box, score in {**self._scores(dice, rules), **joker}.items():
                worth[box].add(score)
        return sum(
            score in worth[box]
            for box, score in card.scores.items()
            if score is not None and box != self.repeats.box
        )

    def _beats(self, stronger: ScoredPlayer, weaker: ScoredPlayer) -> str:
        high, low = stronger.totals.total, weaker.totals.total
        return f"A total of {high} is {high - low} more than {low} ({self.order})."

    def _last(self, player: ScoredPlayer, alone: bool) -> str:
        total = player.totals.total
        if alone:
            return f"A total of {total}; equal totals tie ({self.tie})."
        return f"{total} is the lowest total here."

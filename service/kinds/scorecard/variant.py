"""Variants played on a score card: what a roll is worth in each box, and what a card adds up to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement, islice, product
from math import comb
from typing import ClassVar

from service.kinds.scorecard.boxes import Box, LowerBox, UpperBonus, UpperBox
from service.kinds.scorecard.repeats import Repeats
from service.rules.dice import Dice, whole_number
from service.rules.house_rules import RulesT
from service.rules.places import Place, in_places
from service.rules.variant import MOST_OUTCOMES, Mistake, Variant
from service.rules.violations import MOST_LOOKED_AT, ON_HOUSE_RULES, InvalidInput, Violation

MOST_POINTS = 32_767
"""The most points of a box: batches hold them in 16 bits."""


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
class BoxEntry:
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
    _known: dict[tuple[tuple[int, ...], tuple[bool, ...]], Mapping[str, int]] = field(
        default_factory=dict, init=False
    )

    @property
    def hand_sizes(self) -> Sequence[int]:
        """How many dice a hand has."""
        return (self.dice.count,)

    def kind_mistakes(self) -> Iterator[Mistake]:
        """What is wrong with boxes, bonuses and repeats: ids, clauses, house rules, empty boxes."""
        rolls = comb(self.dice.count + self.dice.faces - 1, self.dice.count)
        if rolls > MOST_OUTCOMES:
            told = f"{rolls} different rolls are more than the {MOST_OUTCOMES} that can be listed"
            yield "dice", told
            return
        if self.dice.suits:
            yield "dice", "must have no suits on a score card"
        if self.dice.names and self.throw_to_begin:
            yield "throw_to_begin", "faces with names have no sum to begin with"
        for name in ("order", "tie"):
            yield from self.clause_mistakes(name, "it", getattr(self, name))
        if self.clock:
            yield from self.rule_mistakes("clock", "it", self.clock, "integer")
        yield from self._box_mistakes()
        if self.upper_bonus:
            yield from self._bonus_mistakes(self.upper_bonus)
        if self.repeats:
            yield from self._repeat_mistakes(self.repeats)

    def _box_mistakes(self) -> Iterator[Mistake]:
        """What is wrong with single boxes."""
        if not self.boxes:
            yield "boxes", "there must be one or more"
        yield from self.id_mistakes("boxes", [box.id for box in self.boxes])
        for box in self.boxes:
            yield from self.clause_mistakes("boxes", box.id, box.clause)
            if isinstance(box, UpperBox):
                if not 1 <= box.number <= self.dice.faces:
                    yield "boxes", f"{box.id} is for {box.number}, which is no face"
                continue
            for rule in box.also:
                yield from self.rule_mistakes("boxes", box.id, rule, "boolean")
            for pattern in (box.pattern, *box.also.values()):
                yield from self.pattern_mistakes("boxes", box.id, pattern, self.dice.count)
            filling = (dice for dice in self._rolls if box.pattern.made_by(dice))
            dice = next(filling, None)
            if dice is None:
                yield "boxes", f"no roll fills {box.id}"
            elif not 1 <= box.points.of(dice, dice) <= MOST_POINTS:
                yield "boxes", f"{box.id} must give from 1 to {MOST_POINTS} points"

    def _bonus_mistakes(self, bonus: UpperBonus) -> Iterator[Mistake]:
        """What is wrong with the bonus of the upper section."""
        yield from self.clause_mistakes("upper_bonus", "it", bonus.clause)
        thresholds, points = [*bonus.tiers], [*bonus.tiers.values()]
        if not thresholds or thresholds != sorted(thresholds) or points != sorted(set(points)):
            yield "upper_bonus", "thresholds must rise, and their points with them"
        most = sum(box.number for box in self._upper) * self.dice.count
        if not 1 <= max(thresholds, default=0) <= most:
            yield "upper_bonus", f"no upper section is worth more than {most}"

    def _repeat_mistakes(self, repeats: Repeats) -> Iterator[Mistake]:
        """What is wrong with the house rules for repeated rolls."""
        yield from self.id_mistakes("repeats", [*(box.id for box in self.boxes), repeats.counter])
        for clause in (repeats.clause, repeats.used):
            yield from self.clause_mistakes("repeats", "it", clause)
        yield from self.rule_mistakes("repeats", "bonus", repeats.bonus, "integer")
        yield from self.rule_mistakes("repeats", "joker", repeats.joker, "boolean")
        for box in (repeats.box, *repeats.fills):
            if box not in self.boxes:
                yield "repeats", f"{box.id} is none of the boxes"

    def scores(
        self,
        dice: Sequence[int],
        rules: RulesT,
        open_boxes: Collection[str] | None = None,
    ) -> dict[str, int]:
        """What a roll of plain dice is worth in each of `open_boxes` (None: all), in card order.

        Raises `InvalidInput` for dice that can't be.
        """
        scores = self._scores(tuple(sorted(dice)), rules)
        if open_boxes is None:
            return dict(scores)
        joker: Mapping[str, int] = {}
        if self.repeats:
            joker = self.repeats.joker_scores(dice, rules, open_boxes, self._upper)
        return {box: score for box, score in {**scores, **joker}.items() if box in open_boxes}

    def needs(self, box: Box) -> str:
        """What a roll must show to fill `box`, in words."""
        if isinstance(box, UpperBox):
            return f"dice that show {self.dice.written_faces[box.number - 1]}"
        return box.needs

    def best_box(self, scores: Mapping[str, int]) -> str:
        """The box of `scores` that is worth most, the first in card order of several (D14)."""
        return max(scores, key=scores.__getitem__)

    def total(self, card: Card, rules: RulesT) -> Totals:
        """What `card` adds up to. Raises `InvalidInput` for repeats that it can't hold."""
        self.check_card(card, rules)
        return self.added_up(card, rules)

    def check_card(self, card: Card, rules: RulesT) -> None:
        """Raises `InvalidInput` for repeats that `card` can't hold."""
        violations = self._repeat_violations(card, rules, ("card",))
        if violations:
            raise InvalidInput(*violations)

    def added_up(self, card: Card, rules: RulesT) -> Totals:
        """What a card that was played by the rules adds up to (D3, Y4)."""
        scores = card.scores
        upper = sum([scores[box.id] or 0 for box in self._upper])
        lower = sum([score or 0 for score in scores.values()]) - upper
        bonus = self.upper_bonus.points(upper) if self.upper_bonus else 0
        repeats = card.repeated * self.repeats.points(rules) if self.repeats else 0
        return Totals(card, upper, bonus, lower, repeats)

    def play(self, card: Card, entry: BoxEntry, rules: RulesT) -> Card:
        """The card after writing `entry` into it.

        Raises `InvalidInput` if the box is used already, or for repeats that the card can't hold.
        """
        self.check_entry(card, entry, rules)
        return self.written(card, entry, rules)

    def check_entry(self, card: Card, entry: BoxEntry, rules: RulesT) -> None:
        """Raises `InvalidInput` for what `play` refuses."""
        violations = self._repeat_violations(card, rules, ("card",))
        open_boxes = card.open_boxes
        if entry.box not in open_boxes:
            free = f"open are {', '.join(open_boxes)}" if open_boxes else "the card is full"
            violations.append(
                Violation(
                    ("turn", "box"),
                    f"is used already, for {card.scores[entry.box]}; {free}",
                )
            )
        if violations:
            raise InvalidInput(*violations)

    def written(self, card: Card, entry: BoxEntry, rules: RulesT) -> Card:
        """The card after writing `entry` into an open box of it (D2, Y3)."""
        score = self.scores(entry.dice, rules, card.open_boxes)[entry.box]
        repeated = card.repeated + self._repeats(card, entry.dice, rules)
        return Card({**card.scores, entry.box: score}, repeated)

    def crossed_out(self, card: Card, entry: BoxEntry, rules: RulesT) -> Card:
        """The card with a zero in an open box, whatever the dice score there (D12, Y3).

        They count as a repeat all the same; a turn without a roll has no dice.
        """
        repeated = card.repeated + self._repeats(card, entry.dice, rules)
        return Card({**card.scores, entry.box: 0}, repeated)

    def rank(self, players: Sequence[Entrant], rules: RulesT) -> list[Place[ScoredPlayer]]:
        """The places of `players` by the total of their cards, equal totals sharing a place.

        Raises `InvalidInput` for repeats that a card can't hold.
        """
        self.check_cards(players, rules)
        return self.placed(
            [ScoredPlayer(player.id, self.added_up(player.card, rules)) for player in players]
        )

    def check_cards(self, players: Sequence[Entrant], rules: RulesT) -> None:
        """Raises `InvalidInput` for repeats that the card of a player can't hold."""
        violations = [
            violation
            for index, player in enumerate(players)
            for violation in self._repeat_violations(player.card, rules, ("players", index, "card"))
        ]
        if violations:
            raise InvalidInput(*violations)

    def placed(self, players: Sequence[ScoredPlayer]) -> list[Place[ScoredPlayer]]:
        """The places of `players` whose cards are added up (D6, Y7, Y11)."""
        return in_places(
            players,
            strength=lambda player: player.totals.total,
            beats=self._beats,
            last=self._last,
        )

    def read_card(self, written: object) -> Card:
        """The card that a mapping of boxes to scores is; boxes left out are open.

        Raises `InvalidInput` naming every unknown box and every score that no roll gives.
        """
        if not isinstance(written, dict):
            raise InvalidInput(Violation((), "must be an object of boxes and scores"))
        counter = self.repeats.counter if self.repeats else None
        violations = [
            Violation(
                (name,),
                f"is not a box of this card; boxes are {', '.join(self.possible)}",
            )
            for name in islice(written, MOST_LOOKED_AT)
            if name not in self.possible and name != counter
        ]
        scores: dict[str, int | None] = {}
        for box, possible in self.possible.items():
            score = whole_number(written.get(box))
            scores[box] = score
            if score not in possible and written.get(box) is not None:
                violations.append(
                    Violation(
                        (box,),
                        "must be a score that a roll can give there "
                        f"({', '.join(map(str, possible))}), or null while the box is open",
                    )
                )
        repeated = whole_number(written.get(counter, 0)) if counter else 0
        if repeated is None or not 0 <= repeated < len(self.boxes):
            detail = f"must be a whole number between 0 and {len(self.boxes) - 1}"
            violations.append(Violation((str(counter),), detail))
        if violations:
            raise InvalidInput(*violations)
        return Card(scores, repeated or 0)

    @cached_property
    def possible(self) -> Mapping[str, tuple[int, ...]]:
        """For every box in card order the scores that some roll gives there, and the zero."""
        settings = [
            dict(zip(self.switches, choice, strict=True))
            for choice in product((False, True), repeat=len(self.switches))
        ]
        rolls = [
            self._scores(dice, self.house_rules(**setting))
            for dice in self._rolls
            for setting in settings
        ]
        return {box.id: tuple(sorted({0} | {roll[box.id] for roll in rolls})) for box in self.boxes}

    @cached_property
    def switches(self) -> tuple[str, ...]:
        """The house rules that change what a roll scores."""
        also = (box.also for box in self.boxes if isinstance(box, LowerBox))
        return tuple(sorted({rule for rules in also for rule in rules}))

    def _scores(self, dice: tuple[int, ...], rules: RulesT) -> Mapping[str, int]:
        """What sorted `dice` are worth in every box, remembered: there are few rolls."""
        key = dice, tuple([getattr(rules, rule) for rule in self.switches])
        try:
            return self._known[key]
        except KeyError:
            numbers = self.dice.read_numbers(dice, self.dice.count)
            scores = {box.id: box.score(numbers, rules) for box in self.boxes}
            return self._known.setdefault(key, scores)

    @cached_property
    def _upper(self) -> tuple[UpperBox, ...]:
        return tuple(box for box in self.boxes if isinstance(box, UpperBox))

    @cached_property
    def _rolls(self) -> tuple[tuple[int, ...], ...]:
        """Every roll of all the dice, each once whatever its order."""
        faces = range(1, self.dice.faces + 1)
        return tuple(combinations_with_replacement(faces, self.dice.count))

    def _repeats(self, card: Card, dice: Sequence[int], rules: RulesT) -> bool:
        """Whether `dice` earn the bonus of a repeat on `card`, in whichever box they end."""
        repeats = self.repeats
        if repeats is None:
            return False
        return repeats.earned(dice, rules, card.scores[repeats.box.id]) > 0

    def _repeat_violations(
        self, card: Card, rules: RulesT, path: tuple[str | int, ...]
    ) -> list[Violation]:
        """What is wrong with the count of repeated rolls on `card`."""
        repeats = self.repeats
        if repeats is None or not card.repeated:
            return []
        where = (*path, repeats.counter)
        if not repeats.points(rules):
            why = f"must be 0 without the house rule {repeats.bonus} ({repeats.clause})"
            return [Violation(where, why, ON_HOUSE_RULES)]
        room = repeats.room(
            card.scores,
            self._rolls,
            lambda dice: {
                **self._scores(tuple(dice), rules),
                **repeats.joker_scores(dice, rules, card.open_boxes, self._upper),
            },
        )
        if card.repeated > room:
            why = (
                f"must be at most {room}: a roll counts only while {repeats.box.id} holds a "
                f"score, and stands in another used box ({repeats.clause})"
            )
            return [Violation(where, why, ON_HOUSE_RULES)]
        return []

    def _beats(self, stronger: ScoredPlayer, weaker: ScoredPlayer) -> str:
        high, low = stronger.totals.total, weaker.totals.total
        return f"A total of {high} is {high - low} more than {low} ({self.order})."

    def _last(self, players: tuple[ScoredPlayer, ...], alone: bool) -> str:
        total = players[0].totals.total
        if not alone:
            return f"The lowest total here: {total}."
        if len(players) > 1:
            return f"A total of {total} each; equal totals tie ({self.tie})."
        return f"A total of {total}, and nobody else to compare with."

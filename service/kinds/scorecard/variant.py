"""Variants played on a score card: scoring rolls, filling boxes, adding up and ranking cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from service.kinds.scorecard.card import BoxEntry, Card, Entrant, ScoredPlayer, Totals, read_card
from service.kinds.scorecard.description import ScoreCardDescription
from service.rules.house_rules import HouseRules
from service.rules.places import Place, in_places
from service.rules.violations import ON_HOUSE_RULES, InvalidInput, Violation


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreCard(ScoreCardDescription):
    """A variant played on a card whose boxes are each used once."""

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
        violations = self._repeat_violations(card, rules, ("card",))
        if violations:
            raise InvalidInput(*violations)

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

        Raises `InvalidInput` if the box is already used, or for too many repeats.
        """
        self.check_entry(card, entry, rules)
        return self.written(card, entry, rules)

    def check_entry(self, card: Card, entry: BoxEntry, rules: HouseRules) -> None:
        """Raises what `play` raises."""
        violations = self._repeat_violations(card, rules, ("card",))
        open_boxes = card.open_boxes
        if entry.box not in open_boxes:
            free = f"open boxes: {', '.join(open_boxes)}" if open_boxes else "the card is full"
            violations.append(
                Violation(
                    ("turn", "box"),
                    f"is already used, with a score of {card.scores[entry.box]}; {free}",
                )
            )
        if violations:
            raise InvalidInput(*violations)

    def written(self, card: Card, entry: BoxEntry, rules: HouseRules) -> Card:
        """The card after writing `entry` into an open box of it (D2, Y3)."""
        score = self.scores(entry.dice, rules, card.open_boxes)[entry.box]
        repeated = card.repeated + self._repeats(card, entry.dice, rules)
        return Card({**card.scores, entry.box: score}, repeated)

    def crossed_out(self, card: Card, entry: BoxEntry, rules: HouseRules) -> Card:
        """The card with a zero in an open box, whatever the dice.

        They still count as a repeat. A turn without a roll has no dice.
        """
        repeated = card.repeated + self._repeats(card, entry.dice, rules)
        return Card({**card.scores, entry.box: 0}, repeated)

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
        violations = [
            violation
            for index, player in enumerate(players)
            for violation in self._repeat_violations(player.card, rules, ("players", index, "card"))
        ]
        if violations:
            raise InvalidInput(*violations)

    def placed(self, players: Sequence[ScoredPlayer]) -> list[Place[ScoredPlayer]]:
        """The places of `players` by their totals."""
        return in_places(
            players, strength=lambda player: player.totals.total, beats=self._beats, last=self._last
        )

    def read_card(self, written: object) -> Card:
        """Parses a card. Raises `InvalidInput` for unknown boxes and impossible scores."""
        return read_card(written, self.possible, self.repeats.counter if self.repeats else None)

    def _repeats(self, card: Card, dice: Sequence[int], rules: HouseRules) -> bool:
        """Whether `dice` earn the bonus of a repeat on `card`, in any box."""
        repeats = self.repeats
        if repeats is None:
            return False
        return repeats.earned(dice, rules, card.scores[repeats.box.id]) > 0

    def _repeat_violations(
        self, card: Card, rules: HouseRules, path: tuple[str | int, ...]
    ) -> list[Violation]:
        """The violations in the count of repeats on `card`."""
        repeats = self.repeats
        if repeats is None or not card.repeated:
            return []
        where = (*path, repeats.counter)
        if not repeats.points(rules):
            why = f"must be 0 without the house rule {repeats.bonus} ({repeats.clause})"
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
            why = (
                f"must be at most {room}: each one needs a score in {repeats.box.id}, and another "
                f"used box ({repeats.clause})"
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

"""A review of turns as they were played: what each choice cost, and how lucky each roll was.

The expected total changes with every roll and every choice. A roll changes it by its *luck*, which
is 0 on average. A choice lowers it by its *loss*, which is 0 for the best. So the total of a
finished card is the expected total at the start, plus all luck, minus all loss.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.advice.scorecard.options import CROSS_OUT, ROLL, SCORE, Choices, Option, total_held
from service.advice.scorecard.played import PlayedTurn, accuracy, check_turns, word
from service.advice.scorecard.table import Table
from service.advice.scorecard.turn import Turn
from service.kinds.scorecard.card import BoxEntry, Card
from service.kinds.scorecard.variant import ScoreCard
from service.rules.house_rules import HouseRules


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice after a roll: to keep dice and roll, or to fill a box.

    `turn` and `roll` count from 1. `dice` are those after the roll. `played` is what was done, and
    `best` the best option; they are the same if no option was better.
    Without a roll, when the time of a turn was up (D14), `roll` is 0 and there are no dice.
    """

    turn: int
    roll: int
    dice: tuple[int, ...]
    played: Option
    best: Option

    @property
    def loss(self) -> float:
        """What the choice lost, in points."""
        return self.played.loss

    @property
    def word(self) -> str:
        """The word for the loss."""
        return word(self.loss)


@dataclass(frozen=True, slots=True)
class Review:
    """All decisions of a player, and how they add up.

    `start` is the expected total before the first turn. `total` is the final total of a full
    card, and otherwise the expected one, with the dice of a turn that isn't over. `accuracy` is
    from 0 to 100.
    """

    start: float
    total: float
    accuracy: float
    decisions: tuple[Decision, ...]


def review(
    table: Table,
    variant: ScoreCard,
    rules: HouseRules,
    turns: Sequence[PlayedTurn],
    card: Card | None = None,
) -> Review:
    """What each choice in `turns` lost, and the luck of each roll; the card is empty by default.

    `table` must be one of `variant` under `rules` that covers the card. A turn that isn't over can
    be the last. Raises `InvalidInput` for turns that the rules don't allow.
    """
    card = card or Card(dict.fromkeys(variant.possible))
    check_turns(variant, rules, card, turns)
    reviewing = Reviewing(table, card)
    decisions = []
    for number, turn in enumerate(turns, start=1):
        decisions += [*reviewing.decisions(number, turn)]
        if turn.box:
            entry = BoxEntry(turn.rolls[-1] if turn.rolls else (), turn.box)
            write = variant.crossed_out if turn.crossed_out else variant.written
            reviewing.next_turn(write(reviewing.card, entry, rules))
    losses = [decision.loss for decision in decisions]
    return Review(reviewing.start, reviewing.total, accuracy(losses), tuple(decisions))


class Reviewing:
    """A card while its turns are reviewed.

    `start` is the expected total at the start, and `total` that after everything so far.
    """

    def __init__(self, table: Table, card: Card) -> None:
        self._table = table
        self.next_turn(card)
        self.start = self.total

    def next_turn(self, card: Card) -> None:
        """Continues with `card` before the first roll of a turn."""
        self.card = card
        position = self._table.scoring.position(card)
        self.total = self._table.expected(position) + total_held(self._table.scoring, card)

    def decisions(self, number: int, played: PlayedTurn) -> Iterator[Decision]:
        """The decisions of a turn."""
        table = self._table
        held = total_held(table.scoring, self.card)
        if not played.rolls:
            yield self._without_roll(number, str(played.box))
            return
        turn = Turn(table, table.scoring.position(self.card))
        for index, dice in enumerate(played.rolls):
            choices = Choices(turn, self.card, dice, table.scoring.rolls - 1 - index)
            best, first = choices.ranked(1)[0]
            self.total = best + held
            if index < len(played.keeps):
                place = choices.place(ROLL, keep=played.keeps[index])
            elif played.box:
                place = choices.place(CROSS_OUT if played.crossed_out else SCORE, played.box)
            else:
                return
            value = choices.value(place, best)
            done = choices.option(value, best, held, place)
            better = choices.option(best, best, held, first) if done.loss else done
            yield Decision(number, index + 1, dice, done, better)
            self.total = done.expected_total

    def _without_roll(self, number: int, box: str) -> Decision:
        """The decision of a turn that ended without a roll, with a zero in `box` (D14)."""
        best = Option(ROLL, self.total, 0.0)
        zero = Card({**self.card.scores, box: 0}, self.card.repeated)
        scoring = self._table.scoring
        total = self._table.expected(scoring.position(zero)) + total_held(scoring, zero)
        played = Option(CROSS_OUT, total, self.total - total, box=box)
        return Decision(number, 0, (), played, best)

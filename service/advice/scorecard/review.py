"""A review of turns as they were played: what each choice cost, and how lucky each roll was.

The expected total changes with every roll and every choice. A roll changes it by its *luck*, which
is 0 on average. A choice lowers it by its *loss*, which is 0 for the best. So the total of a
finished card is the expected total at the start, plus all luck, minus all loss.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    start = total = _expected(table, card)
    decisions: list[Decision] = []
    for number, turn in enumerate(turns, start=1):
        made, total = _decisions(table, card, number, turn)
        decisions += made
        if turn.box:
            entry = BoxEntry(turn.rolls[-1] if turn.rolls else (), turn.box)
            write = variant.crossed_out if turn.crossed_out else variant.written
            card = write(card, entry, rules)
            total = _expected(table, card)
    losses = [decision.loss for decision in decisions]
    return Review(start, total, accuracy(losses), tuple(decisions))


def _expected(table: Table, card: Card) -> float:
    """The expected total of `card` before the first roll of a turn."""
    return table.expected(table.scoring.position(card)) + total_held(table.scoring, card)


def _decisions(
    table: Table, card: Card, number: int, played: PlayedTurn
) -> tuple[list[Decision], float]:
    """The decisions of a turn with `card`, and the expected total after the last of them, or after
    the last roll if that is still to be decided.
    """
    if not played.rolls:  # a zero, when its time was up (D14)
        total = _expected(table, card)
        zero = _expected(table, Card({**card.scores, str(played.box): 0}, card.repeated))
        written = Option(CROSS_OUT, zero, total - zero, box=played.box)
        return [Decision(number, 0, (), written, Option(ROLL, total, 0.0))], zero
    held, total = total_held(table.scoring, card), 0.0
    turn = Turn(table, table.scoring.position(card))
    decisions = []
    for index, dice in enumerate(played.rolls):
        choices = Choices(turn, card, dice, table.scoring.rolls - 1 - index)
        best, first = choices.ranked(1)[0]
        total = best + held
        if index < len(played.keeps):
            place = choices.place(ROLL, keep=played.keeps[index])
        elif played.box:
            place = choices.place(CROSS_OUT if played.crossed_out else SCORE, played.box)
        else:
            break
        done = choices.option(choices.value(place, best), best, held, place)
        better = choices.option(best, best, held, first) if done.loss else done
        decisions.append(Decision(number, index + 1, dice, done, better))
        total = done.expected_total
    return decisions, total

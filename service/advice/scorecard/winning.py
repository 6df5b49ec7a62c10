"""The chance to win with each option of a card against other players; of n who tie, each has 1/n.

Two players with few open boxes both play as well as they can for the win, in turns. That is solved
backward, over the cards of both and the points between them. Otherwise the player decides for the
win in this turn, and then all play for points, as in `forecast`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from service.advice.lattice import Places, Values
from service.advice.scorecard import forecast
from service.advice.scorecard.options import ALL, ROLL, SCORE, Advice, Option, advise, total_held
from service.advice.scorecard.reach import MAX_CELLS, MAX_WORK, STEP
from service.advice.scorecard.scoring import Scoring, TooLarge
from service.advice.scorecard.states import States
from service.advice.scorecard.steps import Cards, Steps, ValueOf
from service.advice.scorecard.table import Table
from service.kinds.scorecard.card import Card
from service.rules.breaches import TooMuch

MOST_OPEN = 3
"""The most open boxes of each of two players who both play for the win."""

FORECAST_WORK = 1_500 * STEP
"""The work of chances by the forecast, in keeps and faces of each card."""

ALIKE = 9
"""The decimals in which chances differ; further ones are rounding."""


class Win(NamedTuple):
    """The chance to win with the best option; `steps` is the work in steps of some 10 microseconds.

    `standard_error` is that of the chances; 0 if they are `exact`.
    """

    chance: float
    exact: bool
    standard_error: float
    steps: int


class _Decision(NamedTuple):
    """A card before a turn, the `value` of cards after it, and the work to find that."""

    steps: Steps
    card: Cards
    value: ValueOf
    work: int


def advise_to_win(
    tables: Sequence[Table],
    cards: Sequence[Card],
    dice: Sequence[int] | None = None,
    rolls_left: int | None = None,
    limit: int = 10,
) -> tuple[Advice, Win]:
    """What `advise` returns for the first of `cards`, which has open boxes, with the options that
    win most often first; of equal ones, those with the most points.

    The other cards are those of the next players. Each card has a table that covers it. Raises as
    `advise` does.
    """
    table, (card, *others) = tables[0], cards
    advice = advise(table, card, dice, rolls_left, ALL)
    decision = _solved(table.scoring, cards, dice)
    last = len(card.open_boxes) == 1 and not any(each.open_boxes for each in others)
    exact = last or decision is not None
    decision = decision or _guessed(tables, cards)
    left = table.scoring.rolls - 1 if rolls_left is None else rolls_left
    options = _with_wins(decision, advice.options, dice, left)
    options.sort(key=lambda option: -round(option.win or 0.0, ALIKE))
    win = Win(options[0].win or 0.0, exact, 0.0 if exact else forecast.ERROR, decision.work // STEP)
    return replace(advice, options=tuple(options[:limit])), win


def _with_wins(
    decision: _Decision, options: Iterable[Option], dice: Sequence[int] | None, left: int
) -> list[Option]:
    """The `options` with their chances to win."""
    steps, card, value, _ = decision
    if dice is None:
        chance = float(steps.values(card, value, steps.whole)[0])
        return [option._replace(win=chance) for option in options]
    lattice, ways = steps.scoring.lattice, steps.ways
    roll = lattice.places[tuple(sorted(dice))] - lattice.first_roll
    boxes, keeps = steps.choices(card, value, left)
    after = ways.crossed(card, roll)
    opened = (after.upper >= 0) & (after.lower >= 0)
    zeros = np.zeros(len(opened))
    zeros[opened] = value(after[opened])
    rows = {steps.scoring.boxes[box]: row for row, box in enumerate(ways.box[ways.of_roll[:, 0]])}

    def chance_of(option: Option) -> float:
        if option.action == ROLL:
            return float(keeps[lattice.places[tuple(sorted(option.dice))]])
        return float((boxes[:, roll] if option.action == SCORE else zeros)[rows[str(option.box)]])

    return [option._replace(win=chance_of(option)) for option in options]


def _solved(
    scoring: Scoring, cards: Sequence[Card], dice: Sequence[int] | None
) -> _Decision | None:
    """The decision of the first of two players if both play for the win; None if that takes too
    long, or there are others.
    """
    if len(cards) != 2 or any(len(card.open_boxes) > MOST_OPEN for card in cards):
        return None
    try:
        duel = _Duel(scoring, cards)
        own, card, opened = duel.players[0], duel.start, [len(each.open_boxes) for each in cards]
        after = own.steps.ways.each_after(card)
        if dice is not None:
            lattice = scoring.lattice
            roll = lattice.places[tuple(sorted(dice))] - lattice.first_roll
            after = chain(after, [own.steps.ways.crossed(card, roll)])
        value = duel.value(0, (opened[0] - 1, opened[1]), after)
    except TooLarge:
        return None
    return _Decision(own.steps, card, value, duel.work)


class _Player:
    """The cards that can follow a player's card: the places of those `cards` with each number of
    open boxes, and the number of each card among these, by its places.
    """

    def __init__(self, scoring: Scoring, card: Card) -> None:
        position = scoring.position(card)
        states = States(scoring, position)
        self.steps = Steps(states, position)
        self.most, opened = states.most_points, states.opened
        self.cards = [np.nonzero(opened == count) for count in range(len(card.open_boxes) + 1)]
        self.number = np.zeros(opened.shape, np.intp)
        for places in self.cards:
            self.number[places] = np.arange(len(places[0]))


class _Duel:
    """Two players who both play for the win, in turns.

    What a card needs says here how the other player stands, too: it is the number of their card,
    times `span`, plus the points that they are ahead, plus `far`, the furthest that they can be.
    """

    def __init__(self, scoring: Scoring, cards: Sequence[Card]) -> None:
        self.players = [_Player(scoring, card) for card in cards]
        held = [total_held(scoring, card) for card in cards]
        behind = held[1] - held[0]
        self.far = abs(behind) + max(int(player.most.max()) for player in self.players)
        self.span = 2 * self.far + 1
        states = self.players[0].steps.states
        self.start = Cards.repeated(states, states.start, behind + self.far, 1)
        self.work = 0

    def value(self, mover: int, opened: tuple[int, int], after: Iterable[Cards]) -> ValueOf:
        """What each of the cards `after` a turn of the player `mover` is worth: their chance.

        `opened` are the open boxes of both players, each in their place. Raises `TooLarge`.
        """
        own, other = self.players[mover], self.players[1 - mover]
        uppers, lowers = own.cards[opened[mover]]
        their_uppers, their_lowers = other.cards[opened[1 - mover]]
        shape = len(uppers), len(their_uppers) * self.span
        if shape[0] * shape[1] > MAX_CELLS or self.work > MAX_WORK:
            raise TooLarge(TooMuch.WORK(count=shape[0] * shape[1]))
        asked = np.zeros(shape, np.bool_)
        for cards in after:
            asked[own.number[cards.upper, cards.lower], cards.need] = True
        numbers, needs = np.nonzero(asked)
        theirs, behind = np.divmod(needs, self.span)
        behind -= self.far
        upper, lower = uppers[numbers], lowers[numbers]
        their_upper, their_lower = their_uppers[theirs], their_lowers[theirs]
        most, their_most = own.most[upper, lower], other.most[their_upper, their_lower]
        chances = (np.sign(most - behind - their_most) + 1) / 2  # right if no box is open
        if any(opened):
            chances = np.where(behind + their_most < 0, 1.0, 0.0)
            undecided = (behind <= most) & (behind + their_most >= 0)
            if opened[1 - mover]:
                needs_next = numbers * self.span + self.far - behind
                asking = Cards(their_upper, their_lower, needs_next)[undecided]
                chances[undecided] = 1 - self._turn(1 - mover, opened, asking)
            else:
                asking = Cards(upper, lower, needs)[undecided]
                chances[undecided] = self._turn(mover, opened, asking)
        found = np.zeros(shape)
        found[numbers, needs] = chances
        return lambda cards: found[own.number[cards.upper, cards.lower], cards.need]

    def _turn(self, mover: int, opened: tuple[int, int], cards: Cards) -> Values:
        """The chances of a player before a turn with each of `cards`."""
        steps = self.players[mover].steps
        self.work += steps.cost * len(cards)
        left = opened[0] - (mover == 0), opened[1] - (mover == 1)
        value = self.value(mover, left, steps.ways.each_after(cards))
        return steps.values(cards, value, steps.whole)


def _guessed(tables: Sequence[Table], cards: Sequence[Card]) -> _Decision:
    """The decision of the first player if all play for points after this turn.

    What a card needs is less than 0 here: it is minus its total.
    """
    table, scoring = tables[0], tables[0].scoring
    states, expected = table.states, table.array[0]
    steps = forecast.steps_of(states, states.start)
    least, totals, _ = forecast.final_totals(tables[1:], [*map(forecast.Hand, cards[1:])])
    parts = forecast.not_beaten(totals) / np.arange(1, len(cards) + 1)[:, None]
    shares = np.concatenate([[0.0], parts.sum(axis=0), [1.0]])
    most, opened = states.most_points, states.opened

    def share(totals: Places) -> Values:
        found: Values = shares[np.clip(totals - least + 1, 0, len(shares) - 1)]
        return found

    def value(cards: Cards) -> Values:
        over = opened[cards.upper, cards.lower] == 0
        chance = forecast.bonus_chance(table, cards.upper, cards.lower)
        ended = ~over & forecast.ends(
            np.zeros(len(cards), np.intp), chance, opened[cards.upper, cards.lower]
        )
        found = share(most[cards.upper, cards.lower] - cards.need)  # of finished cards
        shaped = cards[ended]
        points, weights = forecast.by_shapes(table, shaped.upper, shaped.lower, chance[ended])
        found[ended] = (share(points - shaped.need[:, None]) * weights).sum(axis=1)
        going = ~over & ~ended
        if going.any():
            outcomes = steps.outcomes(cards[going], by_points)
            different, kinds = outcomes.after.different()
            each = outcomes.chances * value(different)[kinds]
            found[going] = np.bincount(outcomes.before, each, np.count_nonzero(going))
        return found

    def by_points(cards: Cards) -> Values:
        values: Values = expected[cards.upper, cards.lower] - cards.need
        return values

    own = cards[0]
    card = Cards.repeated(states, scoring.position(own), -total_held(scoring, own), 1)
    return _Decision(steps, card, value, FORECAST_WORK)

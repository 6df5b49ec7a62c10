"""One turn of many cards at once, by what the cards after it are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.advice.lattice import Places, Values, rows_of, tag
from service.advice.scorecard.scoring import EMPTY, Position
from service.advice.scorecard.states import States

BLOCK = 240_000
"""The most keeps of all cards that are solved at once, so that their arrays fit in the cache."""

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Cards:
    """Cards between turns: their upper and lower places, and the points that each still needs.

    All three arrays have the same shape. Where nothing is needed, needs are negative: they say how
    many points have come.
    """

    upper: Places
    lower: Places
    need: Places

    def __getitem__(self, chosen: Places | Flags | slice) -> Cards:
        return Cards(self.upper[chosen], self.lower[chosen], self.need[chosen])

    def __len__(self) -> int:
        return len(self.need)

    @classmethod
    def repeated(cls, states: States, position: Position, need: int, count: int) -> Cards:
        """So many cards at `position`, each of which needs `need` points."""
        upper, lower = states.place(position)
        return cls(np.full(count, upper), np.full(count, lower), np.full(count, need))

    def different(self) -> tuple[Cards, Places]:
        """These cards without repeats, and for each card its place among those."""
        need = self.need - self.need.min(initial=0)
        lowers, needs = (int(each.max(initial=0)) + 1 for each in (self.lower, need))
        codes = (self.upper * lowers + self.lower) * needs + need
        _, first, kinds = np.unique(codes, return_index=True, return_inverse=True)
        return self[first], kinds


class Ways:
    """The ways to fill the boxes that are open in `position`, for the states of a game.

    A *way* is a box with what is written there: a number of dice in an upper box, or a score in a
    lower one. Many rolls share a way, and what it leads to is worked out for all cards at once.

    `of_roll` has the way of each roll in each of these boxes: the shape (open boxes, rolls). `box`
    has the box of each way, by its row in `Scoring.points`.
    """

    def __init__(self, states: States, position: Position) -> None:
        scoring, repeating = states.scoring, states.scoring.repeating
        uppers = len(scoring.upper)
        used = position.upper_used | position.lower_used << uppers
        numbers: dict[tuple[int, ...], int] = {}
        of_roll = []
        for box in range(len(scoring.boxes)):
            if used >> box & 1:
                continue
            scores = jokers = scoring.points[box]
            if repeating and box - uppers in repeating.fills:
                jokers = np.where(repeating.rolled, repeating.fills[box - uppers], scores)
            columns = [np.full_like(scores, box), scoring.cells[box] % scoring.columns, scores]
            if repeating:
                columns += [jokers, np.where(jokers > scores, repeating.face, 0), repeating.earned]
            else:
                columns += [scores, np.zeros_like(scores), np.zeros_like(scores)]
            every = [tuple(way) for way in np.array(columns, np.intp).T.tolist()]
            of_roll.append([numbers.setdefault(way, len(numbers)) for way in every])
        self.of_roll = np.array(of_roll, np.intp).reshape(len(of_roll), len(scoring.lattice.rolls))
        every_way = np.array([*numbers], np.intp).reshape(len(numbers), 6).T
        self.box, self._dice, self._score, self._joker, self._face, self._bonus = every_way
        self._upper_box = np.minimum(self.box, uppers)
        self._lower_box = np.where(self.box < uppers, len(scoring.lower), self.box - uppers)
        self._uppers_next = _with_no_box(states.uppers_next)
        self._lowers_next = _with_no_box(states.lowers_next)
        # Whether a roll of each face can be a joker with each upper place: its own box is used.
        self._free = np.ones((states.upper_count, scoring.lattice.faces + 1), np.bool_)
        for at, number in enumerate(scoring.numbers):
            self._free[:, number] = states.upper_used >> at & 1
        self._repeats = states.lower_used >> (repeating.box if repeating else 0) & 1 == 1
        self._armed = states.armed

    def __len__(self) -> int:
        return len(self.box)

    def after(self, cards: Cards, ways: Places | int) -> Cards:
        """The cards after `ways`, which are broadcast with `cards`; used boxes have place -1."""
        score = self.scores(cards, ways)
        return Cards(
            self._uppers_next[cards.upper, self._upper_box[ways], self._dice[ways]],
            self._lowers_next[cards.lower, self._lower_box[ways], np.minimum(score, 1)],
            cards.need - score - self._bonus[ways] * self._armed[cards.lower],
        )

    def each_after(self, cards: Cards, ways: Iterable[int] | None = None) -> Iterator[Cards]:
        """The cards after each of `ways`, by default after each way; those that have none left
        out.
        """
        for way in range(len(self)) if ways is None else ways:
            after = self.after(cards, way)
            yield after[(after.upper >= 0) & (after.lower >= 0)]

    def crossed(self, card: Cards, roll: int) -> Cards:
        """The cards after one card with a zero in each box of `of_roll`, after this `roll`; used
        boxes have place -1.
        """
        ways = self.of_roll[:, roll]
        return Cards(
            self._uppers_next[card.upper, self._upper_box[ways], 0],
            self._lowers_next[card.lower, self._lower_box[ways], 0],
            card.need - self._bonus[ways] * self._armed[card.lower],
        )

    def scores(self, cards: Cards, ways: Places | int) -> Places:
        """What `ways` score with `cards`, jokers included (D10, D15)."""
        score, joker = self._score[ways], self._joker[ways]
        if np.any(joker != score):
            wild = self._repeats[cards.lower] & self._free[cards.upper, self._face[ways]]
            score = np.where(wild, joker, score)
        return score


def _with_no_box(following: Places) -> Places:
    """The places after each box, and after none, which is the last."""
    same = np.arange(len(following))[:, None, None]
    return np.concatenate([following, np.tile(same, (1, 1, following.shape[2]))], axis=1)


ValueOf = Callable[[Cards], Values]
"""What each card after a turn is worth: never less than 0."""


@dataclass(frozen=True)
class Begun:
    """A turn: the place of its roll in `Lattice.rolls`, and how often dice can be rolled again.

    `roll` is None before the first roll.
    """

    roll: int | None
    left: int


@dataclass(frozen=True)
class Starts:
    """Where the turns of cards start, with as many entries: the place of what is `kept` in
    `Lattice.keeps`, and how often dice can be rolled again once the others are rolled (`left`).

    Nothing is kept before the first roll, and all dice of a roll that is on the table.
    """

    kept: Places
    left: Places


@dataclass(frozen=True)
class Decisions:
    """What a player does in a turn with some cards: arrays of the shape (rolls, cards).

    `keeps` has an array for each roll of the turn but the last: the place of what is kept in
    `Lattice.keeps`; if that is the roll itself, the player stops. Then the player fills a box as
    `ways` say, which is worth `after`. `values` is what the turn is worth for each card.
    """

    keeps: tuple[Places, ...]
    ways: Places
    after: Values
    values: Values


@dataclass(frozen=True)
class Outcomes:
    """What turns lead to: cards `after` them, with their `chances`, and the card `before` each."""

    before: Places
    chances: Values
    after: Cards


class Steps:
    """The turns of cards that can follow `position`, among the `states` of a game."""

    def __init__(self, states: States, position: Position = EMPTY) -> None:
        self.states = states
        self.scoring = states.scoring
        self.ways = Ways(states, position)
        self.whole = Begun(None, self.scoring.rolls - 1)

    @property
    def cost(self) -> int:
        """The work of a turn with one card."""
        return len(self.scoring.lattice.keeps) * self.scoring.lattice.faces

    def plain(self, cards: Cards) -> tuple[Values, Flags]:
        """The chance of each of `cards` to get the points that it needs where that is plain, since
        it gets them whatever happens, or can't; and where it isn't.
        """
        most, opened = self.states.most_points, self.states.opened
        possible: Flags = cards.need <= most[cards.upper, cards.lower]
        sure: Flags = (cards.need <= 0) | (opened[cards.upper, cards.lower] == 0) & possible
        undecided: Flags = possible & ~sure
        return sure.astype(np.float64), undecided

    def values(self, cards: Cards, value: ValueOf, turn: Begun) -> Values:
        """What the `turn` is worth for each card, if it is played as well as possible."""
        lattice = self.scoring.lattice
        found = np.empty(len(cards))
        size = max(1, BLOCK // len(lattice.keeps))
        for first in range(0, len(cards), size):
            block = slice(first, first + size)
            of_boxes = self._of_boxes(cards[block], value)
            best = next(of_boxes)
            for own in of_boxes:
                np.maximum(best, own, out=best)
            keeps = np.empty((len(lattice.keeps), best.shape[1]))
            rolls = keeps[lattice.first_roll :]
            rolls[:] = best
            spare = np.empty_like(rolls)
            for _ in range(turn.left):
                lattice.average(keeps, spare)
                lattice.best(keeps, spare)
            found[block] = lattice.chances @ rolls if turn.roll is None else rolls[turn.roll]
        return found

    def choices(self, card: Cards, value: ValueOf, left: int) -> tuple[Values, Values]:
        """What one card is worth with each roll in each box, (boxes, rolls), and with each keep
        before `left` rolls, which is 1 or more.
        """
        lattice = self.scoring.lattice
        boxes = np.concatenate([*self._of_boxes(card, value)], axis=1).T
        keeps = np.empty((len(lattice.keeps), 1))
        rolls = keeps[lattice.first_roll :]
        rolls[:, 0] = boxes.max(axis=0)
        spare = np.empty_like(rolls)
        for more in range(left):
            if more:
                lattice.best(keeps, spare)
            lattice.average(keeps, spare)
        return boxes, keeps[:, 0]

    def decide(self, cards: Cards, value: ValueOf, turn: Begun) -> Decisions:
        """The best decisions in the `turn` with each card.

        Of keeps that are equally good, it takes one with most dice; of boxes, the first, with upper
        boxes before lower ones. With five dice it takes some 10 microseconds for each of a few
        hundred cards; each takes some 20 kilobytes.
        """
        lattice = self.scoring.lattice
        of_boxes = self._of_boxes(cards, value)
        first, *others = self.ways.of_roll
        best = next(of_boxes)
        ways = np.broadcast_to(first[:, None], best.shape).copy()
        for row, own in zip(others, of_boxes, strict=True):
            better = own > best
            np.copyto(best, own, where=better)
            np.copyto(ways, row[:, None], where=better)
        after = best
        mean, spare = np.empty((len(lattice.keeps), len(cards))), np.empty_like(best)
        keeps: list[Places] = []
        for _ in range(turn.left):
            mean[lattice.first_roll :] = best
            lattice.average(mean, spare)
            chosen = tag(mean)
            lattice.best(chosen, spare)
            keeps.insert(0, rows_of(chosen[lattice.first_roll :], len(mean)))
            best = np.take_along_axis(mean, keeps[0], axis=0)
        values = lattice.chances @ best if turn.roll is None else best[turn.roll]
        return Decisions(tuple(keeps), ways, after, values)

    def outcomes(self, cards: Cards, value: ValueOf, starts: Starts | None = None) -> Outcomes:
        """All that the best play of a turn can lead to from each of `cards`; None: whole turns."""
        lattice, count = self.scoring.lattice, len(cards)
        most = self.whole.left if starts is None else int(starts.left.max(initial=0))
        decisions, columns = self.decide(cards, value, Begun(None, most)), np.arange(count)

        def gathered(rows: Places, chances: Values, length: int) -> Values:
            codes = (rows * count + columns).ravel()
            sums = np.bincount(codes, chances.ravel(), length * count)
            return sums.astype(np.float64, copy=False).reshape(length, count)

        def rolled(kept: Values, left: int) -> Values:
            if starts is not None:
                begin = starts.left == left
                kept[starts.kept[begin], columns[begin]] = 1.0
            return lattice.rolled(kept)

        if starts is None:
            rolls = np.repeat(lattice.chances[:, None], count, axis=1)
        else:
            rolls = rolled(np.zeros((len(lattice.keeps), count)), most)
        for left, keeps in zip(reversed(range(most)), decisions.keeps, strict=True):
            rolls = rolled(gathered(keeps, rolls, len(lattice.keeps)), left)
        chances = gathered(decisions.ways, rolls, len(self.ways))
        ways, places = np.nonzero(chances)
        after = self.ways.after(cards[places], ways)
        return Outcomes(places, chances[ways, places], after)

    def _of_boxes(self, cards: Cards, value: ValueOf) -> Iterator[Values]:
        """What each roll is worth in each box for each card: one array (rolls, cards) for each box.

        It is -1 if the box is used, and for a zero that isn't allowed (D17).
        """
        every_way = np.arange(len(self.ways))[:, None]
        after = self.ways.after(cards, every_way)
        opened = (after.upper >= 0) & (after.lower >= 0)
        found = np.full(opened.shape, -1.0)
        found[opened] = value(after[opened])
        if not self.scoring.zeros_last:
            yield from (found[row] for row in self.ways.of_roll)
            return
        filled = opened & (self.ways.scores(cards, every_way) > 0)
        fits = np.logical_or.reduce([filled[row] for row in self.ways.of_roll])
        for row in self.ways.of_roll:
            yield np.where(fits & ~filled[row], -1.0, found[row])

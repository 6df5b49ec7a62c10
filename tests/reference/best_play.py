"""The best play of small score cards, by trying every choice: plain recursion, no NumPy.

A game is described by plain functions, so that no rule is shared with the service. `expected` goes
through every roll as a tuple of ordered dice, and through every subset of dice to keep. `chance`
does the same for the chance to get as many points as are needed, and `guessed` for that of a player
who goes by a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product

Roll = tuple[int, ...]
Figures = tuple[Fraction, Fraction, Fraction]
"""The mean of points, and the least and the most that the mean of their squares can be, which
depends on what is chosen of equally good choices.
"""


Guess = Callable[[Mapping[str, int], int], float]
"""A guess of the chance to get the points that a card needs."""


@dataclass(frozen=True, eq=False)
class SmallGame:
    """A score card with few boxes.

    `score` takes a roll, a box and the card so far, and returns the points in the box, a joker
    included. `extra` takes a roll and the card so far, and returns further points that the roll
    earns in any box. `bonus` takes the sum of the boxes `upper`. With `zeros_last` a zero may be
    written only if the roll scores in no open box.
    """

    dice: int
    faces: int
    rolls: int
    boxes: tuple[str, ...]
    upper: frozenset[str]
    score: Callable[[Roll, str, Mapping[str, int]], int]
    extra: Callable[[Roll, Mapping[str, int]], int]
    bonus: Callable[[int], int]
    zeros_last: bool = False

    def fillings(
        self, roll: Roll, card: Mapping[str, int], *, crosses_out: bool = True
    ) -> list[tuple[str, int]]:
        """Every open box with each score that may be written there; 0 too if it `crosses_out`."""
        filled = {box: self.score(roll, box, card) for box in self.boxes if box not in card}
        if self.zeros_last and any(filled.values()):
            return [(box, score) for box, score in filled.items() if score]
        return [
            (box, each)
            for box, score in filled.items()
            for each in ({score, 0} if crosses_out else {score})
        ]

    @cached_property
    def _known(self) -> dict[object, Figures]:
        return {}

    def expected(self, card: Mapping[str, int]) -> Figures:
        """The points still to come from `card`, which has the scores of the used boxes."""
        key = tuple(sorted(card.items()))
        if key not in self._known:
            if len(card) == len(self.boxes):
                bonus = Fraction(self.bonus(sum(card[box] for box in self.upper)))
                self._known[key] = bonus, bonus * bonus, bonus * bonus
            else:
                self._known[key] = self._rolled((), card, self.rolls - 1)
        return self._known[key]

    def choices(self, roll: Roll, card: Mapping[str, int], left: int) -> dict[object, Figures]:
        """Everything to do with `roll` and `left` rolls to go, with the points still to come.

        The keys are dice to keep, as a sorted tuple, and pairs of a box and its score.
        """
        every: dict[object, Figures] = {}
        for box, score in self.fillings(roll, card):
            mean, low, high = self.expected({**card, box: score})
            more = score + self.extra(roll, card)
            added = 2 * more * mean + more * more
            every[box, score] = mean + more, low + added, high + added
        if left:
            for size in range(self.dice):
                for keep in {*combinations(sorted(roll), size)}:
                    every[keep] = self._rolled(keep, card, left - 1)
        return every

    def _rolled(self, keep: Roll, card: Mapping[str, int], left: int) -> Figures:
        """The points still to come when the dice that aren't in `keep` are rolled."""
        key = (keep, tuple(sorted(card.items())), left)
        if key not in self._known:
            others = self.dice - len(keep)
            outcomes = [
                self._best((*keep, *rolled), card, left)
                for rolled in product(range(1, self.faces + 1), repeat=others)
            ]
            columns = zip(*outcomes, strict=True)
            mean, low, high = (sum(each, Fraction()) / len(outcomes) for each in columns)
            self._known[key] = mean, low, high
        return self._known[key]

    def _best(self, roll: Roll, card: Mapping[str, int], left: int) -> Figures:
        """The figures of the best choices with `roll`."""
        key = ("best", tuple(sorted(roll)), tuple(sorted(card.items())), left)
        if key not in self._known:
            figures = self.choices(roll, card, left).values()
            best = max(mean for mean, _, _ in figures)
            squares = [(low, high) for mean, low, high in figures if mean == best]
            self._known[key] = best, min(low for low, _ in squares), max(h for _, h in squares)
        return self._known[key]

    @cached_property
    def best_player(self) -> Guesser:
        """The player with the best chances, who knows the chance of every card."""
        return Guesser(self, lambda *after: self.best_player.chance(*after), crosses_out=True)

    def chance(self, card: Mapping[str, int], need: int) -> float:
        """The best chance to get `need` points or more from `card`."""
        return self.best_player.chance(card, need)

    def chance_with(self, roll: Roll, card: Mapping[str, int], left: int, need: int) -> float:
        """The same with `roll` on the table and `left` rolls to go."""
        return self.best_player.chance_with(roll, card, left, need)


@dataclass(frozen=True, eq=False)
class Guesser:
    """A player of `game` who takes `guess` for the chance of every card after a turn.

    Unless the player `crosses_out`, a zero is written only if the dice score nothing there.
    """

    game: SmallGame
    guess: Guess
    crosses_out: bool = False

    def chance(self, card: Mapping[str, int], need: int) -> float:
        """The chance of this player to get `need` points or more from `card`."""
        if len(card) == len(self.game.boxes):
            return float(self.game.bonus(sum(card[box] for box in self.game.upper)) >= need)
        return self._rolled((), card, self.game.rolls - 1, need)[1]

    def chance_with(self, roll: Roll, card: Mapping[str, int], left: int, need: int) -> float:
        """The same with `roll` on the table and `left` rolls to go."""
        return self._best(roll, card, left, need)[1]

    def _rolled(
        self, keep: Roll, card: Mapping[str, int], left: int, need: int
    ) -> tuple[float, float]:
        """What the player takes for the chance, and the chance, if the other dice are rolled."""
        key = (keep, tuple(sorted(card.items())), left, need)
        if key not in self._known:
            dice = product(range(1, self.game.faces + 1), repeat=self.game.dice - len(keep))
            played = [self._best((*keep, *rolled), card, left, need) for rolled in dice]
            taken, chances = zip(*played, strict=True)
            self._known[key] = sum(taken) / len(played), sum(chances) / len(played)
        return self._known[key]

    def _best(
        self, roll: Roll, card: Mapping[str, int], left: int, need: int
    ) -> tuple[float, float]:
        """The same for the play of `roll` that the player takes for the best."""
        key = (tuple(sorted(roll)), tuple(sorted(card.items())), left, need)
        if key not in self._known:
            ways = []
            for box, score in self.game.fillings(roll, card, crosses_out=self.crosses_out):
                rest = need - score - self.game.extra(roll, card)
                after = {**card, box: score}
                ways.append((self.guess(after, rest), self.chance(after, rest)))
            if left:
                for size in range(self.game.dice):
                    for keep in {*combinations(sorted(roll), size)}:
                        ways.append(self._rolled(keep, card, left - 1, need))
            self._known[key] = max(ways, key=lambda way: way[0])
        return self._known[key]

    @cached_property
    def _known(self) -> dict[object, tuple[float, float]]:
        return {}

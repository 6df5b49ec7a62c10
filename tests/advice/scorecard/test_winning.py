"""Options by the chance to win: against plain recursion over the cards of all players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np
import pytest

from service.advice.scorecard.options import CROSS_OUT, ROLL, Option, advise
from service.advice.scorecard.scoring import scoring
from service.advice.scorecard.table import small_table
from service.advice.scorecard.winning import advise_to_win
from service.kinds.scorecard.card import BoxEntry, Card
from service.variants.dice_poker import VARIANT as DICE_POKER
from tests.advice.scorecard.small_cards import (
    PairRules,
    small_card,
    small_game,
    table_after,
    used_boxes,
    whole_table,
)
from tests.advice.scorecard.test_forecast import RULES, SMALL, TWO_OPEN, endings
from tests.api.operations.test_scorecard_advice import CHANCE
from tests.reference.best_play import Roll, SmallGame
from tests.sampled import first

Used = Mapping[str, int]


@dataclass(frozen=True)
class Duel:
    """Two players of a small game who both play for the win, in turns; a tie is half a win."""

    game: SmallGame
    known: dict[object, float] = field(default_factory=dict)

    def chance(self, own: Used, other: Used, behind: int) -> float:
        """The chance of the player to move, who is behind by some points without the bonus."""
        if len(own) < len(self.game.boxes):
            return self.rolled((), own, other, behind, self.game.rolls - 1)
        if len(other) < len(self.game.boxes):
            return 1 - self.chance(other, own, -behind)
        mine, theirs = (
            self.game.bonus(sum(card[box] for box in self.game.upper)) for card in (own, other)
        )
        return float(np.sign(mine - behind - theirs) + 1) / 2

    def rolled(self, keep: Roll, own: Used, other: Used, behind: int, left: int) -> float:
        """The same when the dice that aren't in `keep` are rolled."""
        key = keep, *(tuple(sorted(card.items())) for card in (own, other)), behind, left
        if key not in self.known:
            dice = product(range(1, self.game.faces + 1), repeat=self.game.dice - len(keep))
            best = [
                max(self.choices((*keep, *rolled), own, other, behind, left).values())
                for rolled in dice
            ]
            self.known[key] = sum(best) / len(best)
        return self.known[key]

    def choices(
        self, roll: Roll, own: Used, other: Used, behind: int, left: int
    ) -> dict[object, float]:
        """The chance of everything that can be done with a roll: boxes with scores, and keeps."""
        found: dict[object, float] = {}
        for box, score in self.game.fillings(roll, own):
            rest = behind - score - self.game.extra(roll, own)
            found[box, score] = 1 - self.chance(other, {**own, box: score}, -rest)
        if left:
            for size in range(self.game.dice):
                for keep in {*combinations(sorted(roll), size)}:
                    found[keep] = self.rolled(keep, own, other, behind, left - 1)
        return found


def wins(options: Sequence[Option]) -> dict[object, float]:
    """The chances of options, by what `Duel.choices` calls them."""
    return {
        tuple(sorted(each.dice)) if each.action == ROLL else (each.box, each.score): each.win or 0.0
        for each in options
    }


CARDS = [
    *TWO_OPEN,
    Card({"twos": 4, "pair": 5, "threes": 6, "run": None, "chance": 3}),
    Card({"twos": 4, "pair": 5, "threes": 6, "run": 0, "chance": 6}),
    Card({"twos": None, "pair": 5, "threes": None, "run": None, "chance": 3}),
]
"""Cards of two dice with up to three open boxes."""


@pytest.mark.parametrize(
    ("bonus", "joker", "zeros_last"),
    [
        (0, False, True),
        pytest.param(0, False, False, marks=pytest.mark.proof),
        pytest.param(9, True, False, marks=pytest.mark.proof),
    ],
)
@pytest.mark.parametrize("step", first([2, 1]))
def test_two_players(bonus: int, joker: bool, zeros_last: bool, step: int) -> None:
    """With few open boxes, each option has the chance of trying everything, for either player who
    may have more boxes to fill; the best comes first, and points stay as `advise` has them.
    """
    rules = PairRules(pair_bonus=bonus, pair_joker=joker, zero_only_if_nothing_fits=zeros_last)
    duel = Duel(small_game(3, {8: 4}, bonus, joker, zeros_last))
    card = small_card(3, {8: 4})
    for own, other in product(CARDS, CARDS[::step]):
        if not own.open_boxes:
            continue
        tables = [table_after(card, rules, each) for each in (own, other)]
        mine, theirs = used_boxes(own), used_boxes(other)
        behind = sum(theirs.values()) - sum(mine.values())
        found, win = advise_to_win(tables, [own, other])
        assert (win.exact, win.standard_error) == (True, 0.0)
        assert win.chance == pytest.approx(duel.chance(mine, theirs, behind), abs=1e-12)
        assert [each.win for each in found.options] == [win.chance]
        for dice, left in (((1, 3), 2), ((2, 2), 1), ((3, 3), 0)):
            found, win = advise_to_win(tables, [own, other], dice, left, 100)
            brute = duel.choices(dice, mine, theirs, behind, left)
            assert wins(found.options) == pytest.approx(brute, abs=1e-12)
            assert win.chance == pytest.approx(max(brute.values()), abs=1e-12)
            order = [(-round(each.win or 0, 9), each.loss) for each in found.options]
            assert order == sorted(order)
            plain = advise(tables[0], own, dice, left, 100)
            assert {each._replace(win=None) for each in found.options} == {*plain.options}
            assert found.expected_total == plain.expected_total


def test_three_players() -> None:
    """A turn is played for the win and then all play for points; of three who tie, each has a
    third.
    """
    table, others = whole_table(SMALL, RULES), CARDS[3:5]
    ends = [endings(table, tuple(each.scores.items()), None, 3) for each in others]

    def share(card: Card) -> float:
        found = 0.0
        for mine, *theirs in product(
            endings(table, tuple(card.scores.items()), None, 3).items(),
            *(each.items() for each in ends),
        ):
            totals = [total for total, _ in (mine, *theirs)]
            chance = float(np.prod([each for _, each in (mine, *theirs)]))
            if totals[0] == max(totals):
                found += chance / totals.count(totals[0])
        return found

    def after(option: Option, dice: Roll) -> float:
        if option.action == ROLL:
            rolled = [*product(range(1, 4), repeat=2 - len(option.dice))]
            rolls = [(*option.dice, *each) for each in rolled]
            return sum(best(each) for each in rolls) / len(rolls)
        write = SMALL.crossed_out if option.action == CROSS_OUT else SMALL.written
        return share(write(TWO_OPEN[0], BoxEntry(dice, str(option.box)), RULES))

    def best(dice: Roll) -> float:
        return max(after(each, dice) for each in advise(table, TWO_OPEN[0], dice, 0, 9).options)

    cards = [TWO_OPEN[0], *others]
    for dice in ((1, 3), (2, 2)):
        found, win = advise_to_win([table] * 3, cards, dice, 1)
        assert [each.win for each in found.options] == pytest.approx(
            [after(each, dice) for each in found.options], abs=1e-12
        )
        assert win.chance == found.options[0].win
        assert (win.exact, win.standard_error) == (False, 0.004)


def test_behind_in_the_last_box() -> None:
    """Who needs 29 points in the last box keeps only the sixes, and loses half a point by that."""
    scored = scoring(DICE_POKER, DICE_POKER.default_rules)
    cards = [Card({**CHANCE, "chance": None}), Card({**CHANCE, "chance": 28})]
    tables = [small_table(scored, scored.position(card)) for card in cards]
    dice = (6, 1, 4, 3, 6)
    assert advise(tables[0], cards[0], dice, 1).options[0].dice == (6, 4, 6)
    first, second = advise_to_win(tables, cards, dice, 1)[0].options[:2]
    # three dice with 17 points or more, or a tie with 16; two dice can only tie
    assert (first.dice, second.dice) == ((6, 6), (6, 4, 6))
    assert first.win == pytest.approx((4 + 6 / 2) / 216)
    assert second.win == pytest.approx(1 / 36 / 2)
    assert (first.loss, second.loss) == pytest.approx((0.5, 0.0))

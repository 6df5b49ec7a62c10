"""Small score cards, each as a variant and as a reference that shares no rule with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from service.advice.scorecard.scoring import scoring
from service.advice.scorecard.table import Table, small_table, solve
from service.kinds.scorecard.boxes import Fixed, LowerBox, SumOfAll, UpperBonus, UpperBox
from service.kinds.scorecard.card import Card, Repeats
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules, amount, switch
from service.rules.patterns import Alike, AnyDice, Run
from tests.reference.best_play import Roll, SmallGame


@dataclass(frozen=True)
class PairRules(HouseRules):
    """The house rules of the small cards."""

    pair_bonus: int = amount(0, clause="S1", meaning="Points for a further pair.", maximum=1_000)
    pair_joker: bool = switch(clause="S1", meaning="A further pair fills the run.")
    zero_only_if_nothing_fits: bool = switch(clause="S1", meaning="No zero while the dice score.")
    seconds: int = amount(30, clause="S1", meaning="Decides nothing.", maximum=1_000)


PAIR = LowerBox("pair", Alike((2,)), Fixed(5), "two alike", "S1")
RUN = LowerBox("run", Run(2), Fixed(7), "two in sequence", "S1")
CHANCE = LowerBox("chance", AnyDice(), SumOfAll(), "any dice", "S1")


def small_card(rolls: int, tiers: Mapping[int, int]) -> ScoreCard:
    """A card of two upper and three lower boxes, for two dice with three faces."""
    return ScoreCard(
        id="small-card",
        name="Small card",
        summary="Five boxes, two dice.",
        dice=Dice(count=2, faces=3),
        rolls=rolls,
        players=(1, None),
        house_rules=PairRules,
        clauses={"S1": "Five boxes."},
        boxes=(UpperBox("twos", 2, "S1"), PAIR, UpperBox("threes", 3, "S1"), RUN, CHANCE),
        upper_bonus=UpperBonus(tiers, "S1") if tiers else None,
        repeats=Repeats(PAIR, "pairs", "pair_bonus", "pair_joker", (RUN,), "S1", "S1"),
        order="S1",
        tie="S1",
    )


def small_game(
    rolls: int, tiers: Mapping[int, int], bonus: int, joker: bool, zeros_last: bool = False
) -> SmallGame:
    """The same game for the reference."""
    boxes = ("twos", "pair", "threes", "run", "chance")

    def score(roll: Roll, box: str, card: Mapping[str, int]) -> int:
        alike = roll[0] == roll[1]
        wild = joker and alike and "pair" in card
        if (roll[0] == 2 and "twos" not in card) or (roll[0] == 3 and "threes" not in card):
            wild = False
        return {
            "twos": 2 * roll.count(2),
            "threes": 3 * roll.count(3),
            "pair": 5 if alike else 0,
            "run": 7 if abs(roll[0] - roll[1]) == 1 or wild else 0,
            "chance": sum(roll),
        }[box]

    def extra(roll: Roll, card: Mapping[str, int]) -> int:
        return bonus if roll[0] == roll[1] and card.get("pair") else 0

    def upper_bonus(upper: int) -> int:
        return max([points for least, points in tiers.items() if upper >= least], default=0)

    upper = frozenset(("twos", "threes"))
    return SmallGame(2, 3, rolls, boxes, upper, score, extra, upper_bonus, zeros_last)


def whole_table(variant: ScoreCard, rules: HouseRules) -> Table:
    """The table of a whole game, which is solved here: the game must be a small one."""
    scored = scoring(variant, rules)
    return Table.of(scored, solve(scored))


def table_after(variant: ScoreCard, rules: HouseRules, card: Card) -> Table:
    """A table of what can follow `card`."""
    scored = scoring(variant, rules)
    return small_table(scored, scored.position(card))


def every_card(variant: ScoreCard) -> Iterator[Card]:
    """Every card that there can be."""
    for scores in product(*((None, *scores) for scores in variant.possible.values())):
        yield Card(dict(zip(variant.possible, scores, strict=True)))


def used_boxes(card: Card) -> dict[str, int]:
    """The scores of the boxes that are used."""
    return {box: score for box, score in card.scores.items() if score is not None}

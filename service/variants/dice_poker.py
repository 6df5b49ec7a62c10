"""`dice-poker`: the score card like Yahtzee, 13 boxes and five plain dice.

The card is `BOXES`, in its order; what changes at a table is `DicePokerRules`.
Sessions play it by `service/kinds/scorecard`.
"""

from __future__ import annotations

from dataclasses import dataclass

from service.kinds.scorecard.boxes import Fixed, LowerBox, SumOfAll, UpperBonus, UpperBox
from service.kinds.scorecard.card import WRITING, Repeats
from service.kinds.scorecard.variant import ScoreCard
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules, amount, switch
from service.rules.patterns import Alike, AnyDice, Run
from service.rules.variant import EVERY_GAME, Example

FULL_HOUSE = LowerBox(
    "full_house",
    Alike((3, 2)),
    Fixed(25),
    "three dice alike and a pair of another number",
    "D4",
    also={"five_alike_is_full_house": Alike((3, 2), splitting=True)},
)
SMALL_STRAIGHT = LowerBox("small_straight", Run(4), Fixed(30), "four dice in sequence", "D4")
LARGE_STRAIGHT = LowerBox("large_straight", Run(5), Fixed(40), "1-2-3-4-5 or 2-3-4-5-6", "D4")
FIVE_OF_A_KIND = LowerBox("five_of_a_kind", Alike((5,)), Fixed(50), "all five dice alike", "D4")

BOXES = (
    UpperBox("ones", 1, "D3"),
    UpperBox("twos", 2, "D3"),
    UpperBox("threes", 3, "D3"),
    UpperBox("fours", 4, "D3"),
    UpperBox("fives", 5, "D3"),
    UpperBox("sixes", 6, "D3"),
    LowerBox("three_of_a_kind", Alike((3,)), SumOfAll(), "at least three dice alike", "D4"),
    LowerBox("four_of_a_kind", Alike((4,)), SumOfAll(), "at least four dice alike", "D4"),
    FULL_HOUSE,
    SMALL_STRAIGHT,
    LARGE_STRAIGHT,
    FIVE_OF_A_KIND,
    LowerBox("chance", AnyDice(), SumOfAll(), "any dice", "D4"),
)

CLAUSES = {
    "D1": "Five plain dice, thirteen rounds; in each a player rolls up to three times, keeping "
    "any dice between rolls.",
    "D2": "The score of a turn is written in one unused box; a used box is never used again. "
    "If the dice fit no unused box, one of them gets a zero.",
    "D3": "Each upper box is the sum of the dice that show its number. An upper section of 63 or "
    "more earns 35 more.",
    "D4": "The lower boxes: three and four of a kind and chance score the sum of all dice, a full "
    "house 25, a small straight 30, a large straight 40, five of a kind 50.",
    "D5": "Dice may be written in any unused box that they fit.",
    "D6": "The highest total wins; equal totals tie, even if nobody has scored.",
    "D7": "A turn lasts 30 seconds.",
    "D10": "A later five of a kind earns nothing extra and opens no other box, except under the "
    "house rules extra_five_bonus and joker.",
    "D11": "Five alike are no full house, except under the house rule five_alike_is_full_house.",
    "D12": "A player may choose to write a zero in any unused box.",
    "D13": "Any number of players, from one.",
    "D14": "A turn has 30 seconds if the service rolls, and no limit if players type in their "
    "dice; turn_seconds can change either. When the time is up, the dice are written in the unused "
    "box where they score most; if there are several, in the first of them in card order. If "
    "nothing was rolled, the first unused box gets a zero.",
    "D15": "Under joker, a further five of a kind counts once the box five of a kind is used, for "
    "50 or crossed out. For extra_five_bonus that box must hold 50; the bonus is earned in "
    "whichever box the dice are then written or crossed out. A box can be crossed out only after a "
    "roll.",
    "D16": "The clock starts with each turn; that of the first turn starts with the session.",
    "D17": "The first player listed begins, or under the house rule throw_to_begin the one with "
    "the highest throw; players who tie throw again. Under zero_only_if_nothing_fits a player must "
    "score as long as the dice bring points in an unused box, chance included: a zero is refused, "
    "whether it is crossed out or scored.",
    **EVERY_GAME,
    **WRITING,
}


@dataclass(frozen=True)
class DicePokerRules(HouseRules):
    """The house rules of `dice-poker`."""

    extra_five_bonus: int = amount(
        0,
        clause="D10",
        meaning="Points for each further five of a kind while that box holds 50; 0 for none.",
        maximum=1_000,
    )
    joker: bool = switch(
        clause="D10",
        meaning="Once five of a kind is used, for 50 or crossed out, another one fills full house, "
        "small or large straight at full value if the upper box of its number is used, too.",
    )
    five_alike_is_full_house: bool = switch(
        clause="D11", meaning="Five dice alike also fill the full house."
    )
    turn_seconds: int | None = amount(
        30,
        clause="D14",
        meaning="Seconds that a turn lasts in a session.",
        minimum=1,
        maximum=86_400,
        nullable=True,
        typed=None,
    )
    throw_to_begin: bool = switch(
        clause="D17", meaning="The player with the highest throw begins, not the first one listed."
    )
    zero_only_if_nothing_fits: bool = switch(
        clause="D17", meaning="A zero is refused while the dice score in an open box."
    )


UPPER = {"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15}
KINDS = {"three_of_a_kind": 22, "four_of_a_kind": 0}
OTHERS = {"small_straight": 30, "large_straight": 0, "five_of_a_kind": 0}
"""Boxes of the cards in the examples."""

VARIANT = ScoreCard(
    id="dice-poker",
    name="Dice poker",
    summary="Thirteen boxes, five dice, three rolls a turn: the highest card wins.",
    dice=Dice(count=5),
    rolls=3,
    players=(1, None),
    house_rules=DicePokerRules,
    clauses=CLAUSES,
    boxes=BOXES,
    upper_bonus=UpperBonus({63: 35}, "D3"),
    order="D6",
    tie="D6",
    repeats=Repeats(
        box=FIVE_OF_A_KIND,
        counter="extra_fives",
        bonus="extra_five_bonus",
        joker="joker",
        fills=(FULL_HOUSE, SMALL_STRAIGHT, LARGE_STRAIGHT),
        clause="D10",
        used="D15",
    ),
    steps={
        "begin": "D17",
        "cross_out": "D12",
        "time_up": "D14",
        "left": "G2",
        "take_back": "G3",
        "write": "G4",
        "end": "D1",
    },
    strengths={
        "easy": (180.2, 32.3),
        "medium": (206.6, 39.3),
        "hard": (230.9, 39.4),
        "best": (245.6, 39.9),
    },
    examples=(
        Example("evaluate", "A full house", {"dice": [3, 3, 3, 5, 5]}),
        Example(
            "rank",
            "The higher total wins",
            {
                "players": [
                    {"id": "ann", "card": {"ones": 3, "full_house": 25}},
                    {"id": "ben", "card": {"sixes": 18, "five_of_a_kind": 0}},
                ]
            },
        ),
        Example(
            "score",
            "A turn written in a box",
            {
                "card": {"ones": 3, "twos": 6, "chance": 22},
                "turn": {"dice": [4, 4, 4, 2, 1], "box": "fours"},
            },
        ),
        Example(
            "advise",
            "Three boxes open, and one roll left",
            {
                "card": {**UPPER, **KINDS, **OTHERS},
                "dice": [6, 2, 6, 2, 5],
                "rolls_left": 1,
                "target": 190,
                "limit": 2,
            },
        ),
        Example(
            "review",
            "The last turn, with a mistake",
            {
                "card": {**UPPER, **KINDS, "full_house": 25, **OTHERS, "chance": 20},
                "turns": [{"rolls": [[6, 2, 6, 2, 2]], "box": "sixes"}],
            },
        ),
        Example(
            "batch",
            "Five alike as a full house",
            {
                "hands": [[3, 3, 3, 5, 5], [4, 4, 4, 4, 4]],
                "house_rules": {"five_alike_is_full_house": True},
            },
        ),
    ),
)

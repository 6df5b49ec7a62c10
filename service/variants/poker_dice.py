"""`poker-dice`: the betting game, five plain dice; beat the hand before you, or bust.

What beats what is `RANKS`, from the highest down. Hands of the same rank are compared by
`TIE_BREAKS`: first the dice that make the rank, then the others from the highest down.
"""

from __future__ import annotations

from dataclasses import dataclass

from service.kinds.ranking.hand_table import Rank, TieBreak
from service.kinds.ranking.variant import Ranking
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules, amount, choice, switch
from service.rules.patterns import Alike, AnyDice, Run
from service.rules.variant import EVERY_GAME, Example

RANKS = (
    Rank("five_of_a_kind", Alike((5,)), "five dice alike", "P3"),
    Rank("four_of_a_kind", Alike((4,)), "four dice alike", "P3"),
    Rank("full_house", Alike((3, 2)), "three dice alike and a pair", "P3"),
    Rank("straight", Run(5), "1-2-3-4-5 or 2-3-4-5-6", "P3"),
    Rank("small_straight", Run(4), "four dice in sequence", "P3"),
    Rank("three_of_a_kind", Alike((3,)), "three dice alike", "P3"),
    Rank("two_pair", Alike((2, 2)), "two pairs", "P11", only_with="pairs_rank"),
    Rank("one_pair", Alike((2,)), "two dice alike", "P11", only_with="pairs_rank"),
    Rank("no_combination", AnyDice(), "nothing of the above", "P11"),
)

TIE_BREAKS = (
    TieBreak(
        "numbers",
        "Within a rank, the higher dice win: the number alike for five, four and three of a "
        "kind, the three and then the pair for a full house, the top die for a straight; then "
        "the remaining dice, from the highest down.",
        "P10",
    ),
)

CLAUSES = {
    "P1": "The first player of a round names the ante; everyone who plays puts in as much.",
    "P2": "A player rolls five dice up to three times, keeping any of them between rolls.",
    "P3": "From the highest: five of a kind, four of a kind, full house, straight, small "
    "straight, three of a kind.",
    "P4": "A player who isn't the first must roll a better hand than the best so far, or busts and "
    "is out of the round. A player who succeeds puts out every earlier player with a worse hand.",
    "P5": "A player who has not bust checks or raises. Everyone who is still in, or still has to "
    "roll, must meet the raise.",
    "P6": "The highest hand takes the pot; if the last player rolls it, the round ends at once.",
    "P7": "The winner of the pot begins the next round.",
    "P10": "Hands of the same rank compare the dice that make the rank, then the remaining dice "
    "from the highest down; hands that are equal in all of them tie.",
    "P11": "Dice that make none of these are no combination, the lowest rank; they are compared "
    "from the highest die down. The house rule pairs_rank puts two pair and one pair above it.",
    "P12": "A hand counts as the highest rank it makes: 2-3-4-5-6 is a straight, 1-1-2-3-4 a "
    "small straight.",
    "P13": "A player who can't or won't meet a raise folds, and gets nothing back. When all others "
    "are out, the last player left takes the pot.",
    "P14": "Chips can have any number and value. A player who can't meet the ante sits out.",
    "P15": "When hands are ranked together, all are put in order; those that tie share a place.",
    "P16": "Chips go in before the dice: every other player meets the ante or sits out before the "
    "first roll, and everyone who has yet to roll meets a raise or folds before the next one. A "
    "leader who can't raise checks. The only player left takes the pot, even without a roll.",
    "P17": "The ante is at most the smallest stack, and a raise at most the smallest stack of "
    "those who must meet it. If the house rule stakes is own_stack, only the player's own stack is "
    "a limit, and who can't meet the ante or a raise is out at once.",
    "P18": "A session lasts ten rounds, or as many as the house rule rounds says, or until one "
    "player has all the chips. Then the most chips win, and equal stacks share the win.",
    **EVERY_GAME,
}

STEPS = {
    "first": "P4",
    "bust": "P4",
    "equal": "P10",
    "beaten": "P4",
    "sit_out": "P1",
    "cant_meet_ante": "P14",
    "fold": "P13",
    "cant_meet_raise": "P13",
    "last_rolls_highest": "P6",
    "highest": "P6",
    "all_others_out": "P13",
    "next_round": "P7",
    "no_chips": "P14",
    "all_chips": "P18",
    "last_round": "P18",
    "time_up": "G1",
    "left": "G2",
    "take_back": "G3",
}


@dataclass(frozen=True)
class PokerDiceRules(HouseRules):
    """The house rules of `poker-dice`."""

    pairs_rank: bool = switch(
        clause="P11", meaning="Two pair and one pair rank between three of a kind and nothing."
    )
    starting_chips: int = amount(
        100,
        clause="P14",
        meaning="Chips that each player starts with in a session.",
        minimum=1,
        maximum=1_000_000,
    )
    stakes: str = choice(
        "smallest_stack", "own_stack",
        clause="P17",
        meaning="What limits antes and raises: the smallest stack of all who must pay, or only the "
        "player's own.",
    )  # fmt: skip
    rounds: int | None = amount(
        10,
        clause="P18",
        meaning="Rounds that a session lasts; no limit: it lasts until one player has all "
        "the chips.",
        minimum=1,
        maximum=10_000,
        nullable=True,
    )
    turn_seconds: int | None = amount(
        None,
        clause="G1",
        meaning="Seconds that a decision may take in a session.",
        minimum=1,
        maximum=86_400,
        nullable=True,
    )


VARIANT = Ranking(
    id="poker-dice",
    name="Poker dice",
    summary="Five plain dice: roll a better hand than the one before you, or bust.",
    dice=Dice(count=5),
    rolls=3,
    players=(1, None),
    house_rules=PokerDiceRules,
    clauses=CLAUSES,
    steps=STEPS,
    hand_size=5,
    ranks=RANKS,
    tie_breaks=TIE_BREAKS,
    tied="equal hands tie (P10).",
    examples=(
        Example("evaluate", "A small straight", {"dice": [1, 2, 3, 4, 6]}),
        Example(
            "rank",
            "A full house beats a straight",
            {
                "players": [
                    {"id": "ann", "dice": [5, 5, 3, 3, 3]},
                    {"id": "ben", "dice": [1, 2, 3, 4, 5]},
                ]
            },
        ),
        Example(
            "advise",
            "Four of a kind to beat, and one player still to roll",
            {"dice": [6, 6, 6, 2, 1], "to_beat": [5, 5, 5, 5, 1], "players_after": 1, "limit": 2},
        ),
        Example(
            "batch", "Three rolls", {"hands": [[1, 2, 3, 4, 6], [5, 2, 5, 2, 5], [6, 6, 6, 6, 6]]}
        ),
    ),
)

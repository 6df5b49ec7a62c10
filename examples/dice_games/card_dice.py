"""`card-dice`: poker dice with the faces of cards, from the nine to the ace."""

from __future__ import annotations

from dataclasses import dataclass

from service.kinds.ranking.hand_table import Rank, TieBreak
from service.kinds.ranking.variant import Ranking
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules, amount, switch
from service.rules.patterns import Alike, AnyDice, Run
from service.rules.variant import Example

RANKS = (
    Rank("five_of_a_kind", Alike((5,)), "five dice alike", "C2"),
    Rank("four_of_a_kind", Alike((4,)), "four dice alike", "C2"),
    Rank("full_house", Alike((3, 2)), "three dice alike and a pair", "C2"),
    Rank(
        "straight",
        Run(5),
        "9-T-J-Q-K or T-J-Q-K-A",
        "C2",
        above=("straight_beats_full_house", "full_house"),
    ),
    Rank("three_of_a_kind", Alike((3,)), "three dice alike", "C2"),
    Rank("two_pair", Alike((2, 2)), "two pairs", "C2"),
    Rank("one_pair", Alike((2,)), "two dice alike", "C2"),
    Rank("high_die", AnyDice(), "nothing of the above", "C2"),
)

CLAUSES = {
    "C1": "Five dice with the faces 9, T, J, Q, K and A; a turn is up to three rolls.",
    "C2": "From the highest: five, four of a kind, full house, straight, three of a kind, two "
    "pair, one pair, high die.",
    "C3": "Within a rank the higher dice win: first those that make the rank, then the others.",
    "C4": "Equal hands tie; in a round the earlier one stays.",
    "C5": "Under the house rule straight_beats_full_house, a straight ranks above a full house.",
    "C6": "Players may have any number of chips. An ante or a raise is at most the smallest stack "
    "of those who must meet it.",
    "C7": "The highest hand takes the pot, and its player begins the next round.",
}


@dataclass(frozen=True)
class CardDiceRules(HouseRules):
    """The house rules of `card-dice`."""

    straight_beats_full_house: bool = switch(
        clause="C5", meaning="A straight ranks just above a full house."
    )
    starting_chips: int = amount(
        100,
        clause="C6",
        meaning="Chips that each player starts with in a session.",
        minimum=1,
        maximum=1_000_000,
    )
    rounds: int | None = amount(
        None,
        clause="C7",
        meaning="Rounds a session lasts; null until one player has all the chips.",
        minimum=1,
        maximum=10_000,
        nullable=True,
    )


TEXTS = {
    "Card dice": "Kartenwürfel",
    "Five dice with card faces: roll a better hand than the one before you, or bust.": (
        "Fünf Würfel mit Kartenseiten: Wirf eine bessere Hand als die vor dir, oder scheitere."
    ),
    "9-T-J-Q-K or T-J-Q-K-A": "9-T-J-Q-K oder T-J-Q-K-A",
    "A straight ranks just above a full house.": "Eine Straße steht direkt über dem Full House.",
    "Rounds a session lasts; null until one player has all the chips.": (
        "Runden, die ein Spiel dauert; null: bis jemand alle Chips hat."
    ),
    "equal hands tie (C4).": "gleiche Hände teilen sich den Platz (C4).",
    CLAUSES[
        "C1"
    ]: "Fünf Würfel mit den Seiten 9, T, J, Q, K und A; ein Zug sind bis zu drei Würfe.",
    CLAUSES["C2"]: "Vom höchsten Rang an: Fünfling, Vierling, Full House, Straße, Drilling, zwei "
    "Paare, ein Paar, höchster Würfel.",
    CLAUSES["C3"]: "Bei gleichem Rang gewinnen die höheren Würfel: erst die, die den Rang "
    "ausmachen, dann die anderen.",
    CLAUSES["C4"]: "Gleiche Hände teilen sich den Platz; in einer Runde bleibt die frühere.",
    CLAUSES["C5"]: "Mit der Hausregel straight_beats_full_house steht eine Straße über dem Full "
    "House.",
    CLAUSES["C6"]: "Chips können beliebig viele sein. Ein Einsatz oder eine Erhöhung ist höchstens "
    "so hoch, dass alle zahlen können, die müssen.",
    CLAUSES["C7"]: "Die höchste Hand bekommt den Pot, und wer sie hat, beginnt die nächste Runde.",
}
"""The texts in German, by the English ones."""

VARIANT = Ranking(
    id="card-dice",
    name="Card dice",
    summary="Five dice with card faces: roll a better hand than the one before you, or bust.",
    dice=Dice(count=5, names=("9", "T", "J", "Q", "K", "A")),
    rolls=3,
    players=(1, None),
    house_rules=CardDiceRules,
    clauses=CLAUSES,
    steps={"equal": "C4", "highest": "C7", "last_rolls_highest": "C7", "next_round": "C7"},
    hand_size=5,
    ranks=RANKS,
    tie_breaks=(TieBreak("numbers", CLAUSES["C3"], "C3"),),
    tied="equal hands tie (C4).",
    texts={"de": TEXTS},
    examples=(
        Example("evaluate", "A straight to the ace", {"dice": ["T", "J", "Q", "K", "A"]}),
        Example("evaluate", "There is no two", {"dice": ["T", "J", "Q", "K", "2"]}),
        Example(
            "rank",
            "A straight beats a full house where that is the rule",
            {
                "players": [
                    {"id": "ann", "dice": ["9", "9", "A", "A", "A"]},
                    {"id": "ben", "dice": ["9", "T", "J", "Q", "K"]},
                ],
                "house_rules": {"straight_beats_full_house": True},
            },
        ),
        Example("rank", "Nobody plays", {"players": []}),
        Example(
            "advise",
            "A hand to beat",
            {"dice": ["9", "9", "T", "K", "A"], "to_beat": ["9", "9", "T", "T", "A"], "limit": 2},
        ),
        Example("advise", "There is no two", {"dice": ["9", "9", "T", "K", "2"]}),
        Example("batch", "A roll as a list", {"hands": [["9", "9", "A", "A", "A"]]}),
        Example("batch", "A roll as a string", {"hands": ["99AAA", "9TJQK"]}),
        Example("batch", "There is no two", {"hands": ["99AAA", "9TJQ2"]}),
    ),
)

"""`roll-a-royal`: a crossword of poker hands from thirteen suited dice.

What beats what is `HANDS`, from the most points down. The best layout of a turn is found and proven
by `service.kinds.layout.solver`.
"""

from __future__ import annotations

from dataclasses import dataclass

from service.kinds.layout.cards import CardClauses, CardDice
from service.kinds.layout.lines import LineHand, LineHands
from service.kinds.layout.own_layout import LayoutClauses
from service.kinds.layout.variant import Layout, LayoutRules
from service.rules.dice import Suit
from service.rules.house_rules import amount, choice, switch
from service.rules.variant import EVERY_GAME, Example


@dataclass(frozen=True)
class RollARoyalRules(LayoutRules):
    """The house rules of roll-a-royal."""

    layout: str = choice(
        "connected", "unconnected", "either",
        clause="R11",
        meaning="Whether all hands must be connected (with a bonus for all dice), must each "
        "stand alone, or may do either.",
    )  # fmt: skip
    max_uses: int = amount(
        2,
        clause="R12",
        meaning="How many hands a shared die may count in. Above 2, hands may also run "
        "diagonally, and no grid is given.",
        minimum=2,
        maximum=4,
    )
    opening: str = choice(
        "jacks_or_better", "none",
        clause="R25",
        meaning="What the first roll must hold; otherwise the turn scores zero.",
    )  # fmt: skip
    repeated_cards: bool = switch(
        clause="R20", meaning="Dice may show the same card, as home-made sets can."
    )
    turns: int | None = amount(
        10,
        clause="R5",
        meaning="How many turns each player has in a game; no limit: it ends only at the "
        "target score.",
        minimum=1,
        maximum=1_000,
        nullable=True,
    )
    target_score: int | None = amount(
        None,
        clause="R5",
        meaning="The total that ends a game once a player has it; no limit: it ends only after "
        "the turns.",
        minimum=1,
        maximum=10_000_000,
        nullable=True,
    )
    finish_round: bool = switch(
        default=True,
        clause="R34",
        meaning="A round in which the target score is reached is played to its end, so that "
        "everyone has the same number of turns.",
    )
    turn_seconds: int | None = amount(
        None,
        clause="G1",
        meaning="Seconds that a turn lasts in a session.",
        minimum=1,
        maximum=86_400,
        nullable=True,
    )


SUITS = (Suit("s", "spades"), Suit("h", "hearts"), Suit("d", "diamonds"), Suit("c", "clubs"))

DICE_SET = (
    ("2s", "5h", "8d", "Jc", "--", "--"),
    ("3s", "6h", "9d", "Qc", "--", "--"),
    ("4s", "7h", "Td", "Kc", "--", "--"),
    ("5s", "8h", "Jd", "Ac", "--", "--"),
    ("6s", "9h", "Qd", "2c", "--", "--"),
    ("7s", "Th", "Kd", "3c", "--", "--"),
    ("8s", "Jh", "Ad", "4c", "--", "--"),
    ("9s", "Qh", "2d", "5c", "--", "--"),
    ("Ts", "Kh", "3d", "6c", "--", "--"),
    ("Js", "Ah", "4d", "7c", "--", "--"),
    ("Qs", "2h", "5d", "8c", "--", "--"),
    ("Ks", "3h", "6d", "9c", "--", "--"),
    ("As", "4h", "7d", "Tc", "--", "--"),
)
"""The faces of each die of the set that is published with the game (R20)."""

HANDS = LineHands(
    royal_flush=LineHand(
        "royal_flush",
        4000,
        "ace, king, queen, jack and ten of one suit, and further cards down from the ten",
        "R9",
        further=400,
        doubles="R24",
    ),
    straight_flush=LineHand(
        "straight_flush",
        2000,
        "five or more of one suit in sequence, the ace high or low",
        "R9",
        further=200,
        doubles="R24",
    ),
    four_of_a_kind=LineHand("four_of_a_kind", 500, "four of one rank", "R9", doubles="R24"),
    full_house=LineHand("full_house", 400, "three of one rank and two of another", "R9"),
    flush=LineHand("flush", 300, "five or more of one suit", "R9", further=100),
    straight=LineHand(
        "straight",
        200,
        "five or more in sequence, of mixed suits, the ace high or low",
        "R9",
        further=50,
    ),
    three_of_a_kind=LineHand("three_of_a_kind", 150, "three of one rank", "R9"),
    pair=LineHand("pair", 50, "two of one rank", "R9"),
)

CLAUSES = {
    "R1": "Thirteen suited dice and one risk die, for one or more players.",
    "R2": "Everyone rolls the risk die; the highest begins, and play goes to the left.",
    "R3": "A turn begins with a roll of all thirteen dice. Without jacks or better it passes; "
    "otherwise the dice that show blanks, and only those, are rolled again up to two more times.",
    "R4": "The dice are laid out as poker hands across and down; the dice of a straight or flush "
    "need not lie in order.",
    "R5": "The game lasts an agreed number of turns, or goes to an agreed score. The highest score "
    "wins.",
    "R6": "Hands connect by sharing a die. A shared die counts in at most two hands; a hand may "
    "hold several shared dice.",
    "R7": "A pair or three of a kind that isn't connected doesn't count.",
    "R8": "All thirteen dice connected earn a bonus of 500.",
    "R9": "Royal flush 4000 and 400 for each further card, straight flush 2000 and 200, four of a "
    "kind 500, each doubled on the first roll; full house 400, flush 300 and 100 for each further "
    "card, straight 200 and 50, three of a kind 150, pair 50. All dice of one suit, a super royal, "
    "win the game at once.",
    "R10": "After adding up the turn, a player may roll the risk die, which has 1, 2, 3, 4 and two "
    "blanks: the number multiplies the score, and a blank makes it zero.",
    "R11": "By house rule, layouts may be unconnected, where no hand shares a die, or either, "
    "where hands may share dice or not; neither earns the bonus.",
    "R12": "A house rule lets a shared die count in three or four hands.",
    "R20": "Each die has four cards, one of each suit and of four different ranks, and two blanks; "
    "the set has the 52 cards once each. A card that shows twice is refused, unless a house rule "
    "allows home-made sets.",
    "R21": "A turn is a roll of thirteen dice, then of as many as the previous roll had blanks. A "
    "card is written as its rank and suit letter, a blank as two hyphens.",
    "R22": "The ace is high or low in a sequence, which doesn't wrap; a sequence of thirteen uses "
    "it once.",
    "R23": "A line scores the best hand that it makes. Five or more in sequence of one "
    "suit are a straight flush, never a straight or a flush; a straight holds no rank twice.",
    "R24": "On the first roll only the points of the base are doubled, not those of further cards, "
    "and only if all dice of the base came on that roll. The base of a longer straight flush is "
    "any five in sequence.",
    "R25": "Jacks or better is a pair of jacks, queens, kings or aces, or any hand above a pair; "
    "two lower pairs do not open.",
    "R26": "The layout is a crossword: hands run across or down, crossing hands share exactly one "
    "die and parallel ones none, and any two dice side by side are in one hand.",
    "R27": "If a die may count in more than two hands, they may also run diagonally: two of them "
    "share at most one die, and no grid is given.",
    "R28": "A connected layout is one group of hands; a single hand may stand alone unless it is a "
    "pair or three of a kind. In the layouts unconnected and either, those count alone, too.",
    "R29": "The risk roll multiplies the whole turn, bonus included.",
    "R30": "A super royal needs all thirteen dice to show cards of one suit. Its points are those "
    "of its best layout.",
    "R31": "A turn that doesn't open scores zero.",
    "R32": "The best layout is proven to be the best. With repeated cards, or with dice in more "
    "than two hands, the search may stop at a limit; the result then says so, with a bound.",
    "R33": "A set of hands that can't be laid on the grid is not a layout, even if it shares dice "
    "as it should.",
    "R34": "A single hand of all thirteen dice is one group, and earns the bonus. Of several super "
    "royals ranked together, the one with the higher score comes first. A target score ends the "
    "game at the end of the round in which somebody reaches it, or without the house rule "
    "finish_round at once. The first roll alone decides whether a turn opens; later rolls of a "
    "turn that doesn't open are accepted and score zero. If a die may count in more than two "
    "hands, no layout has a grid.",
    **EVERY_GAME,
}

ROYAL = [
    ["As", "Ks", "Qs", "Js", "Ts", "Ah", "--", "Kd", "--", "Jd", "4c", "4h", "9s"],
    ["Kc", "--"],
    ["2d"],
]
FOUR_JACKS = [["2h", "3h", "4h", "5h", "6h", "7s", "8s", "Jd", "Js", "Jc", "Jh", "9c", "Qc"]]

VARIANT = Layout(
    id="roll-a-royal",
    name="Roll-a-Royal",
    summary="Thirteen dice with cards on them, laid out as a crossword of poker hands.",
    dice=CardDice(
        count=13,
        suits=SUITS,
        dice_set=DICE_SET,
        cites=CardClauses(count="R1", rolls="R3", again="R21", once="R20"),
    ),
    rolls=3,
    players=(1, None),
    house_rules=RollARoyalRules,
    clauses=CLAUSES,
    hands=HANDS,
    all_dice_bonus=500,
    order="R5",
    cites=LayoutClauses(
        hands="R9", shared="R6", grid="R26", diagonal="R27", connected="R28", alone="R7"
    ),
    risk_faces=(1, 2, 3, 4, 0, 0),
    steps={
        "begin": "R2",
        "pass": "R31",
        "lay": "R32",
        "risk": "R10",
        "super_royal": "R9",
        "time_up": "G1",
        "left": "G2",
        "take_back": "G3",
        "end": "R5",
    },
    examples=(
        Example("evaluate", "A straight flush on the first roll", {"rolls": FOUR_JACKS}),
        Example("batch", "Two turns", {"hands": [ROYAL, [["As", "Ks", *["--"] * 11]]]}),
        Example(
            "rank",
            "The risk die shows four for one player",
            {
                "players": [
                    {"id": "ann", "rolls": ROYAL},
                    {"id": "ben", "rolls": FOUR_JACKS, "risk": 4},
                ]
            },
        ),
        Example(
            "score",
            "A royal flush crossed by a pair of aces",
            {
                "rolls": ROYAL,
                "layout": [
                    {"dice": [0, 1, 2, 3, 4], "direction": "across", "row": 0, "column": 0},
                    {"dice": [0, 5], "direction": "down", "row": 0, "column": 0},
                ],
            },
        ),
        Example("advise", "Two dice to roll again", {"rolls": ROYAL[:1]}),
    ),
)

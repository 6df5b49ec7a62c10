"""A layout of six dice in three suits, with its own clauses, house rules and risk die."""

from __future__ import annotations

from dataclasses import dataclass

from service.kinds.layout.cards import CardClauses, CardDice
from service.kinds.layout.lines import LineHand, LineHands
from service.kinds.layout.own_layout import LayoutClauses
from service.kinds.layout.variant import Layout, LayoutRules
from service.rules.dice import Suit
from service.rules.house_rules import amount, choice, switch
from service.rules.variant import Example


@dataclass(frozen=True)
class LittleRoyalRules(LayoutRules):
    """The house rules of little royal."""

    layout: str = choice(
        "either", "connected", "unconnected", clause="C4", meaning="Which hands may share dice."
    )
    max_uses: int = amount(
        2, clause="C5", meaning="How many hands a die counts in.", minimum=2, maximum=3
    )
    opening: str = choice(
        "none", "jacks_or_better", clause="A4", meaning="What the first roll must hold."
    )
    repeated_cards: bool = switch(clause="A3", meaning="Dice may show the same card.")
    turns: int | None = amount(
        3, clause="D2", meaning="The turns of each player.", minimum=1, maximum=50, nullable=True
    )
    target_score: int | None = amount(
        None,
        clause="D3",
        meaning="The total that ends a game.",
        minimum=1,
        maximum=9_000,
        nullable=True,
    )


TURN = [["Ts", "Jm", "Qs", "Ks", "As", "--"], ["Ad"]]

VARIANT = Layout(
    id="little-royal",
    name="Little royal",
    summary="Six dice with cards of three suits, laid out as crossing hands.",
    dice=CardDice(
        count=6,
        faces=4,
        suits=(Suit("s", "suns"), Suit("m", "moons"), Suit("d", "dots")),
        dice_set=(
            ("9s", "Tm", "Jd", "--"),
            ("Ts", "Jm", "Qd", "--"),
            ("Js", "Qm", "Kd", "--"),
            ("Qs", "Km", "Ad", "--"),
            ("Ks", "Am", "9d", "--"),
            ("As", "9m", "Td", "--"),
        ),
        cites=CardClauses(count="A1", rolls="A2", again="A2", once="A3"),
    ),
    rolls=2,
    players=(1, 4),
    house_rules=LittleRoyalRules,
    clauses={
        "A1": "There are six dice with cards.",
        "A2": "All dice are rolled; those that show blanks are rolled once more.",
        "A3": "Each card shows once, unless repeated_cards is on.",
        "A4": "Under opening, the first roll must hold a pair of jacks or more.",
        "B1": "Royal flush 600 and 60 for a further card, straight flush 300 and 30, four of a "
        "kind 200, full house 120, flush 90 and 15, straight 60 and 10, three of a kind 40, pair "
        "10. All six dice of one suit win the game.",
        "B2": "Straight and royal flushes on the first roll count twice.",
        "C1": "Hands run across and down, and no others lie side by side.",
        "C2": "A die counts in at most two hands.",
        "C3": "Connected hands form one group, which earns 25 with all dice; a pair or three of a "
        "kind needs another hand.",
        "C4": "Hands may share dice or not; layout allows only one of these.",
        "C5": "Under max_uses, a die counts in three hands, which run in any direction.",
        "D1": "The highest throw of the risk die begins.",
        "D2": "After the agreed turns the highest total wins.",
        "D3": "The game ends at the agreed total.",
        "D4": "The risk die has a blank, a two and a five, which multiply the points.",
    },
    hands=LineHands(
        royal_flush=LineHand(
            "royal_flush", 600, "ten to ace of one suit", "B1", further=60, doubles="B2"
        ),
        straight_flush=LineHand(
            "straight_flush", 300, "five in sequence of one suit", "B1", further=30, doubles="B2"
        ),
        four_of_a_kind=LineHand("four_of_a_kind", 200, "four of a rank", "B1"),
        full_house=LineHand("full_house", 120, "three of a rank and two of another", "B1"),
        flush=LineHand("flush", 90, "five of one suit", "B1", further=15),
        straight=LineHand("straight", 60, "five in sequence", "B1", further=10),
        three_of_a_kind=LineHand("three_of_a_kind", 40, "three of a rank", "B1"),
        pair=LineHand("pair", 10, "two of a rank", "B1"),
    ),
    all_dice_bonus=25,
    order="D2",
    cites=LayoutClauses(
        hands="B1", shared="C2", grid="C1", diagonal="C5", connected="C3", alone="C3"
    ),
    risk_faces=(0, 2, 5),
    steps={"begin": "D1", "super_royal": "B1", "end": "D2", "risk": "D4"},
    examples=(
        Example("evaluate", "A straight and a pair", {"rolls": TURN, "risk": 5}),
        Example("batch", "The same turn twice", {"hands": [TURN, TURN]}),
        Example(
            "rank",
            "The risk die decides",
            {"players": [{"id": "ann", "rolls": TURN}, {"id": "ben", "rolls": TURN, "risk": 2}]},
        ),
        Example(
            "score",
            "A pair alone",
            {
                "rolls": TURN,
                "layout": [{"dice": [4, 5], "direction": "across", "row": 0, "column": 0}],
            },
        ),
        Example("advise", "Before the first roll", {"rolls": [], "need": 100}),
        Example("advise", "To win, 100 points are needed", {"rolls": TURN, "need": 100}),
    ),
)

"""Games that can't be played as described are refused at import, by variant and field: too few dice
or rolls, and too much work.
"""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass, replace
from typing import Any

import pytest

from service.kinds.ranking.hand_table import Rank
from service.kinds.scorecard.boxes import Fixed, LowerBox
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules, switch
from service.rules.patterns import Alike, AnyDice
from service.rules.variant import Variant, WrongDescription
from service.variants import texas_holdem_dice
from tests.trial_games import three_dice, two_boxes

RANKING, CARD = three_dice.VARIANT, two_boxes.VARIANT
HOLDEM = texas_holdem_dice.VARIANT
ANY = RANKING.ranks[-1]
PAIR = Rank("pair", Alike((2,)), "two alike", "T1")
PAIRS = LowerBox("pairs", Alike((2,)), Fixed(5), "two alike", "B1")


@dataclass(frozen=True)
class Wild(HouseRules):
    """House rules with a switch."""

    wild: bool = switch(clause="T1", meaning="Anything goes.")


MANY = make_dataclass(
    "Many",
    [(f"wild_{n}", bool, switch(clause="T1", meaning="Anything goes.")) for n in range(10)],
    bases=(HouseRules,),
    frozen=True,
)
"""House rules with ten switches."""

CASES: list[tuple[Variant[Any], dict[str, Any], str]] = [
    (
        HOLDEM,
        {"players": (2, 50)},
        "texas-holdem-dice: players: 50 players need 105 dice, community included; the set has 20",
    ),
    (
        HOLDEM,
        {"players": (2, None)},
        "texas-holdem-dice: players: must have a limit, because all share 20 dice",
    ),
    (
        HOLDEM,
        {"dice": replace(HOLDEM.dice, count=4)},
        "texas-holdem-dice: players: 6 players need 17 dice, community included; the set has 4",
    ),
    (
        RANKING,
        {
            "house_rules": Wild,
            "ranks": (replace(PAIR, only_with="wild"), replace(ANY, counts=False)),
        },
        "three-dice: ranks: one that counts must exist under all house rules, or no turn would end",
    ),
    (
        CARD,
        {
            "boxes": (
                *CARD.boxes,
                replace(PAIRS, also={f"rule_{number}": AnyDice() for number in range(18)}),
            )
        },
        "two-boxes: boxes: 21 rolls in each of 3 boxes, under 262144 choices of house rules, are "
        "16515072 scorings, more than the allowed 500000",
    ),
    (
        CARD,
        {
            "dice": Dice(10, 9),
            "boxes": (*CARD.boxes, *(replace(PAIRS, id=f"pairs_{n}") for n in range(10))),
        },
        "two-boxes: boxes: 43758 rolls in each of 12 boxes are 525096 scorings, more than the "
        "allowed 500000",
    ),
    (
        RANKING,
        {
            "house_rules": MANY,
            "ranks": (
                *(replace(PAIR, id=f"pair_{n}", only_with=f"wild_{n}") for n in range(10)),
                ANY,
            ),
        },
        "three-dice: ranks: 56 rolls in each of 11 ranks, under 1024 choices of house rules, are "
        "630784 scorings, more than the allowed 500000",
    ),
]


@pytest.mark.parametrize(("variant", "changes", "message"), CASES, ids=[each[2] for each in CASES])
def test_it_is_refused_at_once(
    variant: Variant[Any], changes: dict[str, Any], message: str
) -> None:
    """The message names the variant, the field and the numbers; no table is computed before."""
    with pytest.raises(WrongDescription) as error:
        replace(variant, **changes)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("count", "faces"), [(10, 3), pytest.param(20, 6, marks=pytest.mark.proof)]
)
def test_many_dice(count: int, faces: int) -> None:
    """Twenty dice with six faces are within the limits, as long as there are few ranks."""
    variant = replace(
        RANKING,
        dice=Dice(count, faces),
        hand_size=count,
        ranks=(Rank("four", Alike((4,)), "four alike", "T1"),),
        examples=(),
    )
    assert variant.evaluate([faces] * count, HouseRules()).rank.id == "four"

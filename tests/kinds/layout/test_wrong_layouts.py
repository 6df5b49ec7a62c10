"""A description of a layout that contradicts itself is refused when it is made, by field."""

from __future__ import annotations

from dataclasses import fields, make_dataclass, replace
from typing import Any

import pytest

from service.kinds.layout.lines import LineHands
from service.kinds.layout.variant import LayoutRules
from service.rules.dice import Suit
from service.rules.house_rules import HouseRules, amount, choice, switch
from service.rules.variant import WrongDescription
from service.variants.roll_a_royal import VARIANT as ROYAL

LAST = ROYAL.dice.dice_set[-1]


def dice_set(last: tuple[str, ...], *, dice: int = 13) -> dict[str, Any]:
    """The published set with another last die, for a game of `dice` dice."""
    changed = (*ROYAL.dice.dice_set[:-1], last)
    return {"dice": replace(ROYAL.dice, count=dice, dice_set=changed)}


def pair(**changes: Any) -> dict[str, Any]:
    """The hands with another pair."""
    return {"hands": replace(ROYAL.hands, pair=replace(ROYAL.hands.pair, **changes))}


def all_hands(**changes: Any) -> LineHands:
    """The hands, each with the same changes."""
    hands = {each.name: getattr(ROYAL.hands, each.name) for each in fields(LineHands)}
    return LineHands(**{name: replace(hand, **changes) for name, hand in hands.items()})


def option(name: str, made: Any) -> dict[str, Any]:
    """The house rules with another one, `made` by `switch`, `choice` or `amount`."""
    rules = make_dataclass("Rules", [(name, Any, made)], bases=(ROYAL.house_rules,), frozen=True)
    return {"house_rules": rules}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"order": "R99"}, "order: it cites 'R99', which is not a clause"),
    (
        {"cites": replace(ROYAL.cites, grid="R99")},
        "cites: grid cites 'R99', which is not a clause",
    ),
    (
        {"dice": replace(ROYAL.dice, cites=replace(ROYAL.dice.cites, once="R99"))},
        "dice: once cites 'R99', which is not a clause",
    ),
    ({"dice": replace(ROYAL.dice, count=14)}, "dice: there must be at most 13 in a layout"),
    ({"dice": replace(ROYAL.dice, suits=())}, "dice: there must be 1 to 4 suits"),
    (
        {"dice": replace(ROYAL.dice, suits=(*ROYAL.dice.suits, Suit("x", "stars")))},
        "dice: there must be 1 to 4 suits in a layout, not 5",
    ),
    (
        {"dice": replace(ROYAL.dice, names=tuple("123456"))},
        "dice: must have no names or colours: their faces are cards and blanks",
    ),
    ({"dice": replace(ROYAL.dice, dice_set=())}, "dice: dice_set must have 13 dice, not 0"),
    (dice_set(LAST, dice=12), "dice: dice_set must have 12 dice, not 13"),
    (dice_set(LAST[1:]), "dice: die 12 of dice_set must have 6 faces, not 5"),
    (dice_set((*LAST[1:], "Ax")), "dice: die 12 of dice_set has 'Ax', which is neither a card"),
    (dice_set((*LAST[1:], "10c")), "dice: die 12 of dice_set has '10c', which is neither a card"),
    (dice_set((*LAST[1:], "2s")), "dice: dice 0 and 12 of dice_set both have 2s"),
    ({"all_dice_bonus": -1}, "all_dice_bonus: must be from 0 to 999999"),
    ({"all_dice_bonus": 10**9}, "all_dice_bonus: must be from 0 to 999999"),
    (pair(id="A pair"), "hands: 'A pair' must be lower-case letters, digits and underscores"),
    (pair(id="flush"), "hands: the id 'flush' is used twice"),
    (pair(clause="R99"), "hands: pair cites 'R99', which is not a clause"),
    (pair(needs=" "), "hands: pair must say what it needs"),
    (pair(points=0), "hands: pair must have 1 point or more, not 0"),
    (pair(points=-5), "hands: pair must have 1 point or more, not -5"),
    (pair(points=151), "hands: pair must not have more points than the hand before it"),
    (pair(further=1), "hands: pair has further points, but can't have further cards"),
    (pair(further=-1), "hands: further points of pair must be 0 or more, not -1"),
    (pair(doubles="R24"), "hands: pair has doubles, but only royal_flush, straight_flush,"),
    (pair(doubles=True), "hands: pair.pair.doubles must be a text or None, not True"),
    (
        {
            "hands": replace(
                ROYAL.hands, royal_flush=replace(ROYAL.hands.royal_flush, points=10**30)
            )
        },
        "hands: a turn might score 83200000000000000000000000002000 with the bonus and the risk "
        "die, and must stay below 1000000",
    ),
    ({"hands": all_hands(points=9_800)}, "hands: a turn might score 1021200 with the bonus"),
    ({"risk_faces": (1, 5_000)}, "hands: a turn might score 418500000 with the bonus"),
    ({"risk_faces": ()}, "risk_faces: must have two different faces or more"),
    ({"risk_faces": (0,)}, "risk_faces: must have two different faces or more"),
    ({"risk_faces": (0, 0, 0)}, "risk_faces: must have two different faces or more"),
    ({"risk_faces": (-1, 2)}, "risk_faces: must be at most 100 numbers from 0"),
    (
        {"house_rules": HouseRules},
        "house_rules: must be a class, LayoutRules or a subclass",
    ),
    (
        {"house_rules": LayoutRules},
        "house_rules: layout must be made by switch, choice or amount",
    ),
    (
        option("layout", choice("connected", "apart", clause="R11", meaning="?")),
        "house_rules: layout must be a choice of some or all of: connected, unconnected, either",
    ),
    (
        option("layout", switch(clause="R11", meaning="?")),
        "house_rules: layout must be a choice of some or all of: connected, unconnected, either",
    ),
    (
        option("opening", choice("aces", clause="R25", meaning="?")),
        "house_rules: opening must be a choice of some or all of: jacks_or_better, none",
    ),
    (
        option("repeated_cards", choice("yes", clause="R20", meaning="?")),
        "house_rules: repeated_cards must be a switch",
    ),
    (
        option("max_uses", amount(2, clause="R12", meaning="?", minimum=1, maximum=4)),
        "house_rules: max_uses must be an amount from 2 to 4 that is never null",
    ),
    (
        option("max_uses", amount(2, clause="R12", meaning="?", minimum=2, maximum=9)),
        "house_rules: max_uses must be an amount from 2 to 4 that is never null",
    ),
    (
        option(
            "max_uses", amount(2, clause="R12", meaning="?", minimum=2, maximum=4, nullable=True)
        ),
        "house_rules: max_uses must be an amount from 2 to 4 that is never null",
    ),
    (
        option(
            "turns", amount(None, clause="R5", meaning="?", minimum=1, maximum=9, nullable=True)
        ),
        "house_rules: turns or target_score must have a default, or a game would never end",
    ),
    (
        option("turns", amount(0, clause="R5", meaning="?", maximum=9)),
        "house_rules: turns must be an amount of 1 or more",
    ),
    (
        option("target_score", switch(clause="R5", meaning="?")),
        "house_rules: target_score must be an amount of 1 or more",
    ),
]


@pytest.mark.parametrize(("changes", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
def test_what_is_wrong_is_named(changes: dict[str, Any], sentence: str) -> None:
    """The message names the game, the field, and what is wrong there."""
    with pytest.raises(WrongDescription) as error:
        replace(ROYAL, **changes)
    assert str(error.value).startswith(f"roll-a-royal: {sentence}")
    assert "\n" not in str(error.value)


def test_a_card_on_two_faces_of_a_die() -> None:
    """A die may have a card twice: a roll still shows it once (R20)."""
    changed = replace(ROYAL, **dice_set((*LAST[:-2], LAST[0], "--")))
    assert changed.dice.dice_set[-1].count(LAST[0]) == 2


def test_one_word_of_a_choice() -> None:
    """A game may allow fewer layouts and openings than there are."""
    changed = replace(ROYAL, **option("layout", choice("either", clause="R11", meaning="?")))
    assert changed.default_rules.layout == "either"

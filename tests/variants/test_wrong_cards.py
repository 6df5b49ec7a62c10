"""Score cards and layouts that contradict themselves are refused when they are made, by field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.kinds.layout.variant import LayoutRules
from service.kinds.scorecard.boxes import Fixed, SumOfAll, UpperBonus, UpperBox
from service.rules.dice import Dice, Suit
from service.rules.house_rules import HouseRules, amount, choice, switch
from service.rules.patterns import Alike, AnyDice, Run
from service.rules.variant import Variant
from tests.variants.wrong import (
    CARD,
    POKER,
    REPEATS,
    ROYAL,
    OwnPattern,
    OwnPoints,
    Wrong,
    box,
    check,
    cite,
    hand,
    last_die,
    rule,
    wrongly,
)

LINE = "must be one line of printable text, at most 2000 characters, not "
POINTS = "its points must be whole numbers up to 32767, and more than 0 for some roll, not "

# A case has one or two lines.
# fmt: off
SCORE_CARD: list[Wrong] = [
    ({"boxes": ()}, "boxes: must be one or more, not ()"),
    ({"boxes": (*CARD.boxes, CARD.boxes[0])}, "boxes: must be parts with different ids, not "),
    ({"boxes": (*CARD.boxes, UpperBox("sevens", 7, "B1"))},
     "boxes: sevens.number must be a face of the dice, not 7"),
    ({"boxes": (*CARD.boxes, UpperBox("ones", 1, "B9"))},
     "boxes: ones.clause must be a clause of the game, not 'B9'"),
    ({"dice": Dice(20, 8)}, "dice: 888030 different rolls are more than the allowed 65535"),
    ({"dice": Dice(2, suits=(Suit("r", "red"),))}, "dice: must have no suits on a score card"),
    ({"dice": Dice(2, names=tuple("ABCDEF")), "throw_to_begin": True},
     "throw_to_begin: faces with names have no sum, so no throw is the highest"),
    ({"throw_to_begin": 1}, "throw_to_begin: must be True or False, not 1"),
    ({"order": "B9"}, "order: must be a clause of the game, not 'B9'"),
    ({"tie": "B9"}, "tie: must be a clause of the game, not 'B9'"),
    (rule(CARD, switch(**cite("B1")), "turn_seconds"),
     "house_rules: turn_seconds must be an amount with a minimum of 1 or more"),
    (rule(CARD, amount(9, **cite("B1"), maximum=9), "turn_seconds"),
     "house_rules: turn_seconds must be an amount with a minimum of 1 or more"),
    ({"upper_bonus": UpperBonus({}, "B1")},
     "upper_bonus: its thresholds must rise, and so must their points"),
    ({"upper_bonus": UpperBonus({9: 5, 8: 9}, "B1")},
     "upper_bonus: its thresholds must rise, and so must their points"),
    ({"upper_bonus": UpperBonus({8: 5, 9: 5}, "B1")},
     "upper_bonus: its thresholds must rise, and so must their points"),
    ({"upper_bonus": UpperBonus({13: 5}, "B1")}, "upper_bonus: its thresholds must be at most 12"),
    ({"upper_bonus": UpperBonus({0: 5}, "B1")}, "upper_bonus: tiers must be 1 or more, not 0"),
    ({"upper_bonus": UpperBonus({9: -5}, "B1")}, "upper_bonus: tiers.9 must be 1 or more, not -5"),
    ({"upper_bonus": UpperBonus({9: 5}, "B9")},
     "upper_bonus: clause must be a clause of the game, not 'B9'"),
    (box(needs=" "), f"boxes: box.needs {LINE}' '"),
    (box(pattern=Alike((3,))), "boxes: box: no roll makes its pattern"),
    (box(pattern=OwnPattern(ValueError("no"))), "boxes: box raises ValueError: no"),
    (box(also={"wild": AnyDice()}),
     "boxes: box.also must be a house rule that is a switch, not 'wild'"),
    (rule(CARD, switch(**cite("B1")), **box(also={"wild": 3})),
     "boxes: box.also.wild must be a Pattern, not 3"),
    (rule(CARD, switch(**cite("B1")), **box(also={"wild": Run(2, start=6)})),
     "boxes: box: no roll makes its pattern"),
    (box(points=25), "boxes: box.points must be a Points, not 25"),
    (box(points=SumOfAll), "boxes: box.points must be a Points, not "),
    (box(points=SumOfAll(plus=32_760)), f"boxes: box: {POINTS}32768"),
    (box(points=wrongly(SumOfAll, plus=1.5)),
     "boxes: box.points.plus must be a whole number, not 1.5"),
    (box(points=Fixed(0)), f"boxes: box: {POINTS}0"),
    (box(points=Fixed(-1)), f"boxes: box: {POINTS}-1"),
    (box(points=OwnPoints(True)), f"boxes: box: {POINTS}True"),
    (box(points=OwnPoints([3])), f"boxes: box: {POINTS}[3]"),
    (box(points=OwnPoints(3.5)), f"boxes: box: {POINTS}3.5"),
    (box(points=OwnPoints(ValueError("no"))), "boxes: box raises ValueError: no"),
    (box(points=OwnPoints(fixed=7)),
     "boxes: box: its points can't be fixed at 7: rolls give others"),
    (box(points=OwnPoints({**dict.fromkeys(range(1, 6), 3), 6: 4}, fixed=3)),
     "boxes: box: its points can't be fixed at 3: rolls give others"),
    (box(points=OwnPoints(fixed="3")),
     "boxes: box: its points can't be fixed at '3': rolls give others"),
    (box(points=OwnPoints(words=None)), "boxes: box: its words must be a text, not None"),
    (box(points=OwnPoints(words="two\nlines")), f"boxes: box: its words {LINE}'two\\nlines'"),
    ({"dice": Dice(10, 9), "boxes": tuple(UpperBox(f"box_{n}", 1, "B1") for n in range(12))},
     "boxes: 43758 rolls in each of 12 boxes, under 1 choices of house rules, are 525096 "
     "scorings, more than the allowed 500000"),
]
"""Mistakes in score cards."""

REPEATED: list[Wrong] = [
    ({"repeats": replace(REPEATS, counter=1)}, "repeats: counter must be a text, not 1"),
    ({"repeats": replace(REPEATS, counter="chance")},
     "repeats: its counter 'chance' is the id of a box"),
    ({"repeats": replace(REPEATS, counter="total")},
     "repeats: counter must be a name that no other field has, not 'total'"),
    ({"repeats": replace(REPEATS, used="D99")},
     "repeats: used must be a clause of the game, not 'D99'"),
    ({"repeats": replace(REPEATS, bonus="joker")},
     "repeats: bonus must be a house rule that is an amount, not 'joker'"),
    ({"repeats": replace(REPEATS, joker="extra_five_bonus")},
     "repeats: joker must be a house rule that is a switch, not 'extra_five_bonus'"),
    ({"repeats": replace(REPEATS, box=replace(REPEATS.box, id="best"))},
     "repeats: box must be a box whose id no other field has, not "),
    ({"boxes": POKER.boxes[:-2]},
     "repeats: its box, and those that it fills, must be boxes of the card"),
    (rule(POKER, amount(5, **cite("D10"), maximum=9, minimum=-9), "extra_five_bonus"),
     "repeats: extra_five_bonus must be an amount with a minimum of 0 or more, never null"),
    (rule(POKER, amount(None, nullable=True, maximum=9, **cite("D10")), "extra_five_bonus"),
     "repeats: extra_five_bonus must be an amount with a minimum of 0 or more, never null"),
]
"""Mistakes in what a card says of repeated rolls."""

LAYOUT: list[Wrong] = [
    ({"order": "R99"}, "order: must be a clause of the game, not 'R99'"),
    ({"cites": replace(ROYAL.cites, grid="R99")},
     "cites: grid must be a clause of the game, not 'R99'"),
    ({"dice": replace(ROYAL.dice, cites=replace(ROYAL.dice.cites, once="R99"))},
     "dice: cites.once must be a clause of the game, not 'R99'"),
    ({"dice": replace(ROYAL.dice, count=14, dice_set=(*ROYAL.dice.dice_set, ("--",) * 6))},
     "dice: a layout must have at most 13 dice, in 1 to 4 suits"),
    ({"dice": replace(ROYAL.dice, suits=(*ROYAL.dice.suits, Suit("x", "stars")))},
     "dice: a layout must have at most 13 dice, in 1 to 4 suits"),
    ({"dice": replace(ROYAL.dice, names=tuple("123456"))},
     "dice: must have no names or colours: their faces are cards and blanks"),
    ({"dice": replace(ROYAL.dice, dice_set=ROYAL.dice.dice_set[1:])},
     "dice: dice_set must have 13 dice with 6 faces each"),
    ({"dice": replace(ROYAL.dice, dice_set=(*ROYAL.dice.dice_set[:-1], ("--",) * 5))},
     "dice: dice_set must have 13 dice with 6 faces each"),
    (last_die("Ax"), "dice: 'Ax' of die 12 is neither a card nor a blank"),
    (last_die("10c"), "dice: '10c' of die 12 is neither a card nor a blank"),
    (last_die("2s"), "dice: dice 0 and 12 of dice_set both have 2s"),
    ({"all_dice_bonus": -1}, "all_dice_bonus: must be from 0 to 999999, not -1"),
    ({"all_dice_bonus": 10**6}, "all_dice_bonus: must be from 0 to 999999, not 1000000"),
    (hand(id="A pair"),
     "hands: pair.id must be lower-case letters, digits and underscores, at most 64, not "
     "'A pair'"),
    (hand(id="flush"), "hands: must have different ids"),
    (hand(clause="R99"), "hands: pair.clause must be a clause of the game, not 'R99'"),
    (hand(needs=" "), f"hands: pair.needs {LINE}' '"),
    (hand(points=0), "hands: pair.points must be 1 or more, not 0"),
    (hand(points=151), "hands: pair must not have more points than the hand before it"),
    (hand(further=1), "hands: pair must have no further points: it can't have further cards"),
    (hand(further=-1), "hands: pair.further must be 0 or more, not -1"),
    (hand(doubles="R24"),
     "hands: pair must have no doubles: only royal_flush, straight_flush, four_of_a_kind "
     "can double"),
    (hand(doubles=True), "hands: pair.doubles must be a text or None, not True"),
    (hand("royal_flush", points=10**30),
     "hands: a turn might score 83200000000000000000000000002000 with the bonus and the "
     "risk die, and must stay below 1000000"),
    ({"risk_faces": (1, 5_000)},
     "hands: a turn might score 418500000 with the bonus and the risk die, and must stay "
     "below 1000000"),
    ({"risk_faces": ()},
     "risk_faces: must be 2 to 100 numbers, not all the same: all throws to begin would "
     "tie, not ()"),
    ({"risk_faces": (0, 0, 0)},
     "risk_faces: must be 2 to 100 numbers, not all the same: all throws to begin would "
     "tie, not (0, 0, 0)"),
    ({"risk_faces": (-1, 2)}, "risk_faces: [0] must be 0 or more, not -1"),
    ({"risk_faces": tuple(range(101))},
     "risk_faces: must be 2 to 100 numbers, not all the same: all throws to begin would "
     "tie, not "),
    ({"house_rules": HouseRules}, "house_rules: must be the class LayoutRules or a subclass, not "),
    ({"house_rules": LayoutRules}, "house_rules: layout must be made by switch, choice or amount"),
    (rule(ROYAL, choice("connected", "apart", **cite("R11")), "layout"),
     "house_rules: layout must be a choice of some or all of: connected, unconnected, either"),
    (rule(ROYAL, switch(**cite("R11")), "layout"),
     "house_rules: layout must be a choice of some or all of: connected, unconnected, either"),
    (rule(ROYAL, choice("aces", **cite("R25")), "opening"),
     "house_rules: opening must be a choice of some or all of: jacks_or_better, none"),
    (rule(ROYAL, choice("yes", **cite("R20")), "repeated_cards"),
     "house_rules: repeated_cards must be a switch"),
    (rule(ROYAL, amount(2, **cite("R12"), minimum=1, maximum=4), "max_uses"),
     "house_rules: max_uses must be an amount with a minimum of 2 or more, never null"),
    (rule(ROYAL, amount(2, **cite("R12"), minimum=2, maximum=9), "max_uses"),
     "house_rules: max_uses must have a maximum of 4 or less"),
    (rule(ROYAL, amount(2, minimum=2, maximum=4, nullable=True, **cite("R12")), "max_uses"),
     "house_rules: max_uses must be an amount with a minimum of 2 or more, never null"),
    (rule(ROYAL, amount(None, minimum=1, maximum=9, nullable=True, **cite("R5")), "turns"),
     "house_rules: turns or target_score must have a default, or a game would never end"),
    (rule(ROYAL, amount(0, **cite("R5"), maximum=9), "turns"),
     "house_rules: turns must be an amount with a minimum of 1 or more"),
    (rule(ROYAL, switch(**cite("R5")), "target_score"),
     "house_rules: target_score must be an amount with a minimum of 1 or more"),
]
"""Mistakes in layouts."""
# fmt: on


@pytest.mark.parametrize(
    ("game", "changes", "sentence"),
    [
        *((CARD, *case) for case in SCORE_CARD),
        *((POKER, *case) for case in REPEATED),
        *((ROYAL, *case) for case in LAYOUT),
    ],
)
def test_what_is_wrong_is_named(game: Variant, changes: dict[str, Any], sentence: str) -> None:
    """The message names the game, the field, the part, and what would be right."""
    check(game, changes, sentence)


def test_right_points_of_ones_own() -> None:
    """Points from outside can be fixed, or depend on the dice."""
    by_die = {number: number for number in range(1, 7)}
    for own, scores in ((OwnPoints(fixed=3), (3, 3)), (OwnPoints(by_die), (2, 5))):
        card = replace(CARD, **box(points=own))
        assert tuple(card.scores((n, n), HouseRules())["box"] for n in (2, 5)) == scores


def test_a_card_on_two_faces_of_a_die() -> None:
    """A die may have a card twice: a roll still shows it once (R20)."""
    last = ROYAL.dice.dice_set[-1]
    changed = replace(ROYAL, **last_die(last[0], "--"))
    assert changed.dice.dice_set[-1].count(last[0]) == 2


def test_one_word_of_a_choice() -> None:
    """A game may allow fewer layouts and openings than there are."""
    changed = replace(ROYAL, **rule(ROYAL, choice("either", **cite("R11")), "layout"))
    assert changed.default_rules.layout == "either"

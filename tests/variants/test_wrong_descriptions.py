"""A description that contradicts itself is refused when it is made, by variant and field.

Wrong types are what some of these tests are about, so mypy must ignore them there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from service.kinds.ranking.hand_table import Numbers, Rank, TieBreak
from service.kinds.scorecard.boxes import Fixed, LowerBox, SumOfAll, UpperBonus, UpperBox
from service.rules.dice import Dice, Suit
from service.rules.house_rules import HouseRules, amount, choice, switch
from service.rules.patterns import Alike, AnyDice, OneColour, Run
from service.rules.variant import Example, Variant, WrongDescription
from service.variants import dice_poker, texas_holdem_dice
from tests.trial_games import three_dice, two_boxes

RANKING, CARD = three_dice.VARIANT, two_boxes.VARIANT
POKER, HOLDEM = dice_poker.VARIANT, texas_holdem_dice.VARIANT
ANY = RANKING.ranks[-1]
assert POKER.repeats is not None
REPEATS = POKER.repeats


@dataclass(frozen=True)
class Rules(HouseRules):
    """House rules, of which one cites a clause that there isn't, and one has a default too high."""

    wild: bool = switch(clause="T1", meaning="Anything goes.")
    lost: bool = switch(clause="T9", meaning="Nobody knows.")
    high: int = amount(9, clause="T1", meaning="Too many.", maximum=8)


@dataclass(frozen=True)
class Odd(HouseRules):
    """House rules with a field that is not an option."""

    wild: bool = False


class Undecorated(HouseRules):
    """House rules that `dataclass` has not seen."""

    wild: bool = switch(clause="T1", meaning="Anything goes.")


@dataclass(frozen=True)
class BelowUndecorated(Undecorated):
    """House rules that don't have those of the class above."""

    high: int = amount(3, clause="T1", meaning="Many.", maximum=8)


@dataclass(frozen=True, slots=True)
class Slotted(HouseRules):
    """House rules whose values are not in `vars`."""

    wild: bool = switch(clause="T1", meaning="Anything goes.")


@dataclass(frozen=True)
class Badly(HouseRules):
    """House rules that are declared with the wrong values."""

    Loud: bool = switch(clause="T1", meaning="A name with a capital letter.")
    mute: bool = switch(clause="T1", meaning=" ")
    split: int = amount(5, clause="T1", meaning="Half steps.", maximum=10, step=0.5)  # type: ignore[arg-type]
    still: int = amount(5, clause="T1", meaning="No step.", maximum=10, step=0)
    whole: int = amount(5.0, clause="T1", meaning="A float.", maximum=10)  # type: ignore[arg-type]
    twice: str = choice("a", "a", clause="T1", meaning="One word twice.")
    blank: str = choice("", "a", clause="T1", meaning="No word.")
    broken: bool = switch(clause="T1", meaning="two\nlines")


class Half:
    """Half of the sum of all dice, which is not a whole number for every other roll."""

    fixed = None
    words = "half"

    def of(self, dice: Sequence[int], making: Sequence[int]) -> int:
        """The points, though half points don't exist."""
        del making
        return sum(dice) / 2  # type: ignore[return-value]


def ranks(*above: Rank) -> dict[str, Any]:
    """The ranks `above` that of any dice."""
    return {"ranks": (*above, ANY)}


def boxes(*more: Any) -> dict[str, Any]:
    """The boxes of the card, and `more`."""
    return {"boxes": (*CARD.boxes, *more)}


EXAMPLE = Example("evaluate", "A pair", {"dice": [2, 2, 5]})
PAIR = Rank("pair", Alike((2,)), "two alike", "T1")
WRONG: list[tuple[Variant[Any], dict[str, Any], str]] = [
    (RANKING, {"id": "Three"}, "Three: id: must be words of lower-case letters and digits"),
    (RANKING, {"id": "3-dice"}, "3-dice: id: must be words"),
    (RANKING, {"clauses": {"T 1": "x"}}, "three-dice: clauses: 'T 1' must be letters and digits"),
    (
        RANKING,
        {"steps": {"fly": "T1"}},
        "three-dice: steps: 'fly' is not a step of this kind of game",
    ),
    (
        RANKING,
        {"steps": {"bust": "T9"}},
        "three-dice: steps: bust cites 'T9', which is not a clause",
    ),
    (RANKING, {"house_rules": Rules}, "house_rules: lost cites 'T9', which is not a clause"),
    (RANKING, {"house_rules": Rules}, "house_rules: the default of high must be a whole number"),
    (RANKING, {"players": (0, None)}, "players: must be the least and the most players"),
    (RANKING, {"players": (3, 2)}, "players: must be the least"),
    (RANKING, {"rolls": 0}, "rolls: must be from 1 to 100"),
    (
        RANKING,
        {"id": "x" * 65},
        "id: must be words of lower-case letters and digits, joined by hyphens",
    ),
    (RANKING, {"id": 3}, "3: id: must be a text, not 3"),
    (RANKING, {"name": " "}, "name: must not be empty"),
    (RANKING, {"summary": ""}, "summary: must not be empty"),
    (RANKING, {"rolls": "1"}, "three-dice: rolls: must be a whole number, not '1'"),
    (RANKING, {"rolls": True}, "rolls: must be a whole number, not True"),
    (RANKING, {"hand_size": 3.0}, "hand_size: must be a whole number, not 3.0"),
    (
        RANKING,
        {"players": ("1", None)},
        "players: must be a tuple of a whole number, a whole number or None, not ('1', None)",
    ),
    (RANKING, {"clauses": ["T1"]}, "clauses: must be a mapping from a text to a text"),
    (RANKING, {"house_rules": int}, "house_rules: must be a class, HouseRules or a subclass"),
    (RANKING, {"house_rules": Odd}, "house_rules: wild must be made by switch, choice or amount"),
    (
        RANKING,
        {"house_rules": Undecorated},
        "house_rules: Undecorated must be decorated: @dataclass(frozen=True)",
    ),
    (RANKING, {"house_rules": Slotted}, "house_rules: Slotted must be decorated"),
    (RANKING, {"house_rules": BelowUndecorated}, "house_rules: Undecorated must be decorated"),
    (RANKING, {"house_rules": Badly}, "house_rules: 'Loud' must be lower-case letters, digits"),
    (RANKING, {"house_rules": Badly}, "house_rules: mute must have a meaning"),
    (RANKING, {"house_rules": Badly}, "maximum and step of split must be whole numbers"),
    (RANKING, {"house_rules": Badly}, "house_rules: the step of still must be 1 or more"),
    (RANKING, {"house_rules": Badly}, "house_rules: the default of whole must be 5, not 5.0"),
    (RANKING, {"house_rules": Badly}, "house_rules: two choices of twice are the same"),
    (
        RANKING,
        {"house_rules": Badly},
        "house_rules: the choices of blank must be one or more texts",
    ),
    (RANKING, {"house_rules": Badly}, "house_rules: the text 'two\\nlines' must be one line"),
    (RANKING, {"name": "x" * 101}, "three-dice: name: must be at most 100 characters"),
    (RANKING, {"name": "a\nb"}, "name: the text 'a\\nb' must be one line, without control char"),
    (RANKING, {"summary": "a\ud800"}, "summary: the text 'a\\ud800' must be one line"),
    (RANKING, {"summary": "x" * 2001}, "summary: the text 'xxx"),
    (RANKING, {"clauses": {"T1": " "}}, "clauses: 'T1' must be letters and digits"),
    (RANKING, {"clauses": {"T1": "a\0"}}, "clauses: the text 'a\\x00' must be one line"),
    (RANKING, {"clauses": {"T1": "x" * 100_000}}, "xxx must be at most 2000 characters"),
    (RANKING, {"rolls": 10**6}, "three-dice: rolls: must be from 1 to 100"),
    (
        RANKING,
        {"examples": (replace(EXAMPLE, request={"dice": {1, 2}}),)},
        "examples: the request of 'A pair' can't be JSON: Object of type set is not JSON",
    ),
    (
        RANKING,
        {"examples": (replace(EXAMPLE, request={"dice": [float("nan")]}),)},
        "examples: the request of 'A pair' can't be JSON: Out of range float values",
    ),
    (
        RANKING,
        {"examples": (replace(EXAMPLE, request={"id": "\ud800"}),)},
        "examples: the request of 'A pair' can't be JSON: 'utf-8' codec can't encode",
    ),
    (RANKING, {"dice": Dice("3")}, "dice: count must be a whole number, not '3'"),  # type: ignore[arg-type]
    (RANKING, {"ranks": [ANY]}, "ranks: must be a tuple whose items are each Rank"),
    (RANKING, ranks(Rank("pair", (2, 2), "two alike", "T1")), "pair.pattern must be Pattern, not"),  # type: ignore[arg-type]
    (RANKING, ranks(Rank("pair", Alike, "two alike", "T1")), "pair.pattern must be Pattern, not"),  # type: ignore[arg-type]
    (CARD, boxes(LowerBox("two", Alike((2,)), 25, "alike", "B1")), "two.points must be Points"),  # type: ignore[arg-type]
    (CARD, boxes(LowerBox("two", Alike((2,)), SumOfAll, "alike", "B1")), "two.points must be"),  # type: ignore[arg-type]
    (
        CARD,
        boxes(LowerBox("two", Alike((2,)), Fixed(5), "alike", "B1", also={"x": 3})),  # type: ignore[dict-item]
        "boxes: two.also must be a mapping from a text to Pattern, not {'x': 3}",
    ),
    (RANKING, {"examples": (EXAMPLE, EXAMPLE)}, "examples: two of evaluate are called 'A pair'"),
    (
        RANKING,
        {"examples": (EXAMPLE, replace(EXAMPLE, summary="a  pair!"))},
        "examples: two of evaluate are called 'a  pair!'",
    ),
    (
        RANKING,
        {"examples": (replace(EXAMPLE, summary="?"),)},
        "examples: an example of evaluate must have a summary",
    ),
    (
        RANKING,
        {"examples": (replace(EXAMPLE, request=[2, 2, 5]),)},  # type: ignore[arg-type]
        "examples: request must be a mapping",
    ),
    (RANKING, {"dice": Dice(count=1)}, "dice: there must be 2 to 20, not 1"),
    (RANKING, {"dice": Dice(count=21)}, "dice: there must be 2 to 20, not 21"),
    (RANKING, {"dice": Dice(count=3, faces=1)}, "dice: there must be 2 to 100 faces, not 1"),
    (RANKING, {"dice": Dice(count=3, faces=101)}, "dice: there must be 2 to 100 faces, not 101"),
    (RANKING, {"dice": Dice(count=3, names=("A", "K"))}, "dice: there must be a name for"),
    (RANKING, {"dice": Dice(3, 2, names=("A", "K", "Q"))}, "a name for each of 2 faces, not 3"),
    (RANKING, {"dice": Dice(3, 2, names=("A", "A"))}, "dice: two faces are written the same way"),
    (RANKING, {"dice": Dice(3, 2, names=("A", "10"))}, "dice: the face '10' must be one letter"),
    (RANKING, {"dice": Dice(3, 2, colours=("red",))}, "dice: there must be a colour for"),
    (RANKING, {"dice": Dice(3, 2, colours=("red",) * 3)}, "a colour for each of 2 faces, not 3"),
    (RANKING, {"dice": Dice(4, suits=(Suit("r", ""), Suit("r", "")))}, "two suits are written"),
    (RANKING, {"hand_size": 2}, "hand_size: must be all 3 dice"),
    (RANKING, {"hand_size": 4}, "hand_size: must be all 3 dice"),
    (RANKING, {"dice": Dice(3, suits=(Suit("r", "red"),))}, "dice: must have no suits"),
    (RANKING, {"dice": Dice(20, 8), "hand_size": 20}, "hand_size: 888030 different hands are more"),
    (RANKING, {"tie_breaks": ()}, "tie_breaks: none compares numbers"),
    (RANKING, {"tie_breaks": (TieBreak("a b", "", "T9"),)}, "tie_breaks: a b cites 'T9'"),
    (RANKING, {"tie_breaks": (TieBreak("a b", "", "T1"),)}, "tie_breaks: 'a b' must be lower-case"),
    (RANKING, {"ranks": ()}, "ranks: must begin with those that count"),
    (RANKING, ranks(replace(PAIR, needs="two\talike")), "ranks: the text 'two\\talike' must be"),
    (RANKING, ranks(PAIR, PAIR), "ranks: the id 'pair' is used twice"),
    (RANKING, ranks(replace(PAIR, id="Pair")), "ranks: 'Pair' must be lower-case letters"),
    (RANKING, ranks(replace(PAIR, clause="T9")), "ranks: pair cites 'T9', which is not a clause"),
    (
        RANKING,
        ranks(replace(PAIR, only_with="x")),
        "ranks: pair names 'x', which is not a house rule",
    ),
    (
        RANKING,
        ranks(replace(PAIR, above=("x", "y"))),
        "ranks: pair is placed above 'y', which is no",
    ),
    (
        RANKING,
        ranks(replace(PAIR, above=("x", "nothing"))),
        "above 'nothing', but is above it already",
    ),
    (RANKING, ranks(replace(PAIR, counts=False)), "ranks: must begin with those that count"),
    (
        RANKING,
        ranks(replace(PAIR, id="first"), replace(PAIR, counts=False)),
        "ranks: must begin with those that count",
    ),
    (RANKING, ranks(replace(PAIR, one_suit=True)), "ranks: pair has one_suit, winning or"),
    (RANKING, ranks(replace(PAIR, winning=False)), "ranks: pair has one_suit, winning or"),
    (RANKING, ranks(replace(PAIR, wins_game_with="x")), "ranks: pair has one_suit, winning or"),
    (
        RANKING,
        ranks(replace(PAIR, pattern=Alike((4,)))),
        "ranks: pair needs 4 dice, but a hand has 3",
    ),
    (
        RANKING,
        ranks(replace(PAIR, pattern=OneColour(AnyDice(), ("red",)))),
        "pair has different colours",
    ),
    (
        RANKING,
        ranks(PAIR, Rank("high", Run(3, start=5), "some", "T1")),
        "ranks: no hand reaches high",
    ),
    (
        RANKING,
        ranks(PAIR, Rank("triple", Alike((3,)), "some", "T1")),
        "ranks: no hand reaches triple",
    ),
    (RANKING, {"ranks": (PAIR,)}, "ranks: no rank for (1, 2, 3): the last rank must fit any dice"),
    (HOLDEM, {"supply": "H99"}, "texas-holdem-dice: supply: it cites 'H99', which is not a clause"),
    (
        HOLDEM,
        {"dice": replace(HOLDEM.dice, faces=7)},
        "dice: there must be at most 6 faces in a game with shared dice",
    ),
    (HOLDEM, {"stages": (0, 4, 3)}, "stages: must be one or more numbers, from 0, in rising order"),
    (HOLDEM, {"stages": (-1, 4)}, "stages: must be one or more numbers, from 0, in rising order"),
    (HOLDEM, {"stages": ()}, "stages: must be one or more numbers, from 0, in rising order"),
    (HOLDEM, {"pocket": 0}, "pocket: must be 1 or more"),
    (HOLDEM, {"chip": 0}, "chip: must be 1 or more"),
    (HOLDEM, {"stages": (0, 6)}, "stages: a player must see from 5 to 7 dice, not 8"),
    (HOLDEM, {"dice": Dice(20)}, "dice: must have suits"),
    (HOLDEM, {"dice": replace(HOLDEM.dice, count=19)}, "dice: 19 dice can't be split evenly"),
    (
        HOLDEM,
        {"ranks": (*HOLDEM.ranks[:-1], replace(HOLDEM.ranks[-1], compares=Numbers.NONE))},
        "ranks: high_die must count, and must compare all numbers, because dice are shared",
    ),
    (CARD, {"boxes": ()}, "two-boxes: boxes: there must be one or more"),
    (CARD, boxes(CARD.boxes[0]), "boxes: the id 'sixes' is used twice"),
    (CARD, boxes(UpperBox("sevens", 7, "B1")), "boxes: sevens is for 7, which is not a face"),
    (CARD, boxes(UpperBox("ones", 1, "B9")), "boxes: ones cites 'B9', which is not a clause"),
    (
        CARD,
        boxes(LowerBox("x", Alike((3,)), Fixed(1), "some", "B1")),
        "boxes: x needs 3 dice, but a hand has 2",
    ),
    (CARD, boxes(LowerBox("x", Run(2, start=6), Fixed(1), "some", "B1")), "boxes: no roll fills x"),
    (
        CARD,
        boxes(LowerBox("x", AnyDice(), Fixed(0), "some", "B1")),
        "boxes: x must give a whole number",
    ),
    (
        CARD,
        boxes(LowerBox("x", AnyDice(), Fixed(40_000), "some", "B1")),
        "points from 1 to 32767, not 40000",
    ),
    (
        CARD,
        boxes(LowerBox("x", AnyDice(), SumOfAll(plus=1.5), "some", "B1")),  # type: ignore[arg-type]
        "two-boxes: boxes: x.points.plus must be a whole number, not 1.5",
    ),
    (
        CARD,
        boxes(LowerBox("x", AnyDice(), SumOfAll(plus=32_760), "some", "B1")),
        "x must give a whole number of points from 1 to 32767, not 32768",
    ),
    (
        CARD,
        boxes(LowerBox("x", AnyDice(), Half(), "some", "B1")),
        "boxes: x must give a whole number of points from 1 to 32767, not ",
    ),
    (
        POKER,
        {"repeats": replace(REPEATS, counter=1)},  # type: ignore[arg-type]
        "dice-poker: repeats: counter must be a text, not 1",
    ),
    (
        CARD,
        boxes(LowerBox("x", AnyDice(), Fixed(1), "", "B1", also={"wild": AnyDice()})),
        "boxes: x names 'wild', which is not a house rule",
    ),
    (CARD, {"upper_bonus": UpperBonus({}, "B1")}, "upper_bonus: thresholds must rise"),
    (CARD, {"upper_bonus": UpperBonus({9: 5, 8: 9}, "B1")}, "upper_bonus: thresholds must rise"),
    (CARD, {"upper_bonus": UpperBonus({13: 5}, "B1")}, "the thresholds must be from 1 to 12"),
    (CARD, {"upper_bonus": UpperBonus({0: 5}, "B1")}, "the thresholds must be from 1 to 12"),
    (CARD, {"upper_bonus": UpperBonus({9: -5}, "B1")}, "each tier must give 1 or more points"),
    (CARD, {"upper_bonus": UpperBonus({9: 5}, "B9")}, "upper_bonus: it cites 'B9'"),
    (CARD, {"order": "B9"}, "order: it cites 'B9', which is not a clause"),
    (CARD, {"clock": "seconds"}, "clock: it names 'seconds', which is not a house rule"),
    (POKER, {"clock": "joker"}, "clock: it names 'joker', which is boolean and not integer"),
    (CARD, {"dice": Dice(20, 8)}, "dice: 888030 different rolls are more than the allowed 65535"),
    (
        POKER,
        {"repeats": replace(REPEATS, counter="chance")},
        "repeats: the id 'chance' is used twice",
    ),
    (
        POKER,
        {"repeats": replace(REPEATS, counter="total")},
        "repeats: 'total' is the name of another field",
    ),
    (
        POKER,
        {"repeats": replace(REPEATS, bonus="joker")},
        "repeats: bonus names 'joker', which is boolean and not integer",
    ),
    (
        POKER,
        {"boxes": POKER.boxes[:-2]},
        "dice-poker: repeats: five_of_a_kind is not one of the boxes",
    ),
]


@pytest.mark.parametrize(
    ("variant", "changes", "sentence"), WRONG, ids=[sentence for *_, sentence in WRONG]
)
def test_what_is_wrong_is_named(
    variant: Variant[Any], changes: dict[str, Any], sentence: str
) -> None:
    """The message names the variant, the field, and what is wrong there."""
    with pytest.raises(WrongDescription) as error:
        replace(variant, **changes)
    assert str(error.value).startswith(f"{changes.get('id', variant.id)}: ")
    assert sentence in str(error.value)


def test_the_message_is_one_line() -> None:
    """Even an id with an end of line is shown within the line."""
    with pytest.raises(WrongDescription) as error:
        replace(RANKING, id="a\nb")
    assert str(error.value) == (
        "'a\\nb': id: must be words of lower-case letters and digits, joined by hyphens, at most "
        "64 "
        "characters; id: the text 'a\\nb' must be one line, without control characters"
    )


def test_the_last_ranks_may_not_count() -> None:
    """Ranks that don't count come after those that do, however many there are."""
    rest = replace(ANY, counts=False)
    two = replace(RANKING, ranks=(PAIR, rest))
    assert [rank.counts for rank in two.ranks] == [True, False]
    triple = Rank("triple", Alike((3,)), "three alike", "T1")
    three = replace(RANKING, ranks=(triple, replace(PAIR, counts=False), rest))
    assert [rank.counts for rank in three.ranks] == [True, False, False]

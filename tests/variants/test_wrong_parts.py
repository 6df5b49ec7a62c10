"""Wrong parts of a description: patterns, house rules, and code of their own.

None of them ends the import with a bare error of Python: the variant is named, with the field. mypy
must ignore the wrong types here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from service import variants as games
from service.kinds.ranking.hand_table import Rank
from service.kinds.scorecard.boxes import Fixed, LowerBox
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules, choice, switch
from service.rules.patterns import Alike, AnyDice, Match, OneColour, Pattern, Run
from service.rules.variant import Variant, WrongDescription
from service.variants import texas_holdem_dice
from tests.trial_games import three_dice, two_boxes

RANKING, CARD, HOLDEM = three_dice.VARIANT, two_boxes.VARIANT, texas_holdem_dice.VARIANT
COLOURS = ("black", "red", "green", "green", "red", "black")


@dataclass(frozen=True)
class OwnPattern:
    """A pattern as a game from outside may bring it: a pair, and whatever is wrong with it."""

    found: Any = None
    """What `match` returns instead, or the error that it raises."""
    dice_needed: Any = 2
    words: Any = ("pair", "other")

    @property
    def colours(self) -> tuple[str, ...]:
        """Empty."""
        return ()

    def match(self, dice: Sequence[int]) -> Any:
        """The highest pair."""
        if isinstance(self.found, Exception):
            raise self.found
        pair = Alike((2,)).match(dice)
        return pair and (self.found or pair)

    def size(self, count: int) -> Any:
        """The number of dice."""
        del count
        if isinstance(self.dice_needed, Exception):
            raise self.dice_needed
        return self.dice_needed

    def word(self, position: int) -> Any:
        """A word, if there is one for the position."""
        return self.words[position]


@dataclass(frozen=True)
class OwnPoints:
    """Points as a game from outside may bring them: 3, and whatever is wrong with them."""

    given: Any = 3
    fixed: Any = None
    words: Any = "three"

    def of(self, dice: Sequence[int], making: Sequence[int]) -> Any:
        """The points; a mapping has them by the highest die."""
        del making
        if isinstance(self.given, Exception):
            raise self.given
        return self.given[max(dice)] if isinstance(self.given, dict) else self.given


class Unwritable(Exception):
    """An error without a message."""

    def __str__(self) -> str:
        raise self


@dataclass(frozen=True)
class NoWords(HouseRules):
    """A choice of nothing."""

    mode: str = choice(clause="T1", meaning="Nothing to choose.")


@dataclass(frozen=True)
class AList(HouseRules):
    """A list where words should be."""

    mode: str = choice(["a", "b"], clause="T1", meaning="Two words.")  # type: ignore[arg-type]


@dataclass(frozen=True)
class ListDefault(HouseRules):
    """A list where True or False should be."""

    wild: bool = switch(clause="T1", meaning="Anything goes.", default=[])  # type: ignore[arg-type]


@dataclass(frozen=True)
class NumberMeaning(HouseRules):
    """A number where a text should be."""

    wild: bool = switch(clause="T1", meaning=3)  # type: ignore[arg-type]


@dataclass(frozen=True)
class ListClause(HouseRules):
    """A list where the name of a clause should be."""

    wild: bool = switch(clause=["T1"], meaning="Anything goes.")  # type: ignore[arg-type]


@dataclass(frozen=True)
class Refusing(HouseRules):
    """House rules that refuse a value which a request may have."""

    wild: bool = switch(clause="B1", meaning="Anything goes.")

    def __post_init__(self) -> None:
        """Raises `ValueError` if the switch is on."""
        if self.wild:
            raise ValueError("not that")


def rank(pattern: Any) -> tuple[Variant[Any], dict[str, Any]]:
    """A ranking whose first rank has `pattern`."""
    return RANKING, {"ranks": (Rank("first", pattern, "some", "T1"), *RANKING.ranks[1:])}


def box(pattern: Pattern, **more: Any) -> tuple[Variant[Any], dict[str, Any]]:
    """A score card with a further box of `pattern`."""
    return CARD, {"boxes": (*CARD.boxes, LowerBox("box", pattern, Fixed(5), "some", "B1", **more))}


def points(**given: Any) -> tuple[Variant[Any], dict[str, Any]]:
    """A score card with a further box for a pair, with `OwnPoints`."""
    own = LowerBox("box", Alike((2,)), OwnPoints(**given), "some", "B1")
    return CARD, {"boxes": (*CARD.boxes, own)}


def coloured(pattern: Pattern) -> tuple[Variant[Any], dict[str, Any]]:
    """A ranking of coloured dice whose first rank has `pattern`."""
    variant, changes = rank(pattern)
    return variant, {"dice": Dice(3, colours=COLOURS), **changes}


CASES: list[tuple[tuple[Variant[Any], dict[str, Any]], str]] = [
    (
        rank(Alike(3)),  # type: ignore[arg-type]
        "three-dice: ranks: first.pattern.sizes must be a tuple whose items are each a whole "
        "number, not 3",
    ),
    (
        rank(Alike(("3",))),  # type: ignore[arg-type]
        "three-dice: ranks: first.pattern.sizes must be a tuple whose items are each a whole "
        "number, not ('3',)",
    ),
    (
        rank(Run("3")),  # type: ignore[arg-type]
        "three-dice: ranks: first.pattern.length must be a whole number, not '3'",
    ),
    (
        rank(Alike((1, 2))),
        "three-dice: ranks: first: groups must be of 1 or more dice, the largest first, not (1, 2)",
    ),
    (
        box(Run(0)),
        "two-boxes: boxes: box: a sequence must be of 1 or more dice, not 0",
    ),
    (
        coloured(OneColour(Alike(()), COLOURS)),
        "three-dice: ranks: first: groups must be of 1 or more dice, the largest first, not ()",
    ),
    (
        coloured(OneColour(OneColour(AnyDice(), ("x",)), COLOURS)),
        "three-dice: ranks: first: a pattern of one colour holds a pattern with other colours",
    ),
    (
        (RANKING, {"house_rules": NoWords}),
        "three-dice: house_rules: the choices of mode must be one or more texts",
    ),
    (
        (RANKING, {"house_rules": AList}),
        "three-dice: house_rules: the choices of mode must be one or more texts",
    ),
    (
        (RANKING, {"house_rules": ListDefault}),
        "three-dice: house_rules: the default of wild must be true or false",
    ),
    (
        (RANKING, {"house_rules": NumberMeaning}),
        "three-dice: house_rules: wild must have a meaning",
    ),
    (
        (RANKING, {"house_rules": ListClause}),
        "three-dice: house_rules: the clause of wild must be a text, not ['T1']",
    ),
    (
        (CARD, {**box(Alike((2,)), also={"wild": AnyDice()})[1], "house_rules": Refusing}),
        "two-boxes: house_rules: Refusing must not have __post_init__: players can combine all "
        "values",
    ),
    (
        (RANKING, {"hand_size": -1}),
        "three-dice: hand_size: must be all 3 dice; hand_size: must be 1 or more, not -1; ranks: "
        "triple needs 3 dice, but a hand has -1; ranks: pair needs 2 dice, but a hand has -1",
    ),
    (
        rank(OwnPattern(True)),
        "three-dice: ranks: the pattern of first must return a Match of the dice (1, 1, 1), or "
        "None, not True",
    ),
    (
        rank(OwnPattern(Match((2, 2), (2,), ()))),
        "three-dice: ranks: the pattern of first must return a Match of the dice (1, 1, 1), or "
        "None, not Match(making=(2, 2), compared=(2,), rest=())",
    ),
    (
        rank(OwnPattern(KeyError("a\nb"))),
        "three-dice: ranks: the pattern of first raises KeyError: 'a\\nb' for (1, 1, 1)",
    ),
    (
        rank(OwnPattern(Unwritable())),
        "three-dice: ranks: the pattern of first raises Unwritable for (1, 1, 1)",
    ),
    (
        box(OwnPattern(ValueError("no"))),
        "two-boxes: boxes: the pattern of box raises ValueError: no for (1, 1)",
    ),
    (
        box(Alike((2,)), also={"wild": OwnPattern(True)}),
        "two-boxes: boxes: box names 'wild', which is not a house rule",
    ),
    (
        coloured(OneColour(OwnPattern(ValueError("no")), COLOURS)),
        "three-dice: ranks: the pattern of first raises ValueError: no for (1, 1, 1)",
    ),
    (
        rank(OwnPattern(dice_needed="2")),
        "three-dice: ranks: the pattern of first must have a whole number as its size and a tuple "
        "as its colours, not '2' and ()",
    ),
    (
        box(OwnPattern(dice_needed=ValueError("no"))),
        "two-boxes: boxes: the pattern of box raises ValueError: no",
    ),
    (
        rank(OwnPattern(words=("pair",))),
        "three-dice: ranks: the pattern of first raises IndexError: tuple index out of range for "
        "the word at 1",
    ),
    (
        rank(OwnPattern(words=("pair", None))),
        "three-dice: ranks: the pattern of first must have a text as the word at 1, not None",
    ),
    (
        points(words=None),
        "two-boxes: boxes: the points of box must have words, not None",
    ),
    (
        points(words="two\nlines"),
        "two-boxes: boxes: the text 'two\\nlines' must be one line, without control characters",
    ),
    (
        points(fixed=7),
        "two-boxes: boxes: the points of box are fixed at 7, but a roll gives 3",
    ),
    (
        points(given=dict.fromkeys(range(1, 6), 3) | {6: 4}, fixed=3),
        "two-boxes: boxes: the points of box are fixed at 3, but a roll gives 4",
    ),
    (
        points(fixed="3"),
        "two-boxes: boxes: the points of box are fixed at '3', but a roll gives 3",
    ),
    (
        points(given=ValueError("no")),
        "two-boxes: boxes: the points of box raise ValueError: no",
    ),
    (
        points(given=[3]),
        "two-boxes: boxes: box must give a whole number of points from 1 to 32767, not [3]",
    ),
    (
        points(given=True),
        "two-boxes: boxes: box must give a whole number of points from 1 to 32767, not True",
    ),
    (
        points(given=-1),
        "two-boxes: boxes: box must give a whole number of points from 1 to 32767, not -1",
    ),
    (
        (CARD, {"boxes": (*CARD.boxes, LowerBox("box", Alike((2,)), Fixed(5), " ", "B1"))}),
        "two-boxes: boxes: box must say in needs what fills it",
    ),
    (
        (RANKING, {"ranks": (replace(RANKING.ranks[0], needs=""), *RANKING.ranks[1:])}),
        "three-dice: ranks: triple must say in needs what dice have it",
    ),
]


@pytest.mark.parametrize(("wrong", "message"), CASES, ids=[message for _, message in CASES])
def test_a_sentence_names_the_field(
    wrong: tuple[Variant[Any], dict[str, Any]], message: str
) -> None:
    """The whole message is a sentence with variant, field and part."""
    variant, changes = wrong
    with pytest.raises(WrongDescription) as error:
        replace(variant, **changes)
    assert str(error.value) == message


def test_a_negative_hand_size_in_a_game_with_shared_dice() -> None:
    """It is refused before any hands are counted."""
    with pytest.raises(WrongDescription) as error:
        replace(HOLDEM, hand_size=-1)
    first, *others = str(error.value).split("; ")
    assert first == "texas-holdem-dice: hand_size: must be 1 or more, not -1"
    assert all(other.endswith(" dice, but a hand has -1") for other in others)


def test_a_right_pattern_of_ones_own() -> None:
    """A pattern from outside that does what it should can be used."""
    first = Rank("first", OwnPattern(), "some", "T1")
    made = replace(RANKING, ranks=(first, RANKING.ranks[-1]))
    hands = [made.evaluate(dice, HouseRules()) for dice in ([2, 5, 2], [4, 2, 2])]
    assert made.beats(*hands) == "Same rank, first: the other decides, 5 over 4 (T2)."


def test_right_points_of_ones_own() -> None:
    """Points from outside can be fixed, or depend on the dice."""
    by_die = {number: number for number in range(1, 7)}
    for own, scores in ((OwnPoints(fixed=3), (3, 3)), (OwnPoints(by_die), (2, 5))):
        own_box = LowerBox("box", Alike((2,)), own, "some", "B1")
        card = replace(CARD, boxes=(*CARD.boxes, own_box))
        given = [card.scores(dice, HouseRules())["box"] for dice in ((2, 2), (5, 5))]
        assert given == [*scores]


@pytest.mark.parametrize("name", ["../x", ".rel", "a b", "a..b", "x.py:VARIANT"])
def test_names_that_are_not_modules(name: str) -> None:
    """Whatever isn't a dotted name is refused as such, and never imported."""
    with pytest.raises(WrongDescription) as error:
        games.variants(f"tests.trial_games.three_dice,{name}")
    assert str(error.value) == (
        f"VARIANTS must hold dotted names of modules, separated by commas, not {name!r}"
    )

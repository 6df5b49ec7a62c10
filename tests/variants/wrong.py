"""Parts of descriptions with something wrong in them, and the check of what is said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, make_dataclass, replace
from typing import Any

import pytest

from service.kinds.ranking.hand_table import Rank
from service.kinds.scorecard.boxes import Fixed, LowerBox
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules, amount, switch
from service.rules.patterns import Alike
from service.rules.variant import Example, Variant, WrongDescription
from service.variants import dice_poker, roll_a_royal
from tests.trial_games import small_holdem, three_dice, two_boxes

ROLLS, HOLDEM, CARD = three_dice.VARIANT, small_holdem.VARIANT, two_boxes.VARIANT
POKER, ROYAL = dice_poker.VARIANT, roll_a_royal.VARIANT
REPEATS: Any = POKER.repeats
COLOURS = ("black", "red", "green", "green", "red", "black")

Wrong = tuple[dict[str, Any], str]
"""The fields that are changed, and what is said about them."""


def wrongly(make: Any, *given: Any, **named: Any) -> Any:
    """What `make` makes of values with types that mypy would refuse."""
    return make(*given, **named)


@dataclass(frozen=True)
class OwnPattern:
    """A pattern as a game from outside may bring it: a pair, and whatever is wrong with it."""

    found: Any = None
    """What `match` returns instead, or the error that it raises."""
    words: Any = ("pair", "other")
    colours: tuple[str, ...] = ()

    def match(self, dice: Sequence[int]) -> Any:
        """The highest pair."""
        if isinstance(self.found, Exception):
            raise self.found
        pair = Alike((2,)).match(dice)
        return pair and (self.found or pair)

    def size(self, count: int) -> int:
        """The number of dice."""
        del count
        return 2

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


@dataclass(frozen=True)
class Refusing(HouseRules):
    """House rules that refuse a value which a request may have."""

    def __post_init__(self) -> None:
        """Refuses all values."""
        raise ValueError("not that")


def rule(game: Variant, made: Any, name: str = "wild", **changes: Any) -> dict[str, Any]:
    """The house rules of `game` with another one, `made` by `switch`, `choice` or `amount`."""
    bases = (game.house_rules,)
    rules = make_dataclass("Rules", [(name, Any, made)], bases=bases, frozen=True)
    return {"house_rules": rules, **changes}


def rank(dice: Dice = ROLLS.dice, **changes: Any) -> dict[str, Any]:
    """The `dice` of the ranking, a pair with `changes`, and the rank of any dice."""
    pair = Rank("pair", Alike((2,)), "two alike", "T1")
    return {"dice": dice, "ranks": (replace(pair, **changes), ROLLS.ranks[-1])}


def box(**changes: Any) -> dict[str, Any]:
    """The boxes of the card, and one for a double with `changes`."""
    double = LowerBox("box", Alike((2,)), Fixed(5), "two alike", "B1")
    return {"boxes": (*CARD.boxes, replace(double, **changes))}


def example(**changes: Any) -> dict[str, Any]:
    """An example with `changes` after another one."""
    pair = Example("evaluate", "A pair", {"dice": [2, 2, 5]})
    return {"examples": (pair, replace(pair, **{"summary": "Another", **changes}))}


def hand(name: str = "pair", **changes: Any) -> dict[str, Any]:
    """The hands of lines with another one."""
    return {"hands": replace(ROYAL.hands, **{name: replace(getattr(ROYAL.hands, name), **changes)})}


def last_die(*faces: str) -> dict[str, Any]:
    """The dice of the crossword with other last `faces` of the last die."""
    *others, last = ROYAL.dice.dice_set
    dice_set = (*others, (*last[: -len(faces)], *faces))
    return {"dice": replace(ROYAL.dice, dice_set=dice_set)}


def cite(clause: str) -> dict[str, Any]:
    """The clause of a house rule, and a meaning."""
    return {"clause": clause, "meaning": "?"}


def wild() -> Any:
    """A switch."""
    return switch(**cite("T1"))


PAIR, ANY = rank()["ranks"]
MANY_RANKS = tuple(replace(PAIR, id=f"pair_{n}", only_with=f"wild_{n}") for n in range(10))
MANY_SWITCHES = make_dataclass(
    "Many", [(f"wild_{n}", bool, wild()) for n in range(10)], bases=(HouseRules,), frozen=True
)


def check(game: Variant, changes: dict[str, Any], sentence: str) -> None:
    """Fails unless `game` with `changes` is refused with its id and just that sentence.

    A sentence that ends in a space is the beginning: a long value follows, or words of Python.
    """
    with pytest.raises(WrongDescription) as error:
        replace(game, **changes)
    said, wanted = str(error.value), f"{game.id}: {sentence}"
    assert said == wanted or (wanted.endswith(" ") and said.startswith(wanted)), said

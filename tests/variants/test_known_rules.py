"""House rules that the games of a kind read by name have the type and range that they read."""

from __future__ import annotations

from dataclasses import make_dataclass, replace
from typing import Any

import pytest

from service.kinds.registry import GAMES
from service.rules.house_rules import HouseRules, KnownRule, amount, choice, switch
from service.rules.variant import Variant, WrongDescription
from service.variants import dice_poker, own_variants
from service.variants.dice_poker import DicePokerRules
from tests.live import ROOT
from tests.trial_games import small_holdem, three_dice, two_boxes

ROLLS, HOLDEM = three_dice.VARIANT, small_holdem.VARIANT
CARD, POKER = two_boxes.VARIANT, dice_poker.VARIANT
CLAUSES = {ROLLS.id: "T1", HOLDEM.id: "S1", CARD.id: "B1", POKER.id: "D10"}

SWITCH: tuple[Any, dict[str, Any]] = switch, {}
NULL: tuple[Any, dict[str, Any]] = amount, {"default": None, "maximum": 9, "nullable": True}


def an_amount(default: int, maximum: int, **bounds: Any) -> tuple[Any, dict[str, Any]]:
    """An amount, without its clause."""
    return amount, {"default": default, "maximum": maximum, **bounds}


def with_rule(
    variant: Variant[Any], name: str, rule: tuple[Any, dict[str, Any]], **changes: Any
) -> Variant[Any]:
    """`variant` with one more house rule, or another one of that name."""
    make, arguments = rule
    option = make(clause=CLAUSES[variant.id], meaning="A rule.", **arguments)
    bases = (variant.house_rules,)
    rules: type[HouseRules] = make_dataclass(
        "Rules", [(name, Any, option)], bases=bases, frozen=True
    )
    return replace(variant, house_rules=rules, **changes)


WRONG: list[tuple[Variant[Any], str, tuple[Any, dict[str, Any]], str]] = [
    (ROLLS, "starting_chips", SWITCH, "starting_chips must be integer, not boolean"),
    (ROLLS, "starting_chips", NULL, "starting_chips must not be nullable"),
    (ROLLS, "starting_chips", an_amount(0, 9), "the minimum of starting_chips must be 1 or more"),
    (ROLLS, "rounds", SWITCH, "rounds must be integer, not boolean"),
    (ROLLS, "rounds", an_amount(0, 9), "the minimum of rounds must be 1 or more"),
    (HOLDEM, "ante", SWITCH, "ante must be integer, not boolean"),
    (HOLDEM, "ante", an_amount(5, 50), "the step of ante must be a multiple of the chip, 5"),
    (
        HOLDEM,
        "ante",
        an_amount(6, 60, step=6),
        "the step of ante must be a multiple of the chip, 5",
    ),
    (
        HOLDEM,
        "small_limit",
        an_amount(5, 50, step=5),
        "the minimum of small_limit must be 5 or more",
    ),
    (HOLDEM, "big_limit", NULL, "big_limit must not be nullable"),
    (HOLDEM, "max_raises", an_amount(0, 5, minimum=-1), "the minimum of max_raises must be 0 or m"),
    (HOLDEM, "starting_chips", an_amount(0, 50, step=5), "minimum of starting_chips must be 5"),
    (
        HOLDEM,
        "reroll_checked_flop",
        an_amount(1, 5),
        "reroll_checked_flop must be boolean, not integer",
    ),
]


@pytest.mark.parametrize(
    ("variant", "name", "rule", "sentence"), WRONG, ids=[sentence for *_, sentence in WRONG]
)
def test_what_games_can_not_read(
    variant: Variant[Any], name: str, rule: tuple[Any, dict[str, Any]], sentence: str
) -> None:
    """The message names the variant, its house rules, and the one that the game can't read."""
    with pytest.raises(WrongDescription) as error:
        with_rule(variant, name, rule)
    assert str(error.value).startswith(f"{variant.id}: house_rules: ")
    assert sentence in str(error.value)


def test_a_choice_is_no_amount() -> None:
    """Words can't be read as a number of chips."""
    option = choice("few", "many", clause="T1", meaning="A rule.")
    rules: type[HouseRules] = make_dataclass(
        "Rules", [("starting_chips", str, option)], bases=(HouseRules,), frozen=True
    )
    with pytest.raises(WrongDescription) as error:
        replace(ROLLS, house_rules=rules)
    sentence = "three-dice: house_rules: starting_chips must be integer, not string"
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("variant", "name", "rule"),
    [
        (ROLLS, "starting_chips", an_amount(9, 10**9, minimum=1)),
        (ROLLS, "rounds", an_amount(3, 9, minimum=1)),
        (ROLLS, "rounds", (amount, {**NULL[1], "minimum": 1})),
        (HOLDEM, "ante", an_amount(0, 50, step=10)),
        (HOLDEM, "max_raises", an_amount(0, 0)),
        (HOLDEM, "rounds", SWITCH),
    ],
    ids=["chips", "rounds", "rounds, null", "ante", "no raises", "a name of another kind"],
)
def test_what_games_can_read(
    variant: Variant[Any], name: str, rule: tuple[Any, dict[str, Any]]
) -> None:
    """Any range within what the game can read is allowed, and names that it doesn't read."""
    assert name in with_rule(variant, name, rule).rule_names


def test_the_clock_counts_seconds_from_one() -> None:
    """The house rule of the clock may be null, but not 0 seconds."""
    null = amount, {**NULL[1], "minimum": 1}
    assert with_rule(CARD, "seconds", null, clock="seconds").default_rules.seconds is None
    with pytest.raises(WrongDescription) as error:
        with_rule(CARD, "seconds", an_amount(9, 9), clock="seconds")
    assert str(error.value) == "two-boxes: clock: the minimum of seconds must be 1 or more"


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (NULL, "extra_five_bonus must not be nullable"),
        (an_amount(5, 9, minimum=-9), "the minimum of extra_five_bonus must be 0 or more"),
    ],
    ids=["null", "negative"],
)
def test_the_bonus_of_repeats(rule: tuple[Any, dict[str, Any]], sentence: str) -> None:
    """Points for repeats are always a number, and never negative."""
    assert POKER.repeats
    assert POKER.repeats.bonus == "extra_five_bonus"
    assert POKER.house_rules is DicePokerRules
    with pytest.raises(WrongDescription) as error:
        with_rule(POKER, "extra_five_bonus", rule)
    assert str(error.value) == f"dice-poker: repeats: {sentence}"


NAMED_ELSEWHERE = {
    "scorecard": "none; `clock` and `repeats` name theirs",
    "layout": "those of `LayoutRules`, which its class must extend",
}
"""What the docs say of kinds that read no house rules by fixed names."""


def in_words(rule: KnownRule) -> str:
    """A house rule as the table in the docs has it."""
    if isinstance(rule.default, bool):
        return f"`{rule.name}` (switch; {str(rule.default).lower()})"
    chips = (" chip" if rule.default == 1 else " chips") if rule.chips else ""
    least, default = f"from {rule.minimum}", f"{rule.default}{chips}"
    if rule.default is None:
        least, default = f"{least}, or null", "null"
    return f"`{rule.name}` ({least}; {default})"


@pytest.mark.parametrize("kind", GAMES)
def test_the_docs_list_them(kind: str) -> None:
    """docs/design.md lists the house rules and the steps that each kind knows, and no others."""
    variant = next(variant for variant in own_variants().values() if variant.kind == kind)
    rules = "; ".join(map(in_words, variant.known_rules)) or NAMED_ELSEWHERE[kind]
    steps = ", ".join(f"`{step}`" for step in sorted(variant.step_words))
    row = f"| `{type(variant).__name__}` | {rules} | {steps} |"
    page = (ROOT / "docs" / "design.md").read_text()
    _, table = page.split(
        "| class | house rules that its games read | steps |\n| --- | --- | --- |\n"
    )
    assert row in table.split("\n\n")[0].splitlines()

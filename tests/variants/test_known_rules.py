"""House rules that the games of a kind read by name have the type and range that they read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.kinds.registry import GAMES
from service.rules.house_rules import KnownRule, amount, choice, in_force, switch
from service.rules.variant import Variant
from service.variants import own_variants
from tests.live import ROOT
from tests.variants.wrong import CARD, HOLDEM, ROLLS, cite, rule


@pytest.mark.parametrize(
    ("variant", "name", "made"),
    [
        (ROLLS, "starting_chips", amount(9, minimum=1, maximum=10**9, **cite("T1"))),
        (ROLLS, "rounds", amount(3, minimum=1, maximum=9, **cite("T1"))),
        (ROLLS, "rounds", amount(None, minimum=1, maximum=9, nullable=True, **cite("T1"))),
        (ROLLS, "stakes", choice("own_stack", **cite("T1"))),
        (HOLDEM, "ante", amount(0, maximum=50, step=10, **cite("S1"))),
        (HOLDEM, "max_raises", amount(0, maximum=0, **cite("S1"))),
        (HOLDEM, "flop_rerolls", amount(None, maximum=9, nullable=True, **cite("S1"))),
        (HOLDEM, "betting", choice("no_limit", "limit", **cite("S1"))),
        (HOLDEM, "rounds", switch(**cite("S1"))),
        (CARD, "direction", choice("counter_clockwise", **cite("B1"))),
        (CARD, "throw_to_begin", switch(default=True, **cite("B1"))),
    ],
    ids=[
        "chips",
        "rounds",
        "rounds, null",
        "stakes",
        "ante",
        "no raises",
        "rerolls, null",
        "some words",
        "a name of another kind",
        "one word of a choice",
        "a switch that is on",
    ],
)
def test_what_games_can_read(variant: Variant, name: str, made: Any) -> None:
    """Any range within what the game can read is allowed, and names that it doesn't read."""
    assert name in replace(variant, **rule(variant, made, name)).rule_names


def test_a_clock_may_be_null() -> None:
    """The house rule of the clock may be null: then no clock runs."""
    null = amount(None, minimum=1, maximum=9, nullable=True, **cite("B1"))
    clocked = replace(CARD, **rule(CARD, null, "turn_seconds"))
    assert in_force(clocked.default_rules) == {"turn_seconds": None}


NAMED_ELSEWHERE = {
    "scorecard": "`repeats` names its own",
    "layout": "those of `LayoutRules`, which its class must extend",
}
"""What the docs say of the house rules that a kind doesn't know by a fixed name."""


def in_words(rule: KnownRule) -> str:
    """A house rule as the table in the docs has it."""
    if isinstance(rule.default, bool):
        return f"`{rule.name}` (switch; {str(rule.default).lower()})"
    if rule.choices:
        return (
            f"`{rule.name}` ({' or '.join(f'`{each}`' for each in rule.choices)}; `{rule.default}`)"
        )
    chips = (" chip" if rule.default == 1 else " chips") if rule.chips else ""
    least, default = f"from {rule.minimum}", f"{rule.default}{chips}"
    if rule.default is None:
        default = "null"
    if rule.nullable or rule.default is None:
        least = f"{least}, or null"
    return f"`{rule.name}` ({least}; {default})"


@pytest.mark.parametrize("kind", GAMES)
def test_the_docs_list_them(kind: str) -> None:
    """docs/design.md lists the house rules and the steps that each kind knows besides those of all
    games, and no others.
    """
    variant = next(variant for variant in own_variants().values() if variant.kind == kind)
    elsewhere = [NAMED_ELSEWHERE[kind]] if kind in NAMED_ELSEWHERE else []
    rules = "; ".join([*map(in_words, variant.known_rules), *elsewhere])
    steps = ", ".join(f"`{step}`" for step in sorted(variant.step_words - Variant.step_words))
    row = f"| `{type(variant).__name__}` | {rules} | {steps} |"
    page = (ROOT / "docs" / "design.md").read_text()
    _, table = page.split(
        "| class | house rules that its games read | steps |\n| --- | --- | --- |\n"
    )
    assert row in table.split("\n\n")[0].splitlines()

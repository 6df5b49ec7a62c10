"""Invalid house rules: only they, and what no house rules would allow, are reported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import pytest

from service.api.http.problems import violations_of
from service.api.operations.registry import operations
from service.api.schemas.requests import request_schema
from service.rules.breaches import Breach
from service.rules.house_rules import Option, options, read_rules, switch
from service.rules.sentences import Sentence
from service.rules.variant import Variant
from service.rules.violations import InvalidInput
from service.variants import variants
from service.variants.poker_dice import VARIANT, PokerDiceRules
from tests.api.operations.test_bad_input import REFUSED
from tests.live import Service

REPEATED = [["As", "As", "Ks", "Ah", "Ad", *["--"] * 8]]
TURN = [["As", "Ks", "Qs", "Js", "Ts", "Ah", "--", "Kd", "--", "Jd", "4c", "4h", "9s"]]
ROYAL: dict[str, Any] = {"dice": [0, 1, 2, 3, 4], "direction": "across", "row": 0, "column": 0}
ACES: dict[str, Any] = {"dice": [0, 5], "direction": "down", "row": 0, "column": 0}
FOURS: dict[str, Any] = {"dice": [10, 11], "direction": "across", "row": 5, "column": 0}
FIVES = {"five_of_a_kind": 50, "fours": 20, "extra_fives": 1}

JOKER = {**FIVES, "fours": None, "large_straight": 40}

BLAMED: list[tuple[str, dict[str, Any], dict[str, Any], set[str]]] = [
    ("roll-a-royal/evaluate", {"rolls": REPEATED}, {"repeated_cards": "yes"}, set()),
    ("roll-a-royal/evaluate", {"rolls": REPEATED}, {"repeatedcards": True}, set()),
    ("roll-a-royal/evaluate", {"rolls": REPEATED}, {"repeated_cards": True, "max_uses": 5}, set()),
    ("roll-a-royal/rank", {"players": [{"id": "ann", "rolls": REPEATED}]}, {"repeated_cards": 0},
     set()),
    ("roll-a-royal/score", {"rolls": TURN, "layout": [ROYAL, FOURS]}, {"layout": "unconected"},
     set()),
    ("roll-a-royal/score",
     {"rolls": TURN, "layout": [{"dice": [0, 1, 2, 3, 4]}, {"dice": [0, 5]}]}, {"max_uses": "3"},
     set()),
    ("roll-a-royal/score",
     {"rolls": TURN, "layout": [ROYAL, ACES, {**FOURS, "dice": [6, 11]}]},
     {"layout": "unconected"},
     {"/layout/2/dice"}),
    ("dice-poker/score", {"card": FIVES}, {"extra_five_bonus": -1}, set()),
    ("dice-poker/score", {"card": FIVES}, {"extra_five_bonuses": 100}, set()),
    ("dice-poker/score",
     {"card": JOKER, "turn": {"dice": [1, 2, 3, 4, 5], "box": "large_straight"}},
     {"extra_five_bonus": 100, "joker": "on"}, {"/turn/box"}),
    ("dice-poker/rank", {"players": [{"id": "ann", "card": FIVES}]}, {"extra_five_bonus": 10_000},
     set()),
    ("texas-holdem-dice/evaluate",
     {"pocket": ["1r", "2r"], "community": ["3r", "3r", "4r", "6r", "6b"]},
     {"ante": 5}, {"/community/3"}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "rules", "others"), BLAMED)
def test_only_what_is_wrong_is_blamed(
    service: Service, path: str, body: dict[str, Any], rules: dict[str, Any], others: set[str]
) -> None:
    """With invalid house rules, only what is invalid under any house rules is reported, too."""
    reply = service.post(f"/v1/variants/{path}", {**body, "house_rules": rules})
    bad = {pointer for pointer in reply.pointers if pointer.startswith("/house_rules/")}
    assert (reply.status, len(bad), reply.pointers - bad) == (422, 1, others)


@pytest.mark.parametrize("variant", variants())
def test_an_unknown_one_is_the_same_in_process(variant: str) -> None:
    """Over HTTP, a house rule that the game doesn't have is the violation that Python gets."""
    with pytest.raises(InvalidInput) as refused:
        read_rules(variants()[variant].house_rules, {"chess": True})
    (expected,) = refused.value.violations
    found = violations(f"{variant}/evaluate", {"house_rules": {"chess": True}})
    assert expected.detail.wording is Breach.UNKNOWN_HOUSE_RULE
    assert ("/house_rules/chess", expected.detail) in found


OPERATIONS = {operation.path: operation for operation in operations(variants().values())}

AMOUNTS = {"extra_five_bonus": [0, 100], "max_uses": [2, 3]}
"""Amounts that decide what may be asked, with values to try."""


def settings(variant: Variant) -> Iterator[dict[str, Any]]:
    """Every combination of the house rules of `variant` that affect which requests are valid."""
    named = options(variant.house_rules)
    for values in product(*map(values_of, named)):
        yield {option.name: value for option, value in zip(named, values, strict=True)}


def values_of(option: Option) -> list[Any]:
    """The values of a house rule to try."""
    if option.choices:
        return [*option.choices]
    if option.type == "boolean":
        return [False, True]
    return AMOUNTS.get(option.name, [option.default])


def violations(path: str, body: object) -> list[tuple[str, Sentence]]:
    """The violations of `body`, none if it is valid."""
    try:
        OPERATIONS[f"/v1/variants/{path}"].run(body)
    except InvalidInput as error:
        return violations_of(error)
    return []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        *[(path, body) for path, body, *_ in [*REFUSED, *BLAMED]],
        *[
            (f"{variant.id}/{example.operation}", example.request)
            for variant in variants().values()
            for example in variant.examples
            if example.operation != "batch"
        ],
    ],
)
def test_what_is_blamed_is_wrong_under_all_house_rules(path: str, body: dict[str, Any]) -> None:
    """With an invalid house rule, exactly what all valid ones refuse is refused."""
    refused = violations(path, {**body, "house_rules": {"chess": True}})
    others = [each for each in refused if "/house_rules" not in each[0]]
    assert len(refused) == len(others) + 1
    variant = OPERATIONS[f"/v1/variants/{path}"].variant
    for rules in settings(variant) if others else ():
        found = violations(path, {**body, "house_rules": rules})
        assert all(each in found for each in others)


@dataclass(frozen=True)
class OwnRules(PokerDiceRules):
    """House rules of a game from outside, whose names are its own."""

    make: bool = switch(clause="P11", meaning="The players make it up.")


def test_a_house_rule_of_any_name() -> None:
    """A house rule may be called as what the service does with house rules."""
    schema = request_schema(replace(VARIANT, house_rules=OwnRules), "Request", {})
    read = schema.load({"house_rules": {"make": True}})
    assert read == {"house_rules": OwnRules(make=True)}

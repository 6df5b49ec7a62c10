"""The catalogue has enough to draw a score sheet or a list of hands."""

from __future__ import annotations

from pkgutil import iter_modules
from typing import Any

import pytest

from service.api import catalogue
from service.kinds.scorecard.variant import ScoreCard
from service.variants import variants
from tests import trial_games
from tests.api.batch.batching import single
from tests.contract.checker import contract_checker
from tests.contract.openapi import Contract
from tests.live import Service

OPERATIONS = {
    "ranking": ["evaluate", "rank", "advise", "choose", "forecast", "batch"],
    "community": ["evaluate", "rank", "advise", "choose", "forecast", "batch"],
    "scorecard": ["evaluate", "rank", "score", "advise", "choose", "forecast", "review", "batch"],
    "layout": ["evaluate", "rank", "score", "advise", "choose", "forecast", "batch"],
}
"""The operations of each kind of variant."""


@pytest.mark.general
def test_all_variants(service: Service) -> None:
    """The list has every variant, its kind and the paths of its operations, and agrees with the
    entries.
    """
    listed = service.get("/v1/variants").json["variants"]
    assert [(variant["id"], variant["kind"]) for variant in listed] == [
        (variant.id, variant.kind) for variant in variants().values()
    ]
    for variant in listed:
        path = f"/v1/variants/{variant['id']}"
        assert variant["links"] == {
            "self": path,
            **{name: f"{path}/{name}" for name in OPERATIONS[variant["kind"]]},
        }
        entry = service.get(path).json
        assert {name: entry[name] for name in variant} == variant


@pytest.mark.general
def test_entry_has_the_schema_of_its_kind(
    service: Service, contract: Contract, variant: str
) -> None:
    """Every entry is what the contract says of its kind, without any other field."""
    choice = contract["components"]["schemas"]["CatalogueEntry"]
    by_kind = choice["discriminator"]["mapping"]
    assert [{"$ref": own} for own in by_kind.values()] == choice["oneOf"]
    assert set(by_kind) == {each.kind for each in variants().values()}
    entry = service.get(f"/v1/variants/{variant}").json
    assert entry["kind"] == variants()[variant].kind
    contract_checker().validator({"$ref": by_kind[entry["kind"]]}).validate(entry)


def test_schema_of_entries_is_that_of_all_games(contract: Contract) -> None:
    """A client for the games of this repository can read the entries of all other games."""
    own = contract["components"]["schemas"]
    found = iter_modules(trial_games.__path__, f"{trial_games.__name__}.")
    for module in [
        *(each.name for each in found if not each.ispkg),
        "examples.dice_games.card_dice",
    ]:
        for variant in variants(module).values():
            name = own["CatalogueEntry"]["discriminator"]["mapping"][variant.kind]
            entry = catalogue.entry(variant, [])
            contract_checker().validator({"$ref": name}).validate(entry)


@pytest.mark.general
def test_every_clause_is_explained(service: Service, variant: str) -> None:
    """Every clause that a rank, box, tie-break or bonus cites is among the rules of the entry."""
    entry = service.get(f"/v1/variants/{variant}").json
    rules = {rule["clause"]: rule["text"] for rule in entry["rules"]}
    assert set(cited(entry)) <= set(rules)
    assert all(rules.values())


def cited(part: Any) -> list[str]:
    """Every clause cited anywhere in `part`."""
    if isinstance(part, list):
        return [clause for inner in part for clause in cited(inner)]
    if isinstance(part, dict):
        own = [part["clause"]] if "clause" in part else []
        return own + [clause for inner in part.values() for clause in cited(inner)]
    return []


@pytest.mark.general("ranking", "community")
def test_ranking(service: Service, variant: str) -> None:
    """Ranks are ordered from the highest, each with an example that evaluates to that rank."""
    entry = service.get(f"/v1/variants/{variant}").json
    previous = None
    for rank in entry["ranks"]:
        rules = {rank["house_rule"]: True} if rank["house_rule"] else {}
        asked = {**single(variants()[variant], rank["example"]), "house_rules": rules}
        answer = service.post(entry["links"]["evaluate"], asked).json
        assert answer["rank"] == rank["id"]
        weakest, strongest = rank["strengths"]["weakest"], rank["strengths"]["strongest"]
        assert weakest <= answer["strength"] <= strongest
        if not rank["house_rule"]:
            assert previous is None or strongest <= previous - 1
            previous = weakest


@pytest.mark.general("scorecard")
def test_score_sheet(service: Service, variant: str) -> None:
    """Boxes are in card order, each with its needs and possible scores."""
    entry = service.get(f"/v1/variants/{variant}").json
    described = variants()[variant]
    assert isinstance(described, ScoreCard)
    assert [box["id"] for box in entry["boxes"]] == [box.id for box in described.boxes]
    for box in entry["boxes"]:
        assert box["name"]
        assert box["needs"]
        assert box["possible"][0] == 0
        assert box["points"] is None or box["possible"] == [0, box["points"]]


def test_what_a_further_five_of_a_kind_earns(service: Service) -> None:
    """The entry describes the house rules for repeated rolls (D10), if there are any."""
    assert service.get("/v1/variants/dice-poker").json["repeats"] == {
        "box": "five_of_a_kind", "card_field": "extra_fives", "bonus_rule": "extra_five_bonus",
        "joker_rule": "joker", "joker_fills": ["full_house", "small_straight", "large_straight"],
        "clause": "D10",
    }  # fmt: skip
    assert service.get("/v1/variants/yahtzee-deluxe").json["repeats"] is None


def test_dice_and_rolls(service: Service) -> None:
    """Each entry has the dice, the rolls in a turn, and the number of players (D1, D13, H1, Y1)."""
    found = {
        name: [entry["dice"]["count"], entry["rolls"], entry["players"]]
        for name in ("poker-dice", "texas-holdem-dice", "dice-poker", "yahtzee-deluxe")
        for entry in [service.get(f"/v1/variants/{name}").json]
    }
    assert found == {
        "poker-dice": [5, 3, {"min": 1, "max": None}],
        "texas-holdem-dice": [20, 1, {"min": 2, "max": 6}],
        "dice-poker": [5, 3, {"min": 1, "max": None}],
        "yahtzee-deluxe": [6, 3, {"min": 1, "max": None}],
    }


def test_full_house_of_dice_poker(service: Service) -> None:
    """The whole description of a box."""
    boxes = service.get("/v1/variants/dice-poker").json["boxes"]
    assert next(box for box in boxes if box["id"] == "full_house") == {
        "id": "full_house", "name": "Full house", "section": "lower",
        "needs": "three dice alike and a pair of another number", "points": 25, "scores": "25",
        "possible": [0, 25], "clause": "D4",
    }  # fmt: skip


def test_house_rules(service: Service) -> None:
    """Every house rule has its type, bounds, default and meaning."""
    rules = service.get("/v1/variants/texas-holdem-dice").json["house_rules"]
    assert {rule["name"]: rule["default"] for rule in rules} == {
        "ante": 10, "small_limit": 10, "big_limit": 20, "max_raises": 3, "starting_chips": 500,
        "total_chips": None, "betting": "limit", "bet_size": "up_to", "small_blind": 0,
        "big_blind": 0, "hands": None, "blinds_up": None, "flop_rerolls": None,
        "yahtzee_flush": "at_once", "turn_seconds": None,
        "kickers": True, "suits_break_ties": True,
    }  # fmt: skip
    assert rules[0] == {
        "name": "ante", "type": "integer", "choices": [], "nullable": False, "default": 10,
        "typed_default": 10, "minimum": 0, "maximum": 10000, "step": 10,
        "meaning": "Chips that everyone puts in first.", "clause": "H9",
    }  # fmt: skip

"""The sessions in openapi.yaml, checked against whole games played over HTTP."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from service.api.schemas import shapes
from service.api.schemas.bounds import BOUNDS
from service.contract.actions import actions_of
from service.contract.kinds import CONTRACT_KINDS
from service.contract.sessions import NO_ACTION
from service.kinds.registry import GAMES
from service.rules.variant import Variant
from service.variants import variants
from tests.api.sessions.playing import PATH, TABLE, make
from tests.contract.checker import contract_checker
from tests.contract.openapi import Contract, answer, found, of_sessions
from tests.contract.session_requests import any_action
from tests.live import JSON, PROBLEM, Service
from tests.short_games import short_rules

MOST_ACTIONS = 60


def masked(answer: Any, *names: str) -> Any:
    """`answer` without the values that differ each time."""
    if isinstance(answer, dict):
        return {
            name: "..." if name in names else masked(inner, *names)
            for name, inner in answer.items()
        }
    return [masked(inner, *names) for inner in answer] if isinstance(answer, list) else answer


RANDOM = ("id", "created_at", "expires_at", "ends_at", "at", "commitment", "tokens", "instance")


def quick_rules(found: Variant) -> dict[str, Any]:
    """House rules that make a game short enough to finish; any roll of cards opens."""
    opening = {"opening": "none"} if "opening" in found.rule_names else {}
    return {**short_rules(found), **opening}


@pytest.mark.general
@pytest.mark.parametrize("dice", ["server", "client"])
def test_games_are_as_the_contract_says(
    service: Service, contract: Contract, variant: str, dice: str
) -> None:
    """Every response in a game conforms to the schemas of its variant and has no other field.

    The table and a player read the session and its history, and some requests are refused. The
    client checks all responses.
    """
    rng = Random(f"{variant} {dice}")
    rules = quick_rules(variants()[variant])
    game = make(service, variant, "ann", "ben", house_rules=rules, dice=dice)
    legal = game.made["actions"]
    for step in range(MOST_ACTIONS):
        if not legal or (dice == "client" and step == 1):
            break
        action = any_action(rng, legal) if dice == "server" else None
        if action is None:
            said = of_sessions(contract)["actInSession"]["requestBody"]["content"][JSON]["examples"]
            action = {**said[variant.replace("-", "_")]["value"], "player": "ann"}
        contract_checker().component("Action").validate(action)
        reply = game.act(**action)
        assert reply.status == 200, (action, reply.body)
        legal = reply.json["actions"]
    for who in (TABLE, "ann"):
        read, events = game.read(who), game.events(who)
        assert (read.status, events.status) == (200, 200)
        assert len(events.json["events"]) == read.json["version"]
    assert game.act("bluff").status == 422


@pytest.mark.general
def test_every_value_of_an_action_has_its_schemas() -> None:
    """The contract describes the values that the actions of each kind take, and no others.

    The API has each class of bounds that they use, and no others.
    """
    used = set()
    for kind, game in GAMES.items():
        values = [
            (name, value.bound)
            for variant in variants().values()
            if variant.kind == kind
            for action in game.actions(variant)
            for name, value in action.values.items()
        ]
        used |= {bound for _, bound in values}
        for variant in variants().values():
            if variant.kind == kind:
                described = CONTRACT_KINDS[kind].values(variant)
                assert set(described) == {name for name, _ in values}, kind
    assert set(BOUNDS) == used


def test_words_of_several_games_are_named(contract: Contract) -> None:
    """A value with other words in each game is a text, which says what names them."""
    box = contract["components"]["schemas"]["ScoreAction"]["properties"]["box"]
    assert box == {
        "type": "string",
        "description": "An open box of the card: `DicePokerBox` in `dice-poker`, "
        "`YahtzeeDeluxeBox` in `yahtzee-deluxe`.",
    }


def test_dice_of_a_step_have_one_type(contract: Contract) -> None:
    """A step of roll-a-royal has cards or numbers, as its action says, or no dice."""
    schemas = contract["components"]["schemas"]
    for part in ("Step", "Event"):
        assert schemas[f"RollARoyal{part}"]["discriminator"]["mapping"] == {
            action: f"#/components/schemas/RollARoyal{part}{name}"
            for name, actions in (
                ("WithoutDice", ("create", "time_up", "lay", "bank", "leave", "take_back")),
                ("WithWords", ("roll",)),
                ("WithNumbers", ("throw", "risk")),
            )
            for action in actions
        }
    dice = {
        name: schemas[f"RollARoyalStep{name}"]["properties"].get("dice", {}).get("items")
        for name in ("WithoutDice", "WithWords", "WithNumbers")
    }
    assert dice == {
        "WithoutDice": None,
        "WithWords": {"$ref": "#/components/schemas/RollARoyalCard"},
        "WithNumbers": {"type": "integer", "minimum": 0},
    }


@pytest.mark.parametrize(
    ("action", "allowed"),
    [
        ({"action": "roll"}, True),
        ({"action": "roll", "keep": [0, 2], "dice": [1, 2, 3, 4, 5]}, True),
        ({"action": "roll", "dice": ["As", "--"]}, True),
        ({"action": "roll", "dice": ["As", 1]}, False),
        ({"action": "roll", "dice": []}, False),
        ({"action": "roll_pocket", "dice": ["6r", "6b"]}, True),
        ({"action": "roll_pocket", "dice": [6, 6]}, False),
        ({"action": "throw", "dice": [3]}, True),
        ({"action": "roll", "box": "fours"}, False),
        ({"action": "score", "box": "fours"}, True),
        ({"action": "score"}, False),
        ({"action": "score", "box": "fours", "dice": [1]}, False),
        ({"action": "bet", "amount": 0}, False),
        ({"action": "bet", "amount": 10, "player": "ann"}, True),
        ({"action": "check", "player": ""}, False),
        ({"action": "lay", "layout": None}, True),
        ({"action": "lay", "layout": [{"dice": [0, 1], "colour": 1}]}, False),
        ({"action": "time_up"}, False),
        ({"action": "leave"}, True),
        ({"action": "leave", "player": "ann"}, True),
        ({"action": "leave", "dice": [1]}, False),
        ({}, False),
    ],
)
def test_actions_take_their_values_alone(action: dict[str, Any], allowed: bool) -> None:
    """The schema of actions accepts only the values of each action, and requires the mandatory
    ones.
    """
    assert contract_checker().component("Action").is_valid(action) == allowed


@pytest.mark.general
@pytest.mark.parametrize("name", ["Session", "NewSession", "SessionRequest", "SessionHistory"])
def test_variant_selects_the_schema(contract: Contract, name: str) -> None:
    """A session and its requests are a choice of the schemas of all variants, by `variant`."""
    parts = contract["components"]["schemas"]
    mapping = {
        variant: f"#/components/schemas/{shapes.component(described, name)}"
        for variant, described in variants().items()
    }
    assert parts[name] == {
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": "variant", "mapping": mapping},
    }
    for variant, reference in mapping.items():
        named = found(contract, {"$ref": reference})
        own = found(contract, named["allOf"][0]) if "allOf" in named else named
        only = own["properties"]["variant"]
        assert only.get("enum", [only.get("const")]) == [variant]


@pytest.mark.general
def test_action_selects_the_schema(contract: Contract) -> None:
    """An action is a choice of the schemas of all actions of all games, by `action`."""
    names = [action.name for variant in variants().values() for action in actions_of(variant)]
    choice = contract["components"]["schemas"]["Action"]
    mapping = choice["discriminator"]["mapping"]
    assert choice["discriminator"]["propertyName"] == "action"
    assert [*mapping] == [*dict.fromkeys(names)]
    assert choice["oneOf"] == [{"$ref": reference} for reference in mapping.values()]
    assert mapping["roll"] == "#/components/schemas/RollAction"
    for name, reference in mapping.items():
        only = found(contract, {"$ref": reference})["properties"]["action"]
        assert only == {"type": "string", "enum": [name]}


@pytest.mark.general
def test_dice_are_words_or_numbers(contract: Contract) -> None:
    """No list has both words and numbers."""

    def mixed(part: Any) -> bool:
        if isinstance(part, list):
            return any(map(mixed, part))
        if not isinstance(part, dict):
            return False
        items = part.get("items")
        types = items.get("type") if isinstance(items, dict) else None
        return types == ["integer", "string"] or any(map(mixed, part.values()))

    schemas = contract["components"]["schemas"]
    assert [name for name, schema in schemas.items() if mixed(schema)] == []


@pytest.mark.general
def test_examples_are_true(service: Service, contract: Contract, variant: str) -> None:
    """Every example request gets the response of its example, except random values and times.

    Only the first game has examples of responses; those of others conform to the schemas.
    """
    name = variant.replace("-", "_")
    said = of_sessions(contract)
    asked = said["createSession"]["requestBody"]["content"][JSON]
    request = asked["examples"][name]["value"]
    contract_checker().check_value(asked["schema"], request)

    def example(operation: str, status: int, media_type: str = JSON) -> Any:
        examples = answer(contract, said[operation], status)["content"][media_type]["examples"]
        return masked(examples[name]["value"], *RANDOM) if name in examples else None

    replies = {"createSession": (201, service.post(PATH, request))}
    game = make(service, variant, *request["players"], dice="client")
    replies["readSession"] = 200, game.read()
    refused = game.act(**NO_ACTION, player=request["players"][0])
    assert refused.status == 422
    if (problem := example("actInSession", 422, PROBLEM)) is not None:
        assert masked(refused.json, *RANDOM) == problem
    action = said["actInSession"]["requestBody"]["content"][JSON]["examples"][name]["value"]
    replies["actInSession"] = 200, game.act(**action)
    replies["listSessionEvents"] = 200, game.events()
    replies["getSessionResult"] = 200, game.read(below="/result")
    for operation, (status, reply) in replies.items():
        assert reply.status == status
        expected = example(operation, status)
        assert (expected is None) == (name != next(iter(asked["examples"])))
        if expected is not None:
            assert masked(reply.json, *RANDOM) == expected


@pytest.mark.general
def test_examples_conform(contract: Contract) -> None:
    """Every example request and response conforms to its schema and has no other field."""
    for operation in of_sessions(contract).values():
        parts = [answer(contract, operation, int(status)) for status in operation["responses"]]
        for part in [*parts, found(contract, operation.get("requestBody", {}))]:
            for media in part.get("content", {}).values():
                for example in media.get("examples", {}).values():
                    contract_checker().check_value(media["schema"], example["value"])

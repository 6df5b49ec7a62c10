"""Null for an optional field of a request means the same as leaving the field out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from service.contract.actions import actions_of
from service.rules.house_rules import options
from service.variants import variants
from tests.api.sessions.playing import PATH, make
from tests.contract.checker import contract_checker
from tests.contract.openapi import NDJSON, SESSIONS, Contract, found, of_sessions, operations
from tests.contract.session_requests import any_action
from tests.contract.test_sessions_contract import RANDOM, masked, quick_rules
from tests.live import JSON, Service
from tests.whole_games.legal_player import LEAVE, TAKE_BACK

Request = tuple[dict[str, Any], dict[str, Any], str]
"""A body with null, the same one without that field, and the pointer of the field."""


def pairs(contract: Contract, schema: Any, body: Any) -> Iterator[Request]:
    """For each optional field that `schema` allows in `body`, a body with null and one without."""
    for keys in optional(contract, schema, body):
        *above, name = keys
        if name not in own_null(keys):
            pointer = "".join(f"/{key}" for key in keys)
            yield changed(body, above, name, null=True), changed(body, above, name), pointer


def optional(
    contract: Contract, schema: Any, value: Any, above: Sequence[Any] = ()
) -> Iterator[Sequence[Any]]:
    """The path of every optional field in `value`, and in its objects that may be there."""
    schema = chosen(contract, schema, value)
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from optional(contract, schema.get("items", {}), item, (*above, index))
    if not isinstance(value, dict):
        return
    for name, inner in schema.get("properties", {}).items():
        required = name in schema.get("required", ())
        if not required:
            yield (*above, name)
        shape = chosen(contract, inner, value.get(name, {}))
        if name in value or ("properties" in shape and "required" not in shape):
            yield from optional(contract, inner, value.get(name, {}), (*above, name))


def chosen(contract: Contract, schema: Any, value: Any) -> Any:
    """`schema` without references, null and other choices than that of `value`."""
    schema = found(contract, schema)
    if "discriminator" in schema:
        name = value.get(schema["discriminator"]["propertyName"])
        return found(contract, {"$ref": schema["discriminator"]["mapping"][name]})
    choices = [found(contract, each) for each in schema.get("anyOf", ())]
    others = [each for each in choices if each.get("type") != "null"]
    return others[0] if others else schema


def changed(body: Any, above: Sequence[Any], name: str, *, null: bool = False) -> Any:
    """A copy of `body` with null for the field `name` of the object `above`, or without it."""
    copy = json.loads(json.dumps(body))
    within = copy
    for key in above:
        within = within[key] if isinstance(within, list) else within.setdefault(key, {})
    within.pop(name, None)
    if null:
        within[name] = None
    return copy


def own_null(keys: Sequence[Any]) -> set[str]:
    """The house rules for which null is a value of its own: no clock, no limit."""
    if "house_rules" not in keys[:-1]:
        return set()
    return {
        option.name
        for variant in variants().values()
        for option in options(variant.house_rules)
        if option.nullable
    }


def asked(contract: Contract, media_type: str = JSON) -> Mapping[str, tuple[Any, list[Any]]]:
    """The schema and the example requests of every operation, by path."""
    return {
        path: (content["schema"], [example["value"] for example in content["examples"].values()])
        for path, _, operation in operations(contract)
        for content in [operation.get("requestBody", {}).get("content", {}).get(media_type)]
        if content
    }


@pytest.mark.general
@pytest.mark.proof
def test_null_is_left_out(service: Service, contract: Contract) -> None:
    """A request with null for an optional field gets the response of one without the field.

    Every optional field of every example is tried; in batches, of a line.
    """
    tried = set()
    for path, (schema, bodies) in asked(contract).items():
        if path.startswith(SESSIONS):
            continue
        for body in bodies:
            for with_null, without, pointer in pairs(contract, schema, body):
                reply, wanted = service.post(path, with_null), service.post(path, without)
                if wanted.status == 200:  # else another field needs this one
                    contract_checker().check_value(schema, with_null)
                assert reply.status == wanted.status, (path, with_null)
                # while a table is made, its progress differs; without a seed a choice is by chance
                if wanted.status != 503 and not pointer.endswith("/seed"):
                    assert reply.json == wanted.json, (path, with_null)
                if path.endswith("/evaluate"):
                    lines = f"{json.dumps(with_null)}\n{json.dumps(without)}".encode()
                    batch = path.removesuffix("evaluate") + "batch"
                    answered = service.ask("POST", batch, lines, {"Content-Type": NDJSON})
                    one, other = map(json.loads, answered.body.splitlines())
                    assert {**one, "line": 0} == {**other, "line": 0}, (path, with_null)
                tried.add((path, pointer))
    rules = [
        (f"/v1/variants/{variant.id}/{name}", f"/house_rules/{option.name}")
        for variant in variants().values()
        for option in options(variant.house_rules)
        for name in ("evaluate", "rank")
        if not option.nullable
    ]
    houses = [(f"/v1/variants/{variant}/evaluate", "/house_rules") for variant in variants()]
    assert tried >= {*rules, *houses}


@pytest.mark.general
def test_null_in_a_new_session(service: Service, contract: Contract) -> None:
    """A session made with null for an optional field is the one made without that field."""
    schema, bodies = asked(contract)[PATH]
    for body in bodies:
        given = {**body, "dice": "client"}
        for with_null, without, _ in pairs(contract, schema, given):
            contract_checker().check_value(schema, with_null)
            reply, wanted = service.post(PATH, with_null), service.post(PATH, without)
            assert (reply.status, wanted.status) == (201, 201), (with_null, reply.body)
            if "dice" in without:  # the service rolls otherwise, maybe at once
                names = (*RANDOM, "fairness")
                assert masked(reply.json, *names) == masked(wanted.json, *names)


@pytest.mark.general
def test_null_in_an_action(service: Service, contract: Contract, variant: str) -> None:
    """An action with null for an optional field does the same as without that field."""
    said = of_sessions(contract)
    example = variant.replace("-", "_")
    new, body = (
        said[name]["requestBody"]["content"][JSON]["examples"][example]["value"]
        for name in ("createSession", "actInSession")
    )
    schema = {"$ref": "#/components/schemas/Action"}
    fields = {pointer: (one, other) for one, other, pointer in pairs(contract, schema, body)}
    assert "/player" in fields
    for with_null, without in fields.values():
        contract_checker().check_value(schema, with_null)
        reply, wanted = (
            make(service, variant, *new["players"], dice="client").act(**each)
            for each in (with_null, without)
        )
        assert (reply.status, masked(reply.json, *RANDOM)) == (
            wanted.status,
            masked(wanted.json, *RANDOM),
        )


MOST_ACTIONS = 100
"""The most actions per variant; the test ends earlier once it has tried all actions.

It never tries the dice rolls that the service makes at once.
"""


@pytest.mark.general
def test_null_in_every_action(service: Service, contract: Contract, variant: str) -> None:
    """The actions of a game take null for all optional fields of their schemas.

    That includes fields that only other games have. Null for an unknown field is refused.
    """
    rng = Random(variant)
    found_variant = variants()[variant]
    rules = quick_rules(found_variant)
    left = {action.name for action in actions_of(found_variant)}
    game = make(service, variant, "ann", "ben", house_rules=rules)
    legal = game.made["actions"]
    for _ in range(MOST_ACTIONS):
        if not left:
            break
        if not legal:
            game = make(service, variant, "ann", "ben", house_rules=rules)
            legal = game.made["actions"]
        wanted = [listed for listed in legal if listed["action"] in left]
        listed = rng.choice(wanted or legal)
        action = any_action(rng, [listed])
        schema = chosen(contract, {"$ref": "#/components/schemas/Action"}, action)
        for name in schema["properties"]:
            bounds = listed.get(name)
            has_default = isinstance(bounds, dict) and "default" in bounds
            if name not in schema["required"] and (name not in action or has_default):
                action[name] = None
        contract_checker().component("Action").validate(action)
        if action["action"] in left:
            unknown = game.act(**action, luck=None)
            assert unknown.status == 422, (action, unknown.body)
            assert [each["pointer"] for each in unknown.json["errors"]] == ["/luck"]
        by_whom = action["player"] if action["action"] in (LEAVE, TAKE_BACK) else None
        reply = game.act(**{**action, "player": by_whom})
        assert reply.status == 200, (action, reply.body)
        left.discard(action["action"])
        legal = reply.json["actions"]

"""The examples of the paths of sessions, with all secrets set to zeros, and their schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from service.api.http.causes import Cause
from service.api.http.problems import unprocessable
from service.api.operations.operation import ADVISE, FORECAST, REVIEW, Operation
from service.api.schemas import shapes
from service.api.schemas.shapes import JsonSchema, Shape
from service.api.sessions.answers import (
    PATH,
    Answer,
    actions_json,
    bound_schema,
    created_json,
    history_json,
    session_json,
)
from service.api.sessions.curve import CURVE
from service.api.sessions.requests import CLIENT, WAIT_OUT_OF_RANGE, NewSession
from service.api.sessions.results import result_json
from service.contract.parts import Examples, example_answer, identifier, refusal
from service.engine.actions import Action
from service.rules.house_rules import for_typed_dice
from service.rules.variant import Variant
from service.rules.violations import InvalidInput, Violation
from service.sessions.fair import SEED_BYTES, FairDice
from service.sessions.requests import NOT_VALUES, hash_token
from service.sessions.result import Result
from service.sessions.session import Snapshot, Terms, apply_action, start
from service.sessions.view import CreatedSession, SessionView

ID = "0" * 22
SESSION = f"{PATH}/{ID}"
TOKEN = "0" * 43
CLIENT_SEED = "luck"
MADE_AT = 1_767_225_600_000
SECONDS = 86_400

ONE_OPERATION = {"advice": ADVISE, "forecast": FORECAST}
"""The parts of a session that are the response of one operation."""

NO_ACTION = {"action": "bluff"}
"""An action that no game has."""

CHESS = "chess"
"""A game that isn't played here."""

NO_VARIANT = {"variant": CHESS, "players": ["white", "black"]}
"""A session of it."""


def examples(new: NewSession, operations: Sequence[Operation]) -> dict[str, dict[str, Any]]:
    """The examples that the skeleton names; `operations` are those of all variants.

    Those of advice, forecasts and reviews are missing if no variant has them.
    """
    begun = {identifier(variant): _begun(variant) for variant in new.schemas}
    created = {key: _creation(*each) for key, each in begun.items()}
    actions = {key: _first_action(*each) for key, each in begun.items()}
    name, (terms, snapshot) = next(iter(begun.items()))
    view, action = _view(terms, snapshot), actions[name]
    given = {field: each for field, each in action.items() if field not in NOT_VALUES}
    acted = Action(action["action"], action["player"], MADE_AT, given, action.get("dice"))
    after, event = apply_action(terms, snapshot, acted)
    done, events = _view(terms, after), [start(terms)[1], event]
    wait = Violation(("wait",), WAIT_OUT_OF_RANGE)
    values: dict[str, Mapping[str, Answer]] = {
        "requests": {key: request for key, (request, _) in created.items()},
        "created": {name: created[name][1]},
        "no_variant": {"no_variant": unprocessable(refusal(new.read, NO_VARIANT), PATH)},
        "read": {name: session_json(view)},
        "wait": {"wait": unprocessable(InvalidInput(wait), SESSION)},
        "actions": actions,
        "done": {name: session_json(done)},
        "illegal": {name: _illegal(view)},
        "events": {name: history_json(done, events)},
        "result": {name: result_json(Result.of(terms, after, events), "")},
    }
    named = {
        part: {key: {"value": value} for key, value in several.items()}
        for part, several in values.items()
    }
    for part, operation in ONE_OPERATION.items():
        if called := _called(operations, operation):
            named[part] = _shortest(called)
    if review := _called(operations, REVIEW):
        named["review"] = {
            key: {"value": {"players": {"player 1": each["value"]}, **CURVE.write([])}}
            for key, each in _shortest(review).items()
        }
    return named


def _shortest(operations: Sequence[Operation]) -> Examples:
    """The shortest of the example responses of `operations`."""
    made = [example_answer(each, each.run)[1] for each in operations]
    return min(filter(None, made), key=lambda example: len(str(example)), default={})


def of_operations(operations: Sequence[Operation]) -> list[Shape]:
    """The schemas of advice, forecasts and reviews, each a choice of those of the variants that
    have them.
    """
    made = []
    for name, operation in ONE_OPERATION.items():
        if called := _called(operations, operation):
            made.append(shapes.one_of(f"Session{name.capitalize()}", "variant", _titles(called)))
    if review := _called(operations, REVIEW):
        of_player = shapes.by_player(shapes.one_of("Review", "variant", _titles(review)))
        fields = {"players": of_player, **CURVE.schema["properties"]}
        made.append(shapes.record("SessionReview", fields))
    return made


def _called(operations: Sequence[Operation], name: str) -> list[Operation]:
    return [operation for operation in operations if operation.name == name]


def _titles(operations: Sequence[Operation]) -> dict[str, str]:
    """The name of the response schema of each of `operations`, by variant."""
    return {each.variant.id: each.response.schema["title"] for each in operations}


def _begun(variant: Variant) -> tuple[Terms, Snapshot]:
    """A session of `variant` for two players, or the fewest that it takes if that is more. The dice
    of its seed are typed in.
    """
    least, most = variant.players
    players = [f"player {place}" for place in range(1, 1 + max(least, min(2, most or 2)))]
    terms = Terms(
        id=ID,
        variant=variant,
        players=tuple(players),
        rules=for_typed_dice(variant.default_rules, ()),
        seed=None,
        client_seed=CLIENT_SEED,
        tokens=tuple([hash_token(TOKEN) for _ in range(len(players) + 1)]),
        created_at=MADE_AT,
        seconds=SECONDS,
    )
    return terms, start(terms)[0]


def _creation(typed: Terms, begun: Snapshot) -> tuple[Answer, Answer]:
    """A request for a session, and its response.

    The service rolls the dice, unless it would roll at once: the dice would be different each time.
    """
    variant, players = typed.variant, [*typed.players]
    request: Answer = {"variant": variant.id, "players": players}
    terms = replace(typed, seed=bytes(SEED_BYTES), rules=variant.default_rules)
    snapshot, _ = start(terms)
    if snapshot.drawn:
        terms, snapshot = typed, begun
        request["dice"] = CLIENT
    else:
        request["seed"] = CLIENT_SEED
    tokens = dict.fromkeys(players, TOKEN)
    return request, created_json(CreatedSession(_view(terms, snapshot), TOKEN, tokens))


def _first_action(terms: Terms, snapshot: Snapshot) -> Answer:
    """The first legal action, with the first allowed value of each of its fields."""
    move = terms.game.known_moves(snapshot.state)[0]
    values = {name: _first(bound_schema(bound)) for name, bound in move.values.items()}
    request: Answer = {"action": move.action, "player": move.player, **values}
    wanted = Action(move.action, move.player, MADE_AT, values)
    below = FairDice(bytes(SEED_BYTES), CLIENT_SEED).below
    _, dice = terms.game.play(snapshot.state, wanted, below)
    if dice:
        request["dice"] = dice
    return request


def _illegal(view: SessionView) -> Answer:
    """The problem for `NO_ACTION` in a session."""
    action = Action(NO_ACTION["action"], view.terms.players[0], MADE_AT)
    refused = refusal(apply_action, view.terms, view.snapshot, action)
    problem = unprocessable(refused, f"{SESSION}/actions", Cause.ILLEGAL_ACTION)
    return {**problem, "actions": actions_json(view)}


def _view(terms: Terms, snapshot: Snapshot) -> SessionView:
    return SessionView(terms, snapshot, None, digest="of an example")


def _first(shape: JsonSchema) -> Any:
    """The first value that `shape`, the bounds in a legal move, allows."""
    if "enum" in shape:
        return shape["enum"][0]
    return shape["minimum"] if "minimum" in shape else shape["default"]

"""A player who knows nothing but what the service answers, and picks from its list of actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.engine.random_play import picked
from tests.whole_games.contract import check_action
from tests.whole_games.real_dice import rolled

Answer = dict[str, Any]

LEAVE, TAKE_BACK = "leave", "take_back"
"""The actions that are listed beside the moves of the game."""

LEAVES, TAKES_BACK = 0.004, 0.02
"""How often a player leaves rather than plays on, and how often somebody takes back."""

RECENT = 6
"""How many versions most mistakes lie back."""

NOT_VALUES = ("action", "player", "dice")


def moves(actions: Sequence[Answer]) -> list[Answer]:
    """The listed `actions` but those to leave and to take back."""
    return [each for each in actions if each["action"] not in (LEAVE, TAKE_BACK)]


def without_zeros(actions: Sequence[Answer], house_rules: Answer) -> Sequence[Answer]:
    """The listed `actions`, but no turn written at once if its box must suit the dice (D17)."""
    if not house_rules.get("zero_only_if_nothing_fits"):
        return actions
    return [each for each in actions if each["action"] != "write"]


def choose(rng: Random, actions: Sequence[Answer], views: Mapping[str | None, Answer]) -> Answer:
    """The body of one of the listed `actions`, with values within its bounds.

    What may be left out sometimes is; to leave and to take back is rare. Dice that are to be typed
    in are rolled at a table on which the dice of all `views` lie, so no points take their place.
    """
    actions = without_zeros(actions, views.get(None, {}).get("house_rules", {}))
    leaving = [each for each in actions if each["action"] == LEAVE]
    back = [each for each in actions if each["action"] == TAKE_BACK]
    kind, plays = rng.random(), moves(actions) or back
    if kind < LEAVES:
        plays = leaving or plays
    elif kind < LEAVES + TAKES_BACK:
        plays = back or plays
    listed = rng.choice(plays)
    body: Answer = {"action": listed["action"]}
    for name, shape in listed.items():
        if name in (*NOT_VALUES, "points") or ("default" in shape and rng.random() < 0.2):
            continue
        body[name] = picked(rng, shape)
    if listed["action"] == TAKE_BACK and rng.random() < 0.9:
        last = listed["to"]["maximum"]
        body["to"] = max(listed["to"]["minimum"], last - rng.randrange(RECENT))
    named = {each["player"] for each in actions if each["action"] == listed["action"]}
    if listed["action"] in (LEAVE, TAKE_BACK) or len(named) > 1 or rng.random() < 0.7:
        body["player"] = listed["player"]
    if "dice" in listed:
        body["dice"] = rolled(rng, listed, body, views)
    check_action(body, listed)
    return body


def choose_badly(rng: Random, actions: Sequence[Answer], players: Sequence[str]) -> Answer:
    """The body of an action that none of `actions` allows."""
    listed = rng.choice((moves(actions) or actions) if rng.random() < 0.8 else actions)
    body: Answer = {"action": listed["action"], "player": listed["player"]}
    for name, shape in listed.items():
        if name not in NOT_VALUES:
            body[name] = picked(rng, shape)
    bad = [{**body, "action": "fly"}, {**body, "luck": 7}, {**body, "dice": "six"}]
    bad.append({**body, "player": "nobody"})
    if "dice" in listed:
        bad += [{**body, "dice": dice} for dice in ([], [9] * listed["dice"]["minItems"])]
    can = {each["player"] for each in actions if each["action"] == listed["action"]}
    bad += [{**body, "player": player} for player in players if player not in can]
    for name, shape in listed.items():
        if name in NOT_VALUES:
            continue
        bad += [{**body, name: value} for value in _beyond(shape)]
        if "default" not in shape:
            bad.append({key: value for key, value in body.items() if key != name})
    return rng.choice(bad)


def _beyond(shape: Mapping[str, Any]) -> list[object]:
    """Values that `shape` doesn't allow."""
    beyond: list[object] = [True, {}, "nothing", 1.5]
    if shape.get("type") == "integer":
        beyond += [shape["minimum"] - 1, shape["maximum"] + shape.get("multipleOf", 1)]
    if shape.get("uniqueItems"):
        most = shape["items"]["maximum"]
        beyond += [[most + 1], [-1], [0, 0], [*range(shape["maxItems"] + 1)]]
    return beyond

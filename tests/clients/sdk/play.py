"""Plays with the packed client: `python play.py PART URL [STORED]`. Prints what it did, as JSON."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, cast

from dice_scoring_client import Options, ServiceError, Session, Unreachable

if TYPE_CHECKING:
    from dice_scoring_client.contract import (
        Action,
        BankAction,
        DicePokerLegalAction,
        DicePokerSession,
        RollAction,
    )

PART, URL, *STORED = sys.argv[1:]
OPTIONS = Options(pause=0.02, attempts=20)
ROLL: RollAction = {"action": "roll"}
BANK: BankAction = {"action": "bank"}


def created() -> list[Session]:
    """A session as Ann sees it, and as Ben does."""
    game = Session.create(
        URL,
        {"variant": "dice-poker", "players": ["ann", "ben"], "house_rules": {"turn_seconds": None}},
        OPTIONS,
    )
    tokens = game.tokens["players"]
    return [Session.join(URL, game.now["id"], tokens[name], OPTIONS) for name in ("ann", "ben")]


def dice_poker(game: Session) -> DicePokerSession:
    """The session as it is now; `variant` tells its type."""
    now = game.now
    assert now["variant"] == "dice-poker"
    return now


def decided(legal: Sequence[DicePokerLegalAction]) -> Action:
    """Scores in the first open box after one roll."""
    for each in legal:
        if each["action"] == "score":
            return cast("Action", {"action": "score", "box": each["box"]["enum"][0]})
    return ROLL


def played(game: Session, player: str) -> list[Action]:
    """Plays for one player to the end, and returns the actions."""
    acted: list[Action] = []
    try:
        while not game.now["state"]["over"]:
            if player in dice_poker(game)["state"]["to_act"]:
                action = decided(dice_poker(game)["actions"])
                game.act(action)
                acted.append(action)
            else:
                game.wait()
    except (ServiceError, Unreachable):
        traceback.print_exc()
        os._exit(1)  # the other player would wait for ever
    return acted


def whole() -> object:
    """A whole game of two devices at the same time."""
    ann, ben = created()
    with ThreadPoolExecutor() as devices:
        acted = list(devices.map(played, [ann, ben], ["ann", "ben"]))
    ben.read()
    now = dice_poker(ben)
    totals = [now["state"]["cards"][player]["total"] for player in ("ann", "ben")]
    history = ann.get("events")
    return {"history": history, "acted": acted, "version": now["version"], "totals": totals}


def started() -> object:
    """A session to go on with."""
    return created()[0].stored


def offline() -> object:
    """Goes on with a session while there is no network."""
    game = Session(json.loads(STORED[0]), Options(attempts=2, pause=0.02))
    try:
        game.act(ROLL)
    except Unreachable:
        game.queue({"action": "score", "box": "chance"})
    return game.stored


def back() -> object:
    """Goes on with it once there is a network."""
    game = Session(json.loads(STORED[0]), OPTIONS)
    version = game.wait()["version"]
    pending = game.stored["pending"]
    return {"history": game.get("events"), "version": version, "pending": pending}


def refusal(game: Session, action: Action) -> object:
    """How an action is refused."""
    try:
        game.act(action)
    except ServiceError as error:
        return {
            "code": error.code,
            "status": error.status,
            "detail": error.detail,
            "errors": error.errors,
            "actions": [legal["action"] for legal in error.actions],
            "temporary": error.temporary,
        }
    raise AssertionError(action)


def refused() -> object:
    """Actions that are refused, and one that waits behind such an action."""
    ann, _ = created()
    other = Session(json.loads(json.dumps(ann.stored)), OPTIONS)
    wrong_player = refusal(other, {"action": "roll", "player": "ben"})
    ann.queue(ROLL)
    ann.queue(BANK)
    return {
        "wrong_player": wrong_player,
        "illegal": refusal(ann, ROLL),
        "pending": ann.stored["pending"],
        "stale": refusal(other, ROLL),
        "version": other.wait()["version"],
        "other": other.stored,
    }


PARTS: dict[str, Callable[[], object]] = {
    "whole": whole,
    "started": started,
    "offline": offline,
    "back": back,
    "refused": refused,
}
print(json.dumps(PARTS[PART]()))

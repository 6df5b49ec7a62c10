"""The turns of each player in the history of a session, as `review` takes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from service.engine.game import TIME_UP
from service.kinds.scorecard.game import CROSS_OUT, ROLL, SCORE

_ENDS = (SCORE.name, CROSS_OUT.name, TIME_UP)
"""The actions that end a turn; the first news of each is about the box."""

Json = Mapping[str, Any]


def turns_of(players: Sequence[str], events: Iterable[Json]) -> dict[str, list[dict[str, Any]]]:
    """The turns of each of `players` on their score cards, in order.

    `events` are those of `GET /v1/sessions/{id}/events`. The last turn may lack its box. A turn
    that the clock ended has the box that the clock chose (D14).
    """
    turns: dict[str, list[dict[str, Any]]] = {player: [] for player in players}
    rolled = False
    for step in (step for event in events for step in (event, *event["then"])):
        action = step["action"]
        ended = step["news"][0] if action in _ENDS else {}
        if not ended and action != ROLL.name:
            continue
        player = ended.get("player", step["player"])
        if not rolled:
            turns[player].append({"rolls": [], "keeps": []})
        turn = turns[player][-1]
        if ended:
            crossed_out = action == CROSS_OUT.name or not rolled
            turn.update(box=ended["box"], crossed_out=crossed_out)
        else:
            if rolled:
                turn["keeps"].append([*step.get("keep", ())])
            turn["rolls"].append([*step["dice"]])
        rolled = not ended
    return turns

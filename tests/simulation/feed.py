"""What must hold for the feed at the end of a simulation, whatever befell it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import orjson

from service.rules.variant import TIME_UP
from service.sessions.result import Result
from tests.simulation.records import Violated
from tests.simulation.redis_server import Stream
from tests.simulation.stored import Stored
from tests.simulation.worker import RESULT_JSON
from tests.whole_games.legal_player import TAKE_BACK


def check(stored: Stored, stream: Stream) -> None:
    """Raises `Violated` unless the entries of a session are those of its versions, in order.

    The clock and computers may make several versions at once, of which the last one has the entry.
    What the clock decides is no news if the same player decides next, such as whether to raise.
    """
    terms = stored.terms
    found = [entry for entry in map(_read, stream) if entry["id"] == terms.id]
    versions = [int(entry["version"]) for entry in found]
    if versions != sorted(set(versions)):
        raise Violated(f"the feed has the versions {versions}")
    actions = [event.steps[0].action for event in stored.events]
    if 1 not in versions:
        raise Violated("the feed doesn't have the new session")
    missing = False
    for one, other in pairwise(stored.views):
        version = other.snapshot.version
        missing |= actions[version - 1] == TAKE_BACK or _turn(one) != _turn(other)
        missing &= version not in versions
        last = version == len(actions)
        goes_on = not last and (actions[version] == TIME_UP or stored.by_computer(version + 1))
        if missing and not goes_on:
            raise Violated(f"the feed has only {versions}, without {version}")
    for entry in found:
        if entry != _expected(stored, int(entry["version"])):
            raise Violated(f"the feed has {entry}")


def _read(fields: Any) -> dict[str, str]:
    texts = [each.decode() for each in fields]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _turn(view: Any) -> tuple[object, ...]:
    """Whose turn it is, and how many have ended."""
    game, state = view.terms.game, view.snapshot.state
    return game.view(state, None)["to_act"], game.ended(state), state.over


def _expected(stored: Stored, version: int) -> dict[str, str]:
    """The entry for a version."""
    terms, snapshot = stored.terms, stored.views[version - 1].snapshot
    state = snapshot.state
    entry = {
        "type": "over" if state.over else "turn",
        "id": terms.id,
        "variant": terms.variant.id,
        "version": str(version),
        "to_act": orjson.dumps(terms.game.view(state, None)["to_act"]).decode(),
    }
    if not state.over:
        return entry
    result = RESULT_JSON(Result.of(terms, snapshot, stored.events[:version]))
    return {**entry, "result": orjson.dumps(result).decode()}

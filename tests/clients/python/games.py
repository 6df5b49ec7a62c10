"""Plays every variant at random with the client of openapi-python-client.

Every session and history that the client parses must become the same JSON again. Prints the names
of the actions in each variant, as JSON.

python games.py URL
"""

from __future__ import annotations

import json
import sys
from random import Random
from typing import Any

from dice_client import AuthenticatedClient, Client, models
from dice_client.api.sessions import act_in_session, create_session, list_session_events

URL = sys.argv[1]
ACTIONS = 60
"""How many actions of each variant are performed, in one game or several."""
TIMES = ("created_at", "expires_at", "ends_at", "at")
"""Fields with a date and time, which attrs classes hold parsed, and write in another format."""


def model(name: str, ending: str) -> Any:
    """The class of the client such as `RollAction`, of the action `roll`."""
    words = name.replace("-", "_").split("_")
    return getattr(models, "".join(word.capitalize() for word in words) + ending)


def untimed(part: Any) -> Any:
    """`part` of a response without dates and times."""
    if isinstance(part, dict):
        return {name: untimed(inner) for name, inner in part.items() if name not in TIMES}
    return [untimed(inner) for inner in part] if isinstance(part, list) else part


def received(response: Any, kind: Any) -> Any:
    """The JSON of `response`; fails unless the client parses it as `kind`, and writes the same."""
    received = json.loads(response.content)
    assert isinstance(response.parsed, kind), (response.status_code, received)
    assert untimed(response.parsed.to_dict()) == untimed(received), received
    return received


def picked(rng: Random, bounds: Any) -> Any:
    """A value within `bounds`."""
    if "enum" in bounds:
        return rng.choice(bounds["enum"])
    if bounds["type"] == "integer":
        step = bounds.get("multipleOf", 1)
        return rng.randrange(bounds["minimum"], bounds["maximum"] + 1, step)
    if bounds.get("uniqueItems"):
        items = range(bounds["items"]["minimum"], bounds["items"]["maximum"] + 1)
        return rng.sample(items, rng.randint(bounds.get("minItems", 0), bounds["maxItems"]))
    return bounds["default"]


def create(variant: str, dice: str) -> Any:
    """A new session of `variant`, as JSON."""
    request = {"variant": variant, "players": ["ann", "ben"], "dice": dice}
    body = model(variant, "SessionRequest").from_dict(request)
    created = create_session.sync_detailed(client=Client(URL), body=body)
    return received(created, model(variant, "NewSession"))


def play(variant: str) -> list[str]:
    """Performs actions in games of `variant`, and returns their names."""
    create(variant, "client")  # its legal actions have the bounds of dice
    rng = Random(variant)
    names: list[str] = []
    while len(names) < ACTIONS:
        session = create(variant, "server")
        table = AuthenticatedClient(URL, token=session["tokens"]["table"])
        while session["actions"] and len(names) < ACTIONS:
            beside = ("leave", "take_back")
            legal = rng.choice([one for one in session["actions"] if one["action"] not in beside])
            action = {
                name: value if isinstance(value, str) else picked(rng, value)
                for name, value in legal.items()
            }
            acted = act_in_session.sync_detailed(
                session["id"],
                client=table,
                body=model(action["action"], "Action").from_dict(action),
                if_match="*",
            )
            session = received(acted, model(variant, "Session"))
            names.append(action["action"])
        history = list_session_events.sync_detailed(session["id"], client=table)
        received(history, model(variant, "SessionHistory"))
    return names


catalogue = Client(URL).get_httpx_client().get("/v1/variants").json()
print(json.dumps({entry["id"]: play(entry["id"]) for entry in catalogue["variants"]}))

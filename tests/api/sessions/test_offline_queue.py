"""A game that was written without a network, and is sent later (docs/scorekeeping.md)."""

from __future__ import annotations

from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from itertools import count

import orjson

from service.variants.dice_poker import VARIANT
from tests.api.sessions.playing import TABLE, UNTIMED, make
from tests.live import Service
from tests.lossy import Loss, lossy

PLAYERS = [f"player {number}" for number in range(1, 9)]


def send(port: int, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, int]:
    """Sends an action again until the service answers; returns the status, and how often."""
    for times in count(1):
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("POST", path, body, headers)
            response = connection.getresponse()
            response.read()
            if response.status != HTTPStatus.BAD_GATEWAY:
                return response.status, times
        except (OSError, HTTPException):
            pass  # the network has lost it, or the response
        finally:
            connection.close()
    raise AssertionError("count has no end")


def test_a_game_over_a_lossy_network(service: Service) -> None:
    """Each turn is numbered ahead and has a key: of 104 turns over a network that loses a fifth of
    all requests and responses, each is written once, in order.
    """
    session = make(service, "dice-poker", *PLAYERS, dice="client", house_rules=UNTIMED)
    turns = [
        {"action": "write", "player": player, "box": box.id, "points": 0}
        for box in VARIANT.boxes
        for player in PLAYERS
    ]
    sent = 0
    with lossy(service.port) as network:
        for version, turn in enumerate(turns, start=1):
            headers = session.headers(TABLE, version, f"turn-{version}")
            path = f"{session.path}/actions"
            status, times = send(network.port, path, orjson.dumps(turn), headers)
            assert status == HTTPStatus.OK
            sent += times
        assert set(network.losses) == {*Loss}
    assert sent == len(turns) + sum(network.losses.values())
    events = session.events().json["events"][1:]
    assert [{name: event[name] for name in turns[0]} for event in events] == turns
    assert len(turns) == 104
    assert session.read().json["state"]["over"]

"""What clients ask in a day: the shares of each sort of request, and games that go on."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.load.connection import Connection, Response, request
from service.variants import variants
from tests.whole_games.legal_player import choose, moves

SHARES = {
    "evaluate": 0.49,
    "rank": 0.12,
    "score": 0.10,
    "advise": 0.05,
    "catalogue": 0.05,
    "action": 0.17,
    "batch of 1,000": 0.018,
    "batch of 50,000": 0.002,
}
"""Of all requests. The first action of a game is its creation."""

GAMES = ("dice-poker", "poker-dice", "texas-holdem-dice", "yahtzee-deluxe")
AT_TABLE = 200
"""Games that are played at the same time."""


class Unexpected(Exception):
    """A response that a client of the contract doesn't expect."""


@dataclass
class Game:
    """A session that is played by the table's token."""

    id: str
    token: str
    tag: str
    actions: list[dict[str, Any]] = field(default_factory=list)


class Day:
    """Requests drawn from a seed; only the dice of sessions are the service's own."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self._games: list[Game] = []
        self._free: list[Game] = []
        self._prepared = {
            sort: self._examples(sort) for sort in ("evaluate", "rank", "score", "advise")
        }
        self._prepared["evaluate"] += [self._roll() for _ in range(200)]
        self._prepared["catalogue"] = [
            *(request("GET", f"/v1/variants/{name}") for name in variants()),
            request("GET", "/v1/variants"),
        ]
        self._prepared["batch of 1,000"] = [self._batch(1_000) for _ in range(5)]
        self._prepared["batch of 50,000"] = [self._batch(50_000) for _ in range(2)]
        self._expected: dict[bytes, int] = {}

    def sort(self) -> str:
        """What the next request is."""
        return self._rng.choices(list(SHARES), list(SHARES.values()))[0]

    async def prepare(self, port: int) -> None:
        """Asks everything once, so that the service has its tables and the status is known."""
        connection = Connection(port)
        for each in (each for requests in self._prepared.values() for each in requests):
            response = await connection.ask(each)
            while response.status == 503:
                await asyncio.sleep(float(response.headers["retry-after"]))
                response = await connection.ask(each)
            self._expected[each] = response.status
        connection.close()

    async def ask(self, sort: str, connection: Connection) -> None:
        """One request. Raises `Unexpected` for any response but the right one, or `OSError`."""
        if sort == "action":
            await self._act(connection)
            return
        asked = self._rng.choice(self._prepared[sort])
        response = await connection.ask(asked)
        if response.status != self._expected[asked]:
            raise Unexpected(f"{sort}: {response.status} {response.body[:200]!r}")

    async def wait(self, connection: Connection) -> str:
        """A device waits for a game to change: "changed", "unchanged" or "asked to poll"."""
        if not self._games:
            await asyncio.sleep(0.1)
            return "unchanged"
        game = self._rng.choice(self._games)
        path = f"/v1/sessions/{game.id}?wait=20"
        asked = request("GET", path, Authorization=f"Bearer {game.token}", If_None_Match=game.tag)
        response = await connection.ask(asked)
        if response.status == 304 and "retry-after" in response.headers:
            await asyncio.sleep(float(response.headers["retry-after"]))
            return "asked to poll"
        if response.status not in (200, 304):
            raise Unexpected(f"wait: {response.status} {response.body[:200]!r}")
        return "changed" if response.status == 200 else "unchanged"

    async def _act(self, connection: Connection) -> None:
        if len(self._games) < AT_TABLE or not self._free:
            await self._begin(connection)
            return
        game = self._free.pop(self._rng.randrange(len(self._free)))
        body = json.dumps(choose(self._rng, moves(game.actions), {})).encode()
        headers = {"Authorization": f"Bearer {game.token}", "If_Match": game.tag}
        asked = request("POST", f"/v1/sessions/{game.id}/actions", body, **headers)
        try:
            self._answered(game, await connection.ask(asked), 200)
        except (Unexpected, OSError):
            self._games.remove(game)
            raise

    async def _begin(self, connection: Connection) -> None:
        name = self._rng.choice(GAMES)
        body: dict[str, Any] = {"variant": name, "players": ["ann", "ben"]}
        if hasattr(variants()[name].house_rules(), "turn_seconds"):
            body["house_rules"] = {"turn_seconds": None}  # turns here last longer than at a table
        game = Game("", "", "")
        asked = request("POST", "/v1/sessions", json.dumps(body).encode())
        self._answered(game, await connection.ask(asked), 201)

    def _answered(self, game: Game, response: Response, status: int) -> None:
        if response.status != status:
            raise Unexpected(f"action: {response.status} {response.body[:200]!r}")
        answer = json.loads(response.body)
        if status == 201:
            game.id, game.token = answer["id"], answer["tokens"]["table"]
            self._games.append(game)
        game.tag, game.actions = response.headers["etag"], answer["actions"]
        if game.actions:
            self._free.append(game)
        else:
            self._games.remove(game)

    def _examples(self, operation: str) -> list[bytes]:
        return [
            _post(f"/v1/variants/{name}/{operation}", example.request)
            for name, variant in variants().items()
            for example in variant.examples
            if example.operation == operation
        ]

    def _roll(self) -> bytes:
        name, dice = self._rng.choice([("dice-poker", 5), ("poker-dice", 5), ("yahtzee-deluxe", 6)])
        return _post(
            f"/v1/variants/{name}/evaluate", {"dice": self._rng.choices(range(1, 7), k=dice)}
        )

    def _batch(self, hands: int) -> bytes:
        rolls = [self._rng.choices(range(1, 7), k=5) for _ in range(hands)]
        return _post("/v1/variants/poker-dice/batch", {"hands": rolls})


def _post(path: str, body: object) -> bytes:
    return request("POST", path, json.dumps(body).encode())

"""Whole games over HTTP: each player has a client of their own, and all play at once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from random import Random
from typing import Any

import pytest

from service.variants import variants
from tests.conftest import ADDED_GAMES
from tests.contract.checker import contract_checker
from tests.live import JSON, Service, running
from tests.whole_games.invariants import check_answer
from tests.whole_games.legal_player import choose, moves
from tests.whole_games.requests import number_of_games, request
from tests.whole_games.results import winners

GAMES = 24
AT_ONCE = 3
"""Games that are played at the same time."""

ACTIONS = 4_000
"""About how many actions are played of each variant: of long games, fewer are played."""

MOST_REQUESTS = 20_000


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """The service with a store of its own."""
    with running(WEB_CONCURRENCY="2") as started:
        yield started


@dataclass
class Client:
    """One device at the table: it acts for `player`, or types in the dice for all (None)."""

    connection: HTTPConnection
    session: str
    token: str
    player: str | None
    rng: Random
    version: int = 0
    tag: str = '""'
    last_tag: str = ""

    def ask(self, method: str, path: str = "", body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status and answer, held to the contract."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        target = f"/v1/sessions/{self.session}{path}"
        self.connection.request(
            method,
            target,
            None if body is None else json.dumps(body),
            {"Authorization": f"Bearer {self.token}", "Content-Type": JSON, **named},
        )
        response = self.connection.getresponse()
        answer = response.read()
        self.last_tag = response.getheader("ETag", "")
        contract_checker().check(
            method, target, response.status, dict(response.getheaders()), answer
        )
        assert self.token.encode() not in answer, "the answer has a token"
        return response.status, json.loads(answer) if answer else None

    def changed(self) -> dict[str, Any] | None:
        """The session once it is another than this client has seen; None if the wait was over."""
        status, answer = self.ask("GET", "?wait=5", If_None_Match=self.tag)
        if status == 304:
            return None
        assert status == 200, answer
        check_answer(answer)
        assert answer["version"] > self.version, "versions rise"
        self.version, self.tag = answer["version"], self.last_tag
        seen: dict[str, Any] = answer
        return seen

    def play(self) -> Counter[str]:
        """Acts whenever it can, until the game is over; how often it did."""
        counts = Counter[str]()
        for _ in range(MOST_REQUESTS):
            answer = self.changed()
            if answer is None:
                continue
            if answer["state"]["over"]:
                return counts
            mine = [each for each in answer["actions"] if self.player in (None, each["player"])]
            if not moves(mine):
                continue
            body = choose(self.rng, mine, {None: answer})
            key = f"{self.version}-{self.rng.getrandbits(64)}"
            headers = {"If_Match": self.tag, "Idempotency_Key": key}
            status, reply = self.ask("POST", "/actions", body, **headers)
            # another client was first, or the clock
            assert status in (200, 412), (body, reply)
            if status == 412:
                counts["refused"] += 1
                continue
            made = reply["version"] - self.version
            assert made == 1 or (made and "computers" in reply), "versions rise by one"
            counts["actions"] += 1
            # sent again it is answered as the first time; its answer isn't taken for news, so that
            # the next request waits for nothing
            if self.rng.random() < 0.1:
                assert self.ask("POST", "/actions", body, **headers) == (200, reply)
        raise AssertionError("the game still goes on")


def played(service: Service, variant: str, number: int) -> Counter[str]:
    """A whole game by clients that all act at once; how many actions they took."""
    rng = Random(f"game {number} of {variant} over HTTP")
    asked = request(rng, variant)
    if variants()[variant].kind == "community":
        asked["dice"] = "server"  # who types dice in would have to know all pockets
    made = service.post("/v1/sessions", asked)
    assert made.status == 201, made.body
    tokens: dict[str | None, str] = {**made.json["tokens"]["players"]}
    if asked["dice"] == "client":
        # real dice lie on one table: one device types in all of them
        tokens = {None: made.json["tokens"]["table"]}
    clients = [
        Client(
            HTTPConnection("127.0.0.1", service.port, timeout=60),
            made.json["id"],
            token,
            player,
            Random(rng.random()),
        )
        for player, token in tokens.items()
    ]
    with ThreadPoolExecutor(len(clients)) as threads:
        counts = sum(threads.map(Client.play, clients), Counter[str]())
    for client in clients:
        with closing(client.connection):
            status, last = client.ask("GET")
            assert status == 200
            assert set(last["state"]["winners"]) == winners(last), "others should have won"
            status, history = client.ask("GET", "/events")
            assert status == 200
            assert len(history["events"]) == last["version"]
    return counts + Counter(games=1)


@pytest.mark.general
def test_games_by_several_clients(
    variant: str,
    service: Service,
    capsys: pytest.CaptureFixture[str],
    pytestconfig: pytest.Config,
    share: int,
) -> None:
    """Clients that act as soon as they may, at the same time, end every game: each answer is as
    the contract says, and of several that act on one version one does.
    """
    with ThreadPoolExecutor(AT_ONCE) as tables:
        games = [tables.submit(played, service, variant, number) for number in range(AT_ONCE)]
        lengths = [game.result()["actions"] for game in games if game.exception() is None]
        # the kinds of added games have been played by the service's own games
        share = max(share, 4) if pytestconfig.getoption(ADDED_GAMES) else share
        most, actions = GAMES // share, ACTIONS // share
        count = number_of_games(most, actions, lengths) if lengths else AT_ONCE
        games += [tables.submit(played, service, variant, n) for n in range(AT_ONCE, count)]
    failed = [(n, error) for n, game in enumerate(games) if (error := game.exception())]
    assert not failed, failed[0]
    counts = sum([game.result() for game in games], Counter[str]())
    with capsys.disabled():
        print(
            f"\n{variant} over HTTP: {counts['games']} games, {counts['actions']} actions, "
            f"{counts['refused']} came too late"
        )
    assert counts["games"] == count
    assert counts["actions"] >= count

"""A further variant of a known kind is one module; nothing else changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.sessions.store.embedded import EmbeddedServer
from service.settings import Settings
from tests.contract.checker import ContractChecker
from tests.live import plain_environment
from tests.sessions import servers


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a store."""
    servers.either()  # or the test is skipped
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("PATH", plain_environment()["PATH"])
        server = EmbeddedServer(tmp_path_factory.mktemp("data"))
    yield server.url
    server.stop()


class Client:
    """A client of a service with one more module; all answers are held to its own contract."""

    def __init__(self, store: str, module: str) -> None:
        settings = Settings(variants=f"tests.trial_games.{module}", redis_url=store)
        self._client: FlaskClient = create_app(settings).test_client()
        self.contract = self._client.get("/openapi.json").get_json()
        self._held = ContractChecker(self.contract)

    def ask(self, method: str, path: str, **sent: Any) -> tuple[Any, str]:
        """The answer as JSON, and its entity tag."""
        reply = self._client.open(path, method=method, **sent)
        self._held.check(method, path, reply.status_code, dict(reply.headers), reply.data)
        assert reply.status_code in (200, 201), reply.text
        return reply.get_json(), reply.headers.get("ETag", "")

    def refused(self, path: str, body: Any) -> list[tuple[str, str]]:
        """Pointers and details of the violations for which a request is refused."""
        reply = self._client.post(path, json=body)
        self._held.check("POST", path, reply.status_code, dict(reply.headers), reply.data)
        assert reply.status_code == 422, reply.text
        return [(error["pointer"], error["detail"]) for error in reply.get_json()["errors"]]

    def play(self, variant: str) -> Any:
        """The state at the end of a game in which the first listed action is taken."""
        asked = {"variant": variant, "players": ["ann", "ben"]}
        made, tag = self.ask("POST", "/v1/sessions", json=asked)
        session = made
        while session["actions"]:
            legal = session["actions"][0]
            body = {"action": legal["action"]}
            if "box" in legal:
                body["box"] = legal["box"]["enum"][0]
            if "amount" in legal:
                body["amount"] = legal["amount"]["maximum"]
            headers = {"Authorization": f"Bearer {made['tokens']['table']}", "If-Match": tag}
            path = f"/v1/sessions/{made['id']}/actions"
            session, tag = self.ask("POST", path, json=body, headers=headers)
        return session["state"]


def ask(store: str, module: str, variant: str, *requests: Any) -> Any:
    """Catalogue entry, paths in the contract, answers, and the end of a game, of a service with one
    more module.
    """
    client = Client(store, module)
    path = f"/v1/variants/{variant}"
    entry, _ = client.ask("GET", path)
    answers = [client.ask("POST", f"{path}/{name}", json=body)[0] for name, body in requests]
    own = {path for path in client.contract["paths"] if variant in path}
    paths = sorted({path, *own})
    return entry, paths, answers, client.play(variant)


def test_a_further_ranking(store: str) -> None:
    """A ranking is in catalogue and contract; it is evaluated, ranked and played in sessions."""
    players = [{"id": "ann", "dice": [2, 2, 5]}, {"id": "ben", "dice": [1, 1, 1]}]
    entry, paths, (evaluated, ranked, batch), state = ask(
        store,
        "three_dice",
        "three-dice",
        ("evaluate", {"dice": [2, 5, 2]}),
        ("rank", {"players": players}),
        ("batch", {"hands": [[2, 5, 2], [1, 1, 1]]}),
    )
    assert (entry["kind"], [rank["id"] for rank in entry["ranks"]]) == (
        "ranking",
        ["triple", "pair", "nothing"],
    )
    assert paths == sorted(entry["links"].values())
    assert (evaluated["rank"], evaluated["best"]) == ("pair", [2, 2, 5])
    assert (ranked["winners"], ranked["places"][0]["reason"]) == (
        ["ben"],
        "Triple beats pair (T1).",
    )
    strengths = [place["strength"] for place in ranked["places"]]
    assert batch == {
        "variant": "three-dice",
        "count": 2,
        "rank": ["pair", "triple"],
        "strength": [evaluated["strength"], strengths[0]],
    }
    stacks = sorted(player["stack"] for player in state["players"])
    assert (state["over"], stacks, len(state["winners"])) == (True, [0, 200], 1)


@pytest.mark.proof
def test_a_ranking_of_seven_dice(store: str) -> None:
    """Groups of any size are ranked, by the highest number, under a tie-break of any name."""
    rolls = {"ann": [5] * 7, "ben": [6] * 7, "cat": [1, 1, 1, 2, 2, 3, 4], "dan": [1] * 6 + [2]}
    entry, _, (evaluated, ranked, batch), state = ask(
        store,
        "seven_dice",
        "seven-dice",
        ("evaluate", {"dice": rolls["cat"]}),
        ("rank", {"players": [{"id": name, "dice": dice} for name, dice in rolls.items()]}),
        ("batch", {"hands": [*rolls.values()]}),
    )
    assert entry["tie_breaks"] == [{"id": "high_dice", "text": "Higher dice win.", "clause": "S2"}]
    assert (evaluated["best"], evaluated["tie_break"]) == (
        [2, 2, 4, 3, 1, 1, 1],
        {"numbers": [2, 4, 3, 1, 1, 1]},
    )
    assert [(place["players"], place["reason"]) for place in ranked["places"]] == [
        (["ben"], "Same rank, seven alike: the group of 7 decides, 6 over 5 (S2)."),
        (["ann"], "Seven alike beats pair (S1)."),
        (["cat"], "Same rank, pair: the pair decides, 2 over 1 (S2)."),
        (["dan"], "The lowest hand here: pair."),
    ]
    strengths = {place["players"][0]: place["strength"] for place in ranked["places"]}
    assert batch["strength"] == [strengths[name] for name in rolls]
    assert state["over"]


@pytest.mark.proof
def test_a_further_score_card(store: str) -> None:
    """A score card is in catalogue and contract; it is evaluated, added up, played in sessions."""
    entry, paths, (evaluated, scored, batch), state = ask(
        store,
        "two_boxes",
        "two-boxes",
        ("evaluate", {"dice": [6, 6]}),
        ("score", {"card": {"sixes": 12}, "turn": {"dice": [3, 3], "box": "pair"}}),
        ("batch", {"hands": [[6, 6], [3, 4]]}),
    )
    assert [box["id"] for box in entry["boxes"]] == ["sixes", "pair"]
    assert paths == sorted(entry["links"].values())
    assert evaluated["scores"] == {"sixes": 12, "pair": 7}
    assert (scored["total"], scored["complete"]) == (20, True)
    assert batch == {
        "variant": "two-boxes",
        "count": 2,
        "scores": {"sixes": [12, 0], "pair": [7, 0]},
    }
    totals = {player: card["total"] for player, card in state["cards"].items()}
    best = max(totals.values())
    assert state["over"]
    assert state["winners"] == [player for player, total in totals.items() if total == best]


def test_a_further_layout(store: str) -> None:
    """A layout is in catalogue and contract; it is evaluated, ranked, scored and played."""
    rolls = [["Ts", "Jm", "Qs", "Ks", "As", "--"], ["Ad"]]
    pair = {"dice": [4, 5], "direction": "across", "row": 0, "column": 0}
    entry, paths, (evaluated, ranked, scored), state = ask(
        store,
        "little_royal",
        "little-royal",
        ("evaluate", {"rolls": rolls, "risk": 5}),
        ("rank", {"players": [{"id": "ann", "rolls": rolls, "risk": 0}]}),
        ("score", {"rolls": rolls, "layout": [pair]}),
    )
    assert (entry["kind"], entry["risk_faces"], entry["hands"][0]["doubles"]) == (
        "layout",
        [0, 2, 5],
        True,
    )
    assert paths == sorted(entry["links"].values())
    assert [(hand["hand"], hand["clause"]) for hand in evaluated["hands"]] == [
        ("straight", "B1"),
        ("pair", "B1"),
    ]
    assert (evaluated["points"], evaluated["score"], evaluated["proven"]) == (70, 350, True)
    assert ranked["places"][0]["reason"] == "A score of 0, and nobody else to compare with."
    assert (scored["points"], scored["best"]["beats_by"]) == (10, 60)
    most = max(state["totals"].values())
    best = [player for player, total in state["totals"].items() if total == most]
    royal = [each["player"] for each in state["news"] if each["what"] == "super_royal"]
    assert (state["over"], state["winners"]) == (True, royal or best)


@pytest.mark.proof
def test_a_risk_die_with_gaps(store: str) -> None:
    """The risk in a request must be a face of the die, which the contract lists."""
    client = Client(store, "little_royal")
    rolls = [["Ts", "Jm", "Qs", "Ks", "As", "Ad"]]
    path = "/v1/variants/little-royal/evaluate"
    assert client.refused(path, {"rolls": rolls, "risk": 1}) == [
        ("/risk", "must be one of 0, 2, 5")
    ]
    schema = client.contract["components"]["schemas"]["LittleRoyalEvaluateRequest"]
    assert schema["properties"]["risk"] == {
        "description": "If it was rolled: 0, 2 or 5; 0 is a blank.",
        "type": ["integer", "null"],
        "minimum": 0,
        "maximum": 5,
    }

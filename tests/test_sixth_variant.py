"""A further variant of a known kind is one new module; nothing else changes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.kinds.ranking.hand_table import TieBreak
from service.kinds.ranking.variant import Ranking
from service.rules.dice import Dice, Suit
from service.rules.house_rules import HouseRules
from service.sessions.store.embedded import EmbeddedServer
from tests.contract.held import Held
from tests.live import ROOT, plain_environment
from tests.sessions import servers

RANKING = """
from service.rules.dice import Dice
from service.kinds.ranking.hand_table import Rank, TieBreak
from service.rules.house_rules import HouseRules
from service.rules.patterns import Alike, AnyDice
from service.kinds.ranking.variant import Ranking
from service.rules.variant import Example

VARIANT = Ranking(
    id="three-dice",
    name="Three dice",
    summary="Three dice: triples beat pairs.",
    dice=Dice(count=3),
    rolls=1,
    players=(2, 9),
    house_rules=HouseRules,
    clauses={"T1": "Triples beat pairs.", "T2": "Higher numbers win."},
    hand_size=3,
    ranks=(
        Rank("triple", Alike((3,)), "three alike", "T1"),
        Rank("pair", Alike((2,)), "two alike", "T1"),
        Rank("nothing", AnyDice(), "any dice", "T1"),
    ),
    tie_breaks=(TieBreak("numbers", "Higher numbers win.", "T2"),),
    tied="equal hands tie (T2).",
    examples=(Example("evaluate", "A pair", {"dice": [2, 2, 5]}),),
)
"""

SEVEN = """
from service.rules.dice import Dice
from service.kinds.ranking.hand_table import Rank, TieBreak
from service.rules.house_rules import HouseRules
from service.rules.patterns import Alike
from service.kinds.ranking.variant import Ranking
from service.rules.variant import Example

VARIANT = Ranking(
    id="seven-dice",
    name="Seven dice",
    summary="Seven dice: all alike, or a pair.",
    dice=Dice(count=7),
    rolls=1,
    players=(2, 9),
    house_rules=HouseRules,
    clauses={"S1": "Seven alike beat a pair.", "S2": "Higher dice win."},
    hand_size=7,
    ranks=(
        Rank("seven_alike", Alike((7,)), "seven alike", "S1"),
        Rank("pair", Alike((2,)), "two alike, as all other dice hold", "S1"),
    ),
    tie_breaks=(TieBreak("high_dice", "Higher dice win.", "S2"),),
    tied="equal hands tie (S2).",
    examples=(Example("evaluate", "A pair", {"dice": [2, 2, 5, 1, 3, 4, 6]}),),
)
"""

CARD = """
from service.rules.dice import Dice
from service.rules.house_rules import HouseRules
from service.rules.patterns import Alike
from service.kinds.scorecard.boxes import Fixed, LowerBox, UpperBonus, UpperBox
from service.kinds.scorecard.variant import ScoreCard
from service.rules.variant import Example

VARIANT = ScoreCard(
    id="two-boxes",
    name="Two boxes",
    summary="Sixes, and a pair.",
    dice=Dice(count=2),
    rolls=1,
    players=(1, None),
    house_rules=HouseRules,
    clauses={"B1": "Two boxes.", "B2": "The higher total wins."},
    boxes=(UpperBox("sixes", 6, "B1"), LowerBox("pair", Alike((2,)), Fixed(7), "two alike", "B1")),
    upper_bonus=UpperBonus({12: 1}, "B1"),
    order="B2",
    tie="B2",
    examples=(Example("score", "A pair of sixes", {"card": {"sixes": 12, "pair": 7}}),),
)
"""

ASK = """
import json, sys
from service.app import create_app
client = create_app().test_client()
asked = []
def ask(method, path, **sent):
    reply = client.open(path, method=method, **sent)
    asked.append([method, path, reply.status_code, dict(reply.headers), reply.text])
    return reply
variant, *requests = json.load(sys.stdin)
entry = ask("GET", f"/v1/variants/{variant}").json
contract = ask("GET", "/openapi.json").json
answers = [ask("POST", f"/v1/variants/{variant}/{name}", json=body).json for name, body in requests]
made = ask("POST", "/v1/sessions", json={"variant": variant, "players": ["ann", "ben"]})
token = {"Authorization": f"Bearer {made.json['tokens']['table']}"}
session = made
while session.json["actions"]:
    legal = session.json["actions"][0]
    body = {"action": legal["action"]}
    if "box" in legal:
        body["box"] = legal["box"]["enum"][0]
    if "amount" in legal:
        body["amount"] = legal["amount"]["maximum"]
    path = f"/v1/sessions/{made.json['id']}/actions"
    headers = {**token, "If-Match": session.headers["ETag"]}
    session = ask("POST", path, json=body, headers=headers)
    assert session.status_code == 200, session.text
json.dump([entry, contract, answers, session.json["state"], asked], sys.stdout)
"""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a store."""
    servers.either()  # or the test is skipped
    monkeypatch.setenv("PATH", plain_environment()["PATH"])
    server = EmbeddedServer(tmp_path / "data")
    yield server.url
    server.stop()


def ask(folder: Path, store: str, module: str, variant: str, *requests: Any) -> Any:
    """Catalogue entry, paths, answers, and the end of a game, of a copy of the service with one
    more module. All that it answers is held to its own contract.
    """
    shutil.copytree(ROOT / "service", folder / "service")
    (folder / "service" / "variants" / "further.py").write_text(module)
    asked = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=folder,
        env={**plain_environment(), "REDIS_URL": store},
        input=json.dumps([variant, *requests]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode == 0, asked.stderr
    entry, contract, answers, state, replies = json.loads(asked.stdout)
    own = Held(contract)
    for method, path, status, headers, body in replies:
        own.check(method, path, status, headers, body.encode())
    return entry, sorted(path for path in contract["paths"] if variant in path), answers, state


def test_a_further_ranking(tmp_path: Path, store: str) -> None:
    """A ranking is in catalogue and contract; it is evaluated, ranked and played in sessions."""
    players = [{"id": "ann", "dice": [2, 2, 5]}, {"id": "ben", "dice": [1, 1, 1]}]
    entry, paths, (evaluated, ranked, batch), state = ask(
        tmp_path,
        store,
        RANKING,
        "three-dice",
        ("evaluate", {"dice": [2, 5, 2]}),
        ("rank", {"players": players}),
        ("batch", {"hands": [[2, 5, 2], [1, 1, 1]]}),
    )
    assert (entry["kind"], [rank["id"] for rank in entry["ranks"]]) == (
        "ranking",
        ["triple", "pair", "nothing"],
    )
    path = "/v1/variants/three-dice"
    assert paths == [path, *(f"{path}/{name}" for name in ("batch", "evaluate", "rank"))]
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


def test_a_ranking_of_seven_dice(tmp_path: Path, store: str) -> None:
    """Groups of any size are ranked, by the highest number, under a tie-break of any name."""
    rolls = {"ann": [5] * 7, "ben": [6] * 7, "cat": [1, 1, 1, 2, 2, 3, 4], "dan": [1] * 6 + [2]}
    entry, _, (evaluated, ranked, batch), state = ask(
        tmp_path,
        store,
        SEVEN,
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


@pytest.mark.parametrize(
    ("suits", "tie_breaks", "missing"),
    [
        ((), (), "compares numbers"),
        ((Suit("r", "red"),), (TieBreak("n", "", "S1"),), "compares the most dice of one suit"),
    ],
)
def test_a_ranking_says_how_ties_are_broken(
    suits: tuple[Suit, ...], tie_breaks: tuple[TieBreak, ...], missing: str
) -> None:
    """A description without the clause by which hands are compared is refused when it is made."""
    with pytest.raises(ValueError, match=f"few needs a tie-break that {missing}"):
        Ranking(
            id="few",
            name="Few",
            summary="",
            dice=Dice(count=2, suits=suits),
            rolls=1,
            players=(1, None),
            house_rules=HouseRules,
            clauses={},
            examples=(),
            hand_size=2,
            ranks=(),
            tie_breaks=tie_breaks,
            tied="",
        )


def test_a_further_score_card(tmp_path: Path, store: str) -> None:
    """A score card is in catalogue and contract; it is evaluated, added up, played in sessions."""
    entry, paths, (evaluated, scored, batch), state = ask(
        tmp_path,
        store,
        CARD,
        "two-boxes",
        ("evaluate", {"dice": [6, 6]}),
        ("score", {"card": {"sixes": 12}, "turn": {"dice": [3, 3], "box": "pair"}}),
        ("batch", {"hands": [[6, 6], [3, 4]]}),
    )
    assert [box["id"] for box in entry["boxes"]] == ["sixes", "pair"]
    path = "/v1/variants/two-boxes"
    assert paths == [path, *(f"{path}/{name}" for name in ("batch", "evaluate", "rank", "score"))]
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

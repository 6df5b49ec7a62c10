"""The statements of docs/sessions.md, compared with what sessions do."""

from __future__ import annotations

import json
import re

from service.kinds.registry import GAMES
from service.variants import own_variants
from tests.live import JSON, ROOT, Service

PAGE = ROOT / "docs" / "sessions.md"


def rows() -> list[str]:
    """The rows of the table of actions, as the games declare them.

    The page describes in words the action to leave, which all games have, and those for the stages
    of a hand beyond the fourth.
    """
    found = []
    for name, variant in own_variants().items():
        named = (
            action.name
            for action in GAMES.of(variant).actions(variant)
            if "_stage_" not in action.name
        )
        actions = ", ".join(f"`{action}`" for action in dict.fromkeys(named))
        found.append(f"| `{name}` | `{variant.kind}` | {actions} |")
    return found


def test_actions_are_as_the_games_declare_them() -> None:
    """The table has the actions of every game; the contract says what each does."""
    _, table = PAGE.read_text().split("| game | kind | actions |\n| --- | --- | --- |\n")
    assert table.split("\n\n")[0].splitlines() == rows()


def test_requests_are_taken_as_printed(service: Service) -> None:
    """The page's new session can be made; its roll is what the game takes after a first one."""
    new, _, roll = map(json.loads, re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL))
    made = service.post("/v1/sessions", {**new, "dice": "client"})
    assert service.post("/v1/sessions", new).status == made.status == 201
    path = f"/v1/sessions/{made.json['id']}/actions"
    headers = {"Authorization": f"Bearer {made.json['tokens']['players']['ann']}"}
    answer = made
    for action in {"action": "roll", "dice": [6, 2, 6, 3, 1]}, roll:
        headers |= {"Content-Type": JSON, "If-Match": answer.headers["ETag"]}
        answer = service.ask("POST", path, json.dumps(action).encode(), headers)
        assert answer.status == 200
        assert answer.json["state"]["turn"]["dice"] == action["dice"]


def test_bounds_are_as_printed(service: Service) -> None:
    """The page's actions are those after a roll; only the open boxes are fewer there."""
    _, printed, _ = map(json.loads, re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL))
    made = service.post("/v1/sessions", {"variant": "dice-poker", "players": ["ann"]})
    headers = {
        "Authorization": f"Bearer {made.json['tokens']['table']}",
        "Content-Type": JSON,
        "If-Match": '"1"',
    }
    path = f"/v1/sessions/{made.json['id']}/actions"
    answer = service.ask("POST", path, b'{"action": "roll"}', headers).json
    boxes = {"type": "string", "enum": list(answer["state"]["cards"]["ann"]["scores"])}
    assert answer["actions"] == [
        {**action, "box": boxes} if "box" in action else action for action in printed
    ]

"""The clients in `clients/`, packed and installed, play through a network that loses a fifth."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import FOLDER, NODE_MODULES, run
from tests.live import ROOT, Service
from tests.lossy import Loss, Lossy, lossy

MOST_BYTES = 8192
"""How large the client for TypeScript may be, bundled, minified and gzipped."""

Play = Callable[..., Any]
"""Plays a part of the programs in `sdk/`, with the URL and further arguments; returns its JSON."""


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the package for npm and the wheel."""
    folder = tmp_path_factory.mktemp("packed")
    run((str(ROOT / "clients/pack"), str(folder)), folder)
    return folder


@pytest.fixture(scope="session")
def project(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in strict TypeScript that installed the package; `made` has its program."""
    folder = tmp_path_factory.mktemp("typescript")
    (package,) = packed.glob("*.tgz")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    run(("npm", "install", "--offline", str(package)), folder)
    for source in ("tsconfig.json", "sdk/play.ts"):
        (folder / Path(source).name).write_text((FOLDER / source).read_text())
    run((str(NODE_MODULES / ".bin/tsc"),), folder)
    return folder


def typescript(project: Path) -> Play:
    """Plays in node."""
    return lambda *arguments: json.loads(run(("node", "made/play.js", *arguments), project))


@pytest.fixture(scope="session")
def environment(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment of Python with the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("python")
    (wheel,) = packed.glob("*.whl")
    run((sys.executable, "-m", "venv", "--without-pip", "venv"), folder)
    pip = (sys.executable, "-m", "pip", "--python", "venv", "--disable-pip-version-check")
    run((*pip, "install", "--quiet", "--no-index", str(wheel)), folder)
    return folder


def python(environment: Path) -> Play:
    """Plays in that environment."""
    program = (str(environment / "venv/bin/python"), str(FOLDER / "sdk/play.py"))
    return lambda *arguments: json.loads(run((*program, *arguments), environment))


@pytest.fixture(params=["typescript", "python"])
def play(request: pytest.FixtureRequest) -> Play:
    """The program of each language."""
    if request.param == "typescript":
        return typescript(request.getfixturevalue("project"))
    return python(request.getfixturevalue("environment"))


@pytest.fixture
def network(own_service: Service) -> Iterator[Lossy]:
    """A lossy network before the service."""
    with lossy(own_service.port) as network:
        yield network


def performed(history: Any, player: str) -> list[dict[str, Any]]:
    """The actions of a player in a history, with the values that the programs send."""
    return [
        {name: event[name] for name in ("action", "box") if event.get(name)}
        for event in history["events"]
        if event["player"] == player
    ]


def test_a_whole_game(play: Play, network: Lossy) -> None:
    """Two devices play 13 turns each: the history has each action that they made once, in order,
    and no other, although requests and responses were lost in every way.
    """
    seen = play("whole", network.url)
    history = seen["history"]
    assert [performed(history, player) for player in ("ann", "ben")] == seen["acted"]
    assert [len(acted) for acted in seen["acted"]] == [26, 26]
    assert [event["version"] for event in history["events"]] == [*range(1, 54)]
    assert seen["version"] == 53
    assert all(network.losses[loss] for loss in Loss), network.losses


def test_actions_without_a_network(play: Play, network: Lossy) -> None:
    """Two actions are stored while there is no network; the program that goes on with them sends
    them in order.
    """
    started = play("started", network.url)
    network.off()
    stored = play("offline", network.url, json.dumps(started))
    assert [item["action"]["action"] for item in stored["pending"]] == ["roll", "score"]
    assert [item["version"] for item in stored["pending"]] == [1, None]
    assert stored | {"pending": []} == started
    network.on()
    seen = play("back", network.url, json.dumps(stored))
    actions = [event["action"] for event in seen["history"]["events"]]
    assert (actions, seen["version"], seen["pending"]) == (["create", "roll", "score"], 3, [])


def test_an_action_whose_response_was_lost(play: Play, network: Lossy) -> None:
    """An action that was performed before the program ended is not performed again by the next."""
    started = play("started", network.url)
    network.off()
    stored = play("offline", network.url, json.dumps(started))
    network.on()
    for _ in range(2):
        seen = play("back", network.url, json.dumps(stored))
        assert [event["version"] for event in seen["history"]["events"]] == [1, 2, 3]


def test_refusals(play: Play, network: Lossy) -> None:
    """A refusal has its code, violations and legal actions. It ends the actions behind it, and not
    those before it; after a stale version, the client waits for no change.
    """
    seen = play("refused", network.url)
    wrong_player, illegal, stale = (seen[name] for name in ("wrong_player", "illegal", "stale"))
    legal = ["roll", "score", "cross_out"]
    assert [wrong_player["status"], illegal["status"], stale["status"]] == [403, 422, 412]
    assert [wrong_player["actions"], illegal["actions"], stale["actions"]] == [[], legal, []]
    assert illegal["errors"] == [
        {"pointer": "/action", "detail": f"must be one of {', '.join(legal)} now"}
    ]
    assert not any(each["temporary"] for each in (wrong_player, illegal, stale))
    assert (seen["pending"], seen["version"]) == ([], 2)


def test_python_types(environment: Path) -> None:
    """Strict mypy accepts the program, with the types in the wheel."""
    interpreter = f"--python-executable={environment}/venv/bin/python"
    program = str(FOLDER / "sdk/play.py")
    config = f"--config-file={environment}/none.ini"
    (environment / "none.ini").write_text("[mypy]\n")
    run((sys.executable, "-m", "mypy", "--strict", config, interpreter, program), environment)


def test_size(project: Path) -> None:
    """The client for TypeScript is small, as a page would bundle it."""
    (project / "page.js").write_text('export * from "dice-scoring-client";')
    esbuild = str(NODE_MODULES / ".bin/esbuild")
    options = ("--bundle", "--minify", "--format=esm", "--platform=browser")
    bundled = run((esbuild, "page.js", *options), project)
    assert len(gzip.compress(bundled.encode())) <= MOST_BYTES

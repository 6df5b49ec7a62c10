"""The clients in `clients/`, packed and installed, play through a network that loses a fifth."""

from __future__ import annotations

import gzip
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import FOLDER, NODE_MODULES, run
from tests.clients.page import BLOCK, HERE, PRINTED
from tests.live import JSON, ROOT, Service, running
from tests.lossy import Loss, Lossy, lossy
from tests.sessions import servers
from tests.sessions.servers import until

PAGE = (ROOT / "docs/clients.md").read_text()

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


def example(language: str, service: Service) -> str:
    """The program of the page in a language, with the address of the service."""
    (section,) = re.findall(r"^## Clients for sessions$.*?^## ", PAGE, re.DOTALL | re.MULTILINE)
    programs: dict[str, str] = dict(BLOCK.findall(section))
    return programs[language].replace(HERE, f"http://127.0.0.1:{service.port}")


@pytest.fixture(scope="session")
def project(packed: Path, own_service: Service, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in strict TypeScript that installed the package; `made` has its programs."""
    folder = tmp_path_factory.mktemp("typescript")
    (package,) = packed.glob("*.tgz")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    run(("npm", "install", "--offline", str(package)), folder)
    for source in ("tsconfig.json", "sdk/play.ts"):
        (folder / Path(source).name).write_text((FOLDER / source).read_text())
    (folder / "example.ts").write_text(example("ts", own_service))
    run((str(NODE_MODULES / ".bin/tsc"),), folder)
    return folder


def typescript(project: Path) -> Play:
    """Plays in node."""
    return lambda *arguments: json.loads(run(("node", "made/play.js", *arguments), project))


@pytest.fixture(scope="session")
def environment(
    packed: Path, own_service: Service, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A folder with a new environment of Python, which has the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("python")
    (wheel,) = packed.glob("*.whl")
    run((sys.executable, "-m", "venv", "--without-pip", "venv"), folder)
    pip = (sys.executable, "-m", "pip", "--python", "venv", "--disable-pip-version-check")
    run((*pip, "install", "--quiet", "--no-index", str(wheel)), folder)
    (folder / "example.py").write_text(example("python", own_service))
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


def asked(service: Service, stored: Any, action: object, version: int) -> Any:
    """The problem that the service answers an action with, if a plain client sends it."""
    headers = {
        "Authorization": f"Bearer {stored['token']}",
        "Content-Type": JSON,
        "If-Match": f'"{version}"',
    }
    path = f"/v1/sessions/{stored['now']['id']}/actions"
    return service.ask("POST", path, json.dumps(action).encode(), headers).json


def busy(service: Service) -> int:
    """How many requests for new sessions got 503."""
    count = (
        'dice_http_request_duration_seconds_count{method="POST",route="/v1/sessions",status="503"} '
    )
    metrics = service.get("/metrics").body.decode()
    return sum(
        int(float(line.removeprefix(count))) for line in metrics.splitlines() if count in line
    )


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
    """Two actions are stored while there is no network. A program that goes on with them sends them
    in order; another one that does the same performs nothing twice.
    """
    started = play("started", network.url)
    network.off()
    stored = play("offline", network.url, json.dumps(started))
    assert [item["action"]["action"] for item in stored["pending"]] == ["roll", "score"]
    assert [item["version"] for item in stored["pending"]] == [1, None]
    assert stored | {"pending": []} == started
    network.on()
    for _ in range(2):
        seen = play("back", network.url, json.dumps(stored))
        actions = [event["action"] for event in seen["history"]["events"]]
        assert (actions, seen["version"], seen["pending"]) == (["create", "roll", "score"], 3, [])


def test_refusals(play: Play, network: Lossy, own_service: Service) -> None:
    """A refusal has its code, violations and legal actions. It ends the actions behind it, and not
    those before it; after a stale version, the client waits for no change.
    """
    seen = play("refused", network.url)
    assert (seen["pending"], seen["version"]) == ([], 2)
    for name, action, version, status in (
        ("wrong_player", {"action": "roll", "player": "ben"}, 2, 403),
        ("illegal", {"action": "bank"}, 2, 422),
        ("stale", {"action": "roll"}, 1, 412),
    ):
        problem = asked(own_service, seen["other"], action, version)
        assert seen[name] == {
            "code": problem["type"].rpartition("/")[2],
            "status": status,
            "detail": problem["detail"],
            "errors": problem.get("errors", []),
            "actions": [legal["action"] for legal in problem.get("actions", [])],
            "temporary": False,
        }


def test_a_service_that_is_busy(play: Play) -> None:
    """A request that gets 503 is sent again after `Retry-After`, here until there is a store."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(REDIS_URL=f"unix://{folder}/s") as service,
        ThreadPoolExecutor() as pool,
    ):
        started = pool.submit(play, "started", f"http://127.0.0.1:{service.port}")
        until(lambda: busy(service) >= 2, "the client has asked twice")
        with servers.on_a_socket(servers.either(), Path(folder)):
            assert started.result()["now"]["version"] == 1


def test_python_types(environment: Path) -> None:
    """Strict mypy accepts the client with its types, and the programs that use it."""
    interpreter = f"--python-executable={environment}/venv/bin/python"
    mypy = (sys.executable, "-m", "mypy", "--strict", "--config-file=", interpreter)
    run((*mypy, "--package=dice_scoring_client"), environment)
    run((*mypy, str(FOLDER / "sdk/play.py")), environment)
    run((*mypy, "example.py"), environment)


def test_examples(project: Path, environment: Path, own_service: Service) -> None:
    """The programs of the page print what their comments say."""
    commands = {
        "ts": (("node", "made/example.js"), project),
        "python": (("venv/bin/python", "example.py"), environment),
    }
    for language, (command, folder) in commands.items():
        printed = PRINTED.findall(example(language, own_service))
        assert run(command, folder).splitlines() == printed


def test_size(project: Path) -> None:
    """The client for TypeScript is small, as a page would bundle it."""
    (project / "page.js").write_text('export * from "dice-scoring-client";')
    esbuild = str(NODE_MODULES / ".bin/esbuild")
    options = ("--bundle", "--minify", "--format=esm", "--platform=browser")
    bundled = run((esbuild, "page.js", *options), project)
    assert len(gzip.compress(bundled.encode())) <= MOST_BYTES

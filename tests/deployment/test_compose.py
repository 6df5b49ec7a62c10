"""compose.yaml: its schema, what each container may do, and the store's options in a real store."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.settings import Settings
from tests.deployment.sizing import needed, needed_tmp, size
from tests.live import ROOT, free_port
from tests.sessions.servers import Direct, answers, either, until

FILE = ROOT / "compose.yaml"
SETTINGS = {setting.name.upper() for setting in fields(Settings)}


@pytest.fixture(scope="module")
def stack() -> Any:
    """The file."""
    return yaml.safe_load(FILE.read_text())


def test_schema() -> None:
    """The file follows the Compose Specification."""
    checker = Path(sys.executable).with_name("check-jsonschema")
    command = [sys.executable, str(checker), "--builtin-schema", "vendor.compose-spec", str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok -- validation done\n", "")


def test_each_container_can_do_little(stack: Any) -> None:
    """All have a pinned image, a read-only root, no capabilities, and a health check."""
    for container in stack["services"].values():
        assert re.fullmatch(r"[a-z/-]+:\d+\.\d+\.\d+(-alpine)?", container["image"])
        assert container["read_only"] is True
        assert container["cap_drop"] == ["ALL"]
        assert container["security_opt"] == ["no-new-privileges:true"]
        assert container["healthcheck"]["test"][0] == "CMD"
        assert container["restart"] == "unless-stopped"


def test_memory(stack: Any) -> None:
    """The service has the memory that it needs: `/tmp` counts, too."""
    container = stack["services"]["service"]
    (workers,) = re.findall(r":-(\d+)}", container["environment"]["WEB_CONCURRENCY"])
    (tmp,) = re.findall(r"^/tmp:size=(\w+),", container["tmpfs"][0])
    assert needed_tmp(int(workers)) <= size(tmp)
    assert needed(int(workers)) + needed_tmp(int(workers)) <= size(container["mem_limit"])


def test_requests_are_logged(stack: Any) -> None:
    """The service writes a line for each request, which the proxy doesn't."""
    environment = stack["services"]["service"]["environment"]
    assert (environment["LOG_FORMAT"], environment["ACCESS_LOG"]) == ("json", "-")


def test_only_the_proxy_is_reached_from_outside(stack: Any) -> None:
    """The store has a network without a way out, which the proxy isn't on."""
    containers = stack["services"]
    assert [name for name, each in containers.items() if "ports" in each] == ["proxy"]
    assert containers["proxy"]["networks"] == ["front"]
    assert containers["service"]["networks"] == ["front", "back"]
    assert containers["store"]["networks"] == ["back"]
    assert stack["networks"] == {"front": None, "back": {"internal": True}}


def test_what_is_named_is_there(stack: Any) -> None:
    """Every variable is a setting; volumes, files and dependencies exist."""
    containers = stack["services"]
    assert set(containers["service"]["environment"]) <= SETTINGS
    for container in containers.values():
        assert set(container.get("depends_on", {})) <= set(containers)
        for volume in container["volumes"]:
            source, _ = volume.split(":", 1)
            assert (ROOT / source).is_file() if "/" in source else source in stack["volumes"]
    assert containers["store"]["networks"] == ["back"]
    assert containers["service"]["environment"]["REDIS_URL"] == "redis://store:6379/0"


def test_the_store_keeps_games(stack: Any, tmp_path: Path) -> None:
    """The store's options, in a real store: an append-only file, and no eviction."""
    binary, port = either(), free_port()
    command = stack["services"]["store"]["command"]
    assert command[0] == "valkey-server"
    assert "/data" in command
    options = [str(tmp_path) if word == "/data" else word for word in command[1:]]
    # The parts of the command stay together.
    # fmt: off
    store = subprocess.Popen(
        [binary, *options, "--bind", "127.0.0.1", "--port", str(port)], stdout=subprocess.DEVNULL
    )
    # fmt: on
    url = f"redis://127.0.0.1:{port}"
    try:
        until(lambda: answers(url), "the store answers")
        with closing(Direct(url)) as client:
            wanted = {
                "appendonly": "yes",
                "appendfsync": "everysec",
                "maxmemory": "536870912",
                "maxmemory-policy": "noeviction",
                "dir": str(tmp_path),
            }
            found: Any = client.config_get(*wanted)
            assert found == wanted
    finally:
        store.terminate()
        store.wait(timeout=30)

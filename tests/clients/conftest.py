"""Generates each client once, with the command of `docs/clients.md`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.clients.page import HERE, Section, sections
from tests.live import Service

FOLDER = Path(__file__).parent
BIN = Path(sys.executable).parent
NODE_MODULES = BIN.parent / "npm/node_modules"


@dataclass(frozen=True)
class Client:
    """A client that was generated."""

    section: Section
    """What the page says about it."""

    folder: Path
    """Where its command ran."""

    output: str
    """What the generator printed."""

    url: str
    """The address of the service."""

    def copy(self, source: str, name: str) -> None:
        """Copies `source`, a file in `tests/clients`, into the folder as `name`."""
        self.write(name, (FOLDER / source).read_text())

    def write(self, name: str, text: str) -> None:
        """Writes a file into the folder, with the address of the service."""
        (self.folder / name).write_text(text.replace(HERE, self.url))

    def run(self, *command: str, stdin: str = "") -> str:
        """The output of `command` in the folder; fails if the command does."""
        return run(command, self.folder, stdin)


def run(command: tuple[str, ...], folder: Path, stdin: str = "") -> str:
    """The output of `command` in `folder`, with the tools of `.venv`; fails if the command does."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "PYTHONPATH": str(folder),
            "npm_config_offline": "true",  # npx runs what is installed, and downloads nothing
            "REDOCLY_TELEMETRY": "off",
            "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
        },
        input=stdin,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def generate(
    own_service: Service, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Client]:
    """A function that generates the client of a section of the page, or returns it if it did."""
    url = f"http://127.0.0.1:{own_service.port}"

    @cache
    def generated(title: str) -> Client:
        section = sections()[title]
        folder = tmp_path_factory.mktemp("client")
        for name in ("package.json", "tsconfig.json"):
            shutil.copy(FOLDER / name, folder)
        (folder / "node_modules").symlink_to(NODE_MODULES)
        command = section.command.replace(HERE, url)
        output = run(("sh", "-eu", "-c", f"exec 2>&1\n{command}"), folder)
        return Client(section, folder, output, url)

    return generated

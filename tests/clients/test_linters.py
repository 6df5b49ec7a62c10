"""The contract keeps the rules of Redocly and Spectral that their configurations leave on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.clients.conftest import FOLDER, NODE_MODULES, run
from tests.live import ROOT

CONTRACT = ROOT / "service/contract/openapi.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder where npx finds the linters."""
    (tmp_path / "node_modules").symlink_to(NODE_MODULES)
    return tmp_path


def test_redocly_finds_nothing(folder: Path) -> None:
    """Redocly's recommended rules: no error and no warning."""
    config = f"--config={FOLDER}/redocly.yaml"
    printed = run(("npx", "redocly", "lint", str(CONTRACT), config, "--format=json"), folder)
    assert json.loads(printed)["problems"] == []


def test_spectral_finds_nothing(folder: Path) -> None:
    """Spectral's rules for OpenAPI: no error, no warning and no hint."""
    ruleset = f"--ruleset={FOLDER}/spectral.yaml"
    printed = run(
        ("npx", "spectral", "lint", str(CONTRACT), ruleset, "--quiet", "--format=json"), folder
    )
    assert json.loads(printed) == []

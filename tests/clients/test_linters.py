"""The contract keeps the rules of Redocly and Spectral that their configurations leave on.

So does that of each game alone.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from service.contract.write import contract_of
from service.variants import own_variants
from tests.clients.conftest import FOLDER, NODE_MODULES, run
from tests.live import ROOT

CONTRACTS = ("all.json", *(f"{variant}.json" for variant in own_variants()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the contracts, where npx finds the linters."""
    (tmp_path / "node_modules").symlink_to(NODE_MODULES)
    (tmp_path / "all.json").symlink_to(ROOT / "service/contract/openapi.json")
    for variant in own_variants().values():
        (tmp_path / f"{variant.id}.json").write_bytes(contract_of([variant], "json"))
    return tmp_path


def test_redocly_finds_nothing(folder: Path) -> None:
    """Redocly's recommended rules: no error and no warning."""
    config = f"--config={FOLDER}/redocly.yaml"
    printed = run(("npx", "redocly", "lint", *CONTRACTS, config, "--format=json"), folder)
    reports = json.loads(f"[{printed.replace('}{', '},{')}]")  # one of each file, unseparated
    assert [report["problems"] for report in reports] == [[] for _ in CONTRACTS]


def test_spectral_finds_nothing(folder: Path) -> None:
    """Spectral's rules for OpenAPI: no error, no warning and no hint."""
    ruleset = f"--ruleset={FOLDER}/spectral.yaml"
    printed = run(
        ("npx", "spectral", "lint", *CONTRACTS, ruleset, "--quiet", "--format=json"), folder
    )
    assert json.loads(printed) == []

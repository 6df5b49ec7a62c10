"""The scripts of the page agree with each other and with the contract."""

from __future__ import annotations

import json
from pathlib import Path

from tests.clients.conftest import NODE_MODULES, run
from tests.live import ROOT

PAGE = ROOT / "service/page"


def test_types_of_the_page(tmp_path: Path) -> None:
    """TypeScript finds no wrong type in any script, whose games are those of the contract."""
    (tmp_path / "node_modules").symlink_to(NODE_MODULES)
    contract = str(ROOT / "service/contract/openapi.json")
    run(("npx", "openapi-typescript", contract, "--output", "contract.ts"), tmp_path)
    options = {"paths": {"contract": [str(tmp_path / "contract.ts")]}}
    config = {"extends": str(PAGE / "tsconfig.json"), "compilerOptions": options}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    assert run(("npx", "tsc", "--project", "."), tmp_path) == ""
    scripts = [path.read_text() for path in (PAGE / "static").rglob("*.js")]
    assert len(scripts) > 10
    assert not any("@ts-nocheck" in script or "@ts-ignore" in script for script in scripts)

"""Only the edge of the service reads the environment; everything else is given its settings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import service

SERVICE = Path(service.__file__).parent

EDGE = {
    "app.py": {"from_environment"},  # for servers that call create_app() without settings
    "batch/outcomes.py": {"variants()"},  # for Python, which has no settings
    "cli/folders/cluster.py": {"variants()"},
    "cli/folders/games.py": {"variants()"},
    "cli/healthcheck.py": {"from_environment"},
    "cli/own_settings.py": {"environ", "from_environment"},
    "cli/match.py": {"variants()"},
    "cli/request.py": {"variants()"},
    "cli/serve.py": {"environ", "from_environment"},
    "cli/simulate.py": {"variants()"},
    "cli/verify.py": {"variants()"},
    "server.py": {"from_environment"},
    "sessions/store/embedded.py": {"environ"},  # passes it on to a process
    "settings.py": {"environ"},
    "tables/prepare.py": {"from_environment"},
    "tables/serving.py": {"environ"},  # passes it on to a process
    "variants/__init__.py": {"environ"},  # for variants()
    "traces.py": {"environ"},  # OTEL_*, which OpenTelemetry itself reads, too
}
"""What each module at the edge reads."""


def reads(module: Path) -> Iterator[str]:
    """How a module reads the environment: itself, as settings, or as VARIANTS."""
    text = module.read_text()
    if "env" not in text and "variants()" not in text:
        return
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if "env" in name:
                yield name
            case ast.ImportFrom(module="os", names=names):
                yield from (each.name for each in names if "env" in each.name)
            case ast.Attribute(attr="from_environment" as name):
                yield name
            case ast.Call(func=ast.Name(id="variants"), args=[], keywords=[]):
                yield "variants()"


def test_only_the_edge_reads_the_environment() -> None:
    """Settings are read once and passed on: nothing within the service reads them again."""
    found = {
        str(module.relative_to(SERVICE)): names
        for module in SERVICE.rglob("*.py")
        if (names := set(reads(module)))
    }
    assert found == EDGE

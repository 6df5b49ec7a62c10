"""The installed package: the service finds its games by their entry points."""

from __future__ import annotations

import tomllib
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path

from service.variants import GROUP, variants

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
DECLARED: dict[str, str] = PROJECT["entry-points"][GROUP]


def test_entry_points_are_installed() -> None:
    """The metadata of the installed package has the entry points that pyproject.toml declares."""
    installed = distribution(PROJECT["name"]).entry_points.select(group=GROUP)
    assert {point.name: point.value for point in installed} == DECLARED


def test_games_are_found_by_their_entry_points() -> None:
    """Without the setting VARIANTS, the service has the games of the installed package."""
    found = variants("")
    for module in DECLARED.values():
        variant = import_module(module).VARIANT
        assert found[variant.id] is variant

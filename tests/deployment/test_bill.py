"""build/sbom.json, which make sbom writes, against the lock files."""

from __future__ import annotations

import json
import re

import pytest
from packaging.requirements import Requirement

from tests.live import ROOT

FILE = ROOT / "build" / "sbom.json"


def locked(lock: str) -> dict[str, str]:
    """The packages of a lock file that this platform needs, with their versions."""
    lines = (ROOT / "requirements" / f"{lock}.txt").read_text().splitlines()
    needed = [Requirement(line.rstrip(" \\")) for line in lines if not line.startswith(" ")]
    return {
        each.name: str(each.specifier).removeprefix("==")
        for each in needed
        if each.marker is None or each.marker.evaluate()
    }


@pytest.mark.skipif(not FILE.exists(), reason="needs build/sbom.json: make sbom")
def test_bill_is_complete() -> None:
    """It has each package of the image, as locked, with its licence, and nothing else."""
    bill = json.loads(FILE.read_text())
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == (
        "CycloneDX",
        "dice-scoring-service",
    )
    found = {
        re.sub(r"[-_.]+", "-", part["name"]).lower(): part["version"] for part in bill["components"]
    }
    assert found == locked("run")
    assert [part["name"] for part in bill["components"] if not part.get("licenses")] == []
    assert {part["purl"].split("@")[0] for part in bill["components"]} == {
        f"pkg:pypi/{name}" for name in found
    }

"""Builds folders of `deploy/kustomize` with kubectl, and checks them against Kubernetes schemas."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NEEDS_KUBECTL = pytest.mark.skipif(
    shutil.which("kubectl") is None, reason="needs kubectl: apt-get install kubernetes-client"
)

VERSIONS = ["1.27", "1.32", "1.37"]
"""Releases of Kubernetes, old and new."""


def build(folder: Path) -> str:
    """What `kubectl kustomize` makes of the folder, as YAML."""
    command = ["kubectl", "kustomize", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def build_overlay(page: Path, overlay: Path) -> str:
    """What the folder `overlay` becomes with the `kustomization.yaml` that a page writes.

    Skips the test if kubectl is too old for it.
    """
    about = subprocess.run(["kubectl", "version", "--client"], capture_output=True, text=True)
    if "Kustomize Version" not in about.stdout:
        pytest.skip("needs kubectl 1.26 or later, whose overlays can name a folder")
    (written,) = re.findall(r"<<'END'\n(.*?)END\n", page.read_text(), re.DOTALL)
    overlay.mkdir()
    (overlay / "kustomization.yaml").write_text(written)
    return build(overlay)


def valid(built: str, version: str, tmp_path: Path) -> list[str]:
    """The objects, as `kind/name` in order; fails if `version` doesn't know one of their fields."""
    file = tmp_path / "built.yaml"
    file.write_text(built)
    checker = Path(sys.executable).with_name("kubernetes-validate")
    command = [sys.executable, str(checker), "--strict", "--kubernetes-version", version, str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted(re.findall(r"passed for resource (\S+) against", done.stdout))

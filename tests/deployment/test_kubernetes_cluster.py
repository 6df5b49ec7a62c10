"""deploy/kustomize/cluster: built by kubectl, against Kubernetes' schemas, and its commands run."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from service import __version__
from tests.live import ROOT, free_port

CLUSTER = ROOT / "deploy" / "kustomize" / "cluster"

pytestmark = pytest.mark.skipif(
    shutil.which("kubectl") is None, reason="needs kubectl: apt-get install kubernetes-client"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `kubectl kustomize` makes of the folder."""
    file = tmp_path_factory.mktemp("built") / "built.yaml"
    command = ["kubectl", "kustomize", str(CLUSTER)]
    file.write_text(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return file


@pytest.fixture(scope="module")
def pods(built: Path) -> dict[str, Any]:
    """The templates of pods, by their component."""
    objects = [*yaml.safe_load_all(built.read_text())]
    templates = [each["spec"]["template"] for each in objects if "template" in each["spec"]]
    return {each["metadata"]["labels"]["app.kubernetes.io/component"]: each for each in templates}


@pytest.mark.parametrize("version", ["1.27", "1.32", "1.37"])
def test_schemas(built: Path, version: str) -> None:
    """Each object has only fields that Kubernetes knows, old releases and new ones."""
    checker = Path(sys.executable).with_name("kubernetes-validate")
    command = [str(checker), "--strict", "--kubernetes-version", version, str(built)]
    done = subprocess.run(command, capture_output=True, text=True)
    passed = re.findall(r"passed for resource (\S+) against", done.stdout)
    assert (done.returncode, sorted(passed)) == (
        0,
        [
            "deployment/dice-cluster-scheduler",
            "deployment/dice-cluster-worker",
            "job/dice-cluster-score",
            "networkpolicy/dice-cluster",
            "service/dice-cluster",
        ],
    ), done.stdout + done.stderr


def test_each_pod_can_do_little(pods: dict[str, Any]) -> None:
    """All pods run without root and write only to their volumes, from an image of this release."""
    assert sorted(pods) == ["job", "scheduler", "worker"]
    for pod in pods.values():
        spec = pod["spec"]
        (container,) = spec["containers"]
        assert container["image"] == f"dice-scoring-cluster:{__version__}"
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["automountServiceAccountToken"] is False
        assert container["securityContext"] == {
            "readOnlyRootFilesystem": True,
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
        }
        mounted = {each["name"] for each in container["volumeMounts"]}
        assert mounted == {each["name"] for each in spec["volumes"]}


def test_the_commands(pods: dict[str, Any], tmp_path: Path) -> None:
    """The commands of the pods, with the folders of this machine, score a folder together."""
    pytest.importorskip("distributed", reason="needs distributed: make cluster installs it")
    from tests.cluster.folders import manifest, started, write_rolls

    port = free_port()
    for number in range(3):
        write_rolls(tmp_path / "rolls" / f"{number}.parquet", 1_000, seed=number)

    folders = {"/app": ROOT, None: ROOT}  # the image's own is /app

    def run(component: str, *more: str) -> subprocess.Popen[str]:
        (container,) = pods[component]["spec"]["containers"]
        words = [*container["command"], *container.get("args", [])]
        here = {
            "tcp://dice-cluster:8786": f"tcp://127.0.0.1:{port}",
            "8786": str(port),
            "/rolls/rolls": str(tmp_path / "rolls"),
            "/rolls/scores": str(tmp_path / "scores"),
            "/tmp": str(tmp_path),
        }
        assert words[:2] == ["python", "-m"], "a script doesn't find the service in its folder"
        there = [here.get(word, word) for word in words[1:]]
        folder = folders[container.get("workingDir")]
        return started([sys.executable, *there, *more], folder)

    local = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    around = [run(each, *local) for each in ("scheduler", "worker")]
    try:
        job = run("job")
        _, said = job.communicate(timeout=120)
        assert job.returncode == 0, said
    finally:
        for process in around:
            process.terminate()
            process.communicate()
    assert manifest(tmp_path / "scores")["rows"] == 3_000


def test_the_overlay_of_the_page(tmp_path: Path) -> None:
    """The overlay in docs/many-machines.md has its own namespace and image."""
    about = subprocess.run(["kubectl", "version", "--client"], capture_output=True, text=True)
    if "Kustomize Version" not in about.stdout:
        pytest.skip("needs kubectl 1.26 or later, whose overlays can name a folder")
    page = (ROOT / "docs" / "many-machines.md").read_text()
    (overlay,) = re.findall(r"<<'END'\n(.*?)END\n", page, re.DOTALL)
    (tmp_path / "scoring").mkdir()
    (tmp_path / "scoring" / "kustomization.yaml").write_text(overlay)
    shutil.copytree(CLUSTER, tmp_path / "deploy" / "kustomize" / "cluster")
    command = ["kubectl", "kustomize", str(tmp_path / "scoring")]
    built = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    objects = [*yaml.safe_load_all(built)]
    assert {each["metadata"]["namespace"] for each in objects} == {"dice"}
    pods = [each["spec"]["template"]["spec"] for each in objects if "template" in each["spec"]]
    images = {container["image"] for pod in pods for container in pod["containers"]}
    assert images == {f"registry.example/dice-scoring-cluster:{__version__}"}

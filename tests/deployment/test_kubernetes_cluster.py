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
from service.cli.command import CommandError, TryAgain
from tests.cli.commands import started
from tests.deployment.kustomize import NEEDS_KUBECTL, VERSIONS, build, build_overlay, valid
from tests.live import ROOT, free_port

CLUSTER = ROOT / "deploy" / "kustomize" / "cluster"

pytestmark = NEEDS_KUBECTL


@pytest.fixture(scope="module")
def built() -> str:
    """The folder as kubectl builds it."""
    return build(CLUSTER)


@pytest.fixture(scope="module")
def pods(built: str) -> dict[str, Any]:
    """The templates of pods, by their component."""
    objects = [*yaml.safe_load_all(built)]
    templates = [each["spec"]["template"] for each in objects if "template" in each["spec"]]
    return {each["metadata"]["labels"]["app.kubernetes.io/component"]: each for each in templates}


@pytest.mark.parametrize("version", VERSIONS)
def test_schemas(built: str, version: str, tmp_path: Path) -> None:
    """Each object has only fields that Kubernetes knows, old releases and new ones."""
    assert valid(built, version, tmp_path) == [
        "deployment/dice-cluster-scheduler",
        "deployment/dice-cluster-worker",
        "job/dice-cluster-score",
        "networkpolicy/dice-cluster",
        "service/dice-cluster",
    ]


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
    from tests.cluster.folders import manifest, write_rolls

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


def test_a_job_that_cannot_end_well(built: str) -> None:
    """What must be mended first fails the job; after all else, such as a scheduler that is gone,
    Kubernetes starts it again.
    """
    (job,) = [each for each in yaml.safe_load_all(built) if each["kind"] == "Job"]
    (rule,) = job["spec"]["podFailurePolicy"]["rules"]
    assert (rule["action"], rule["onExitCodes"]) == (
        "FailJob",
        {"containerName": "score", "operator": "In", "values": [CommandError.status]},
    )
    assert TryAgain.status not in rule["onExitCodes"]["values"]
    assert job["spec"]["template"]["spec"]["restartPolicy"] == "Never"  # such a policy needs it
    (container,) = job["spec"]["template"]["spec"]["containers"]
    assert container["name"] == "score"


def test_the_claim_of_the_page(pods: dict[str, Any]) -> None:
    """The claim in docs/many-machines.md is the one that the pods mount, in the same namespace as
    the overlay; several nodes can write it.
    """
    page = (ROOT / "docs" / "many-machines.md").read_text()
    (written,) = re.findall(r"<<'CLAIM'\n(.*?)CLAIM\n", page, re.DOTALL)
    claim = yaml.safe_load(written)
    volumes = [each for pod in pods.values() for each in pod["spec"]["volumes"]]
    mounted = {
        each["persistentVolumeClaim"]["claimName"]
        for each in volumes
        if "persistentVolumeClaim" in each
    }
    assert mounted == {claim["metadata"]["name"]}
    assert (claim["kind"], claim["metadata"]["namespace"], claim["spec"]["accessModes"]) == (
        "PersistentVolumeClaim",
        "dice",
        ["ReadWriteMany"],
    )
    assert (
        page.index("create namespace dice") < page.index("<<'CLAIM'") < page.index("--kustomize s")
    )


def test_the_scheduler_allows_as_many_failures_as_the_command(pods: dict[str, Any]) -> None:
    """A part may lose as many workers as on the command's own cluster, and as on the page."""
    pytest.importorskip("distributed", reason="needs distributed: make cluster installs it")
    from service.cli.folders.cluster import SETTINGS

    name = "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"
    (container,) = pods["scheduler"]["spec"]["containers"]
    (value,) = [each["value"] for each in container["env"] if each["name"] == name]
    assert value == str(SETTINGS["distributed.scheduler.allowed-failures"])
    assert f"{name}={value} " in (ROOT / "docs" / "many-machines.md").read_text()


def test_the_overlay_of_the_page(tmp_path: Path) -> None:
    """The overlay in docs/many-machines.md has its own namespace and image."""
    shutil.copytree(CLUSTER, tmp_path / "deploy" / "kustomize" / "cluster")
    built = build_overlay(ROOT / "docs" / "many-machines.md", tmp_path / "scoring")
    objects = [*yaml.safe_load_all(built)]
    assert {each["metadata"]["namespace"] for each in objects} == {"dice"}
    pods = [each["spec"]["template"]["spec"] for each in objects if "template" in each["spec"]]
    images = {container["image"] for pod in pods for container in pod["containers"]}
    assert images == {f"registry.example/dice-scoring-cluster:{__version__}"}

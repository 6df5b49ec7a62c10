"""deploy/kustomize/base: built by kubectl, against Kubernetes' schemas, and beside the image."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from service import __version__
from service.server import graceful_timeout
from service.settings import Settings
from tests.live import ROOT, Service

BASE = ROOT / "deploy" / "kustomize" / "base"
NAME = {"app.kubernetes.io/name": "dice-scoring"}

pytestmark = pytest.mark.skipif(
    shutil.which("kubectl") is None, reason="needs kubectl: apt-get install kubernetes-client"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `kubectl kustomize` makes of the folder."""
    file = tmp_path_factory.mktemp("built") / "built.yaml"
    command = ["kubectl", "kustomize", str(BASE)]
    file.write_text(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return file


@pytest.fixture(scope="module")
def objects(built: Path) -> dict[str, Any]:
    """The objects, by kind."""
    return {each["kind"]: each for each in yaml.safe_load_all(built.read_text())}


@pytest.mark.parametrize("version", ["1.27", "1.32", "1.37"])
def test_schemas(built: Path, version: str) -> None:
    """Each object has only fields that Kubernetes knows, old releases and new ones."""
    checker = Path(sys.executable).with_name("kubernetes-validate")
    command = [str(checker), "--strict", "--kubernetes-version", version, str(built)]
    done = subprocess.run(command, capture_output=True, text=True)
    passed = re.findall(r"passed for resource (\w+)/dice-scoring against", done.stdout)
    assert (done.returncode, sorted(passed)) == (
        0,
        [
            "deployment",
            "horizontalpodautoscaler",
            "networkpolicy",
            "poddisruptionbudget",
            "service",
        ],
    ), done.stdout + done.stderr


def test_all_mean_the_same_pods(objects: dict[str, Any]) -> None:
    """Every selector selects the pods of the deployment, and so does the autoscaler."""
    deployment = objects["Deployment"]
    assert deployment["spec"]["template"]["metadata"]["labels"] == NAME
    assert deployment["spec"]["selector"] == {"matchLabels": NAME}
    assert objects["Service"]["spec"]["selector"] == NAME
    assert objects["PodDisruptionBudget"]["spec"]["selector"] == {"matchLabels": NAME}
    assert objects["NetworkPolicy"]["spec"]["podSelector"] == {"matchLabels": NAME}
    assert objects["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"] == {
        "apiVersion": deployment["apiVersion"],
        "kind": "Deployment",
        "name": deployment["metadata"]["name"],
    }


def test_the_container_is_as_the_image(objects: dict[str, Any], service: Service) -> None:
    """Its variables are settings, its port, user and version the image's; probes are answered, and
    requests are logged.
    """
    pod = objects["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    dockerfile = (ROOT / "Dockerfile").read_text()
    assert {each["name"] for each in container["env"]} <= {
        setting.name.upper() for setting in fields(Settings)
    }
    written = {each["name"]: each.get("value") for each in container["env"]}
    assert (written["LOG_FORMAT"], written["ACCESS_LOG"]) == ("json", "-")
    assert container["image"] == f"dice-scoring:{__version__}"
    assert f"org.opencontainers.image.version={__version__} " in dockerfile
    assert f"EXPOSE {container['ports'][0]['containerPort']}\n" in dockerfile
    security = pod["securityContext"]
    assert f"USER {security['runAsUser']}:{security['runAsGroup']}\n" in dockerfile
    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    for probe in "startupProbe", "livenessProbe", "readinessProbe":
        assert service.get(container[probe]["httpGet"]["path"]).status == 200


def test_requests_have_time_to_finish(objects: dict[str, Any]) -> None:
    """A pod isn't killed before preStop and the service's own limit for requests are over."""
    pod = objects["Deployment"]["spec"]["template"]["spec"]
    word, seconds = pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"]
    assert word == "sleep"
    assert pod["terminationGracePeriodSeconds"] >= int(seconds) + graceful_timeout + 5


def test_the_overlay_of_the_readme(tmp_path: Path) -> None:
    """The overlay that the README writes has its own namespace and image."""
    about = subprocess.run(["kubectl", "version", "--client"], capture_output=True, text=True)
    if "Kustomize Version" not in about.stdout:
        pytest.skip("needs kubectl 1.26 or later, whose overlays can name a folder")
    (overlay,) = re.findall(r"<<'END'\n(.*?)END\n", (ROOT / "README.md").read_text(), re.DOTALL)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "kustomization.yaml").write_text(overlay)
    shutil.copytree(BASE, tmp_path / "base")
    command = ["kubectl", "kustomize", str(tmp_path / "mine")]
    built = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    objects = {each["kind"]: each for each in yaml.safe_load_all(built)}
    assert {each["metadata"]["namespace"] for each in objects.values()} == {"dice"}
    (container,) = objects["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["image"] == f"registry.example/dice-scoring:{__version__}"

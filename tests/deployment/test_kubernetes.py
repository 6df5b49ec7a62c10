"""deploy/kustomize/base: built by kubectl, against Kubernetes' schemas, and beside the image."""

from __future__ import annotations

import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from service import __version__
from service.server import graceful_timeout
from service.settings import Settings
from tests.deployment.kustomize import NEEDS_KUBECTL, VERSIONS, build, build_overlay, valid
from tests.deployment.sizing import needed, needed_tmp, size
from tests.live import ROOT, Service

BASE = ROOT / "deploy" / "kustomize" / "base"
NAME = {"app.kubernetes.io/name": "dice-scoring"}

pytestmark = NEEDS_KUBECTL


@pytest.fixture(scope="module")
def built() -> str:
    """The folder as kubectl builds it."""
    return build(BASE)


@pytest.fixture(scope="module")
def objects(built: str) -> dict[str, Any]:
    """The objects, by kind."""
    return {each["kind"]: each for each in yaml.safe_load_all(built)}


@pytest.mark.parametrize("version", VERSIONS)
def test_schemas(built: str, version: str, tmp_path: Path) -> None:
    """Each object has only fields that Kubernetes knows, old releases and new ones."""
    assert valid(built, version, tmp_path) == [
        "deployment/dice-scoring",
        "horizontalpodautoscaler/dice-scoring",
        "networkpolicy/dice-scoring",
        "poddisruptionbudget/dice-scoring",
        "service/dice-scoring",
    ]


def test_memory(objects: dict[str, Any]) -> None:
    """A pod has the memory that the service needs; its `/tmp` is on a disk."""
    pod = objects["Deployment"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    environment = {each["name"]: each.get("value") for each in container["env"]}
    workers = int(environment["WEB_CONCURRENCY"])
    volumes = {each["name"]: each["emptyDir"] for each in pod["volumes"]}
    assert volumes["tmp"].keys() == {"sizeLimit"}  # no `medium: Memory`
    assert needed_tmp(workers) <= size(volumes["tmp"]["sizeLimit"])
    assert needed(workers) <= size(container["resources"]["limits"]["memory"])


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


def test_the_overlay_of_the_page(tmp_path: Path) -> None:
    """The overlay that docs/operations.md writes has its own namespace and image."""
    shutil.copytree(BASE, tmp_path / "base")
    built = build_overlay(ROOT / "docs" / "operations.md", tmp_path / "mine")
    objects = {each["kind"]: each for each in yaml.safe_load_all(built)}
    assert {each["metadata"]["namespace"] for each in objects.values()} == {"dice"}
    (container,) = objects["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert container["image"] == f"registry.example/dice-scoring:{__version__}"

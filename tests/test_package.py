"""The package as `pip install .` makes it, in an environment of its own, outside the checkout."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree, ignore_patterns
from sysconfig import get_path
from zipfile import ZipFile

import pytest

import service
from tests.live import ROOT, Output, Service, free_port, plain_environment

HAND = ("advise", "poker-dice", "--dice", "6,2,6,1,6", "--to-beat", "5,5,5,5,6", "--rolls-left")

SERVICE_SOURCE = Path(service.__file__).parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built from a copy, as setuptools writes beside the sources."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (source / name).write_bytes((ROOT / name).read_bytes())
    copytree(SERVICE_SOURCE, source / "service", ignore=ignore_patterns("__pycache__"))
    build = "from setuptools.build_meta import build_wheel; build_wheel('.')"
    subprocess.run([sys.executable, "-c", build], cwd=source, capture_output=True, check=True)
    (built,) = source.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of an environment with the package, which borrows what the package needs."""
    environment = tmp_path_factory.mktemp("environment")
    made = [sys.executable, "-m", "venv", "--without-pip", str(environment)]
    subprocess.run(made, check=True)
    scripts = environment / "bin"
    packages = environment / Path(get_path("purelib")).relative_to(sys.prefix)
    (packages / "borrowed.pth").write_text(get_path("purelib"))
    install = ["install", "--no-index", "--no-deps", str(wheel)]
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--python", str(scripts / "python"), *install], check=True)
    return scripts


def ran(command: list[str | Path], folder: Path, **settings: str) -> tuple[int, str, str]:
    """The exit status of a command that runs in a folder, and what it prints to both streams."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**plain_environment(), **settings},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_all_files_are_packed(wheel: Path) -> None:
    """The package has every file of the folder `service`: code, py.typed, pages and contract; but
    none that only readers and checks of the sources need.
    """
    unneeded = {"page/tsconfig.json", "page/types.d.ts"}
    with ZipFile(wheel) as packed:
        names = [name for name in packed.namelist() if name.startswith("service/")]
    found = {name.removeprefix("service/") for name in names if not name.endswith(".md")}
    sources = {
        str(file.relative_to(SERVICE_SOURCE))
        for file in SERVICE_SOURCE.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and file.suffix != ".md"
    }
    assert found == sources - unneeded
    assert {"py.typed", "contract/openapi.json", "page/static/index.html"} <= found


@pytest.mark.fault
@pytest.mark.parametrize("module", [False, True], ids=["dice-scoring", "python -m service"])
def test_command(installed: Path, module: bool, tmp_path: Path) -> None:
    """The command and the module do the same, and help shows what was typed."""
    start: list[str | Path] = [installed / "dice-scoring"]
    typed = "dice-scoring"
    if module:
        start, typed = [installed / "python", "-m", "service"], "python -m service"
    assert ran([*start, "--version"], tmp_path) == (0, "dice-scoring 0.1.0\n", "")
    status, printed, errors = ran([*start, *HAND, "1", "--limit", "1"], tmp_path)
    assert (status, errors, printed.splitlines()[0]) == (0, "", "chance: 30.56 %")
    wrong = "--rolls-left must be a whole number between 0 and 2\n"
    assert ran([*start, *HAND, "9"], tmp_path) == (2, "", wrong)
    status, printed, errors = ran([*start, "score", "--help"], tmp_path)
    assert (status, errors) == (0, "")
    assert printed.startswith(f"usage: {typed} score [-h]")
    assert f"\n  {typed} score --variant dice-poker rolls.parquet -o scores.parquet\n" in printed


@contextmanager
def serving(command: list[str | Path], folder: Path) -> Iterator[Service]:
    """A service that runs in a folder; stopped afterwards."""
    port = free_port()
    own = {"PORT": str(port), "WEB_CONCURRENCY": "1", "PREPARE_TABLES": "0"}
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**plain_environment(), **own, "REDIS_URL": "redis://127.0.0.1:1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            output = Output(process)
            output.wait_for("Ctrl-C")
            yield Service(port, process, output)
        finally:
            process.terminate()


@pytest.mark.fault
@pytest.mark.parametrize("words", [[], ["serve"]], ids=["no command", "serve"])
def test_serving(installed: Path, words: list[str], tmp_path: Path) -> None:
    """The command serves, also without a word: the service itself, its page and its contract."""
    with serving([installed / "dice-scoring", *words], tmp_path) as service:
        assert service.get("/livez").status == 200
        for path, file in {
            "/play": "page/static/index.html",
            "/openapi.yaml": "contract/openapi.yaml",
        }.items():
            reply = service.get(path)
            assert (reply.status, len(reply.body) > 0) == (200, True), file
    assert service.process.returncode == 0


@pytest.mark.fault
@pytest.mark.parametrize("file", ["service/__init__.py", "service.py"])
def test_a_foreign_service(installed: Path, file: str, tmp_path: Path) -> None:
    """Another package of this name in the working directory is named as the cause why the service
    doesn't start there. Commands work.
    """
    foreign = tmp_path / file
    foreign.parent.mkdir(exist_ok=True)
    foreign.touch()
    command = installed / "dice-scoring"
    assert ran([command, "serve"], tmp_path) == (
        1,
        "",
        f"The service can't start here: gunicorn would import {foreign}, which has the same name "
        "as the service's own package. Start it in another folder.\n",
    )
    assert ran([command, *HAND, "1", "--limit", "1"], tmp_path)[0] == 0


@pytest.mark.fault
def test_a_foreign_service_as_a_module(installed: Path, tmp_path: Path) -> None:
    """Python itself refuses to run the other package, in the words of docs/library.md."""
    (tmp_path / "service").mkdir()
    (tmp_path / "service" / "__init__.py").touch()
    status, printed, errors = ran([installed / "python", "-m", "service"], tmp_path)
    said = "No module named service.__main__; 'service' is a package"
    refused = f"{installed / 'python'}: {said} and cannot be directly executed\n"
    assert (status, printed, errors) == (1, "", refused)
    assert said in (ROOT / "docs" / "library.md").read_text()


@pytest.mark.fault
def test_a_folder_that_is_no_package(installed: Path, tmp_path: Path) -> None:
    """A folder `service` without Python code is in nobody's way."""
    (tmp_path / "service").mkdir()
    with serving([installed / "python", "-m", "service"], tmp_path) as service:
        assert service.get("/livez").status == 200


def test_importing_batch_imports_no_game() -> None:
    """`import service.batch` takes little longer than NumPy: everything else waits for the first
    hand.
    """
    program = "import sys, service.batch; print(*sorted(set(sys.modules) & {*sys.argv[1:]}))"
    heavy = ["numpy", "pyarrow", "flask", "marshmallow", "service.variants", "service.kinds"]
    done = subprocess.run(
        [sys.executable, "-c", program, *heavy],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "numpy\n"

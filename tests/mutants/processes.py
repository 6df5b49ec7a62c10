"""Tests of modules that run in processes of their own, over a copy of the project with a mutant.

A mutant of another module is imported in place of it, in a fork. The processes that these tests
start read their modules from files, so the mutant must be in one.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, TimeoutExpired, run

_STORE = "tests/sessions/store"

TESTS = {
    "service/sessions/store/embedded.py": (
        f"{_STORE}/test_url.py",
        f"{_STORE}/test_embedded.py",
        f"{_STORE}/test_embedded_private.py",
        f"{_STORE}/test_supervised.py",
    ),
    "service/sessions/store/login.py": ("tests/api/sessions/store/test_refusals.py",),
    "service/sessions/store/private_folder.py": (
        f"{_STORE}/test_private_folder.py",
        f"{_STORE}/test_embedded_private.py",
    ),
    "service/sessions/store/supervisor.py": (
        f"{_STORE}/test_supervised.py",
        f"{_STORE}/test_embedded.py",
    ),
}
"""The tests of each such module. They take up to two minutes if they notice nothing."""

_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build")

_NO_PLUGINS = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"

_LONGEST = 600
"""Seconds after which tests have noticed a mutant: it makes something wait for ever."""


def survives_in_processes(path: Path, source: str) -> bool:
    """Whether the tests of the module in `path` pass with `source` in place of it."""
    _check_tests(path)
    return _pass(path, source)


@cache
def _check_tests(path: Path) -> None:
    """Fails if the tests of the module don't pass as it is: then they would notice anything."""
    assert _pass(path, path.read_text()), f"the tests of {path} fail"


def _pass(path: Path, source: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(".", copy, symlinks=True, ignore=_LEFT_OUT)
        (copy / path).write_text(source)
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
        try:
            done = run(
                [*command, "--numprocesses=0", *TESTS[str(path)]],
                cwd=copy,
                env={name: each for name, each in os.environ.items() if name != _NO_PLUGINS},
                stdout=DEVNULL,
                stderr=DEVNULL,
                timeout=_LONGEST,
            )
        except TimeoutExpired:
            return False
    return done.returncode == 0

"""Tests of modules that run in processes of their own, over a copy of the project with a mutant.

A mutant of another module is imported in place of it, in a fork. The processes that these tests
start read their modules from files, so the mutant must be in one.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, TimeoutExpired, run

_STORE = "tests/sessions/store"

TESTS = {
    "service/sessions/store/embedded.py": (
        f"{_STORE}/test_data_folder.py",
        f"{_STORE}/test_embedded.py",
        f"{_STORE}/test_embedded_refused.py",
        f"{_STORE}/test_embedded_private.py",
        f"{_STORE}/test_supervised.py",
    ),
    "service/sessions/store/supervisor.py": (
        f"{_STORE}/test_data_folder.py",
        f"{_STORE}/test_embedded_private.py",
        f"{_STORE}/test_supervised.py",
        f"{_STORE}/test_embedded.py",
    ),
}
"""The tests of each such module, those of `make proofs` included. They take up to three minutes if
they notice nothing."""

_OF_SESSIONS = ("tests/api/sessions",)
"""The tests of all other modules of sessions: clients of a live service."""

_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build")

_NO_PLUGINS = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"

_LONGEST = 600
"""Seconds after which tests have noticed a mutant: it makes something wait for ever."""


def survives_in_processes(path: Path, source: str) -> bool:
    """Whether the tests of the module in `path` pass with `source` in place of it.

    Only modules of sessions have such tests.
    """
    if not path.is_relative_to("service/sessions"):
        return True
    tests = TESTS.get(str(path), _OF_SESSIONS)
    _check(tests)
    return _pass(tests, {path: source})


@cache
def _check(tests: Sequence[str]) -> None:
    """Fails if `tests` don't pass without a mutant: then they would notice anything."""
    assert _pass(tests, {}), f"{', '.join(tests)}: they fail"


def _pass(tests: Sequence[str], changed: Mapping[Path, str]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "project"
        shutil.copytree(".", copy, symlinks=True, ignore=_LEFT_OUT)
        for path, source in changed.items():
            (copy / path).write_text(source)
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", ""]
        try:
            done = run(
                [*command, "--numprocesses=0", *tests],
                cwd=copy,
                env={name: each for name, each in os.environ.items() if name != _NO_PLUGINS},
                stdout=DEVNULL,
                stderr=DEVNULL,
                timeout=_LONGEST,
            )
        except TimeoutExpired:
            return False
    return done.returncode == 0

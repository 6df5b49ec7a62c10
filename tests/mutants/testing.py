"""Runs tests in a forked process, with one module changed or with its coverage recorded."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

import coverage
import pytest

Recorded = tuple[dict[str, float], dict[str, dict[int, list[str]]]]
"""The seconds of each test; and for each file and line, the tests that run it."""

OPTIONS = [
    *("-o", "addopts=", "-m", "not proof", "-x", "-q", "-p", "no:cacheprovider"),
    *("-p", "xdist.plugin", "-p", "_hypothesis_pytestplugin"),
]
"""The parent has none of the project's modules, and pytest finds no plugins by itself: each run
imports only what its tests need."""


class Mutant(MetaPathFinder):
    """Imports `source` in place of the module in `path`."""

    def __init__(self, path: Path, source: str) -> None:
        words = path.with_suffix("").parts
        self._name = ".".join(words[:-1] if words[-1] == "__init__" else words)
        self._path, self._source = path.resolve(), source

    def find_spec(
        self, fullname: str, _: Sequence[str] | None, __: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The changed module, or None for all others."""
        if fullname != self._name:
            return None
        source, path = self._source, str(self._path)

        class Loader(SourceFileLoader):
            def get_code(self, _: str) -> CodeType:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    return compile(source, path, "exec")

        return spec_from_file_location(fullname, path, loader=Loader(fullname, path))


class Recorder:
    """A plugin of pytest that records what each test runs, and how long it takes."""

    def __init__(self) -> None:
        self._coverage = coverage.Coverage(source=["service"], data_file=None, config_file=False)
        self._seconds: dict[str, float] = {}
        self._failed: list[str] = []
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        """Attributes lines to the test."""
        self._coverage.switch_context(item.nodeid)
        began = time.perf_counter()
        try:
            return (yield)
        finally:
            self._seconds[item.nodeid] = time.perf_counter() - began
            self._coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Notes the tests that fail without any change."""
        if report.failed:
            self._failed.append(report.nodeid)

    def write(self, file: Path) -> None:
        """Writes the seconds of each test, and the tests of each line."""
        self._coverage.stop()
        data = self._coverage.get_data()
        lines = {
            os.path.relpath(path): {
                line: [test for test in tests if test and test not in self._failed]
                for line, tests in data.contexts_by_lineno(path).items()
            }
            for path in data.measured_files()
        }
        file.write_text(json.dumps((self._seconds, lines)))


def in_fork(run: Callable[[], int], seconds: float) -> int | None:
    """What `run` returns in a process of its own, without output; None if it takes too long.

    A process that is killed by a signal counts as 1.
    """
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setsid()
            quiet = os.open(os.devnull, os.O_RDWR)
            for descriptor in range(3):
                os.dup2(quiet, descriptor)
            status = run()
        finally:
            os._exit(status)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            _kill_group(child)
            return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1
        time.sleep(0.01)
    _kill_group(child)
    os.waitpid(child, 0)
    return None


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def record(tests: Sequence[str], file: Path) -> None:
    """Runs `tests` without any change, and writes what they run into `file`."""

    def run() -> int:
        recorder = Recorder()
        options = [option for option in OPTIONS if option != "-x"]
        status = pytest.main([*options, *tests], plugins=[recorder])
        recorder.write(file)
        return int(status)

    in_fork(run, 3600)


def survives(path: Path, source: str, tests: Sequence[str], seconds: float) -> bool:
    """Whether all `tests` pass, within `seconds`, if the module in `path` is `source`."""

    def run() -> int:
        sys.meta_path.insert(0, Mutant(path, source))
        return int(pytest.main([*OPTIONS, *tests]))

    return in_fork(run, seconds) == 0


def changes_contract(path: Path, source: str) -> bool:
    """Whether the contract that is generated differs from the one in the repository, or fails."""

    def run() -> int:
        sys.meta_path.insert(0, Mutant(path, source))
        from service.contract.write import contract_of
        from service.variants import own_variants

        committed = Path("service/contract/openapi.json").read_bytes()
        return int(contract_of(own_variants().values(), "json") != committed)

    return in_fork(run, 120) != 0

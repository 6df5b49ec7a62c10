"""Tables are found, read once, and not made if that is impossible."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from service.tables.files import bytes_of, scoring_of
from service.tables.lock import FAILED_SECONDS, LOCK, last_record
from service.tables.tables import Tables
from tests.tables.asking import GAME, age, ask, failure, is_making, made, path_of, rules, until
from tests.tables.gated_game import VARIANT


def test_made(tables: Tables, tmp_path: Path) -> None:
    """Looking whether there is a table starts nothing."""
    assert tables.made(VARIANT, VARIANT.default_rules) is None
    assert os.listdir(tmp_path) == []
    table = made(tables)
    assert tables.made(VARIANT, VARIANT.default_rules) is table


def test_is_read_once(tables: Tables) -> None:
    """A table is read once in a process; other processes find the file."""
    first = made(tables)
    assert made(tables) is first
    np.testing.assert_array_equal(made(Tables(tables.folder, GAME)).array, first.array)
    assert last_record(tables.folder).all_made == 1


def test_disk_is_full(tables: Tables, tmp_path: Path) -> None:
    """If the file can't be written, that is known before the work; the reason is remembered."""
    resource = pytest.importorskip("resource", reason="this system has no limits of resources")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_of(scoring_of(VARIANT, rules(1))) - 1, hard))
    try:
        ask(tables, 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    until(lambda: not is_making(tmp_path), "the process gives up")
    assert failure(ask(tables, 1)) == f"nothing can be written in {tmp_path} (File too large)"
    assert os.listdir(tmp_path) == [LOCK]
    age(tmp_path, FAILED_SECONDS + 1)
    made(tables, 1)
    assert (last_record(tmp_path).all_made, last_record(tmp_path).all_failed) == (1, 1)


@pytest.mark.proof
def test_failure_is_only_that_of_its_table(tables: Tables, tmp_path: Path) -> None:
    """While a failure is remembered, other tables can be made."""
    path_of(tables).mkdir()
    ask(tables)
    until(lambda: not is_making(tmp_path), "the process gives up")
    assert failure(ask(tables)) == f"nothing can be written in {tmp_path} (Is a directory)"
    made(tables, 1)


def test_folder_is_removed(tmp_path: Path) -> None:
    """If someone removes the folder, it is made again."""
    made(Tables(tmp_path / "tables", GAME))
    assert (tmp_path / "tables").stat().st_mode & 0o777 == 0o700


def test_no_folder(tmp_path: Path) -> None:
    """If there can be no folder, the answer says so, and no process is started."""
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "tables"
    reason = f"nothing can be written in {folder} (Not a directory)"
    assert failure(ask(Tables(folder, GAME))) == reason

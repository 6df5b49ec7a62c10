"""Tables are found, read once, and not made if that is impossible."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from service.tables import NotMade, NotReady
from service.tables.making import FAILED_SECONDS
from service.tables.tables import Tables
from tests.tables.asking import (
    QUICK,
    age,
    ask,
    dice_poker,
    failure,
    is_making,
    made,
    path_of,
    until,
)
from tests.tables.quick_solver import BYTES
from tests.trial_games.two_boxes import VARIANT as TWO_BOXES


def test_made(tables: Tables, tmp_path: Path) -> None:
    """Looking whether there is a table starts nothing."""
    variant = dice_poker()
    assert tables.made(variant, variant.default_rules) is None
    assert os.listdir(tmp_path) == []
    table: object = made(tables)
    assert tables.made(variant, variant.default_rules) is table


def test_is_read_once(tables: Tables) -> None:
    """A table is read once in a process; other processes find the file."""
    first = made(tables)
    assert made(tables) is first
    assert made(Tables(tables.folder, QUICK)) == first


def test_disk_is_full(tables: Tables, tmp_path: Path) -> None:
    """If the file can't be written, that is known before the work; the reason is remembered."""
    resource = pytest.importorskip("resource", reason="this system has no limits of resources")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES // 2, hard))
    try:
        ask(tables)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    until(lambda: not is_making(tmp_path), "the process gives up")
    assert failure(ask(tables)) == f"nothing can be written in {tmp_path} (File too large)"
    assert os.listdir(tmp_path) == ["making.lock"]
    age(tmp_path, FAILED_SECONDS + 1)
    made(tables)


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
    tables = Tables(tmp_path / "tables", QUICK)
    assert made(tables).maker
    assert (tmp_path / "tables").stat().st_mode & 0o777 == 0o700


def test_no_folder(tmp_path: Path) -> None:
    """If there can be no folder, the answer says so, and no process is started."""
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "tables"
    reason = f"nothing can be written in {folder} (Not a directory)"
    assert failure(ask(Tables(folder, QUICK))) == reason


def test_game_from_elsewhere(tables: Tables, tmp_path: Path) -> None:
    """A game that the service doesn't find by its id has no table."""
    with pytest.raises(NotReady):
        tables.get(TWO_BOXES, TWO_BOXES.default_rules)
    until(lambda: not is_making(tmp_path), "the process gives up")
    with pytest.raises(NotMade) as caught:
        tables.get(TWO_BOXES, TWO_BOXES.default_rules)
    assert caught.value.reason == "two-boxes is not one of the games that the service finds"

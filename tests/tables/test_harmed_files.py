"""Files that are damaged, incomplete or someone else's are made again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from service.tables.tables import Tables
from tests.tables.asking import (
    QUICK,
    is_making,
    made,
    path_of,
    until,
)
from tests.tables.quick_solver import BYTES


def truncate(path: Path) -> None:
    """Cuts off the last byte."""
    os.truncate(path, path.stat().st_size - 1)


def damage(path: Path) -> None:
    """Changes one byte."""
    with path.open("r+b") as file:
        file.seek(BYTES // 2)
        file.write(b"x")


def empty(path: Path) -> None:
    """Leaves nothing."""
    os.truncate(path, 0)


def link(path: Path) -> None:
    """Puts a link to the file in its place."""
    path.symlink_to(path.rename(path.parent / "elsewhere"))


def exchange(path: Path) -> None:
    """Puts the table of other house rules in its place."""
    tables = Tables(path.parent, QUICK)
    made(tables, 1)
    path_of(tables, 1).replace(path)


def give_away(path: Path) -> None:
    """Gives the file to another user."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(path, 65534, 65534)


QUICK_HARMS = (truncate, link)
HARMS = (truncate, damage, empty, link, exchange, give_away, Path.unlink)


@pytest.mark.parametrize(
    "harm",
    [pytest.param(harm, marks=() if harm in QUICK_HARMS else pytest.mark.proof) for harm in HARMS],
)
def test_file_that_is_not_the_table(tmp_path: Path, harm: object) -> None:
    """A file that isn't the whole table of these rules, or is another user's, is made anew."""
    tables = Tables(tmp_path, QUICK)
    first = made(tables)
    until(lambda: not is_making(tmp_path), "the process has checked what it wrote")
    assert callable(harm)
    harm(path_of(tables))
    again = Tables(tmp_path, QUICK)
    assert made(again).text == first.text
    assert made(again).maker != first.maker
    assert not path_of(again).is_symlink()
    assert made(tables).maker == first.maker, "what is in memory stays"

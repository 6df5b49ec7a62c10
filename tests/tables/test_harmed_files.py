"""Files that are damaged, incomplete or someone else's are made again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from service.tables.lock import last_record
from service.tables.tables import Tables
from tests.tables.asking import GAME, made, path_of


def truncate(path: Path) -> None:
    """Cuts off the last byte."""
    os.truncate(path, path.stat().st_size - 1)


def damage(path: Path) -> None:
    """Changes one byte."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"x")


def empty(path: Path) -> None:
    """Leaves nothing."""
    os.truncate(path, 0)


def link(path: Path) -> None:
    """Puts a link to the file in its place."""
    path.symlink_to(path.rename(path.parent / "elsewhere"))


def exchange(path: Path) -> None:
    """Puts the table of other house rules, which is as large, in its place."""
    tables = Tables(path.parent, GAME)
    made(tables, 2)
    assert path_of(tables, 2).stat().st_size == path.stat().st_size
    path_of(tables, 2).replace(path)


def give_away(path: Path) -> None:
    """Gives the file to another user."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(path, 65534, 65534)


Harm = Callable[[Path], None]

QUICK_HARMS: tuple[Harm, ...] = (truncate, link)
HARMS: tuple[Harm, ...] = (truncate, damage, empty, link, exchange, give_away, Path.unlink)


@pytest.mark.parametrize(
    "harm",
    [pytest.param(harm, marks=() if harm in QUICK_HARMS else pytest.mark.proof) for harm in HARMS],
)
def test_file_that_is_not_the_table(tmp_path: Path, harm: Harm) -> None:
    """A file that isn't the whole table of these rules, or is another user's, is made anew."""
    tables = Tables(tmp_path, GAME)
    first = made(tables, 1)
    figures = first.array.copy()  # the file is mapped
    harm(path_of(tables, 1))
    before = last_record(tmp_path).all_made
    again = made(Tables(tmp_path, GAME), 1)
    assert last_record(tmp_path).all_made == before + 1
    np.testing.assert_array_equal(again.array, figures)
    assert not path_of(tables, 1).is_symlink()
    assert made(tables, 1) is first, "what is in memory stays"

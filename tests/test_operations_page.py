"""The tables of docs/operations.md are those that the code makes."""

from __future__ import annotations

import re

from tests.operations_page import PAGE, TABLES, with_tables


def test_tables_are_as_the_code_makes_them() -> None:
    """The page has each table, up to date; `make docs` writes them."""
    page = PAGE.read_text()
    assert re.findall(r"<!-- (\w+): make docs -->", page) == list(TABLES)
    assert page == with_tables(page)

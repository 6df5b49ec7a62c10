"""The pages for readers: README.md, CONTRIBUTING.md, CHANGELOG.md, docs, deploy and examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.live import ROOT
from tests.made_tables import PAGES as WITH_TABLES
from tests.made_tables import with_tables

PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "deploy").glob("**/*.md")),
    *sorted((ROOT / "examples").glob("**/*.md")),
]
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The headings of a page, as GitHub makes anchors of them."""
    heads = re.findall(r"^#+ (.*)$", BLOCK.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    """Each link to a file or a heading leads to one that is there."""
    for path, anchor in LINK.findall(BLOCK.sub("", page.read_text())):
        if not path.startswith(("http://", "https://")):
            target = page.parent / path if path else page
            assert target.exists(), path
            assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_shell_lines_can_be_pasted(page: Path) -> None:
    """No comments in lines for a shell: zsh takes a comment that is typed for words."""
    for language, block in BLOCK.findall(page.read_text()):
        if language == "sh":
            script = re.sub(r"<<'?(\w+)'?\n.*?^\1$", "", block, flags=re.DOTALL | re.MULTILINE)
            assert re.findall(r"(?:^|\s)#.*", script, re.MULTILINE) == []


@pytest.mark.parametrize("page", WITH_TABLES, ids=str)
def test_tables_are_as_the_code_makes_them(page: Path) -> None:
    """The page has each of its tables, up to date; `make docs` writes them."""
    text = page.read_text()
    assert re.findall(r"<!-- (\w+): make docs -->", text) == WITH_TABLES[page]
    assert text == with_tables(text)

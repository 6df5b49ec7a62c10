"""The catalogues of texts are whole, have nothing left over, and are compiled: `make texts`."""

from __future__ import annotations

from string import Formatter

import pytest

from service.page.texts import context
from service.rules.variant import OTHER_LANGUAGES
from service.texts import FOLDER
from tests.texts import (
    Key,
    compiled,
    english_texts,
    messages,
    page_texts,
    read,
    templates,
    updated,
)


@pytest.fixture(params=OTHER_LANGUAGES)
def code(request: pytest.FixtureRequest) -> str:
    """Each language besides English."""
    found: str = request.param
    return found


def test_every_text_is_translated(code: str) -> None:
    """All sentences, and all texts of the page and of the service's own games, have a translation
    that somebody has checked.
    """
    found = {key: each.string for key, each in messages(read(code)).items() if not each.fuzzy}
    assert [key for key in english_texts() if not found.get(key)] == []


def test_no_text_is_left_over(code: str) -> None:
    """No translation is of a text that there is no longer."""
    english = english_texts()
    assert [key for key in messages(read(code)) if key not in english] == []


def test_translations_have_the_same_values(code: str) -> None:
    """A translated template has the values of the English one, and writes each in a way that there
    is: as the English one does, or with words of its own.
    """
    texts: list[Key] = [(None, text) for text in templates()]
    texts += [(context(key), text) for key, text in page_texts().items()]
    english = {key: values(key[1]) for key in texts}
    translated = messages(read(code))
    assert {key: values(str(translated[key].string)) for key in texts} == english


def values(template: str) -> set[tuple[str, str]]:
    """The values in a template, and how each is written; words of its own are left out."""
    parts = [(name, how or "") for _, name, how, _ in Formatter().parse(template) if name]
    return {(name, how[:1] if "?" in how else "|" if "|" in how else how) for name, how in parts}


def test_the_catalogue_is_compiled(code: str) -> None:
    """The service reads what people wrote."""
    assert (FOLDER / f"{code}.mo").read_bytes() == compiled(updated(code))

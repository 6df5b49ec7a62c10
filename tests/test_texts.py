"""The catalogues of texts are whole, have nothing left over, and are compiled: `make texts`."""

from __future__ import annotations

from string import Formatter

import pytest

from service.rules.variant import OTHER_LANGUAGES
from service.texts import FOLDER
from tests.texts import compiled, english_texts, messages, read, templates, updated


@pytest.fixture(params=OTHER_LANGUAGES)
def code(request: pytest.FixtureRequest) -> str:
    """Each language besides English."""
    found: str = request.param
    return found


def test_every_text_is_translated(code: str) -> None:
    """All sentences, and all texts of the service's own games, have a translation that somebody has
    checked.
    """
    found = {message.id: message.string for message in messages(read(code)) if not message.fuzzy}
    assert [text for text in english_texts() if not found.get(text)] == []


def test_no_text_is_left_over(code: str) -> None:
    """No translation is of a text that there is no longer."""
    english = english_texts()
    assert [message.id for message in messages(read(code)) if message.id not in english] == []


def test_translations_have_the_same_values(code: str) -> None:
    """A translated template has the values of the English one, and writes each in a way that there
    is: as the English one does, or with words of its own.
    """
    translated = {message.id: str(message.string) for message in messages(read(code))}
    english = {text: values(text) for text in templates()}
    assert {text: values(translated[text]) for text in english} == english


def values(template: str) -> set[tuple[str, str]]:
    """The values in a template, and how each is written; words of its own are left out."""
    parts = [(name, how or "") for _, name, how, _ in Formatter().parse(template) if name]
    return {(name, how[:1] if "?" in how else "|" if "|" in how else how) for name, how in parts}


def test_the_catalogue_is_compiled(code: str) -> None:
    """The service reads what people wrote."""
    assert (FOLDER / f"{code}.mo").read_bytes() == compiled(updated(code))

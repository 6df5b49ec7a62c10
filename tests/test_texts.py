"""The catalogues of texts are whole, have nothing left over, and are compiled: `make texts`."""

from __future__ import annotations

from gettext import NullTranslations
from random import Random
from string import Formatter

import pytest

from service.app import create_app
from service.engine.actions import Action
from service.engine.game import GameTable
from service.engine.state import State
from service.kinds.registry import game_of
from service.page.texts import context
from service.rules.house_rules import read_rules
from service.rules.reasons import with_texts
from service.rules.variant import OTHER_LANGUAGES, Variant
from service.settings import Settings
from service.texts import FOLDER, Language
from service.variants import own_variants
from tests.engine.random_play import play
from tests.short_games import short_rules
from tests.texts import Key, compiled, english_texts, messages, page_texts, read, templates, updated


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


class Asked(Language):
    """German, which keeps what was asked for."""

    def __init__(self) -> None:
        super().__init__("de", NullTranslations())
        self.texts: set[str] = set()

    def text(self, english: str) -> str:
        """The English text itself."""
        self.texts.add(english)
        return english


@pytest.mark.parametrize("variant", own_variants().values(), ids=lambda variant: variant.id)
def test_what_is_asked_for(variant: Variant) -> None:
    """Whatever responses translate is in the catalogues: the examples of all operations with their
    problems, and what is said in a game at random.
    """
    asked = Asked()
    app = create_app(Settings())
    app.extensions["languages"] = {"de": asked}
    client = app.test_client()
    german = {"Accept-Language": "de"}
    client.get(f"/v1/variants/{variant.id}", headers=german)
    for example in variant.examples:
        path = f"/v1/variants/{variant.id}/{example.operation}"
        client.post(path, json=example.request, headers=german)
    rules = read_rules(variant.house_rules, short_rules(variant))
    game = game_of(variant, GameTable(("ann", "ben"), rules))

    def watch(_: object, action: Action, after: State) -> None:
        del action
        with_texts(game.view(after, "ann"), asked)

    play(game, Random(1), watch)
    assert {text for text in asked.texts if (None, text) not in english_texts()} == set()

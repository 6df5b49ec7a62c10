"""The page in German: all of it, whatever the service says."""

from __future__ import annotations

import re
from functools import cache

import pytest
from babel.messages.pofile import read_po

from service.texts import FOLDER
from tests.page.browser.game import SHORT, new_game
from tests.page.browser.test_views import VIEWS
from tests.page.browser.visitor import Page, Visit

_NAMES = {"ann", "ben", "api"}
"""Words that visitors typed, and the name of a link."""

_SHOWN = """() => {
  const said = [];
  const foreign = (element) => element?.closest("code, pre, script, style, [lang]:not([lang=de])");
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const {data, parentElement} = texts.currentNode;
    if (!foreign(parentElement)) said.push(data);
  }
  for (const element of document.body.querySelectorAll("*")) {
    if (foreign(element)) continue;
    for (const name of ["aria-label", "aria-description", "title", "alt", "placeholder"]) {
      if (element.hasAttribute(name)) said.push(element.getAttribute(name));
    }
  }
  return [document.title, ...said];
}"""
"""Every text of the page that people see or hear, except requests and their answers."""


def _words(text: str) -> set[str]:
    """The words in a text, without placeholders."""
    plain = re.sub(r"\{(\w*)(?::[^}]*)?\}", " ", text)
    return {each.lower() for each in re.findall(r"[^\W\d_]{2,}", plain)}


@cache
def _only_english() -> frozenset[str]:
    """The words of the English texts in the catalogue that no German one has."""
    with (FOLDER / "de.po").open("rb") as file:
        texts = [each for each in read_po(file) if each.id]
    english = {word for each in texts for word in _words(str(each.id))}
    german = {word for each in texts for word in _words(str(each.string))}
    return frozenset(english - german - _NAMES)


def _in_english(page: Page) -> set[str]:
    """The texts on screen with an English word."""
    shown: list[str] = page.evaluate(_SHOWN)
    return {text for text in shown if _words(text) & _only_english()}


@pytest.mark.parametrize("view", VIEWS)
def test_views(view: str, visit: Visit) -> None:
    """No text of a view has an English word."""
    visitor = visit(language="de")
    VIEWS[view](visitor)
    assert _in_english(visitor.page) == set()


@pytest.mark.parametrize("variant", SHORT)
def test_games(variant: str, visit: Visit) -> None:
    """A game is played to its end, and no step of it says anything in English."""
    game = new_game(visit, variant, language="de")
    if game.page.locator(".sheet").count():
        game.play_elsewhere(4)  # the rest of the story comes with the history
    found = _in_english(game.page)
    while not game.over:
        game.step()
        found |= _in_english(game.page)
    assert found == set()

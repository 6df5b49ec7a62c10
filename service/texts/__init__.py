"""The languages of the service: each finds its texts by the English ones, in a gettext catalogue.

`python -m tests.texts write` makes the catalogues: `de.po`, which people translate, and `de.mo`,
which is read here. Games from outside bring the translations of their own texts (`Variant.texts`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from service.rules.sentences import Words
from service.rules.variant import OTHER_LANGUAGES, Variant

FOLDER = Path(__file__).parent


class Language(Words):
    """A language by its `code`: the texts of the service, and `further` ones of games."""

    def __init__(
        self, code: str, own: NullTranslations, further: Mapping[str, str] | None = None
    ) -> None:
        self.code = code
        self._own, self._further = own, further or {}

    def text(self, english: str) -> str:
        """The text that means the same as `english`; that itself if there is none."""
        text = self._own.gettext(english)
        return self._further.get(english, english) if text == english else text

    def in_context(self, context: str, english: str) -> str:
        """The same for a text that the catalogue has for `context` alone (`msgctxt`)."""
        return self._own.pgettext(context, english)


ENGLISH = Language("en", NullTranslations())

Languages = Mapping[str, Language]
"""Languages by code, English first."""


def languages(variants: Iterable[Variant] = ()) -> Languages:
    """Every language, with the texts of `variants`.

    If several translate the same English text, the service's own translation counts, then that of
    the first variant.
    """
    found = {ENGLISH.code: ENGLISH}
    for code in OTHER_LANGUAGES:
        further: dict[str, str] = {}
        for variant in variants:
            further = {**variant.texts.get(code, {}), **further}
        found[code] = Language(code, _catalogue(code), further)
    return found


@cache
def _catalogue(code: str) -> GNUTranslations:
    """The service's own texts in the language `code`."""
    with (FOLDER / f"{code}.mo").open("rb") as file:
        return GNUTranslations(file)

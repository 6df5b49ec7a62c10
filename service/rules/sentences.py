"""Sentences as data: a code with values, which become text only where somebody reads it.

The English text of a code is a template. Translations have the same placeholders, so a catalogue of
texts by their English ones (gettext) is all that a language needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from string import Formatter
from typing import Any


class Words:
    """A language, here English: finds its texts by the English ones."""

    def text(self, english: str) -> str:
        """The text that means the same as `english`; that itself if there is none."""
        return english


ENGLISH = Words()


class Wording(Enum):
    """Codes of sentences; the value of each is its English text as a template of `fill_in`."""

    @property
    def code(self) -> str:
        """The code as clients see it."""
        return self.name.lower()

    def __call__(self, **values: Any) -> Sentence:
        """The sentence with `values`; those that are None are left out."""
        return Sentence(self, {name: value for name, value in values.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A code and the values in its text, which are JSON."""

    wording: Wording
    values: Mapping[str, Any] = field(default_factory=dict)

    def text(self, words: Words = ENGLISH) -> str:
        """The sentence in the language of `words`."""
        return fill_in(self.wording.value, self.values, words)

    def __str__(self) -> str:
        return self.text()


def fill_in(template: str, values: Mapping[str, Any], words: Words = ENGLISH) -> str:
    """The text of an English `template` with `values`, in the language of `words`.

    Placeholders are those of `str.format`; a value that is missing is empty. Lists are joined by
    commas. What follows a colon decides how a value is written:

    - `any`, `all`: a list as in "a, b or c", "a, b and c"
    - `name`, `Name`: an id such as `full_house` in words; the second with a capital
    - `text`: an English text of the game, translated
    - `cited`: a clause in brackets, after a space
    - `die|dice`: the first word for a value of 1 or a list of one, otherwise the second
    - `?, or null`: what follows the question mark, if there is a value, and it isn't false
    """
    return _Filler(words).vformat(words.text(template), (), values)


class _Filler(Formatter):
    """Fills in templates in one language."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        del args
        return kwargs.get(str(key))

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("?"):
            return format_spec[1:] if value else ""
        if value is None:
            return ""
        if "|" in format_spec:
            one, many = format_spec.split("|")
            return one if value == 1 or (isinstance(value, list) and len(value) == 1) else many
        match format_spec:
            case "":
                return ", ".join(map(str, value)) if isinstance(value, list | tuple) else f"{value}"
            case "any":
                return any_of(value, self._words)
            case "all":
                return all_of(value, self._words)
            case "name":
                return self._name(value)
            case "Name":
                return capitalized(self._name(value))
            case "text":
                return self._words.text(value)
            case "cited":
                return f" ({value})"
        return format(value, format_spec)

    def _name(self, value: str) -> str:
        return self._words.text(value.replace("_", " "))


def all_of(items: Iterable[object], words: Words = ENGLISH) -> str:
    """`items`, at least one, as in "a, b and c"."""
    return _listed(items, words.text("and"))


def any_of(items: Iterable[object], words: Words = ENGLISH) -> str:
    """`items`, at least one, as in "a, b or c"."""
    return _listed(items, words.text("or"))


def capitalized(words: str) -> str:
    """`words` with a capital at the beginning; the others stay as they are."""
    return words[0].upper() + words[1:]


def _listed(items: Iterable[object], word: str) -> str:
    *others, last = map(str, items)
    return f"{', '.join(others)} {word} {last}" if others else last

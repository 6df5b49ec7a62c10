"""Sentences as data: a code with values, which become text only where somebody reads it.

The English text of a code is a template. Translations have the same placeholders, so a catalogue of
texts by their English ones (gettext) is all that a language needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache, partial
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
        given = {name: value for name, value in values.items() if value is not None}
        return Sentence(self, given)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A code and the values in its text, which are JSON, or sentences themselves."""

    wording: Wording
    values: Mapping[str, Any] = field(default_factory=dict)

    def text(self, words: Words = ENGLISH) -> str:
        """The sentence in the language of `words`."""
        return fill_in(self.wording.value, self.values, words)

    @property
    def json(self) -> dict[str, Any]:
        """The code, and the values beside it."""
        return {"code": self.wording.code, **flat(self.values)}

    def __str__(self) -> str:
        return self.text()


def flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` as JSON: a sentence among them becomes its code, with its own values beside it."""
    made: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, Sentence):
            made = {**flat(value.values), **made, name: value.wording.code}
        else:
            made[name] = value
    return made


def names_in(template: str) -> list[str]:
    """The names of the values in `template`, in order; each once."""
    return [*dict.fromkeys(name for _, name, _, _ in _parts(template) if name)]


def outline(template: str, words: Words = ENGLISH) -> str:
    """`template` in the language of `words`, with the names of its values in braces, and parts
    that only some texts have in brackets.
    """
    made = []
    for literal, name, spec, _ in _parts(words.text(template)):
        made.append(literal)
        if name is None:
            continue
        spec = spec or ""
        if spec.startswith("?"):
            made.append(f"[{spec[1:]}]")
        elif "|" in spec:
            made.append(spec.partition("|")[2])
        else:
            made.append(f" ({{{name}}})" if spec == "cited" else f"{{{name}}}")
    return "".join(made)


def fill_in(template: str, values: Mapping[str, Any], words: Words = ENGLISH) -> str:
    """The text of an English `template` with `values`, in the language of `words`.

    Placeholders are those of `str.format`; a value that is missing is empty. Lists are joined by
    commas. What follows a colon decides how a value is written:

    - `any`, `all`, `spaced`: a list as in "a, b or c", "a, b and c", "a b c"
    - `dice`: indexes as in "die 4", "dice 0, 4 and 7"
    - `groups`: lists as in "a and b; c"
    - `name`, `Name`: an id such as `full_house` in words; the second with a capital
    - `text`: an English text of the game, translated
    - `quoted`: a text between quotes
    - `,`: a number with a mark between thousands, which is a text, too
    - `cited`: a clause in brackets, after a space
    - `die|dice`: the first for 1 or a list of one item, the second for others
    - `?, or null`: what follows the question mark, if there is a value that isn't false
    """
    filler = _filler(words)
    return "".join(
        literal + ("" if name is None else filler.written(values.get(name), spec or ""))
        for literal, name, spec, _ in _parts(words.text(template))
    )


@lru_cache(1 << 11)  # `Formatter.vformat` takes twice as long
def _parts(template: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    """The literal texts of a template, each with the placeholder behind it."""
    return tuple(Formatter().parse(template))


@lru_cache(1 << 6)
def _filler(words: Words) -> _Filler:
    return _Filler(words)


class _Filler:
    """Writes values in one language."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def written(self, value: Any, spec: str) -> str:
        """`value` as `spec` has it, the part of a placeholder behind its colon."""
        if spec.startswith("?"):
            return "" if value is None or value is False else spec[1:]
        if value is None:
            return ""
        if not spec:
            return self._plain(value)
        if "|" in spec:
            one, many = spec.split("|")
            return one if value == 1 or (isinstance(value, list) and len(value) == 1) else many
        return self._written[spec](value)

    @cached_property
    def _written(self) -> Mapping[str, Callable[[Any], str]]:
        """How values are written, by format."""
        words = self._words
        return {
            "any": partial(any_of, words=words),
            "all": partial(all_of, words=words),
            "spaced": " ".join,
            "dice": lambda dice: (
                f"{words.text('die' if len(dice) == 1 else 'dice')} {all_of(dice, words)}"
            ),
            "groups": lambda groups: "; ".join(all_of(group, words) for group in groups),
            "name": self._name,
            "Name": lambda value: capitalized(self._name(value)),
            "text": words.text,
            "quoted": repr,
            ",": lambda number: f"{number:,}".replace(",", words.text(",")),
            "cited": lambda clause: f" ({clause})",
        }

    def _plain(self, value: Any) -> str:
        if isinstance(value, Sentence):
            return value.text(self._words)
        if isinstance(value, list | tuple):
            return ", ".join(map(str, value)) or self._words.text("none")
        if isinstance(value, float):
            return str(value).replace(".", self._words.text("."))
        return str(value)

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

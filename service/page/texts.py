"""The texts of the page in each language: its own, and in words what only has an id."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from service.rules.house_rules import options
from service.rules.sentences import fill_in
from service.rules.variant import Variant
from service.texts import Language, languages

TEXTS = Path(__file__).parent / "static" / "texts"
"""The folder with the texts of the page, in English and in languages that the service doesn't have.

A file such as `fr.json` adds a language: its texts, by the keys of the English ones.
"""

ENGLISH = TEXTS / "en.json"
"""The texts of the page in English, by their keys."""

NAME = "main.language"
"""The key of the text that names its language."""


def context(key: str) -> str:
    """The context (`msgctxt`) of the text `key` in the catalogues of all texts."""
    return f"page.{key}"


def all_texts(variants: Sequence[Variant]) -> Mapping[str, bytes]:
    """The texts of the page in each language, as JSON by the code of the language, English first.

    What a language of the page alone lacks is in English, as is all that the service says there.
    """
    english: Mapping[str, str] = json.loads(ENGLISH.read_bytes())
    found = {ENGLISH.stem: _encoded(english)}
    for code, language in languages(variants).items():
        found.setdefault(code, texts(language, variants))
    for path in sorted(TEXTS.glob("*.json")):
        found.setdefault(path.stem, _encoded(english | json.loads(path.read_bytes())))
    return found


def texts(language: Language, variants: Iterable[Variant]) -> bytes:
    """The texts of the page in `language`, as JSON by their keys; in English where there is none.

    `id.joker` and its like are ids of the `variants` that the catalogue of games doesn't name.
    """
    own: Mapping[str, str] = json.loads(ENGLISH.read_bytes())
    found = {key: language.in_context(context(key), text) for key, text in own.items()}
    for each in sorted({each for variant in variants for each in _ids(variant)}):
        found[f"id.{each}"] = fill_in("{id:name}", {"id": each}, language)
    return _encoded(found)


def _encoded(texts: Mapping[str, str]) -> bytes:
    """The `texts`, grouped by the first words of their keys, as `key text|key text` by group, which
    is smaller than an object.
    """
    groups: dict[str, list[str]] = {}
    for key, text in texts.items():
        group, _, rest = key.partition(".")
        groups.setdefault(group, []).append(f"{rest} {text}")
    joined = {group: "|".join(lines) for group, lines in groups.items()}
    return json.dumps(joined, ensure_ascii=False, separators=(",", ":")).encode()


def decoded(encoded: bytes) -> Mapping[str, str]:
    """The texts of a file, by their keys."""
    return {
        f"{group}.{key}": text
        for group, lines in json.loads(encoded).items()
        for key, _, text in (line.partition(" ") for line in lines.split("|"))
    }


def _ids(variant: Variant) -> Iterable[str]:
    """The house rules of a variant, with their choices."""
    for option in options(variant.house_rules):
        yield option.name
        yield from option.choices

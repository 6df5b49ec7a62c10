"""The catalogues of texts, one for each language besides English: service/texts/de.po and its like.

    python -m tests.texts write    adds new texts, drops others, and compiles (make texts)

In the catalogues people write the translations. A new text that resembles an old one gets its
translation, marked as fuzzy, until somebody has checked it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import service.app  # noqa: F401 - so that all templates are there
from service.api.http import problem_pages
from service.api.http.causes import Cause
from service.api.http.problem_details import title
from service.api.sessions import sheet
from service.kinds.community.variant import CommunityRanking
from service.kinds.layout.cards import PLURALS
from service.kinds.layout.variant import Layout
from service.kinds.ranking.variant import Ranking
from service.kinds.scorecard.boxes import LowerBox
from service.kinds.scorecard.variant import ScoreCard
from service.page.texts import ENGLISH, context
from service.rules.house_rules import options
from service.rules.sentences import Wording
from service.rules.variant import OTHER_LANGUAGES, Variant
from service.texts import FOLDER
from service.variants import own_variants

LISTS = (
    *("and", "or", "none", "die", "dice", ",", "."),
    *("boxes", "faces", "hands", "indexes of dice", "lines", "lists", "players", "pockets"),
    *("rolls", "actions"),
)
"""The words in lists, and the marks between thousands and before decimals, which
`service.rules.sentences` writes, and what lists in requests hold.
"""

WIDTH = 100

Key = tuple[str | None, str]
"""What a catalogue finds a text by: its context, if it has one, and the English text."""


class _Catalogue(Catalog):
    """A catalogue whose header changes neither with time nor with the release of Babel."""

    def _header(self) -> list[tuple[str, str]]:
        return [("Language", str(self.locale)), ("Content-Type", "text/plain; charset=utf-8")]

    mime_headers = property(_header)


def english_texts() -> dict[Key, list[str]]:
    """Every text in English, and where it is from: the codes of sentences, or games; nothing for
    those of the page, whose contexts say it.
    """
    found: dict[Key, list[str]] = {}
    for text, code in templates().items():
        found.setdefault((None, text), []).append(code)
    for text in LISTS:
        found.setdefault((None, text), []).append("lists")
    for cause in Cause:
        for text in (title(cause), cause.remedy):
            found.setdefault((None, text), []).append(cause.code)
    for page in (problem_pages, sheet):
        for text in page.TEXTS:
            found.setdefault((None, text), []).append(page.__name__.rpartition(".")[2])
    for variant in own_variants().values():
        for text in texts_of(variant):
            found.setdefault((None, text), []).append(variant.id)
    return found | {(context(key), text): [] for key, text in page_texts().items()}


def templates() -> dict[str, str]:
    """The template of every sentence, and its code."""
    wordings = [*_wordings(Wording)]
    return {cause.template: f"Cause.{cause.name}" for cause in Cause} | {
        each.value: f"{of.__name__}.{each.name}" for of in wordings for each in of
    }


def page_texts() -> dict[str, str]:
    """The English texts of the page, by their keys."""
    texts: dict[str, str] = json.loads(ENGLISH.read_bytes())
    return texts


def texts_of(variant: Variant) -> Iterator[str]:
    """The texts of a game, each once; ids in words."""
    return iter(dict.fromkeys([*_texts_of_any(variant), *_texts_of_kind(variant)]))


def _texts_of_any(variant: Variant) -> Iterator[str]:
    yield from (variant.name, variant.summary)
    yield from (suit.name for suit in variant.dice.suits)
    for option in options(variant.house_rules):
        yield option.meaning
        yield from (each.replace("_", " ") for each in (option.name, *option.choices))
    yield from variant.clauses.values()


def _texts_of_kind(variant: Variant) -> Iterator[str]:
    match variant:
        case Ranking() | CommunityRanking():
            for rank in variant.ranks:
                yield from (rank.name, rank.needs)
                yield from map(rank.word, range(variant.hand_size))
            yield from (step.text for step in variant.tie_breaks)
            yield variant.tied
        case ScoreCard():
            for box in variant.boxes:
                yield box.id.replace("_", " ")
                if isinstance(box, LowerBox):
                    yield box.needs
                    if box.points.fixed is None:
                        yield box.points.words
        case Layout():
            for hand in variant.all_hands:
                yield from (hand.id.replace("_", " "), hand.needs)
            yield from PLURALS[: PLURALS.index("jacks")]


def _wordings(above: type[Wording]) -> Iterator[type[Wording]]:
    """Every class of templates."""
    for wording in above.__subclasses__():
        yield wording
        yield from _wordings(wording)


def read(code: str) -> Catalog:
    """The catalogue of the language `code` as it is now."""
    path = FOLDER / f"{code}.po"
    with path.open("rb") as file:
        return read_po(file, locale=code, charset="utf-8")


def updated(code: str) -> Catalog:
    """The catalogue of the language `code` with all texts that there are, and no others."""
    english = _Catalogue(charset="utf-8")
    for (of, text), sources in english_texts().items():
        english.add(text, auto_comments=sources, context=of)
    made = _Catalogue(
        locale=code, charset="utf-8", fuzzy=False, header_comment=f"# The texts in {code}."
    )
    if (FOLDER / f"{code}.po").exists():
        for message in messages(read(code)).values():
            made.add(message.id, message.string, flags=message.flags, context=message.context)
    made.update(english)
    return made


def messages(catalogue: Catalog) -> dict[Key, Message]:
    """The texts in a catalogue without its header."""
    return {(each.context, str(each.id)): each for each in catalogue if each.id}


def compiled(catalogue: Catalog) -> bytes:
    """What the service reads."""
    made = BytesIO()
    write_mo(made, catalogue)
    return made.getvalue()


def write(codes: Iterable[str] = OTHER_LANGUAGES) -> None:
    """Writes the catalogues, and what the service reads of them."""
    for code in codes:
        catalogue = updated(code)
        with (FOLDER / f"{code}.po").open("wb") as file:
            write_po(file, catalogue, width=WIDTH, ignore_obsolete=True, no_location=True)
        (FOLDER / f"{code}.mo").write_bytes(compiled(catalogue))
        found = messages(catalogue)
        missing = [each for each in found.values() if not each.string or each.fuzzy]
        print(f"{code}: {len(found)} texts, {len(missing)} of them to translate")


if __name__ == "__main__":
    if sys.argv[1:] != ["write"]:
        sys.exit(__doc__)
    write()

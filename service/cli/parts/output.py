"""The folder of a run: its parts, what is known of each, and whether all of them are there.

A part is written under `_temporary`. When it is whole, `_parts` gets a note with what it was made
from and its rows, in the same way for each format: CSV and NDJSON hold no metadata. Then the part
is renamed. A part that isn't wanted any more is removed before its note. So every part has a note,
whatever died, and a run finds all that earlier ones have left. A part that is missing, or isn't as
noted, is made again. Programs that read folders of tables leave out names that begin with an
underscore.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import IO, Any

import orjson

from service.cli.command_error import CommandError
from service.cli.files.places import Place
from service.cli.parts.part import Done, Listed, PartT

RUN = "_run.json"
"""The rules that a run was begun with."""

SUCCESS = "_SUCCESS"
"""What is there once all parts are."""

FINGERPRINT = b"dice_scoring"
"""The key of a part's rules and input in the metadata of its columns, where a format has any."""

_MANIFEST = "_manifest.json"
_PARTS, _TEMPORARY = "_parts", "_temporary"

_AT_A_TIME = 16
"""How many notes to read, or files to remove, at a time."""


@dataclass(frozen=True)
class Note:
    """What is noted of a part: what it was made from, its bytes, and the rows it was made of."""

    part: Mapping[str, Any] | None
    size: int
    rows: int
    bad_rows: int

    @classmethod
    def of(cls, noted: Mapping[str, Any] | None) -> Note:
        """The note with these fields; one that no part has, if they are others."""
        try:
            found = cls(**(noted or {}))
        except TypeError:
            return _NO_NOTE
        numbers = (found.size, found.rows, found.bad_rows)
        return found if all(isinstance(each, int) for each in numbers) else _NO_NOTE


_NO_NOTE = Note(None, 0, 0, 0)


class Output:
    """The folder at `place`. Its methods may raise an `OSError`."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def begin(self, rules: Mapping[str, Any]) -> None:
        """Notes the rules of the run, and removes what dead runs have left.

        Raises `CommandError` if the folder has something else, or was begun with other rules.
        """
        files = self.place.files()
        if RUN in files:
            begun = _parsed(self.place / RUN)
            if begun is None:
                raise CommandError(
                    f"{self.place.shown}/{RUN} isn't what this command writes: restore it, or "
                    "remove the folder"
                )
            other = [name for name in rules if begun.get(name) != rules[name]]
            if other:
                differ = "; ".join(
                    f"{name} was {_shown(begun.get(name))} and is now {_shown(rules[name])}"
                    for name in other
                )
                raise CommandError(
                    f"{self.place.shown} was begun otherwise, so this run can't go on there: "
                    f"{differ}"
                )
        elif [name for name in files if not name.startswith(f"{_TEMPORARY}/")]:
            raise CommandError(f"{self.place.shown} has files that no run of this command wrote")
        (self.place / _TEMPORARY).remove()
        if RUN not in files:
            self._write(RUN, dict(rules))

    def kept(self, parts: Iterable[PartT], notes: Mapping[str, Note]) -> list[Done[PartT]]:
        """The `parts` that are whole already, by their `notes`; removes those made otherwise or not
        wanted.
        """
        wanted = {part.name: part for part in parts}
        kept, outdated = [], []
        for name, note in notes.items():
            part = wanted.get(name)
            if part and note.part == part.as_json():
                kept.append(Done(part, note.rows, note.bad_rows))
            else:
                outdated.append(name)
        if outdated or len(kept) < len(wanted):
            for name in (SUCCESS, _MANIFEST):
                (self.place / name).remove()
        files = self.place.files() if outdated else {}
        self._remove(outdated, files)
        self._remove([_note_of(name) for name in outdated], files)
        return kept

    def notes(self) -> dict[str, Note]:
        """What is noted of each part. One that isn't there, or not as noted, has the note of a part
        that was made otherwise.
        """
        files = self.place.files()
        names = [
            name.removeprefix(f"{_PARTS}/").removesuffix(".json")
            for name in files
            if name.startswith(f"{_PARTS}/") and name.endswith(".json")
        ]

        def note(name: str) -> Note:
            found = Note.of(_parsed(self.place / _note_of(name)))
            file = files.get(name)
            return found if file and found.size == file.size else _NO_NOTE

        with ThreadPoolExecutor(_AT_A_TIME) as readers:
            return dict(zip(names, readers.map(note, names), strict=True))

    def rows(self, name: str) -> int:
        """How many rows are noted of a part; 0 without a note."""
        note = self.place / _note_of(name)
        return Note.of(_parsed(note)).rows if note.exists() else 0

    def _remove(self, names: list[str], files: Iterable[str]) -> None:
        """Removes these of all `files`, as far as they are there, and the folders that are empty
        then.
        """
        gone = set(names)
        used = {folder for name in files if name not in gone for folder in _folders(name)}
        empty = {folder for name in names for folder in _folders(name)} - used.union(files)
        with ThreadPoolExecutor(_AT_A_TIME) as removing:
            places = [self.place / name for name in gone.intersection(files)]
            deque(removing.map(Place.remove, places), maxlen=0)  # for their errors
        for folder in sorted(empty, key=len, reverse=True):
            (self.place / folder).remove()

    def make(self, part: PartT, write: Callable[[IO[bytes]], tuple[int, int]]) -> Done[PartT]:
        """Makes a part. `write` fills its file, and returns how many rows the part was made of, and
        how many of them were bad.

        Raises `CommandError` if another run has removed the file before it was whole.
        """
        rows = bad = 0

        def fill(file: IO[bytes]) -> None:
            nonlocal rows, bad
            rows, bad = write(file)

        def note(size: int) -> None:
            self._write(_note_of(part.name), asdict(Note(part.as_json(), size, rows, bad)))

        self._replace(part.name, fill, note)
        return Done(part, rows, bad)

    def finish(self, rules: Mapping[str, Any], parts: Iterable[Listed]) -> None:
        """Writes the manifest with the `parts`, which are all, and that all are there."""
        listed = [dict(each) for each in parts]
        total = sum(each["rows"] for each in listed)
        self._write(_MANIFEST, {**rules, "rows": total, "parts": listed})
        self._write(SUCCESS, None)
        (self.place / _TEMPORARY).remove()

    def _write(self, name: str, value: Any) -> None:
        text = b"" if value is None else orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n"
        self._replace(name, lambda file: file.write(text))

    def _replace(
        self,
        name: str,
        write: Callable[[IO[bytes]], object],
        when_whole: Callable[[int], None] | None = None,
    ) -> None:
        """See `Place.replace`. Raises `CommandError` if another run has removed the new file."""
        temporary = self.place / _TEMPORARY / secrets.token_hex(8)
        try:
            (self.place / name).replace(temporary, write, when_whole)
        except FileNotFoundError:
            raise CommandError(
                f"{self.place.shown}/{name} can't be written: another run writes here"
            ) from None


def _note_of(name: str) -> str:
    """The name of the note of a part."""
    return f"{_PARTS}/{name}.json"


def _folders(name: str) -> Iterator[str]:
    """The folders that a file lies in, from the innermost."""
    while name := name.rpartition("/")[0]:
        yield name


def _parsed(file: Place) -> dict[str, Any] | None:
    """The object in a file; None if it has something else."""
    try:
        found = orjson.loads(file.read())
    except orjson.JSONDecodeError:
        return None
    return found if isinstance(found, dict) else None


def _shown(value: object) -> str:
    return orjson.dumps(value).decode()

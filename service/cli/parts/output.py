"""The folder of a run: its parts, what is known of each, and whether all of them are there.

A part is written under `_temporary`. When it is whole, `_parts` gets a note with what it was made
from and its rows, in the same way for each format: CSV and NDJSON hold no metadata. Then the part
is renamed. A part that isn't wanted any more is removed before its note. So every part has a note,
whatever died, and a run finds all that earlier ones have left. A part that is missing, or isn't as
noted, is made again. Programs that read folders of tables leave out names that begin with an
underscore.

Each run has a token of its own, which it writes beside the rules when it begins. Parts are made and
removed only for the run that began last: a task that a dead run has left, on a cluster that goes
on, makes nothing any more, and neither does a worker that has another folder under this path.
"""

from __future__ import annotations

import os
import secrets
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import IO, Any

import orjson

from service.cli.command_error import CommandError, TryAgain
from service.cli.files.places import Place
from service.cli.parts.part import Done, Listed, PartT

RUN = "_run.json"
"""The rules that the folder was begun with, and the token of the run that began last."""

SUCCESS = "_SUCCESS"
"""What is there once all parts are."""

FINGERPRINT = b"dice_scoring"
"""The key of a part's rules and input in the metadata of its columns, where a format has any."""

_MANIFEST = "_manifest.json"
_PARTS, _TEMPORARY = "_parts", "_temporary"

_LONGEST = 250
"""The most bytes of a part's name: file systems take 255, and a note has `.json` behind it."""

_AT_A_TIME = 16
"""How many notes to read, or files to remove, at a time."""


@dataclass(frozen=True)
class Note:
    """What is noted of a part: what it was made from, the digest of the rules, its bytes, and the
    rows it was made of.
    """

    part: Mapping[str, Any] | None
    rules: str
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


_NO_NOTE = Note(None, "", 0, 0, 0)


@dataclass(frozen=True)
class Output:
    """The folder at `place`, as one run writes it by its `rules`; no other run has its `token`.

    It goes to the workers with the tasks. Its methods may raise an `OSError`.
    """

    place: Place
    rules: Mapping[str, Any]
    token: str = field(default_factory=lambda: secrets.token_hex(8))

    def notes(self) -> dict[str, Note]:
        """What is noted of each part. One that isn't there, or not as noted, has the note of a part
        that was made otherwise.

        Raises `CommandError` if the folder has something else, or parts by other rules.
        """
        files = self.place.files()

        def note(name: str) -> Note:
            found = Note.of(_parsed(self.place / _note_of(name)))
            file = files.get(name)
            return found if file and found.size == file.size else _NO_NOTE

        names = [*_noted(files)]
        with ThreadPoolExecutor(_AT_A_TIME) as readers:
            notes = dict(zip(names, readers.map(note, names), strict=True))
        if RUN in files:
            self._check_rules(any(note.part for note in notes.values()))
        elif [name for name in files if not name.startswith(f"{_TEMPORARY}/")]:
            raise CommandError(f"{self.place.shown} has files that no run of this command wrote")
        return notes

    def _check_rules(self, parts: bool) -> None:
        """Raises `CommandError` if there are `parts` by other rules, or unknown ones."""
        begun = _parsed(self.place / RUN)
        if begun is None:
            raise CommandError(
                f"{self.place.shown}/{RUN} isn't what this command writes: restore it, or remove "
                "the folder"
            )
        other = [name for name in self.rules if begun.get(name) != self.rules[name]]
        if other and parts:
            differ = "; ".join(
                f"{name} was {_shown(begun.get(name))} and is now {_shown(self.rules[name])}"
                for name in other
            )
            raise CommandError(
                f"{self.place.shown} was begun otherwise, so this run can't go on there: {differ}; "
                "name another folder"
            )

    def kept(self, parts: Iterable[PartT], notes: Mapping[str, Note]) -> list[Done[PartT]]:
        """The `parts` that are whole already, by their `notes`."""
        rules = self._digest()
        found = ((part, notes.get(part.name, _NO_NOTE)) for part in parts)
        return [
            Done(part, note.size, note.rows, note.bad_rows)
            for part, note in found
            if note.rules == rules and note.part == part.as_json()
        ]

    def begin(self, kept: Iterable[Done[Any]], notes: Iterable[str], *, complete: bool) -> None:
        """Notes the rules and the token of the run, and removes all parts that have `notes` but
        those that are `kept`, and what dead runs have left. `complete` says that no part is
        missing.

        Raises `CommandError` if another run begins meanwhile, and removes nothing from then on.
        """
        self._write(RUN, {**self.rules, "run": self.token})
        self._remove_temporary()
        outdated = [*{*notes}.difference(each.part.name for each in kept)]
        if outdated or not complete:
            for name in (SUCCESS, _MANIFEST):
                self._remove_own(name)
        files = self.place.files() if outdated else {}
        self._remove(outdated, files)
        self._remove([_note_of(name) for name in outdated], files)

    def _remove(self, names: list[str], files: Iterable[str]) -> None:
        """Removes these of all `files`, as far as they are there, and the folders that are empty
        then.
        """
        gone = set(names)
        used = {folder for name in files if name not in gone for folder in folders_of(name)}
        empty = {folder for name in names for folder in folders_of(name)} - used.union(files)
        with ThreadPoolExecutor(_AT_A_TIME) as removing:
            there = gone.intersection(files)
            deque(removing.map(self._remove_own, there), maxlen=0)  # for their errors
        for folder in sorted(empty, key=len, reverse=True):
            self._remove_own(folder)

    def _remove_own(self, name: str) -> None:
        """Removes a file or folder. Raises `CommandError` if this run wasn't the last to begin."""
        self._check(name, "removed")
        (self.place / name).remove()

    def _remove_temporary(self) -> None:
        """Removes what dead runs have left. A task of one may still write there: what can't be
        removed is left to the next run.
        """
        with suppress(OSError):
            (self.place / _TEMPORARY).remove()

    def make(self, part: PartT, write: Callable[[IO[bytes]], tuple[int, int]]) -> Done[PartT]:
        """Makes a part. `write` fills its file, and returns how many rows the part was made of, and
        how many of them were bad.

        Raises `CommandError` if the folder isn't that of this run, or another run begins before the
        part is whole.
        """
        made: list[Done[PartT]] = []
        counts = 0, 0

        def fill(file: IO[bytes]) -> None:
            nonlocal counts
            counts = write(file)

        def note(size: int) -> None:
            self._check(part.name)
            self._write(
                _note_of(part.name), asdict(Note(part.as_json(), self._digest(), size, *counts))
            )
            made.append(Done(part, size, *counts))

        self._check(part.name)
        self._replace(part.name, fill, note)
        return made[0]

    def finish(self, done: Sequence[Done[Any]], parts: Iterable[Listed]) -> None:
        """Writes the manifest with the `parts`, which are all, and that all are there.

        Raises `CommandError` if what was `done` isn't there, something else is, or another run
        begins meanwhile; then there is no `_SUCCESS`.
        """
        self._check(SUCCESS)
        files = self.place.files()
        sizes = {each.part.name: each.size for each in done}
        noted = {*_noted(files)}
        wrong = sorted(
            name
            for name in noted | sizes.keys()
            if name not in noted or name not in files or files[name].size != sizes.get(name)
        )
        if wrong:
            more = f", nor are {len(wrong) - 1:,} more" if len(wrong) > 1 else ""
            raise CommandError(
                f"{self.place.shown}/{wrong[0]} isn't there as this run has made it{more}: do all "
                "workers write the same folder?"
            )
        foreign = sorted(name for name in files.keys() - sizes.keys() if _is_data(name))
        if foreign:
            others = len(foreign) - 1
            more = f", nor {others:,} more {'file' if others == 1 else 'files'}" if others else ""
            raise CommandError(
                f"{self.place.shown}/{foreign[0]} wasn't made by this run{more}: remove what "
                "doesn't belong there, and the same command goes on"
            )
        listed = [dict(each) for each in parts]
        total = sum(each["rows"] for each in listed)
        try:
            self._write(_MANIFEST, {**self.rules, "rows": total, "parts": listed})
            self._check(SUCCESS)
            self._write(SUCCESS, None)
            self._check(SUCCESS)
        except CommandError:  # what the other run removes may be missing
            (self.place / SUCCESS).remove()
            raise
        self._remove_temporary()

    def _check(self, name: str, done: str = "written") -> None:
        """Raises `CommandError`, which says that `name` can't be written, or what else is to be
        `done`, unless this run was the last to begin here.
        """
        run = self.place / RUN
        try:
            begun = _parsed(run)
        except FileNotFoundError:
            raise CommandError(
                f"{self.place.shown}/{name} can't be {done}: {run.shown} isn't there. Do all "
                "workers write the same folder?"
            ) from None
        if begun is None or begun.get("run") != self.token:
            raise TryAgain(f"{self.place.shown}/{name} can't be {done}: another run writes here")

    def _digest(self) -> str:
        """A digest of the rules."""
        rules = orjson.dumps(dict(self.rules), option=orjson.OPT_SORT_KEYS)
        return sha256(rules).hexdigest()[:16]

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
            self._check(name)
            raise


def _note_of(name: str) -> str:
    """The name of the note of a part."""
    return f"{_PARTS}/{name}.json"


def _noted(files: Iterable[str]) -> Iterator[str]:
    """The names of the parts that have a note among `files`."""
    for name in files:
        if name.startswith(f"{_PARTS}/") and name.endswith(".json"):
            yield name.removeprefix(f"{_PARTS}/").removesuffix(".json")


def _is_data(name: str) -> bool:
    """Whether programs that read the folder would read this file."""
    return not any(step.startswith(("_", ".")) for step in name.split("/"))


def check_names(names: Iterable[str]) -> None:
    """Raises `CommandError` if parts of these names can't all have a note."""
    known = {*names}
    for name in sorted(known):
        if len(os.fsencode(name.rpartition("/")[2])) > _LONGEST:
            raise CommandError(f"the name of {name} is too long: it may have {_LONGEST} bytes")
        for folder in folders_of(name):
            if folder.endswith(".json") and folder.removesuffix(".json") in known:
                other = folder.removesuffix(".json")
                raise CommandError(f"{other} can't be made beside {folder}/: rename one of them")


def folders_of(name: str) -> Iterator[str]:
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

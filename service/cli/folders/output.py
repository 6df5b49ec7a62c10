"""The folder of a run: its parts, what is known of each, and whether all of them are there.

A part is written under `_temporary`. When it is whole, `_parts` gets a note with what it was made
from and its rows, in the same way for each format: CSV and NDJSON hold no metadata. Then the part
is renamed. A part that isn't wanted any more is removed before its note. So every part has a note,
whatever died, and a run finds all that earlier ones have left. A part that is missing, or isn't as
noted, is made again. Programs that read folders of tables leave out names that begin with an
underscore.

One run at a time writes a folder: it holds a lock on `_lock`, which ends with it. Stores have no
locks, and a task may outlive its run on a cluster that goes on. So each run also has a token of its
own, which it writes beside the rules when it begins: parts are made only for the run that began
last, and not by a worker that has another folder under this path.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import IO, Any, TypeVar

import orjson
from pyarrow.fs import FileInfo, FileType

from service.cli.command import CommandError, TryAgain
from service.cli.files.locations import Location
from service.cli.text import counted

RUN = "_run.json"
"""The rules that the folder was begun with, and the token of the run that began last."""

SUCCESS = "_SUCCESS"
"""What is there once all parts are."""

FINGERPRINT = b"dice_scoring"
"""The key of a part's rules and input in the metadata of its columns, where a format has any."""

_MANIFEST = "_manifest.json"
_PARTS, _TEMPORARY, _LOCK = "_parts", "_temporary", "_lock"

_LONGEST = 250
"""The most bytes of a part's name: file systems take 255, and a note has `.json` behind it."""

_AT_A_TIME = 16
"""How many notes to read, or files to remove, at a time."""


WrittenT = TypeVar("WrittenT")


@dataclass(frozen=True)
class Part:
    """What one task makes: a file of the output, where `name` is its path. `share` is how much of
    the work it is, in any unit.
    """

    name: str
    share: int

    def as_json(self) -> dict[str, Any]:
        """All that decides what is in it, beside the rules of the run, as a note has it."""
        fields = asdict(self)
        del fields["share"]
        found: dict[str, Any] = orjson.loads(orjson.dumps(fields))
        return found


@dataclass(frozen=True)
class Note:
    """What is noted of a part: what it was made from, the digest of the rules, its bytes, the rows
    it was made of, and how many of them were bad.
    """

    part: Mapping[str, Any]
    rules: str
    size: int
    rows: int
    bad_rows: int

    @classmethod
    def of(cls, noted: Mapping[str, Any] | None, file: FileInfo | None) -> Note:
        """What is `noted` of a `file`; the note that no part has, if the file isn't so."""
        with suppress(TypeError):  # other fields
            found = cls(**(noted or {}))
            numbers = (found.size, found.rows, found.bad_rows)
            if file and all(isinstance(each, int) for each in numbers) and found.size == file.size:
                return found
        return cls({}, "", 0, 0, 0)


@dataclass(frozen=True)
class Output:
    """The folder at `location`, as one run writes it by its `rules`; no other run has its `token`.

    It goes to the workers with the tasks. Its methods may raise an `OSError`.
    """

    location: Location
    rules: Mapping[str, Any]
    token: str = field(default_factory=lambda: secrets.token_hex(8))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the lock of a folder that isn't in a store.

        Raises `TryAgain` if another run has it.
        """
        if not self.location.local:
            yield
            return
        os.makedirs(self.location.path, exist_ok=True)
        with open(f"{self.location.path}/{_LOCK}", "ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                shown = self.location.shown
                raise TryAgain(f"{shown} can't be written: another run writes there") from None
            except OSError:
                pass  # a file system without locks: the token still keeps others from writing
            yield

    def notes(self) -> dict[str, Note]:
        """What is noted of each part. One that isn't there, or not as noted, has the note of a part
        that was made otherwise.

        Raises `CommandError` if the folder has something else, or parts by other rules.
        """
        files = self._files()
        names = [*_noted(files)]
        with ThreadPoolExecutor(_AT_A_TIME) as readers:
            read = readers.map(lambda name: self._object(f"{_PARTS}/{name}.json"), names)
            notes = {
                name: Note.of(noted, files.get(name))
                for name, noted in zip(names, read, strict=True)
            }
        if RUN in files:
            self._check_rules(any(note.part for note in notes.values()))
        elif any(name != _LOCK and not name.startswith(f"{_TEMPORARY}/") for name in files):
            raise CommandError(f"{self.location.shown} has files that no run of this command wrote")
        return notes

    def _check_rules(self, parts: bool) -> None:
        """Raises `CommandError` if there are `parts` by other rules, or unknown ones."""
        begun = self._object(RUN)
        if begun is None:
            raise CommandError(
                f"{self.location.shown}/{RUN} isn't what this command writes: restore it, or "
                "remove the folder"
            )
        other = [name for name in self.rules if begun.get(name) != self.rules[name]]
        if other and parts:
            differ = "; ".join(
                f"{name} was {orjson.dumps(begun.get(name)).decode()} and is now "
                f"{orjson.dumps(self.rules[name]).decode()}"
                for name in other
            )
            raise CommandError(
                f"{self.location.shown} was begun otherwise, so this run can't go on there: "
                f"{differ}; name another folder"
            )

    def kept(self, parts: Iterable[Part], notes: Mapping[str, Note]) -> dict[str, Note]:
        """The notes of those `parts` that are whole already."""
        rules = self._digest()
        return {
            part.name: note
            for part in parts
            if (note := notes.get(part.name)) and (note.rules, note.part) == (rules, part.as_json())
        }

    def begin(self, kept: Collection[str], notes: Iterable[str], *, complete: bool) -> None:
        """Notes the rules and the token of the run, and removes all parts that have `notes` but
        those that are `kept`, and what dead runs have left. `complete` says that no part is
        missing.
        """
        self._write(RUN, {**self.rules, "run": self.token})
        self._remove_temporary()
        outdated = [name for name in notes if name not in kept]
        if outdated or not complete:
            self._remove([SUCCESS, _MANIFEST])
        files = self._files() if outdated else {}
        for names in (outdated, [f"{_PARTS}/{name}.json" for name in outdated]):
            self._remove([name for name in names if name in files])
            left = files.keys() - names
            used = {folder for name in left for folder in folders_of(name)}
            empty = {folder for name in names for folder in folders_of(name)} - used - left
            for folder in sorted(empty, key=len, reverse=True):
                (self.location / folder).remove()  # while notes say that it was there

    def _remove(self, names: Sequence[str]) -> None:
        """Removes files or folders, as far as they are there."""
        with ThreadPoolExecutor(_AT_A_TIME) as removing:
            for _ in removing.map(lambda name: (self.location / name).remove(), names):
                pass  # its error is raised

    def _remove_temporary(self) -> None:
        """Removes what dead runs have left. A task of one may still write there: what can't be
        removed is left to the next run.
        """
        with suppress(OSError):
            (self.location / _TEMPORARY).remove()

    def make(self, part: Part, write: Callable[[IO[bytes]], tuple[int, int]]) -> Note:
        """Makes a part. `write` fills its file, and returns how many rows the part was made of, and
        how many of them were bad.

        Raises `CommandError` if the folder isn't that of this run, or another run begins before the
        part is whole.
        """
        notes = []

        def note(size: int, counts: tuple[int, int]) -> None:
            self._check(part.name)
            notes.append(Note(part.as_json(), self._digest(), size, *counts))
            self._write(f"{_PARTS}/{part.name}.json", asdict(notes[0]))

        self._check(part.name)
        self._replace(part.name, write, note)
        return notes[0]

    def finish(self, made: Mapping[str, Note], listed: Sequence[Mapping[str, Any]]) -> None:
        """Writes the manifest with the parts that are `listed`, which are all, and that all are
        there.

        Raises `CommandError` if what was `made` isn't there, something else is, or another run has
        begun; then there is no `_SUCCESS`.
        """
        self._check(SUCCESS)
        files = self._files()
        there = {(name, files[name].size if name in files else None) for name in _noted(files)}
        wrong = sorted({name for name, _ in there ^ {(name, made[name].size) for name in made}})
        if wrong:
            more = f", nor are {len(wrong) - 1:,} more" if len(wrong) > 1 else ""
            raise CommandError(
                f"{self.location.shown}/{wrong[0]} isn't there as this run has made it{more}: do "
                "all workers write the same folder?"
            )
        foreign = sorted(
            name
            for name in files.keys() - made.keys()
            if not any(step.startswith(("_", ".")) for step in name.split("/"))
        )
        if foreign:
            others = len(foreign) - 1
            more = f", nor {counted(others, 'more file')}" if others else ""
            raise CommandError(
                f"{self.location.shown}/{foreign[0]} wasn't made by this run{more}: remove what "
                "doesn't belong there, and the same command goes on"
            )
        total = sum(each["rows"] for each in listed)
        self._write(_MANIFEST, {**self.rules, "rows": total, "parts": listed})
        self._check(SUCCESS)
        self._write(SUCCESS, None)
        self._remove_temporary()

    def _check(self, name: str) -> None:
        """Raises `CommandError`, which says that `name` can't be written, unless this run was the
        last to begin here.
        """
        try:
            begun = self._object(RUN)
        except FileNotFoundError:
            raise CommandError(
                f"{self.location.shown}/{name} can't be written: {self.location.shown}/{RUN} isn't "
                "there. Do all workers write the same folder?"
            ) from None
        if begun is None or begun.get("run") != self.token:
            raise TryAgain(
                f"{self.location.shown}/{name} can't be written: another run writes here"
            )

    def _digest(self) -> str:
        """A digest of the rules."""
        rules = orjson.dumps(dict(self.rules), option=orjson.OPT_SORT_KEYS)
        return sha256(rules).hexdigest()[:16]

    def _files(self) -> dict[str, FileInfo]:
        """All files of the folder."""
        listed = self.location.listed()
        return {name: found for name, found in listed.items() if found.type == FileType.File}

    def _object(self, name: str) -> dict[str, Any] | None:
        """The object in a file; None if it has something else."""
        with self.location.system.open_input_stream((self.location / name).path) as file:
            text = file.read()
        try:
            found = orjson.loads(text)
        except orjson.JSONDecodeError:
            return None
        return found if isinstance(found, dict) else None

    def _write(self, name: str, value: Any) -> None:
        text = b"" if value is None else orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n"
        self._replace(name, lambda file: file.write(text), lambda *_: None)

    def _replace(
        self,
        name: str,
        write: Callable[[IO[bytes]], WrittenT],
        when_whole: Callable[[int, WrittenT], object],
    ) -> None:
        """See `Location.replace`. Raises `CommandError` if another run has removed the new file."""
        target, temporary = self.location / name, self.location / _TEMPORARY / secrets.token_hex(8)
        try:
            for location in (temporary, target):
                location.system.create_dir(os.path.dirname(location.path), recursive=True)
            target.replace(temporary, write, when_whole)
        except FileNotFoundError:
            self._check(name)
            raise


def _noted(files: Iterable[str]) -> Iterator[str]:
    """The names of the parts that have a note among `files`."""
    for name in files:
        if name.startswith(f"{_PARTS}/") and name.endswith(".json"):
            yield name.removeprefix(f"{_PARTS}/").removesuffix(".json")


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


def incomplete(folder: Location) -> bool:
    """Whether a run has begun in a folder and hasn't made all its parts yet."""
    run, success = folder.system.get_file_info([(folder / name).path for name in (RUN, SUCCESS)])
    return bool(run.type != FileType.NotFound and success.type == FileType.NotFound)

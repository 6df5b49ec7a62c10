"""Inputs and outputs that URIs name, and stores that aren't sure of anything."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fsspec
import pyarrow as pa
import pytest
from pyarrow.fs import FileInfo, FileType, FSSpecHandler, PyFileSystem

from service.cli.command import CommandError, TryAgain
from service.cli.files import locations
from service.cli.files.formats import open_table
from service.cli.files.locations import Location
from service.cli.files.sources import files_of, named, source_of
from service.cli.folders.output import Note
from service.cli.folders.score import parts_of
from service.cli.summary import main as summary
from tests.cluster.folders import lines, names, ran, refusal, rolls, write_rolls
from tests.cluster.one_process import job, made, result

SECOND = 1_000_000_000


class Store(FSSpecHandler):  # type: ignore[misc]  # pyarrow has no types
    """Folders of this machine as S3 shows them: the time of a file has milliseconds in lists, and
    none where the file is asked for. Nothing can be read while it is `away`.
    """

    def __init__(self) -> None:
        super().__init__(fsspec.filesystem("file"))
        self.away = False

    def get_file_info(self, paths: list[str]) -> list[FileInfo]:
        """See `FileSystemHandler`."""
        if self.away:
            raise OSError("the store is away")
        return [
            FileInfo(
                found.path,
                found.type,
                size=found.size,
                mtime_ns=found.mtime_ns and found.mtime_ns // SECOND * SECOND,
            )
            for found in super().get_file_info(paths)
        ]

    def open_input_file(self, path: str) -> Any:
        """See `FileSystemHandler`."""
        if self.away:
            raise OSError("the store is away")
        return super().open_input_file(path)


def test_a_large_arrow_file(tmp_path: Path) -> None:
    """A batch of any size isn't read into memory at once if its file is on this machine; one in a
    store is.
    """
    table, path = rolls(1_000_000, seed=1), str(tmp_path / "a.arrow")
    with pa.OSFile(path, "w") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    before = pa.total_allocated_bytes()
    read = open_table(Location.of(path), 1_000, mapped=True)
    assert next(read.batches).num_rows == 1_000
    assert pa.total_allocated_bytes() - before < 1_000_000
    stored = open_table(Location(PyFileSystem(Store()), path, path), 1_000, mapped=True)
    assert pa.Table.from_batches(stored.batches) == table


def test_times_in_a_store(tmp_path: Path) -> None:
    """An input whose time has a fraction of a second only in lists hasn't changed."""
    write_rolls(tmp_path / "rolls" / "a.parquet", 10, seed=1)
    source = Location(PyFileSystem(Store()), str(tmp_path / "rolls"), "store://rolls")
    (listed,) = source.listed().values()
    assert listed.mtime_ns % SECOND != source.system.get_file_info(listed.path).mtime_ns % SECOND
    (found,) = made(job(source, tmp_path / "scores"))
    assert isinstance(found, Note)


def test_a_store_that_is_away_for_a_moment(tmp_path: Path) -> None:
    """A footer that can't be read ends the plan: as one part, a file that was split before would
    lose the parts that are whole.
    """
    write_rolls(tmp_path / "rolls" / "a.parquet", 40, seed=1, group=10)
    store = Store()
    source = Location(PyFileSystem(store), str(tmp_path / "rolls"), "store://rolls")
    assert len(parts_of(source, "", 10)) == 4
    store.away = True
    info = FileInfo("a.parquet", size=1, mtime_ns=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.cli.folders.score.files_of", lambda *_: {"a.parquet": info})
        assert refusal(parts_of, source, "", 10) == (
            "store://rolls/a.parquet can't be read: the store is away"
        )


@pytest.mark.parametrize(
    "text",
    [
        "s3://KEY:SECRET@bucket/rolls?bogus=1",
        "s3://KEY:SEC/RET@bucket/rolls?bogus=1",
        "s3://KEY:SEC/R+E/T@bucket/rolls",
        "s3://KEY:SEC RET@bucket/rolls",
        "other://KEY:SECRET@bucket/rolls",
        "s3://KEY@bucket/rolls?secret_key=SECRET",
        "abfs://:SECRET@bucket/rolls?bogus=1",
        "abfs://:SEC/RET@bucket/rolls?bogus=1",
    ],
)
def test_no_secret_is_printed(text: str) -> None:
    """What a URI that can't be used is called has neither its key, nor its secret, nor options."""
    with pytest.raises(CommandError) as caught:
        source_of(text)
    (said,) = caught.value.lines
    assert said.startswith(f"{text.partition('://')[0]}://bucket/rolls can't be used: ")
    assert [each for each in ("KEY", "SEC", "R+E", "RET", "=") if each in said] == []


def test_no_secret_of_a_store_that_is_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither is a secret printed if the store is known, but can't be read."""
    store = Store()
    store.away = True
    found = PyFileSystem(store), "bucket/rolls"
    monkeypatch.setattr(locations, "FileSystem", SimpleNamespace(from_uri=lambda _: found))
    assert summary(["s3://KEY:SECRET@bucket/rolls?region=eu-west-1"]) == TryAgain.status
    assert capsys.readouterr() == ("", "s3://bucket/rolls can't be read: the store is away\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("s3://bucket/a@b:c/", "s3://bucket/a@b:c"),
        ("hdfs://host:8020/a@b", "hdfs://host:8020/a@b"),
        ("hdfs://user@host:8020/a?replication=1", "hdfs://host:8020/a"),
        ("s3://KEY:SECRET@bucket/a@b", "s3://bucket/a@b"),
        ("rolls/a@b/", "rolls/a@b"),
        ("abfs://box@me.dfs.core.windows.net/a@b", "abfs://box@me.dfs.core.windows.net/a@b"),
        (
            "abfss://box:SEC/RET@me.dfs.core.windows.net/a?tenant_id=1",
            "abfss://box@me.dfs.core.windows.net/a",
        ),
        (
            "abfs://:SECRET@me.dfs.core.windows.net/box/a@b",
            "abfs://me.dfs.core.windows.net/box/a@b",
        ),
        ("abfs://127.0.0.1:10000/a@b", "abfs://127.0.0.1:10000/a@b"),
    ],
)
def test_what_is_no_secret(text: str, shown: str) -> None:
    """Ports and other paths with an at sign are shown as they are."""
    assert locations.without_secret(text) == shown


def test_each_store_is_another_source() -> None:
    """The rules of a folder tell containers, accounts and endpoints apart, but have no secret, and
    the same words for a location that is typed otherwise.
    """
    minio = "s3://KEY:SECRET@bucket/rolls/*.csv?region=x&endpoint_override"
    texts = {
        "abfs://box@me.dfs.core.windows.net/rolls": "abfs://box:U0VDUkVU@me.dfs.core.windows.net/rolls/",
        "abfs://other@me.dfs.core.windows.net/rolls": "abfs://other@me.dfs.core.windows.net/rolls",
        "abfs://box@you.dfs.core.windows.net/rolls": "abfs://box@you.dfs.core.windows.net/rolls",
        f"{minio}=10.0.0.5:9000": f"{minio.replace('KEY', 'YOURS')}=10.0.0.5:9000",
        f"{minio}=10.0.0.6:9000": f"{minio}=10.0.0.6:9000",
        "s3://bucket/rolls?region=x": "s3://bucket/rolls?region=x",
    }

    def identity(text: str) -> str:
        location = Location.of(text.replace("/*.csv", ""))
        return named(location, "*.csv" if "*" in text else "")

    found = {text: identity(text) for text in texts}
    assert len(set(found.values())) == len(texts)
    assert [identity(other) for other in texts.values()] == [*found.values()]
    hidden = ("KEY", "YOURS", "SECRET", "U0VDUkVU")
    assert [each for each in hidden if each in str(found.values())] == []
    assert found["s3://bucket/rolls?region=x"] == "s3://bucket/rolls"


def test_escapes_in_uris(tmp_path: Path) -> None:
    """A URI may name a file or a glob with escapes, also of characters that globs know."""
    for name in ("a b.parquet", "a c.parquet", "[1] d.parquet"):
        write_rolls(tmp_path / "my rolls" / name, 10, seed=1)
    folder = f"file://{tmp_path}/my%20rolls"
    for text, found in {
        f"{folder}/a%20b.parquet": ["a b.parquet"],
        f"{folder}/%5B1%5D%20d.parquet": ["[1] d.parquet"],
        f"{folder}/a%20*.parquet": ["a b.parquet", "a c.parquet"],
        f"{folder}/%5B1%5D*": ["[1] d.parquet"],
        folder: ["[1] d.parquet", "a b.parquet", "a c.parquet"],
    }.items():
        assert [*files_of(*source_of(text))] == found


def test_empty_steps_of_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of a store may have two slashes in a row."""
    listed = {name: FileInfo(name, FileType.File) for name in ("a//b.csv", "_a//b.csv")}
    monkeypatch.setattr(Location, "listed", lambda *_: listed)
    assert [*files_of(Location.of(str(tmp_path)), "")] == ["a//b.csv"]


def test_a_folder_that_a_worker_lacks(tmp_path: Path) -> None:
    """A worker that doesn't find an input says so, not that it has changed."""
    write_rolls(tmp_path / "rolls" / "a.parquet", 10, seed=1)
    asked = job(tmp_path / "rolls", tmp_path / "scores")
    (part,) = parts_of(asked.source, "", 10)
    (tmp_path / "rolls").rename(tmp_path / "elsewhere")
    said = (
        f"a worker doesn't find {tmp_path}/rolls/a.parquet: has it been removed? It must be at the "
        "same path on every machine"
    )
    assert lines(result(asked, part)) == [said]


def test_links_above(tmp_path: Path) -> None:
    """Workers get the path that was typed: they may lack where a link leads. Still, an output that
    lies in its input by way of a link is refused.
    """
    write_rolls(tmp_path / "disk" / "rolls" / "a.parquet", 10, seed=1)
    (tmp_path / "mounted").symlink_to(tmp_path / "disk")
    source, target = tmp_path / "mounted" / "rolls", tmp_path / "disk" / "rolls" / "scores"
    assert Location.of(str(source)).path == str(source)
    said = f"{target} must not lie in {source}, which is read"
    assert ran(source, target) == (2, said)
    assert names(source) == {"a.parquet"}

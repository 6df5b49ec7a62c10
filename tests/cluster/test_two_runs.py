"""Two runs that write one folder, and what a dead run has left on a cluster that goes on."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from service.cli.command import CommandError
from service.cli.files.locations import Location
from service.cli.folders.output import Output
from service.cli.folders.score import parts_of
from tests.cluster.folders import answers, lines, names, ran, refusal, write_rolls
from tests.cluster.one_process import all_done, files_job, job, result

pytestmark = pytest.mark.usefixtures("no_power_cut")


def test_one_run_at_a_time(tmp_path: Path) -> None:
    """While a run writes a folder, another one is refused, whatever its rules, and changes nothing;
    the same command may work later.
    """
    asked = files_job(tmp_path, "a.parquet")
    target, before = tmp_path / "scores", names(tmp_path / "scores")
    said = f"{target} can't be written: another run writes there"
    with asked.output.locked():
        assert ran(tmp_path / "rolls", target, "--part-rows", "10") == (75, said)
        write_rolls(tmp_path / "rolls" / "b.parquet", 10, seed=2)
        assert ran(tmp_path / "rolls", target, "--part-rows", "10") == (75, said)
        with pytest.raises(CommandError, match="another run writes there"), asked.output.locked():
            pass
    assert names(target) == before
    assert ran(tmp_path / "rolls", target, "--part-rows", "10")[0] == 0
    assert set(answers(target)) == {"a.parquet", "b.parquet"}


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be locked, a run goes on without."""

    def refused(*_: object) -> None:
        raise OSError("Function not implemented")

    monkeypatch.setattr(fcntl, "flock", refused)
    asked = files_job(tmp_path, "a.parquet")
    with asked.output.locked(), asked.output.locked():
        assert len(all_done(asked)) == 1


@pytest.mark.parametrize("house_rules", [{}, {"joker": True}])
@pytest.mark.parametrize("local", [True, False])
def test_a_task_of_a_dead_run(
    tmp_path: Path, house_rules: dict[str, bool], local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another run begins while a part is made, whatever its rules, the part isn't there; also in
    a store, where a file that is being written can't be removed. What began before isn't made.
    """
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 10, seed=1)
    asked = job(source, target)
    (part,) = parts_of(asked.source, "", 10)
    asked.output.begin((), (), complete=False)
    other = Output(asked.output.location, {**asked.output.rules, "house_rules": house_rules})

    def begin(*_: object) -> None:
        if not local:
            monkeypatch.setattr(Location, "remove", lambda _: None)
        other.begin((), (), complete=False)

    said = [f"{target}/a.parquet can't be written: another run writes here"]
    assert lines(result(asked, part, begin)) == said
    assert names(target) == {"_run.json"}
    assert lines(result(asked, part)) == said
    assert names(target) == {"_run.json"}


def test_a_run_that_lost_its_folder(tmp_path: Path) -> None:
    """In a store, which has no locks, a run can't say that all is there once another one has begun:
    that one may have removed parts.
    """
    first = files_job(tmp_path, "a.parquet")
    last = job(tmp_path / "rolls", tmp_path / "scores")
    (tmp_path / "scores" / "_SUCCESS").unlink()
    done = all_done(first)
    last.output.begin(done, (), complete=False)
    assert refusal(first.output.finish, done, []) == (
        f"{tmp_path}/scores/_SUCCESS can't be written: another run writes here"
    )
    assert not (tmp_path / "scores" / "_SUCCESS").exists()
    last.output.finish(done, [])
    assert (tmp_path / "scores" / "_SUCCESS").exists()


def test_a_worker_with_another_folder(tmp_path: Path) -> None:
    """A worker that doesn't find what the command began makes nothing, and no folder of its own."""
    source, target = tmp_path / "rolls", tmp_path / "scores"
    write_rolls(source / "a.parquet", 10, seed=1)
    asked = job(source, target)
    (part,) = parts_of(asked.source, "", 10)
    said = (
        f"{target}/a.parquet can't be written: {target}/_run.json isn't there. Do all workers "
        "write the same folder?"
    )
    assert lines(result(asked, part)) == [said]
    assert not target.exists()

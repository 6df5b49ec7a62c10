"""A copy of the own store's files, taken while it runs, has all that was acknowledged before."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import redis

from service.sessions.store.supervisor import FOLDER
from tests.faults.players import Players, playing
from tests.live import running
from tests.sessions.servers import until

MORE = 100
"""How many actions are acknowledged before the copy."""


def test_copied_while_it_runs() -> None:
    """`docs/operations.md` says how to copy the files. A service that starts with the copy has all
    actions that were acknowledged before, and its sessions go on.
    """
    with TemporaryDirectory() as folder, TemporaryDirectory() as copy:
        with running(DATA_DIR=folder) as service, playing(service) as players:
            players.await_more(MORE)
            with closing(redis.Redis(unix_socket_path=f"{folder}/store.sock")) as store:
                rewriting = "auto-aof-rewrite-percentage"
                store.config_set(rewriting, 0)
                until(
                    lambda: not store.info("persistence")["aof_rewrite_in_progress"],
                    "the store writes no files anew",
                )
                before = list(players.acknowledged)
                shutil.copytree(Path(folder) / FOLDER, Path(copy) / FOLDER)
                store.config_set(rewriting, 100)
            players.await_more(MORE)
        with running(DATA_DIR=copy) as restored:
            with playing(restored) as other:
                other.await_more(MORE)
            found = Players(restored, before).find()
    print(f"own store copied while it runs: {found.acknowledged} actions, {found.lost} missing")
    assert found.lost == 0

"""What other users of the machine can do in the folder of the service's own store."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.sessions.store.data_folder import open_to_others


@pytest.mark.parametrize(
    ("mode", "can"),
    [
        (0o703, "delete them"),
        (0o730, "delete them"),
        (0o701, "see"),
        (0o712, "see"),  # some can enter, others could write
        (0o721, "see"),
        (0o1703, "see"),
        (0o702, None),
        (0o720, None),
    ],
)
def test_what_others_can_do(tmp_path: Path, mode: int, can: str | None) -> None:
    """Only who can both enter a folder and write there can delete files, unless it is sticky."""
    own = tmp_path / f"mode-{mode:o}"
    own.mkdir()
    own.chmod(mode)
    said = open_to_others(own)
    assert (said is None) == (can is None)
    if said is not None:
        assert f"but they can {can} " in said or f"but they can {can}," in said

"""Fuzzes one parser with atheris: `python -m tests.fuzz.one NAME FOLDER [option of libFuzzer ...]`.

The inputs that reached something new are kept in the folder, so the next run begins with them.
"""

from __future__ import annotations

import sys
from hashlib import sha1
from pathlib import Path

import atheris

from tests.fuzz.parser import parser


def main() -> None:
    """Writes the seeds and the dictionary into the folder, and fuzzes until the time is over."""
    name, folder, *options = sys.argv[1:]
    with atheris.instrument_imports(include=["service"]):
        found = parser(name)
        seeds = list(found.seeds())  # which imports the games
    known = Path(folder, "corpus")
    known.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        (known / _name(seed)).write_bytes(seed)
    words = Path(folder, "dictionary")
    escaped = ("".join(f"\\x{byte:02x}" for byte in word) for word in found.DICTIONARY)
    words.write_text("".join(f'"{word}"\n' for word in escaped))
    arguments = [sys.argv[0], *options, f"-dict={words}", f"-artifact_prefix={folder}/", str(known)]

    def check(data: bytes) -> None:
        """Keeps an input that fails; libFuzzer doesn't if a thread is still running."""
        try:
            found.check(data)
        except BaseException:
            Path(folder, f"crash-{_name(data)}").write_bytes(data)
            raise

    atheris.Setup(arguments, check)
    atheris.Fuzz()


def _name(data: bytes) -> str:
    """The name that libFuzzer gives an input."""
    return sha1(data, usedforsecurity=False).hexdigest()


if __name__ == "__main__":
    main()

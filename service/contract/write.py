"""Writes the contract to standard output: `python -m service.contract.write`, as YAML or `json`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser

import orjson

from service.api.batch.batch import Limits, batches
from service.api.operations.registry import operations
from service.contract.document import as_yaml, document
from service.settings import Settings
from service.variants import own_variants


def main() -> None:
    """Writes the contract of the games of this repository, as `make openapi` commits it."""
    parser = ArgumentParser("python -m service.contract.write")
    parser.add_argument("form", nargs="?", choices=["yaml", "json"], default="yaml")
    form: str = parser.parse_args().form
    found = list(own_variants().values())
    asked = operations(found)
    made = document(asked, batches(asked, Limits.of(Settings())), found)
    sys.stdout.buffer.write(orjson.dumps(made) if form == "json" else as_yaml(made).encode())


if __name__ == "__main__":
    main()

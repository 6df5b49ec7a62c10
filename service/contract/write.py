"""Writes the contract to standard output: `python -m service.contract.write`, as YAML or `json`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable

import orjson

from service.api.batch.batch import BatchLimits, batches
from service.api.operations.registry import operations
from service.contract.document import as_yaml, document
from service.rules.variant import Variant
from service.settings import Settings
from service.variants import own_variants


def main() -> None:
    """Writes the contract of the games of this repository, as `make openapi` commits it."""
    parser = ArgumentParser("python -m service.contract.write")
    parser.add_argument("form", nargs="?", choices=["yaml", "json"], default="yaml")
    form: str = parser.parse_args().form
    sys.stdout.buffer.write(contract_of(own_variants().values(), form))


def contract_of(variants: Iterable[Variant], form: str) -> bytes:
    """The contract of `variants` under the default settings, as "yaml" or "json"."""
    variants = list(variants)
    asked = operations(variants)
    made = document(asked, batches(asked, BatchLimits.of(Settings())), variants)
    return orjson.dumps(made) if form == "json" else as_yaml(made).encode()


if __name__ == "__main__":
    main()

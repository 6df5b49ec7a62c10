"""The contract as files, which workers don't have to generate.

`openapi.json` and `openapi.yaml` beside this module are the contract of the games of this
repository. `make openapi` writes them: `python -m service.contract.write` writes to standard
output, as YAML or `json`.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from pathlib import Path

import orjson

from service.api import catalogue
from service.api.batch.batch import Batch, batches
from service.api.http.causes import Cause
from service.api.http.docs import FORMS, Contract
from service.api.operations.operation import Operation
from service.api.operations.registry import operations
from service.rules.variant import Variant
from service.settings import Settings
from service.variants import own_variants

_FOLDER = Path(__file__).parent


def prepared(
    operations: Sequence[Operation],
    batches: Sequence[Batch],
    variants: Sequence[Variant],
    only: str | None = None,
) -> Contract:
    """The contract of these `operations`, `batches` and `variants`; with `only`, of that variant
    alone, generated in a fourth of a second. Raises `Problem` if there is no such variant.

    The prepared files are used if they have the same games. Otherwise the contract is generated,
    which takes a second, once: gunicorn's master creates the app before it forks its workers.
    """
    if only is not None:
        own = [variant for variant in variants if variant.id == only]
        if not own:
            raise Cause.NO_SUCH_VARIANT.problem(allowed=[variant.id for variant in variants])
        return _generated(
            [operation for operation in operations if operation.variant in own],
            [batch for batch in batches if batch.variant in own],
            own,
        )
    files = {form: (_FOLDER / f"openapi.{form}").read_bytes() for form in FORMS}
    listed = f"{catalogue.PATH}/"
    served = {
        catalogue.ENTRY,
        *(each.path for each in operations),
        *(each.path for each in batches),
    }
    if served == {path for path in orjson.loads(files["json"])["paths"] if path.startswith(listed)}:
        return files
    return _generated(operations, batches, variants)


def _generated(
    operations: Sequence[Operation], batches: Sequence[Batch], variants: Iterable[Variant]
) -> Contract:
    from service.contract.document import as_yaml, document  # PyYAML takes time

    made = document(operations, batches, variants)
    return {"json": orjson.dumps(made), "yaml": as_yaml(made).encode()}


def contract_of(variants: Iterable[Variant], form: str) -> bytes:
    """The contract of `variants` under the default settings, as "yaml" or "json"."""
    variants = list(variants)
    asked = operations(variants)
    return _generated(asked, batches(asked, Settings()), variants)[form]


def main() -> None:
    """Writes the contract of the games of this repository, as `make openapi` commits it."""
    parser = ArgumentParser("python -m service.contract.write")
    parser.add_argument("form", nargs="?", choices=["yaml", "json"], default="yaml")
    form: str = parser.parse_args().form
    sys.stdout.buffer.write(contract_of(own_variants().values(), form))


if __name__ == "__main__":
    main()

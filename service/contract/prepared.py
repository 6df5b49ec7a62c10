"""The prepared contract, which workers don't have to generate.

`openapi.json` and `openapi.yaml` beside this module are the contract of the games of this
repository; `make openapi` writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import orjson

from service.api import catalogue
from service.api.batch.batch import Batch
from service.api.http.docs import Contract
from service.api.operations.operation import Operation
from service.rules.variant import Variant

_FOLDER = Path(__file__).parent


def contract(
    operations: Sequence[Operation], batches: Sequence[Batch], variants: Sequence[Variant]
) -> Contract:
    """The contract of these `operations`, `batches` and `variants`.

    The prepared files are used if they have the same games. Otherwise the contract is generated,
    which takes a second, once: gunicorn's master creates the app before it forks its workers.
    """
    as_json = (_FOLDER / "openapi.json").read_bytes()
    served = {f"{catalogue.PATH}/{variant.id}" for variant in variants}
    served |= {operation.path for operation in operations} | {batch.path for batch in batches}
    if served == {path for path in orjson.loads(as_json)["paths"] if _is_of_variant(path)}:
        return Contract(as_json, (_FOLDER / "openapi.yaml").read_bytes())
    from service.contract.document import as_yaml, document  # PyYAML takes time

    made = document(operations, batches, variants)
    return Contract(orjson.dumps(made), as_yaml(made).encode())


def _is_of_variant(path: str) -> bool:
    return path.startswith(f"{catalogue.PATH}/")

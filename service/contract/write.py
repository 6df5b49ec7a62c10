"""Writes the contract as YAML to standard output: `python -m service.contract.write`."""

from __future__ import annotations

import sys

from service.api.batch.batch import Limits, batches
from service.api.operations.registry import operations
from service.contract.document import as_yaml, document
from service.settings import Settings
from service.variants import variants

if __name__ == "__main__":
    found = list(variants().values())
    asked = operations(found)
    many = batches(asked, Limits.of(Settings()))
    sys.stdout.write(as_yaml(document(asked, many, found)))

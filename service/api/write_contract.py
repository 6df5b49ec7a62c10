"""Writes the contract as YAML to standard output: `python -m service.api.write_contract`."""

from __future__ import annotations

import sys

from service.api.contract import as_yaml, document
from service.api.operations import operations
from service.variants import variants

if __name__ == "__main__":
    found = list(variants().values())
    sys.stdout.write(as_yaml(document(operations(found), found)))

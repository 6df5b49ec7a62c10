"""Sends requests with the client of openapi-python-client, and prints the responses as JSON.

    python send.py URL < requests

Each request is an object with `tag`, `operation` and `body`: the client's function and its model
are found by the first two, and the model reads the body.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import get_args, get_type_hints

from dice_client import Client

client = Client(sys.argv[1])
answers = []
for request in json.load(sys.stdin):
    module = import_module(f"dice_client.api.{request['tag']}.{request['operation']}")
    hinted = get_type_hints(module.sync)["body"]
    (model, *_) = get_args(hinted) or (hinted,)
    body = model.from_dict(request["body"])
    assert body.to_dict() == request["body"], request
    answers.append(module.sync(client=client, body=body).to_dict())
print(json.dumps(answers))

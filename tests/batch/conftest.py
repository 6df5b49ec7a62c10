"""The service that batches are sent to."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """The service."""
    return create_app(Settings()).test_client()

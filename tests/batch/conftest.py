"""The service that batches are sent to, and whose answers are the reference."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.settings import Settings


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """The service."""
    return create_app(Settings()).test_client()

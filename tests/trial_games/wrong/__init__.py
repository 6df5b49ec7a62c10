"""Modules that the service refuses as games; only `tests/variants/test_found.py` names them."""

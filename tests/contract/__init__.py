"""Tests of the contract, and the checks of responses against it."""

"""Tests of the store, with real servers."""

"""Tests of the advice for score cards."""

"""Stateless operations over HTTP."""

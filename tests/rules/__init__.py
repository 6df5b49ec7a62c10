"""Dice and patterns."""

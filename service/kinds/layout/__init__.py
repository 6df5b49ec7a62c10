"""Layouts, such as Roll-a-Royal: dice are laid out as crossing lines."""

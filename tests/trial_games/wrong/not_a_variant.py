"""A `VARIANT` that is a name and not a description."""

VARIANT = "poker"

"""The command `score` for a folder: its files are scored in parts, on many cores or machines."""

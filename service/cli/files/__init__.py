"""Files of tables: where they lie, how they are read piece by piece, and how they are written."""
